// EntitledClient.

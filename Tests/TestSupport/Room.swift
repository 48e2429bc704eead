// TestSupport.

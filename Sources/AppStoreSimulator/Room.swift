// AppStoreSimulator: see docs/architecture.md.

// AppStore: see docs/architecture.md.

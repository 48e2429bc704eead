// Sync: see docs/architecture.md.

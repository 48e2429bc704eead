// Service: see docs/architecture.md.

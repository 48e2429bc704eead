// Signatures: see docs/architecture.md.

// Entitlements: see docs/architecture.md.

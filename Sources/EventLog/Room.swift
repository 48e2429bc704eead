// EventLog: see docs/architecture.md.

// CaseFiles: see docs/architecture.md.

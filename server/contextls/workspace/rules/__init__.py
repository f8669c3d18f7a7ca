"""Rules files: what a workspace asks of those who work in it (AGENTS.md and its relatives)."""

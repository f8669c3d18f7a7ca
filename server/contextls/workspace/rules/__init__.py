"""Rules files: what a workspace asks of whoever works in it (AGENTS.md and its relatives)."""

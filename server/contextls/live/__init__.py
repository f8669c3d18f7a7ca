"""The live workspace, without a protocol: unsaved texts, attention, edits, problems, watching and indexing."""

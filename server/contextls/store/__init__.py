"""Bytes on disk and nothing else: SQLite, LanceDB, embedders, and where they live."""

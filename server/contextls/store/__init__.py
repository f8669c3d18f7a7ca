"""Bytes on disk and nothing else: SQLite, mapped segments, and where they live."""

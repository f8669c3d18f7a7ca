"""Segments: what the index keeps of each file, and the columns in which many files lie together."""

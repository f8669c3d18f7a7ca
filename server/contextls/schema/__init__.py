"""Structs as a schema: what their fields may hold, and the one reader that builds them from JSON."""

"""Patterns: habits counted in events and commits, with how often they applied and how often they held."""

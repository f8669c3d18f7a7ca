"""Summarizers for pieces that do not fit: models that the user configured, and nothing otherwise."""

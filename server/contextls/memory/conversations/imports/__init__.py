"""Conversations of other programs, read into nodes."""

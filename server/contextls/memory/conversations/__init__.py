"""Conversations: trees of chat nodes, and what of a path through one a model is shown."""

"""Turns of a conversation: their layers put together, and what the conversation shows already."""

"""Short ways to say a conversation in a test."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.turns import History
from contextls.model import Author, ChatNode, NewNode

H, M, T = Author.HUMAN, Author.MODEL, Author.TOOL
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def say(store: Conversations, conversation: str, *lines: tuple[Author, str]) -> list[ChatNode]:
    """Append what was said, one after the other."""
    return list(store.append_many(conversation, [NewNode(author, text) for author, text in lines]))


def turns(count: int, size: int = 1) -> list[tuple[Author, str]]:
    """So many questions with their answers."""
    pairs = [
        ((H, f"question {n} " + "why " * size), (M, f"answer {n} " + "so " * size)) for n in range(count)
    ]
    return [line for pair in pairs for line in pair]


def texts(history: History) -> list[tuple[str, str]]:
    """Role and content of each message."""
    return [(message.role, message.content) for message in history.messages]


@contextlib.contextmanager
def fresh_chat() -> Iterator[tuple[Conversations, str]]:
    """A store with one empty conversation, for one example of a property."""
    with tempfile.TemporaryDirectory() as folder:
        store = Conversations(Path(folder))
        try:
            yield store, store.create().id
        finally:
            store.close()

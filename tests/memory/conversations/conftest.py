"""Conversations on a disk of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.memory.conversations.store import Conversations


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Conversations]:
    """An empty store."""
    store = Conversations(tmp_path)
    yield store
    store.close()


@pytest.fixture
def chat(store: Conversations) -> str:
    """The id of a conversation in which nothing was said."""
    return store.create("Quoted fields").id

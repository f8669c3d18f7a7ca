"""Cache of answers about conversations, valid until one of them changes: clients ask about the same few again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from contextls.memory.conversations.tree import ChatTree, Read

MAX_ANSWERS = 32
# Trees are brought up to date instead of read again, so they outlive a change.
MAX_TREES = 4
_NO_TREE = ChatTree()

T = TypeVar("T")


class ReadCache:
    """Answers and trees of conversations. Safe to use from any thread."""

    def __init__(self, version: Callable[[], int]) -> None:
        """``version`` differs once any process has changed anything."""
        self._version = version
        self._guard = threading.Lock()
        self._answers: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
        self._trees: OrderedDict[int, ChatTree] = OrderedDict()

    def answer(self, key: Hashable, make: Callable[[], T]) -> T:
        """The answer cached under ``key``, or that of ``make`` where something has changed since."""
        # Read before ``make`` reads: what changes in between is then made once more, never kept too long.
        version = self._version()
        with self._guard:
            kept = self._answers.get(key)
        if kept is not None and kept[0] == version:
            value: T = kept[1]
            return value
        value = make()
        with self._guard:
            _keep(self._answers, key, (version, value), MAX_ANSWERS)
        return value

    def tree(self, number: int, read: Read) -> ChatTree:
        """The tree of the conversation with this number as it is now; ``read`` brings it up to date."""
        with self._guard:
            known = self._trees.get(number, _NO_TREE)
        tree = known.refresh(number, read)
        with self._guard:
            _keep(self._trees, number, tree, MAX_TREES)
        return tree

    def forget(self) -> None:
        """Let go of everything."""
        with self._guard:
            self._answers.clear()
            self._trees.clear()


def _keep(kept: OrderedDict[Any, T], key: Hashable, value: T, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)

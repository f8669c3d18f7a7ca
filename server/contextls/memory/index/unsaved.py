"""Unsaved editor texts: kept as they come, analysed when a question needs them."""

from __future__ import annotations

import threading
from collections.abc import Callable

from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.indexer import Indexer
from contextls.workspace.ignore import IgnoreRules


class UnsavedTexts:
    """Editor texts that the disk does not hold. Safe to call from any thread."""

    def __init__(self, memory: ContentIndex, indexer: Indexer) -> None:
        """Texts that are shown go into ``memory`` by way of ``indexer``."""
        self._memory = memory
        self._indexer = indexer
        self._waiting: dict[str, str | None] = {}
        self._guard = threading.Lock()
        self._showing = threading.Lock()

    def put(self, path: str, text: str | None) -> None:
        """``text`` stands for the file at ``path`` from the next ``show`` on; ``None``: the disk does again."""
        with self._guard:
            self._waiting[path] = text

    def paths(self) -> tuple[str, ...]:
        """The files whose texts wait."""
        with self._guard:
            return tuple(path for path, text in self._waiting.items() if text is not None)

    def show(self, rules: IgnoreRules, accepts: Callable[[str], bool]) -> None:
        """Bring what waits before readers. What cannot be analysed waits on, and the error is raised."""
        # Held while texts are analysed, or a question side by side would be answered without them.
        with self._showing:
            self._show(rules, accepts)

    def _show(self, rules: IgnoreRules, accepts: Callable[[str], bool]) -> None:
        with self._guard:
            waiting, self._waiting = self._waiting, {}
        closed = [path for path, text in waiting.items() if text is None]
        texts = {path: text for path, text in waiting.items() if text is not None and accepts(path)}
        try:
            for path in closed:
                self._memory.drop_unsaved(path)
            if closed:
                self._indexer.update(closed, rules)
            if texts:
                self._indexer.show_unsaved(texts)
        except BaseException:
            with self._guard:
                self._waiting = waiting | self._waiting
            raise

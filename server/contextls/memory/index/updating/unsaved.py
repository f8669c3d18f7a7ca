"""Unsaved editor texts: kept as they come, analysed when a question needs them."""

from __future__ import annotations

import threading
from collections.abc import Callable

from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.updating.indexer import Indexer
from contextls.workspace.ignore import IgnoreRules


class UnsavedTexts:
    """Editor texts that the disk does not hold. Safe to call from any thread."""

    def __init__(self, memory: ContentIndex, indexer: Indexer) -> None:
        """Texts that are shown go into ``memory`` by way of ``indexer``."""
        self._memory = memory
        self._indexer = indexer
        self._waiting: dict[str, str | None] = {}
        self._too_long: frozenset[str] = frozenset()
        self._left: set[str] = set()  # closed, while readers still see the text
        self._guard = threading.Lock()
        self._showing = threading.Lock()

    def put(self, path: str, text: str | None) -> None:
        """``text`` stands for the file at ``path`` from the next ``show`` on; ``None``: the disk does again."""
        with self._guard:
            self._waiting[path] = text
            self._too_long -= {path}

    def leave_out(self, path: str) -> None:
        """The file at ``path`` has an unsaved text that is too long to be shown, so that the disk counts."""
        with self._guard:
            self._waiting[path] = None
            self._too_long |= {path}

    def too_long(self) -> frozenset[str]:
        """The files whose unsaved text is too long to be shown."""
        with self._guard:
            return self._too_long

    def paths(self) -> tuple[str, ...]:
        """The files that wait, with a text or with what the disk holds."""
        with self._guard:
            return tuple(self._waiting)

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
        self._left |= self._memory.unsaved() & set(closed)
        try:
            for path in closed:
                self._memory.drop_unsaved(path)
            # A file that is opened as the index holds it is not worth another analysis.
            stale = [
                path for path in closed if path in self._left or not self._indexer.is_up_to_date(path, rules)
            ]
            if stale:
                self._indexer.update(stale, rules)
            self._left.difference_update(stale)
            if texts:
                self._indexer.show_unsaved(texts)
        except BaseException:
            with self._guard:
                self._waiting = waiting | self._waiting
            raise

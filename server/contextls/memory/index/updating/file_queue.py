"""The files that a run of indexing has before it. What people come to need meanwhile takes its turn at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from contextls.code.model import Import
from contextls.memory.index.updating.order_of_use import ImportTargets, order_by_use
from contextls.workspace.scan import FileStat

# The longest that a question may hold up a run of indexing.
_MAX_PAUSE_SECONDS = 5.0


class FileQueue:
    """Each file is drawn once. Drawn by the thread that indexes; everything else is safe to use from any thread."""

    def __init__(self, files: Sequence[FileStat], indexed: int = 0) -> None:
        """``files`` are still to be looked at; ``indexed`` others need not be, and count for ``extent``."""
        self._guard = threading.Condition()
        self._total = indexed + len(files)
        self._missing = {stat.path: stat for stat in files}
        self._waiting = dict(self._missing)
        self._rest = order_by_use(files)
        self._first: deque[str] = deque()
        self._preferred: set[str] = set()
        self._targets = ImportTargets(tuple(self._missing))
        self._pauses = 0
        self._noted: list[str] = []
        self._shown: set[str] = set()

    def __iter__(self) -> Iterator[FileStat]:
        """Draw the files; waits while the queue is paused."""
        while (stat := self._draw()) is not None:
            yield stat

    def prefer(self, paths: Iterable[str]) -> None:
        """Let these take the next turns, in this order, and after each what it imports. Others are left alone."""
        with self._guard:
            found = [path for path in dict.fromkeys(paths) if path in self._waiting]
            self._first.extendleft(reversed(found))
            self._preferred.update(found)

    def note(self, path: str, read_imports: Callable[[], Sequence[Import]] = tuple) -> None:
        """A file was looked at; it is in the index from the next ``commit`` on. What a preferred one imports comes next."""
        self._noted.append(path)
        if path not in self._preferred:
            return
        targets = self._targets.find(path, read_imports())
        with self._guard:
            self._first.extend(target for target in targets if target in self._waiting)

    def commit(self) -> None:
        """Everything that was noted is in the index now."""
        with self._guard:
            for path in self._noted:
                self._missing.pop(path, None)
            self._noted.clear()

    def show(self, paths: Iterable[str]) -> None:
        """Answers show these now, whenever their turn comes."""
        with self._guard:
            self._shown.update(paths)

    def missing(self) -> list[FileStat]:
        """The files that answers do not show yet."""
        with self._guard:
            return [stat for path, stat in self._missing.items() if path not in self._shown]

    def extent(self) -> tuple[int, int]:
        """The number of files that answers show, of how many."""
        with self._guard:
            missing = len(self._missing) - len(self._shown & self._missing.keys())
            return self._total - missing, self._total

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing is drawn meanwhile: a question needs the workers."""
        with self._guard:
            self._pauses += 1
        try:
            yield
        finally:
            with self._guard:
                self._pauses -= 1
                self._guard.notify_all()

    def _draw(self) -> FileStat | None:
        with self._guard:
            self._guard.wait_for(lambda: not self._pauses, _MAX_PAUSE_SECONDS)
            while self._first:
                stat = self._waiting.pop(self._first.popleft(), None)
                if stat is not None:
                    return stat
            for stat in self._rest:
                if self._waiting.pop(stat.path, None) is not None:
                    return stat
        return None

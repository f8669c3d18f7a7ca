"""Answers well before everything is indexed: what a question speaks of is found on disk, analysed at once and shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from contextls import cancellation
from contextls.errors import CancelledError
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.updating.file_queue import FileQueue
from contextls.memory.index.updating.file_states import differs
from contextls.memory.index.updating.indexer import Indexer
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import FileStat, scan
from contextls.workspace.stamps import Stamp

# A question that waits longer than this for the disk, or for parsers, is answered with what was found by then.
LIST_SECONDS = 5.0
SCAN_SECONDS = 1.5
ANALYSIS_SECONDS = 1.5
AGAIN_SECONDS = 10.0
# Bounds on the found files that are shown: as many as a prompt may draw on, and as are parsed in that time.
MAX_FILES = 48
MAX_BYTES = 4_000_000
# Shown in so small steps that the time is kept.
_STEP_BYTES = 250_000
_POLL_SECONDS = 0.02
# Hits beyond those that are shown take the next turns of the run.
_PREFERRED = 500


class FirstAnswer:
    """Finds and shows files with the words of a question before a full run reaches them. Safe to use from any thread."""

    def __init__(self, root: Path, indexer: Indexer, store: IndexStore, max_file_bytes: int) -> None:
        """Cheap: looks at nothing yet."""
        self._root = root
        self._indexer = indexer
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._one_search = threading.Lock()
        self._newest: tuple[object, float] = (None, 0.0)
        self._listed: FileQueue | None = None  # what no run has told
        self._shown: dict[str, Stamp] = {}

    def find(self, text: str, rules: IgnoreRules, files: Container[str]) -> None:
        """Show readers those of ``files`` that hold words of ``text`` and are not indexed yet.

        Returns within seconds. Raises ``CancelledError``.
        """
        asked = (text, files)
        with self._turn():
            # Some ask again with another budget until the answer fits, or while the first answer is under way.
            before, at = self._newest
            if before != asked or time.monotonic() - at > AGAIN_SECONDS:
                self._find(text, rules, files)
                self._newest = (asked, time.monotonic())

    def extent(self) -> tuple[int, int] | None:
        """The number of files that answers show, of how many; ``None`` while that is not known."""
        queue = self._indexer.queue or self._listed
        return queue.extent() if queue else None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One question at a time has the disk and the workers."""
        while not self._one_search.acquire(timeout=_POLL_SECONDS):
            cancellation.check()
        try:
            yield
        finally:
            self._one_search.release()

    def _find(self, text: str, rules: IgnoreRules, files: Container[str]) -> None:
        queue = self._queue(rules)
        missing = [stat for stat in queue.missing() if stat.path in files] if queue else []
        if queue is None or not missing:
            return
        from contextls.memory.index.updating.literal_scan import scan_for  # most processes find all indexed

        with queue.paused():
            found = scan_for(text, missing, self._root, self._max_file_bytes, SCAN_SECONDS)
            queue.prefer(found[:_PREFERRED])
            stats = {stat.path: stat for stat in missing}
            ends_at = time.monotonic() + ANALYSIS_SECONDS
            for step in _steps(found[:MAX_FILES], stats):
                self._indexer.show_early(step, rules)
                queue.show(step)
                self._shown.update((path, stats[path].stamp) for path in step)
                if time.monotonic() > ends_at:
                    break

    def _queue(self, rules: IgnoreRules) -> FileQueue | None:
        """The files that are not indexed, by the newest run or, before there was one, by a short look at the disk."""
        queue = self._indexer.queue
        if self._store.is_complete() or (queue and (self._indexer.running or queue.missing())):
            return queue
        if queue:  # a run had ended, and another process deleted what it made
            self._shown.clear()
        if self._indexer.running:
            limit = _Deadline(LIST_SECONDS)
            while self._indexer.running and self._indexer.queue is None and not limit.is_set():
                cancellation.check()
                time.sleep(_POLL_SECONDS)
            return self._indexer.queue or self._of(tuple(self._indexer.seen))
        found: list[Sequence[FileStat]] = [()]
        with suppress(CancelledError):  # what was found by then will do
            scan(self._root, rules, self._max_file_bytes, _Deadline(LIST_SECONDS), watch=found.append)
        return self._of(found[-1])

    def _of(self, seen: Sequence[FileStat]) -> FileQueue:
        known = self._store.stamps()
        missing = [stat for stat in seen if differs(stat, known.get(stat.path))]
        queue = FileQueue(missing, indexed=len(seen) - len(missing))
        queue.show(stat.path for stat in missing if self._shown.get(stat.path) == stat.stamp)
        self._listed = queue
        return queue


def _steps(paths: Sequence[str], stats: Mapping[str, FileStat]) -> Iterator[list[str]]:
    step: list[str] = []
    size = total = 0
    for path in paths:
        total += stats[path].size
        if total > MAX_BYTES:
            break
        step.append(path)
        size += stats[path].size
        if size > _STEP_BYTES:
            yield step
            step, size = [], 0
    if step:
        yield step


class _Deadline(threading.Event):
    """Set when its time is over."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._ends_at = time.monotonic() + seconds

    def is_set(self) -> bool:
        return super().is_set() or time.monotonic() > self._ends_at

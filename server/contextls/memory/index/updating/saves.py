"""Stores in the background what readers see already: the saves of a person at work."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from contextls.errors import ContextlsError
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.segments.analysis import Analysis, Skipped
from contextls.memory.index.updating.file_analyser import FileAnalyser
from contextls.memory.index.updating.file_states import is_of_same_time, is_stored
from contextls.memory.index.updating.merger import SegmentMerger
from contextls.store.index_rows import FileRecord
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.stamps import Stamp

# How long closing waits for another process to let go of the index before it leaves the last saves to the next run.
PATIENCE_SECONDS = 5.0


class Save(Struct, frozen=True):
    """Files that changed: the ``results`` of those that are there, with their ``stamps``, and the paths ``gone``."""

    results: Sequence[Analysis | Skipped]
    stamps: Mapping[str, Stamp]
    gone: Sequence[str]
    rules: IgnoreRules

    @property
    def paths(self) -> list[str]:
        """The paths of all these files."""
        return [*(result.path for result in self.results), *self.gone]


class Saves:
    """Stores saves in their order, on a thread of its own."""

    def __init__(
        self,
        memory: ContentIndex,
        store: IndexStore,
        analyser: FileAnalyser,
        merger: SegmentMerger,
        is_running: Callable[[], bool],
    ) -> None:
        """``is_running`` tells whether a full run of this process holds the index."""
        self._memory = memory
        self._store = store
        self._analyser = analyser
        self._merger = merger
        self._is_running = is_running
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="contextls-writer")
        self._give_up_at = math.inf
        self.problem = ""  # what kept the newest save from being stored

    def store(self, save: Save) -> None:
        """Store a save whose paths are held in the memory, and release them. Returns at once."""
        self._thread.submit(self._store_held, save)

    def flush(self) -> None:
        """Wait until everything is stored."""
        self._thread.submit(lambda: None).result()

    def limit_waiting(self) -> None:
        """From now on, wait for another process that holds the index for a few seconds at most."""
        self._give_up_at = time.monotonic() + PATIENCE_SECONDS

    def close(self) -> None:
        """Store what is waiting; what another process keeps from being stored is left to its next full run."""
        self._thread.shutdown(wait=True)

    def _store_held(self, save: Save) -> None:
        newer: list[str] = []
        try:
            with self._store.writing(self._is_patience_over):
                self._memory.catch_up()
                newer = self._store_older(save)
                self.problem = ""
        except ContextlsError as error:
            # Readers see the files as they are; the next full run finds that the index does not.
            self.problem = f"changes of {', '.join(save.paths[:3])} could not be stored: {error}"
        finally:
            self._memory.release(save.paths)
            if newer:
                self._memory.apply(self._store.stored(newer))

    def _store_older(self, save: Save) -> list[str]:
        """Store a save but for files that were stored meanwhile by a process that looked later; the paths of these."""
        known = {path: record for path in save.paths if (record := self._store.record(path))}
        newer = [path for path, record in known.items() if self._is_newer(record, save)]
        # Another process noticed since that these are gone.
        newer += [path for path in save.stamps if path not in known and not self._is_there(path, save.rules)]
        # Another process on the workspace sees the same save, and may have been first.
        fresh = [
            each
            for each in save.results
            if each.path not in newer and not is_stored(each, save.stamps[each.path], known.get(each.path))
        ]
        missing = [path for path in save.gone if path in known and path not in newer]
        if fresh or missing:
            self._memory.note_stored(self._store.write(fresh, save.stamps, missing))
            self._merger.merge()
        return newer

    def _is_there(self, path: str, rules: IgnoreRules) -> bool:
        return bool(self._analyser.sort([path], rules)[0])

    def _is_newer(self, record: FileRecord, save: Save) -> bool:
        """Whether the index holds a file as it is on disk now, and what was found is something else."""
        present, _ = self._analyser.sort([record.path], save.rules)
        if not present or not is_of_same_time(present[0].stamp, record.stamp):
            return False
        found = save.stamps.get(record.path)
        return found is None or not is_of_same_time(present[0].stamp, found)

    def _is_patience_over(self) -> bool:
        """A run of our own ends soon when it was told to, and closing waits for it anyway."""
        return not self._is_running() and time.monotonic() > self._give_up_at

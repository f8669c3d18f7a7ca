"""Makes saved and unsaved text searchable: keeps the content memory in step with the disk and with editors.

A full run hands every file that changed to the worker processes. A save takes the short way: analyse one file, show it to
readers at once, store it afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from contextls.cancellation import LinkedEvent
from contextls.code.pool import WorkerPool
from contextls.errors import CancelledError
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.disk.change import IndexChange
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.segments.analysis import Analysis, Skipped
from contextls.memory.index.updating.file_analyser import FileAnalyser
from contextls.memory.index.updating.file_queue import FileQueue
from contextls.memory.index.updating.file_states import is_of_same_time, stamps_of
from contextls.memory.index.updating.full_run import Backlog, FindUse, FullRun, Progress, RunParts
from contextls.memory.index.updating.indexing_options import IndexingOptions
from contextls.memory.index.updating.known_files import KnownFilesSource
from contextls.memory.index.updating.merger import SegmentMerger
from contextls.memory.index.updating.order_of_use import NOTHING_USED
from contextls.memory.index.updating.run_commits import RunCommits
from contextls.memory.index.updating.saves import Save, Saves
from contextls.model import IndexReport
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import FileStat

POLL_SECONDS = 0.05


class Indexer:
    """The one writer of a workspace's content index within this process."""

    def __init__(
        self,
        root: Path,
        memory: ContentIndex,
        store: IndexStore,
        pool: WorkerPool,
        options: IndexingOptions,
        shared: KnownFilesSource | None = None,
    ) -> None:
        """``root`` is absolute and resolved. The pool is shared and closed by its maker."""
        self._options = options
        self._memory = memory
        self._store = store
        self._analyser = FileAnalyser(root, pool, options)
        self._merger = SegmentMerger(memory, store)
        self._backlog = Backlog()
        self._running = threading.Event()
        self._saves = Saves(memory, store, self._analyser, self._merger, self._running.is_set)
        self._parts = RunParts(
            root=root,
            options=options,
            memory=memory,
            store=store,
            analyser=self._analyser,
            merger=self._merger,
            backlog=self._backlog,
            shared=shared,
        )
        self._one_run = threading.Lock()
        self._one_update = threading.Lock()
        self._stopping = threading.Event()
        self._closed = False

    @property
    def running(self) -> bool:
        """Whether a full run of this process holds the index."""
        return self._running.is_set()

    @property
    def analyzed(self) -> int:
        """The number of files of the disk that this process has analysed."""
        return self._analyser.analyzed

    @property
    def problem(self) -> str:
        """The reason why the newest changes could not be stored as they should, for a user; empty when they could."""
        return self._saves.problem or self._merger.problem

    @property
    def seen(self) -> Sequence[FileStat]:
        """The files that the newest scan has found so far."""
        return self._backlog.seen

    @property
    def queue(self) -> FileQueue | None:
        """The files that the newest run has before it, or left."""
        return self._backlog.queue

    def run(
        self,
        rules: IgnoreRules,
        progress: Progress | None,
        cancel: threading.Event | None,
        find_use: FindUse = lambda _: NOTHING_USED,
    ) -> IndexReport:
        """One full run. Raises ``CancelledError``; what was committed stays."""
        stop = LinkedEvent(self._stopping, *([cancel] if cancel else []))
        commits = RunCommits(self._memory, self._store, self._merger, self._parts.options.is_embedder_slow)
        run = FullRun(self._parts, rules, progress or (lambda _: None), stop, commits)
        while not self._one_run.acquire(timeout=POLL_SECONDS):
            if stop.is_set():
                raise CancelledError("cancelled while another indexing run was at work")
        try:
            self._running.set()
            settled = run.look()
            if settled is not None:
                return settled
            self._running.clear()
            with self._store.writing(stop.is_set):
                self._running.set()
                return run.run(find_use)
        finally:
            if self._stopping.is_set():
                self._saves.limit_waiting()
            self._running.clear()
            self._one_run.release()

    def update(self, paths: Iterable[str], rules: IgnoreRules) -> None:
        """Bring single files up to date; they are searchable when this returns and stored shortly after."""
        if self._closed:
            raise CancelledError("the workspace was closed")
        with self._one_update:
            present, gone = self._analyser.sort(paths, rules)
            stamps = stamps_of(present)
            # A single save holds what no other file held.
            places = self._store.content_places() if len(present) + len(gone) > 1 else ()
            results = [
                result
                for result in self._analyser.analyse(present, stored=lambda: places)
                if isinstance(result, (Analysis, Skipped))
            ]
            fresh = [result for result in results if isinstance(result, Analysis)]
            missing = [*gone, *(result.path for result in results if isinstance(result, Skipped))]
            if fresh or missing:
                shown = self._store.build_unstored(fresh) if fresh else IndexChange.removal(())
                # At once: no question sees a file that was renamed at both places or at none.
                self._memory.apply_held(shown.removing(missing))
                self._saves.store(Save(results, stamps, gone, rules))

    def is_up_to_date(self, path: str, rules: IgnoreRules) -> bool:
        """Whether the stored index holds the file as it is on disk now."""
        present, _ = self._analyser.sort([path], rules)
        record = self._store.record(path)
        if not present or record is None:
            return not present and record is None
        return is_of_same_time(record.stamp, present[0].stamp)

    def show_unsaved(self, texts: dict[str, str]) -> None:
        """Let readers see these texts (path -> text) in place of what is on disk; nothing is stored."""
        results = self._analyser.analyse_texts(texts)
        self._memory.apply(self._store.build_unstored(results), overlay=True)

    def show_early(self, paths: Iterable[str], rules: IgnoreRules) -> None:
        """Let readers see these files before their turn comes; a full run stores them.

        They have no vectors where those would take longer than a question waits.
        """
        present, _ = self._analyser.sort(paths, rules)
        results = [result for result in self._analyser.analyse(present) if isinstance(result, Analysis)]
        self._memory.apply(self._store.build_unstored(results, words_only=self._options.is_embedder_slow))

    def forget_queue(self) -> None:
        """Drop what runs left: the index was cleared."""
        self._backlog.queue = None

    def flush(self) -> None:
        """Wait until everything that was updated is stored."""
        self._saves.flush()

    def stop(self) -> None:
        """Ask runs to end soon, as if each had been cancelled. Returns at once; there is no way back."""
        self._saves.limit_waiting()
        self._stopping.set()

    def close(self) -> None:
        """End runs, store what is waiting, and return when nothing is at work any more.

        What cannot be stored because another process holds the index is left to its next full run.
        """
        self.stop()
        self._closed = True
        with self._one_run, self._one_update:  # an update under way hands in what it read
            pass
        self._saves.close()

"""Makes saved and unsaved text searchable: keeps the content memory in step with the disk and with editors.

A full run scans, compares each file's stamp with what the index knows, and hands only changed files to the worker
processes. A save takes the short way: analyse one file, show it to readers at once, store it afterwards.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from contextls.code.model import Import
from contextls.code.pool import Failure, WorkerPool
from contextls.errors import CancelledError, ContextlsError, StoreError, WorkspaceError
from contextls.memory.index.analysis import Analysis, AnalysisTask, Skipped, Unchanged, analyse
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.file_queue import FileQueue
from contextls.memory.index.file_states import NOISE, differs, is_known, is_stored, stamps_of, stat_of
from contextls.memory.index.index_store import IndexStore
from contextls.memory.index.known_files import KnownFilesSource
from contextls.memory.index.order_of_use import NOTHING_USED, Use
from contextls.memory.index.outlines import loads
from contextls.model import IndexProgress, IndexReport
from contextls.store.index_database import FileRecord
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import FileStat, scan
from contextls.workspace.stamps import Stamp

# One segment per so many chunks: few to merge, little in memory, and a cancelled run keeps much.
CHUNKS_PER_COMMIT = 4000
# With an embedder that reads tens of chunks a second: a cancelled run ends, and keeps what it has, within seconds.
SLOW_CHUNKS_PER_COMMIT = 128
POLL_SECONDS = 0.05
# How long closing waits for another process to let go of the index before it leaves the last saves to the next run.
PATIENCE_SECONDS = 5.0
# So few files are indexed before anybody could ask for one of them first.
FEW_FILES = 200
# Fewer changed files than this are analysed here without a shared index being asked.
WORTH_ASKING = 64
Progress = Callable[[IndexProgress], None]
# Of the files that were found: what people are at work on.
FindUse = Callable[[Sequence[FileStat]], Use]


def _imports_of(result: Analysis | Skipped | Unchanged) -> Sequence[Import]:
    if not isinstance(result, Analysis):
        return ()
    return loads(result.path, result.language, 0, result.outline.encode).imports


@dataclass
class _Run:
    """The progress of one full run."""

    written: int = 0  # files
    waiting: list[Analysis | Skipped] = field(default_factory=list)
    touched: list[FileRecord] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    taken: set[str] = field(default_factory=set)
    waiting_chunks: int = 0
    done: int = 0


class Indexer:
    """The one writer of a workspace's content index within this process."""

    def __init__(
        self,
        root: Path,
        memory: ContentIndex,
        store: IndexStore,
        pool: WorkerPool,
        max_file_bytes: int,
        include_noise: bool,
        *,
        slow_embedder: bool = False,
        embedder: str = "",
        shared: KnownFilesSource | None = None,
    ) -> None:
        """``root`` is absolute and resolved. The pool is shared and closed by whoever made it.

        ``embedder`` is the identity of the one that ``store`` uses: a worker that has it makes the vectors.
        """
        self._embedder = embedder
        self._slow_embedder = slow_embedder
        self._chunks_per_commit = SLOW_CHUNKS_PER_COMMIT if slow_embedder else CHUNKS_PER_COMMIT
        self._root = root
        self._shared = shared
        self._memory = memory
        self._store = store
        self._pool = pool
        self._max_file_bytes = max_file_bytes
        self._include_noise = include_noise
        self._one_run = threading.Lock()
        self._one_update = threading.Lock()
        self._later = ThreadPoolExecutor(1, thread_name_prefix="contextls-writer")
        self._stopping = threading.Event()
        self._give_up_at = math.inf
        self._closed = False
        self.running = False
        self.analyzed = 0  # files of the disk, by this process
        self.problem = ""
        self.seen: Sequence[FileStat] = ()  # what the newest scan has found so far
        self.queue: FileQueue | None = None  # what the newest run has before it, or left

    def run(
        self,
        rules: IgnoreRules,
        progress: Progress | None,
        cancel: threading.Event | None,
        find_use: FindUse = lambda _: NOTHING_USED,
    ) -> IndexReport:
        """One full run. Raises ``CancelledError``; what was committed stays."""
        started = time.perf_counter()
        given = cancel or threading.Event()
        stop = _Either(given, self._stopping)
        report = progress or (lambda _: None)
        while not self._one_run.acquire(timeout=POLL_SECONDS):
            if stop.is_set():
                raise CancelledError("cancelled while another indexing run was at work")
        try:
            with self._store.writing(stop.is_set):
                self.running = True
                return self._run(rules, report, stop, started, find_use)
        finally:
            if self._stopping.is_set():
                self._give_up_at = time.monotonic() + PATIENCE_SECONDS
            self.running = False
            self._one_run.release()

    def update(self, paths: Iterable[str], rules: IgnoreRules) -> None:
        """Bring single files up to date; they are searchable when this returns and stored shortly after."""
        if self._closed:
            raise CancelledError("the workspace was closed")
        with self._one_update:
            present, gone = self._sort(paths, rules)
            stamps = stamps_of(present)
            results = [
                result for result in self._analyse(self._tasks(present)) if not isinstance(result, Unchanged)
            ]
            fresh = [result for result in results if isinstance(result, Analysis)]
            missing = [*gone, *(result.path for result in results if isinstance(result, Skipped))]
            if fresh:
                self._memory.apply_held(self._store.build_unstored(fresh))
            if missing:
                self._memory.apply_held(self._store.build_removal(missing))
            if fresh or missing:
                self._later.submit(self._persist, results, stamps, gone, rules)

    def is_up_to_date(self, path: str, rules: IgnoreRules) -> bool:
        """Whether the stored index holds the file as it is on disk now."""
        present, _ = self._sort([path], rules)
        record = self._store.record(path)
        if not present or record is None:
            return not present and record is None
        now = present[0].stamp
        return _is_same(record.stamp, now)

    def show_unsaved(self, texts: dict[str, str]) -> None:
        """Let readers see these texts (path -> text) in place of what is on disk; nothing is stored."""
        tasks = [
            AnalysisTask(str(self._root), path, text, size=len(text), embedder=self._embedder)
            for path, text in texts.items()
        ]
        results = [result for result in self._analyse(tasks) if isinstance(result, Analysis)]
        self._memory.apply(self._store.build_unstored(results), overlay=True)

    def show_early(self, paths: Iterable[str], rules: IgnoreRules) -> None:
        """Let readers see these files before their turn comes; a full run stores them.

        They have no vectors where those would take longer than a question waits.
        """
        present, _ = self._sort(paths, rules)
        results = [result for result in self._analyse(self._tasks(present)) if isinstance(result, Analysis)]
        self._memory.apply(self._store.build_unstored(results, words_only=self._slow_embedder))

    def flush(self) -> None:
        """Wait until everything that was updated is stored."""
        self._later.submit(lambda: None).result()

    def stop(self) -> None:
        """Ask runs to end soon, as if each had been cancelled. Returns at once; there is no way back."""
        self._give_up_at = time.monotonic() + PATIENCE_SECONDS
        self._stopping.set()

    def close(self) -> None:
        """End runs, store what is waiting, and return when nothing is at work any more.

        What cannot be stored because another process holds the index is left to its next full run.
        """
        self.stop()
        self._closed = True
        self._later.shutdown(wait=True)
        with self._one_run, self._one_update:
            pass

    def _run(
        self, rules: IgnoreRules, report: Progress, cancel: _Either, started: float, find_use: FindUse
    ) -> IndexReport:
        report(IndexProgress("scan", 0, 0))
        if not self._store.is_complete():
            self._pool.start_soon()
        self._store.delete_orphans()
        # Taken before the scan: a file changed later than this may have changed again after it was read.
        scanned_ns = time.time_ns()
        found = scan(
            self._root,
            rules,
            self._max_file_bytes,
            cancel,
            watch=lambda files: self._watch_scan(files, report),
        )
        if "." in found.unreadable:
            raise WorkspaceError(f"{self._root}: cannot be read; the index stays as it was")
        on_disk = {stat.path for stat in found.files}
        known, changed, removed = self._compare(found.files)
        if changed or removed or self._memory.is_loaded or not self._store.is_as_left():
            self._memory.catch_up()
            known, changed, removed = self._compare(found.files)
        run = _Run(skipped=Counter(found.skipped))
        if removed:
            self._memory.apply(self._store.remove(removed))
        total = len(changed)
        report(IndexProgress("index", 0, total))
        stamps = stamps_of(changed, scanned_ns)
        changed = self._take_known(run, changed, stamps, report, cancel)
        queue = self.queue = FileQueue(changed, indexed=len(found.files) - len(changed))
        if len(changed) > FEW_FILES:
            queue.prefer(find_use(found.files).paths)
        for result in self._analyse(self._tasks(queue, known), run.problems):
            self._note(run, result, known, stamps)
            queue.note(result.path, partial(_imports_of, result))
            if run.waiting_chunks >= self._chunks_per_commit:
                self._commit(run, queue, stamps)
            report(IndexProgress("index", run.done, total, result.path))
            if cancel.is_set():
                self._commit(run, queue, stamps)
                raise CancelledError(
                    f"indexing was cancelled after {run.done} of {total} files; run it again to go on"
                )
        self._commit(run, queue, stamps)
        report(IndexProgress("store", total, total))
        left_out = Counter(self._store.count_skipped())
        self._store.set_complete(run.skipped + left_out, holds_noise=self._include_noise)
        if run.written or removed:
            self._merge(settle=True)
        return IndexReport(
            files=len(on_disk) - left_out.total(),
            changed=run.written,
            removed=len(removed),
            chunks=self._store.chunk_count(),
            taken=len(run.taken),
            skipped=dict(run.skipped + left_out),
            problems=(*found.unreadable, *run.problems),
            ms=(time.perf_counter() - started) * 1000,
        )

    def _merge(self, *, settle: bool = False) -> None:
        """Merge the segments that are due; of what cannot be written only the speed of searches suffers."""
        try:
            while (merged := self._store.merge(settle=settle)) is not None:
                self._memory.note_merged(*merged)
            self._store.delete_orphans()
        except StoreError as error:
            self.problem = str(error)

    def _watch_scan(self, files: Sequence[FileStat], report: Progress) -> None:
        self.seen = files
        report(IndexProgress("scan", len(files), 0))

    def _compare(self, files: Sequence[FileStat]) -> tuple[dict[str, FileRecord], list[FileStat], list[str]]:
        """Compare ``files`` with the index: what is known, which differ from it, and which paths are gone."""
        known = self._store.stamps()
        removed = sorted(known.keys() - {stat.path for stat in files})
        if self._include_noise:
            # As if nothing were known of what was left out as noise before.
            known = {path: record for path, record in known.items() if record.skipped not in NOISE}
        look_again = not self._include_noise and self._store.holds_noise()
        changed = [stat for stat in files if look_again or differs(stat, known.get(stat.path))]
        return known, changed, removed

    def _take_known(
        self,
        run: _Run,
        changed: list[FileStat],
        stamps: dict[str, Stamp],
        report: Progress,
        cancel: threading.Event,
    ) -> list[FileStat]:
        """Take what a shared index knows of these files; those that remain have to be analysed."""
        # A few are analysed sooner than anybody is asked.
        if self._shared is None or (len(changed) < WORTH_ASKING and self._store.is_complete()):
            return changed
        total = len(changed)
        for results in self._shared.find(changed, cancel):
            if results:
                self._write(run, results, stamps)
            run.taken.update(result.path for result in results)
            run.done += len(results)
            report(IndexProgress("fetch", run.done, total))
        if self._shared.problem:
            run.problems.append(self._shared.problem)
        return [stat for stat in changed if stat.path not in run.taken]

    def _note(
        self,
        run: _Run,
        result: Analysis | Skipped | Unchanged,
        known: dict[str, FileRecord],
        stamps: dict[str, Stamp],
    ) -> None:
        run.done += 1
        record = known.get(result.path)
        if record is not None and is_known(result, record):
            run.touched.append(replace(record, stamp=stamps[result.path]))
            return
        assert not isinstance(result, Unchanged)  # noqa: S101 - only a known file can be unchanged
        run.waiting.append(result)
        if isinstance(result, Analysis):
            run.waiting_chunks += len(result.chunks)
            run.problems.extend(f"{result.path}: {problem}" for problem in result.problems)

    def _commit(self, run: _Run, queue: FileQueue, stamps: dict[str, Stamp]) -> None:
        if run.waiting:
            self._write(run, run.waiting, stamps)
        if run.touched:
            self._store.touch(run.touched)
        run.waiting, run.touched, run.waiting_chunks = [], [], 0
        queue.commit()

    def _write(self, run: _Run, results: Sequence[Analysis | Skipped], stamps: dict[str, Stamp]) -> None:
        self._memory.apply(self._store.write(results, stamps))
        run.written += len(results)
        self._merge()

    def _persist(
        self,
        results: Sequence[Analysis | Skipped],
        stamps: dict[str, Stamp],
        gone: list[str],
        rules: IgnoreRules,
    ) -> None:
        """Store what was found, but for files that were stored meanwhile by somebody who looked later."""
        paths = [result.path for result in results] + gone
        newer: list[str] = []
        try:
            with self._store.writing(self._is_patience_over):
                self._memory.catch_up()
                known = {path: record for path in paths if (record := self._store.record(path))}
                newer = [
                    path for path, record in known.items() if self._is_newer(record, stamps.get(path), rules)
                ]
                # Another process on the workspace sees the same save, and may have been first.
                fresh = [
                    each
                    for each in results
                    if each.path not in newer and not is_stored(each, stamps[each.path], known.get(each.path))
                ]
                missing = [path for path in gone if path in known and path not in newer]
                changes = [self._store.write(fresh, stamps)] if fresh else []
                if missing:
                    changes.append(self._store.remove(missing))
                for change in changes:
                    self._memory.note_stored(change)
                self.problem = ""
                if changes:
                    self._merge()
        except ContextlsError as error:
            # Readers see the files as they are; the next full run finds that the index does not.
            self.problem = f"changes of {', '.join(paths[:3])} could not be stored: {error}"
        finally:
            self._memory.release(paths)
            if newer:
                self._memory.apply(self._store.stored(newer))

    def _is_newer(self, record: FileRecord, found: Stamp | None, rules: IgnoreRules) -> bool:
        """Whether the index holds a file as it is on disk now, and what was ``found`` is something else."""
        present, _ = self._sort([record.path], rules)
        if not present or not _is_same(present[0].stamp, record.stamp):
            return False
        return found is None or not _is_same(present[0].stamp, found)

    def _is_patience_over(self) -> bool:
        """A run of our own ends soon when it was told to, and closing waits for it anyway."""
        return not self.running and time.monotonic() > self._give_up_at

    def _sort(self, paths: Iterable[str], rules: IgnoreRules) -> tuple[list[FileStat], list[str]]:
        present, gone = [], []
        for path in sorted(set(paths)):
            stat = stat_of(self._root, path)
            if stat is not None and stat.size <= self._max_file_bytes and rules.reason(path) is None:
                present.append(stat)
            else:
                gone.append(path)
        return present, gone

    def _tasks(
        self, stats: Iterable[FileStat], known: dict[str, FileRecord] | None = None
    ) -> Iterator[AnalysisTask]:
        digests = {path: record.digest for path, record in (known or {}).items()}
        for stat in stats:
            yield AnalysisTask(
                str(self._root),
                stat.path,
                None,
                digests.get(stat.path, ""),
                self._include_noise,
                stat.size,
                embedder=self._embedder,
            )

    def _analyse(
        self, tasks: Iterable[AnalysisTask], problems: list[str] | None = None
    ) -> Iterator[Analysis | Skipped | Unchanged]:
        at_work: deque[AnalysisTask] = deque()  # what is drawn next is told late: a question may change it

        def draw() -> Iterator[AnalysisTask]:
            for task in tasks:
                at_work.append(task)
                yield task

        for result in self._pool.map_together(analyse, draw(), weigh=lambda task: task.size):
            task = at_work.popleft()
            if not isinstance(result, Failure):
                value = result.value
            else:
                if problems is not None:
                    problems.append(f"{task.path}: {result.reason}: {result.message}")
                value = self._analyse_plainly(task, result)
            if task.text is None and not isinstance(value, Unchanged):
                self.analyzed += 1
            yield value

    def _analyse_plainly(self, task: AnalysisTask, failure: Failure) -> Analysis | Skipped | Unchanged:
        """A file that cannot be parsed is still worth being found by its words."""
        (second,) = self._pool.map_together(analyse, [replace(task, plain=True)])
        return Skipped(task.path, "", failure.reason) if isinstance(second, Failure) else second.value


def _is_same(first: Stamp, second: Stamp) -> bool:
    return (first.changed, first.size) == (second.changed, second.size)


class _Either(threading.Event):
    """Set when one of several events is."""

    def __init__(self, *events: threading.Event) -> None:
        super().__init__()
        self._events = events

    def is_set(self) -> bool:
        return any(event.is_set() for event in self._events)

"""Brings the content memory in step with the disk and with unsaved editor text.

A full run scans, compares size and time with what the index knows, and hands only changed files to the worker
processes. A save takes the short way: analyse one file, show it to readers at once, store it afterwards.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from contextls.code.pool import Failure, WorkerPool
from contextls.errors import CancelledError
from contextls.memory.content.analysis import Analysis, AnalysisTask, Skipped, Unchanged, analyse
from contextls.memory.content_memory import ContentMemory
from contextls.memory.content_store import Change, ContentStore, Stamp
from contextls.model import IndexProgress, IndexReport
from contextls.store.index_database import FileRecord
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import FileStat, scan

# One commit per so many chunks: large enough that LanceDB writes few files, small enough that a cancelled run keeps much.
CHUNKS_PER_COMMIT = 4000
# A file changed this shortly before it was read may change again within the same clock tick of the file system.
RACY_NS = 2_000_000_000

Progress = Callable[[IndexProgress], None]


@dataclass
class _Run:
    """What one full run has done so far."""

    changes: list[Change] = field(default_factory=list)
    waiting: list[Analysis | Skipped] = field(default_factory=list)
    touched: list[FileRecord] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    waiting_chunks: int = 0
    done: int = 0


class Indexer:
    """The one writer of a workspace's content index within this process."""

    def __init__(
        self,
        root: Path,
        memory: ContentMemory,
        store: ContentStore,
        pool: WorkerPool,
        max_file_bytes: int,
        include_noise: bool,
    ) -> None:
        """``root`` is absolute and resolved. The pool is shared and closed by whoever made it."""
        self._root = root
        self._memory = memory
        self._store = store
        self._pool = pool
        self._max_file_bytes = max_file_bytes
        self._include_noise = include_noise
        self._one_run = threading.Lock()
        self._later = ThreadPoolExecutor(1, thread_name_prefix="contextls-writer")
        self.running = False

    def run(
        self, rules: IgnoreRules, progress: Progress | None, cancel: threading.Event | None
    ) -> IndexReport:
        """One full run. Raises ``CancelledError``; what was committed stays."""
        started = time.perf_counter()
        cancel = cancel or threading.Event()
        report = progress or (lambda _: None)
        with self._one_run, self._store.writing(cancel.is_set):
            self.running = True
            try:
                self._memory.catch_up()
                return self._run(rules, report, cancel, started)
            finally:
                self.running = False

    def update(self, paths: Iterable[str], rules: IgnoreRules) -> None:
        """Bring single files up to date; they are searchable when this returns and stored shortly after."""
        present, gone = self._sort(paths, rules)
        results = [
            result for result in self._analyse(self._tasks(present)) if not isinstance(result, Unchanged)
        ]
        fresh = [result for result in results if isinstance(result, Analysis)]
        missing = [*gone, *(result.path for result in results if isinstance(result, Skipped))]
        if fresh:
            self._memory.apply(self._store.ephemeral(fresh))
        if missing:
            self._memory.apply(self._store.nothing(missing))
        if results or gone:
            stamps = {stat.path: Stamp(stat.size, stat.mtime_ns) for stat in present}
            self._memory.hold([result.path for result in results] + gone)
            self._later.submit(self._persist, results, stamps, gone)

    def show_unsaved(self, texts: dict[str, str]) -> None:
        """Let readers see these texts (path -> text) in place of what is on disk; nothing is stored."""
        tasks = [AnalysisTask(str(self._root), path, text, size=len(text)) for path, text in texts.items()]
        results = [result for result in self._analyse(tasks) if isinstance(result, Analysis)]
        self._memory.apply(self._store.ephemeral(results), overlay=True)

    def flush(self) -> None:
        """Wait until everything that was updated is stored."""
        self._later.submit(lambda: None).result()

    def close(self) -> None:
        """Store what is waiting and stop."""
        self._later.shutdown(wait=True)

    def _run(
        self, rules: IgnoreRules, report: Progress, cancel: threading.Event, started: float
    ) -> IndexReport:
        report(IndexProgress("scan", 0, 0))
        found = scan(self._root, rules, self._max_file_bytes, cancel)
        known = self._store.stamps()
        on_disk = {stat.path for stat in found.files}
        changed = [stat for stat in found.files if _differs(stat, known.get(stat.path))]
        removed = sorted(known.keys() - on_disk)
        run = _Run(skipped=Counter(found.skipped))
        if removed:
            self._take(run, self._store.remove(removed))
        total = len(changed)
        report(IndexProgress("index", 0, total))
        stamps = {stat.path: Stamp(stat.size, stat.mtime_ns) for stat in changed}
        for result in self._analyse(self._tasks(changed, known), run.problems):
            self._note(run, result, known, stamps)
            if run.waiting_chunks >= CHUNKS_PER_COMMIT:
                self._commit(run, stamps)
            report(IndexProgress("index", run.done, total, result.path))
            if cancel.is_set():
                self._commit(run, stamps)
                raise CancelledError(
                    f"indexing was cancelled after {run.done} of {total} files; run it again to go on"
                )
        self._commit(run, stamps)
        report(IndexProgress("store", total, total))
        self._store.drop_old_rows(run.changes, set(known))
        if len(run.changes) > 1 or known.keys() & {path for change in run.changes for path in change.paths}:
            self._store.compact()
        left_out = Counter(record.skipped for record in self._store.stamps().values() if record.skipped)
        self._store.set_complete(run.skipped + left_out)
        return IndexReport(
            files=len(on_disk) - left_out.total(),
            changed=sum(len(change.paths) for change in run.changes) - len(removed),
            removed=len(removed),
            chunks=len(self._memory.snapshot.view),
            skipped=dict(run.skipped + left_out),
            problems=(*found.unreadable, *run.problems),
            ms=(time.perf_counter() - started) * 1000,
        )

    def _note(
        self,
        run: _Run,
        result: Analysis | Skipped | Unchanged,
        known: dict[str, FileRecord],
        stamps: dict[str, Stamp],
    ) -> None:
        run.done += 1
        if isinstance(result, Unchanged):
            stamp = stamps[result.path]
            run.touched.append(replace(known[result.path], size=stamp.size, mtime_ns=stamp.mtime_ns))
            return
        run.waiting.append(result)
        if isinstance(result, Analysis):
            run.waiting_chunks += len(result.chunks)
            run.problems.extend(f"{result.path}: {problem}" for problem in result.problems)

    def _commit(self, run: _Run, stamps: dict[str, Stamp]) -> None:
        if run.waiting:
            self._take(run, self._store.write(run.waiting, stamps))
        if run.touched:
            self._store.touch(run.touched)
        run.waiting, run.touched, run.waiting_chunks = [], [], 0

    def _take(self, run: _Run, change: Change) -> None:
        run.changes.append(change)
        self._memory.apply(change)

    def _persist(
        self, results: Sequence[Analysis | Skipped], stamps: dict[str, Stamp], gone: list[str]
    ) -> None:
        paths = [result.path for result in results] + gone
        try:
            with self._store.writing():
                self._memory.catch_up()
                before = set(self._store.stamps())
                changes = [self._store.write(results, stamps)] if results else []
                if gone:
                    changes.append(self._store.remove(gone))
                self._store.drop_old_rows(changes, before)
                self._memory.seen(max(change.generation for change in changes))
        finally:
            self._memory.release(paths)

    def _sort(self, paths: Iterable[str], rules: IgnoreRules) -> tuple[list[FileStat], list[str]]:
        present, gone = [], []
        for path in sorted(set(paths)):
            stat = _stat(self._root, path)
            if stat is not None and stat.size <= self._max_file_bytes and rules.reason(path) is None:
                present.append(stat)
            else:
                gone.append(path)
        return present, gone

    def _tasks(
        self, stats: Sequence[FileStat], known: dict[str, FileRecord] | None = None
    ) -> list[AnalysisTask]:
        digests = {path: record.digest for path, record in (known or {}).items()}
        return [
            AnalysisTask(
                str(self._root), stat.path, None, digests.get(stat.path, ""), self._include_noise, stat.size
            )
            for stat in stats
        ]

    def _analyse(
        self, tasks: Sequence[AnalysisTask], problems: list[str] | None = None
    ) -> Iterator[Analysis | Skipped | Unchanged]:
        results = self._pool.map(analyse, tasks, weigh=lambda task: task.size)
        for task, result in zip(tasks, results, strict=True):
            if isinstance(result, Failure):
                if problems is not None:
                    problems.append(f"{task.path}: {result.reason}: {result.message}")
                yield Skipped(task.path, "", result.reason)
            else:
                yield result.value


def _differs(stat: FileStat, record: FileRecord | None) -> bool:
    if record is None or (record.size, record.mtime_ns) != (stat.size, stat.mtime_ns):
        return True
    return time.time_ns() - stat.mtime_ns < RACY_NS


def _stat(root: Path, path: str) -> FileStat | None:
    try:
        found = (root / path).lstat()
    except (OSError, ValueError):
        return None
    return (
        FileStat(path, found.st_size, found.st_mtime_ns)
        if (root / path).is_file() and not (root / path).is_symlink()
        else None
    )

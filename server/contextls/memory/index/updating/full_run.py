"""One full run: scan, compare each file's stamp with what the index knows, and index what differs."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from contextls.code.model import Import
from contextls.errors import CancelledError, WorkspaceError
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.segments.analysis import Analysis, Kept, Result, Skipped, Unchanged
from contextls.memory.index.segments.outlines import loads
from contextls.memory.index.updating.file_analyser import FileAnalyser
from contextls.memory.index.updating.file_queue import FileQueue
from contextls.memory.index.updating.file_states import Differences, compare, is_known, stamps_of
from contextls.memory.index.updating.indexing_options import IndexingOptions
from contextls.memory.index.updating.known_files import KnownFilesSource
from contextls.memory.index.updating.merger import SegmentMerger
from contextls.memory.index.updating.order_of_use import Use
from contextls.memory.index.updating.run_commits import RunCommits
from contextls.model import IndexProgress, IndexReport
from contextls.store.index_rows import FileRecord
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import FileStat, Scan, scan

# At most this many files are indexed before a question could ask for one of them.
FEW_FILES = 200
# Fewer changed files than this are analysed here without a shared index being asked.
WORTH_ASKING = 64
Progress = Callable[[IndexProgress], None]
# Finds those of the scanned files that people are at work on.
FindUse = Callable[[Sequence[FileStat]], Use]


class Backlog(Struct):
    """The files that a run has before it, or left; read by other threads."""

    seen: Sequence[FileStat] = ()  # what the newest scan has found so far
    queue: FileQueue | None = None


class RunParts(Struct, frozen=True, dict=True):
    """The parts that all runs of a workspace share. ``shared`` may know files that are not analysed yet."""

    root: Path
    options: IndexingOptions
    memory: ContentIndex
    store: IndexStore
    analyser: FileAnalyser
    merger: SegmentMerger
    backlog: Backlog
    shared: KnownFilesSource | None


class Finding(Struct, frozen=True):
    """A scan begun at ``scanned_ns``, compared with the index as of its write ``generation``."""

    scan: Scan
    differences: Differences
    scanned_ns: int
    generation: int


class FullRun(Struct):
    """One run under ``rules``, which ``cancel`` ends early; ``commits`` stores what it analyses."""

    parts: RunParts
    rules: IgnoreRules
    report: Progress
    cancel: threading.Event
    commits: RunCommits
    started: float = field(default_factory=time.perf_counter)
    found: Finding | None = None
    done: int = 0
    total: int = 0
    problems: list[str] = field(default_factory=list)
    taken: int = 0  # of the indexed files, those that a shared index knew

    def look(self) -> IndexReport | None:
        """The report where the index holds what is on the disk, for which no lock is needed; ``None`` where ``run`` is.

        Raises ``CancelledError`` and ``WorkspaceError``.
        """
        store = self.parts.store
        if not store.is_complete():
            return None
        self.found = self._find()
        found, differences = self.found.scan, self.found.differences
        if differences.changed or differences.removed or store.has_orphans():
            return None
        left_out = Counter(store.count_skipped())
        skipped = Counter(found.skipped) + left_out
        if not store.is_noted(skipped, holds_noise=self.parts.options.include_noise):
            return None
        store.delete_other_indexes()
        self.report(IndexProgress("index", 0, 0))
        self.parts.backlog.queue = FileQueue([], indexed=len(found.files))
        self.report(IndexProgress("store", 0, 0))
        return self._report(found, skipped, removed=0, left_out=left_out.total())

    def run(self, find_use: FindUse) -> IndexReport:
        """Bring the index up to date while its lock is held. Raises ``CancelledError``; what was committed stays."""
        store = self.parts.store
        store.delete_orphans()
        finding = self.found
        if finding is None or finding.generation != store.generation():
            # Another process has written since: what is new to that scan is not to be removed again.
            finding = self._find()
        found, differences = finding.scan, finding.differences
        if differences.removed:
            self.parts.memory.apply(store.remove(differences.removed))
        self.total = len(differences.changed)
        self.report(IndexProgress("index", 0, self.total))
        self.commits.stamps = stamps_of(differences.changed, finding.scanned_ns)
        changed = self._take_known(differences.changed)
        queue = self.parts.backlog.queue = FileQueue(changed, indexed=len(found.files) - len(changed))
        if len(changed) > FEW_FILES:
            queue.prefer(find_use(found.files).paths)
        self._index(queue, differences.known)
        self.report(IndexProgress("store", self.total, self.total))
        left_out = Counter(store.count_skipped())
        skipped = Counter(found.skipped) + left_out
        store.set_complete(skipped, holds_noise=self.parts.options.include_noise)
        if self.total > FEW_FILES:
            self.parts.analyser.end_workers()  # merging takes memory of its own
        if self.commits.written or differences.removed:
            self.parts.merger.merge(settle=True)
        return self._report(found, skipped, removed=len(differences.removed), left_out=left_out.total())

    def _report(self, found: Scan, skipped: Mapping[str, int], *, removed: int, left_out: int) -> IndexReport:
        return IndexReport(
            files=len(found.files) - left_out,
            changed=self.commits.indexed,
            removed=removed,
            chunks=self.parts.store.chunk_count(),
            taken=self.taken,
            skipped=dict(skipped),
            problems=(*map(_describe_unreadable, found.unreadable), *self.problems),
            ms=(time.perf_counter() - self.started) * 1000,
        )

    def _find(self) -> Finding:
        """Scan, and compare with the index. Raises ``WorkspaceError``."""
        generation = self.parts.store.generation()
        # Taken before the scan: a file changed later than this may have changed again after it was read.
        scanned_ns = time.time_ns()
        found = self._scan()
        return Finding(found, self._compare(found.files), scanned_ns, generation)

    def _scan(self) -> Scan:
        self.report(IndexProgress("scan", 0, 0))
        if not self.parts.store.is_complete():
            self.parts.analyser.start_soon()
        found = scan(
            self.parts.root,
            self.rules,
            self.parts.options.max_file_bytes,
            self.cancel,
            watch=self._watch_scan,
        )
        if "." in found.unreadable:
            raise WorkspaceError(f"{self.parts.root}: cannot be read; the index stays as it was")
        return found

    def _watch_scan(self, files: Sequence[FileStat]) -> None:
        self.parts.backlog.seen = files
        self.report(IndexProgress("scan", len(files), 0))

    def _compare(self, files: Sequence[FileStat]) -> Differences:
        store, memory = self.parts.store, self.parts.memory

        def look() -> Differences:
            return compare(
                files, store.stamps(), self.parts.options.include_noise, holds_noise=store.holds_noise()
            )

        found = look()
        if found.changed or found.removed or memory.is_loaded or not store.is_as_left():
            memory.catch_up()  # which shows what is damaged
            found = look()
        return found

    def _take_known(self, changed: list[FileStat]) -> list[FileStat]:
        """Take what a shared index knows of these files; those that remain have to be analysed."""
        shared = self.parts.shared
        # A few are analysed sooner than a shared index is asked.
        if shared is None or (len(changed) < WORTH_ASKING and self.parts.store.is_complete()):
            return changed
        known: set[str] = set()
        for results in shared.find(changed, self.cancel):
            if results:
                self.commits.write(results)
            known.update(result.path for result in results)
            self.done += len(results)
            self.report(IndexProgress("fetch", self.done, self.total))
        self.taken = self.commits.indexed
        if shared.problem:
            self.problems.append(shared.problem)
        return [stat for stat in changed if stat.path not in known]

    def _index(self, queue: FileQueue, known: dict[str, FileRecord]) -> None:
        """Analyse and store the files of ``queue``, some of which are ``known``."""
        digests = {path: record.digest for path, record in known.items()}
        self.commits.begin()
        results = self.parts.analyser.analyse(
            queue, digests, self.problems, lambda: self.commits.places, in_place=True
        )
        for result in results:
            self._note(result, known)
            queue.note(result.path, partial(_imports_of, result))
            if self.commits.is_due():
                self._commit(queue)
            self.report(IndexProgress("index", self.done, self.total, result.path))
            if self.cancel.is_set():
                self._commit(queue)
                raise CancelledError(
                    f"indexing was cancelled after {self.done} of {self.total} files; run it again to go on"
                )
        self._commit(queue)

    def _note(self, result: Result, known: dict[str, FileRecord]) -> None:
        self.done += 1
        record = known.get(result.path)
        if record is not None and is_known(result, record):
            self.commits.touch(record)
            return
        assert not isinstance(result, Unchanged)  # noqa: S101 - only a known file can be unchanged
        if isinstance(result, Kept):
            again = self.parts.store.record_of(result, self.commits.stamps[result.path])
            if again is not None:
                self.commits.revive(again)
                return
            result = self._reanalyse(result.path)
        self.commits.add(result)
        if isinstance(result, Analysis):
            self.problems.extend(f"{result.path}: {problem}" for problem in result.problems)

    def _reanalyse(self, path: str) -> Analysis | Skipped:
        """A file whose segment was merged with others since it was found there."""
        present, _ = self.parts.analyser.sort([path], self.rules)
        for result in self.parts.analyser.analyse(present, None, self.problems):
            if isinstance(result, (Analysis, Skipped)):
                return result
        return Skipped(path, "", "missing")

    def _commit(self, queue: FileQueue) -> None:
        self.commits.commit()
        queue.commit()


def _imports_of(result: Result) -> Sequence[Import]:
    if not isinstance(result, Analysis):
        return ()
    return loads(result.path, result.language, 0, result.outline.encode).imports


def _describe_unreadable(path: str) -> str:
    return f"{path}: cannot be read; to let it in, give permission to read it"

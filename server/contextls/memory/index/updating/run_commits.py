"""Stores the results of a run of indexing, in commits of a bounded size and age."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct, field

from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.segments.analysis import Analysis, Skipped
from contextls.memory.index.updating.merger import SegmentMerger
from contextls.store.index_rows import FileRecord
from contextls.workspace.stamps import Stamp

# The chunks of one segment: enough that few segments are merged, few enough to hold in memory.
CHUNKS_PER_COMMIT = 4000
# With an embedder that reads tens of chunks a second: a cancelled run ends, and keeps what it has, within seconds.
SLOW_CHUNKS_PER_COMMIT = 128
# The time between commits, shorter at first: a run that is killed loses no more than that.
SECONDS_PER_COMMIT = 3.0
FIRST_COMMIT_SECONDS = 0.5


class RunCommits(Struct):
    """The results of one run that wait for a commit, and counts of those that were stored.

    Everything is called while the index lock is held.
    """

    memory: ContentIndex
    store: IndexStore
    merger: SegmentMerger
    is_embedder_slow: bool
    stamps: dict[str, Stamp] = field(default_factory=dict)
    written: int = 0  # files, those included of which nothing is indexed
    indexed: int = 0  # files
    places: tuple[str, ...] = ()  # of the segments whose contents are not parsed again
    _results: list[Analysis | Skipped] = field(default_factory=list)
    _chunks: int = 0
    _touched: list[FileRecord] = field(default_factory=list)
    _revived: list[FileRecord] = field(default_factory=list)
    _begun_at: float = 0.0
    _committed_at: float = 0.0

    def begin(self) -> None:
        """Note the time from which the age of commits counts, and the segments that there are."""
        self._begun_at = self._committed_at = time.monotonic()
        self.places = self.store.content_places()

    def add(self, result: Analysis | Skipped) -> None:
        """Store ``result`` with the next commit."""
        self._results.append(result)
        if isinstance(result, Analysis):
            self._chunks += len(result.chunks)

    def touch(self, record: FileRecord) -> None:
        """Store the new stamp of a file whose content did not change."""
        self._touched.append(record._replace(stamp=self.stamps[record.path]))

    def revive(self, record: FileRecord) -> None:
        """Let a file count again that a segment still holds."""
        self._revived.append(record)

    def is_due(self) -> bool:
        """Whether enough waits for a commit, or has waited for long."""
        enough = SLOW_CHUNKS_PER_COMMIT if self.is_embedder_slow else CHUNKS_PER_COMMIT
        patience = min(SECONDS_PER_COMMIT, FIRST_COMMIT_SECONDS + self._committed_at - self._begun_at)
        return self._chunks >= enough or time.monotonic() - self._committed_at >= patience

    def commit(self) -> None:
        """Store everything that waits, and show it to readers."""
        if self._revived:  # before segments move
            self.memory.apply(self.store.revive(self._revived))
            self.written += len(self._revived)
            self.indexed += len(self._revived)
        if self._results:
            self.write(self._results)
        if self._touched:
            self.store.touch(self._touched)
        self._results, self._touched, self._revived, self._chunks = [], [], [], 0
        self._committed_at = time.monotonic()

    def write(self, results: Sequence[Analysis | Skipped]) -> None:
        """Store ``results`` at once, and merge the segments that are due."""
        self.memory.apply(self.store.write(results, self.stamps))
        self.written += len(results)
        self.indexed += sum(isinstance(result, Analysis) for result in results)
        self.merger.merge()
        self.places = self.store.content_places()

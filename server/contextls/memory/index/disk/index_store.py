"""The content index on disk as one thing: segments, and the records that say which of their files count.

Order of a write: a new segment, on the disk, then the records that make its files count and those before it not, in one
transaction. A process killed at any point leaves an index that reads as either before or after, and at worst a file
that nobody names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from contextls.errors import EmbedderError, StoreError
from contextls.memory.index.disk.change import IndexChange, records_of
from contextls.memory.index.disk.derived_arrays import DerivedArrays
from contextls.memory.index.disk.facts import IndexFacts, StoredFacts
from contextls.memory.index.disk.lock import IndexLock
from contextls.memory.index.disk.merge_step import merge_due
from contextls.memory.index.disk.segment_store import SegmentStore
from contextls.memory.index.disk.vector_index import MIN_CHUNKS, VectorIndex
from contextls.memory.index.segments.analysis import Analysis, Kept, Skipped
from contextls.memory.index.segments.arrays import to_arrays
from contextls.memory.index.segments.build import build_segment
from contextls.memory.index.segments.merge import SegmentMerge
from contextls.memory.index.segments.segment import Segment
from contextls.models.embedders.base import Embedder, NoVectors
from contextls.store.index_database import IndexDatabase
from contextls.store.index_rows import FilePlaces, FileRecord, SegmentRecord
from contextls.store.locations import Locations
from contextls.store.notices import Notices
from contextls.store.quarantine import list_quarantined
from contextls.store.segment_files import SegmentFiles
from contextls.store.vector_folders import VectorFolders
from contextls.workspace.stamps import NO_STAMP, Stamp


class IndexStore:
    """The content index on disk. Reading needs no lock; writing needs ``writing()``."""

    def __init__(
        self,
        locations: Locations,
        embedder: Embedder,
        notices: Notices | None = None,
        *,
        min_chunks: int = MIN_CHUNKS,
    ) -> None:
        """Open the index; one of another embedder is emptied, so that vectors never mix.

        From ``min_chunks`` on, LanceDB indexes the vectors in processes that ask for it.
        """
        self._embedder = embedder
        self._locations = locations
        self._records = IndexDatabase(locations.index_database, notices)
        self._folders = VectorFolders(locations.vector_indexes)
        files = SegmentFiles(locations.segments)
        self.vectors = VectorIndex(self._records, files, self._folders, min_chunks)
        self._facts = IndexFacts(self._records, embedder.identity)
        self._segments = SegmentStore(locations.segments, self._facts)
        self.derived = DerivedArrays(files, self._facts)
        self._lock = IndexLock(locations.index_lock)
        self._lost: set[str] = set()
        try:
            if not self._facts.are_ours():
                with self._lock.held():
                    if not self._facts.are_ours():
                        self._start_over()
        except BaseException:
            self._records.close()
            raise

    @contextlib.contextmanager
    def writing(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Hold the index lock, waiting for another process that has it. Raises ``CancelledError``."""
        with self._lock.held(cancelled):
            if not self._facts.are_ours():  # it was damaged and started over while it was open
                self._start_over()
            yield

    def delete_orphans(self) -> None:
        """Delete files that no record names, and indexes that other versions left. Call it inside ``writing()``."""
        self._records.forget_empty_segments()
        self._segments.delete_all_but(self._records.segments().values(), [self.derived.name()])
        self.vectors.delete_leftovers()
        self.delete_other_indexes()

    def has_orphans(self) -> bool:
        """Whether a writer that was killed left segments, or drafts of them. Needs no lock."""
        return self._segments.has_others(self._records.segments().values(), [self.derived.name()])

    def delete_other_indexes(self) -> None:
        """Delete indexes that other versions left, and that none of them used lately. Needs no lock."""
        self._locations.delete_other_indexes()

    def warnings(self) -> tuple[str, ...]:
        """Warnings about the state of the index."""
        doubtful = self._doubtful()
        found = []
        if doubtful:
            found.append(
                f"the chunks of {len(doubtful):,} files were lost or damaged; the next indexing reads them again"
            )
        found.extend(
            f"the content index was damaged and started over; the damaged one lies at {place} and can be deleted"
            for place in list_quarantined(self._locations.index_database)
        )
        found.extend(filter(None, [self.vectors.problem]))
        return tuple(found)

    def _start_over(self) -> None:
        self._records.wipe()
        self._segments.delete_all_but(())
        self.vectors.delete_leftovers()
        self._facts.begin()
        self._lost.clear()

    def stamps(self) -> dict[str, FileRecord]:
        """The records of all files; without a stamp those whose content got lost."""
        found = self._records.stamps()
        for path in self._doubtful() & found.keys():
            found[path] = _distrusted(found[path])
        return found

    def record(self, path: str) -> FileRecord | None:
        """The record of one file, without a stamp if its content got lost."""
        found = self._records.record(path)
        return _distrusted(found) if found and path in self._doubtful() else found

    def write(
        self, results: Sequence[Analysis | Skipped], stamps: Mapping[str, Stamp], gone: Sequence[str] = ()
    ) -> IndexChange:
        """Make the index hold exactly ``results`` for their paths and nothing for ``gone``, at once."""
        generation = self._records.next_generation()
        analyses = [result for result in results if isinstance(result, Analysis)]
        records = records_of(results, stamps, generation)
        records += [FileRecord(path, "", NO_STAMP, "", "", generation, deleted=True) for path in gone]
        segments = [self._store(build_segment(analyses, self._embedder), records)] if analyses else []
        if not analyses:
            self._records.write(records)
        paths = [record.path for record in records]
        self._lost.difference_update(paths)
        return IndexChange.whole(paths, segments, generation)

    def content_places(self) -> tuple[str, ...]:
        """The paths of the segments whose contents need not be parsed again: see ``AnalysisTask.stored``."""
        return self._segments.sound_places(self._records.segments().values())

    def record_of(self, kept: Kept, stamp: Stamp) -> FileRecord | None:
        """A record for ``revive``; ``None`` where the segment is gone since the file was found in it."""
        name = Path(kept.place).name
        shape = next((each for each in self._records.segments().values() if each.name == name), None)
        if shape is None:
            return None
        segment, at = self._segments.map(shape), kept.number
        chunks = int(segment.first_chunks[at + 1] - segment.first_chunks[at])
        return FileRecord(
            kept.path, kept.digest, stamp, segment.language(at), "", 0, chunks, segment=shape.id, position=at
        )

    def revive(self, records: Sequence[FileRecord]) -> IndexChange:
        """Let files count again that their segments still hold. Merge nothing since ``record_of`` told of them."""
        generation = self._records.next_generation()
        again = [record._replace(generation=generation) for record in records]
        self._records.write(again)
        paths = {record.path for record in again}
        self._lost -= paths
        parts, _ = self._segments.read(FilePlaces.of(again), self._records.segments())
        return IndexChange(frozenset(paths), tuple(parts), generation)

    def _store(self, segment: Segment, records: Sequence[FileRecord]) -> Segment:
        """Write a segment and the records of its files; the segment, mapped."""
        self._expect_dimensions(segment)
        name, size = self._segments.write(to_arrays(segment))
        shape = SegmentRecord(0, name, size, len(segment.paths), len(segment), segment.vectors.shape[1])
        return self._segments.map_own(replace(shape, id=self._records.write(records, shape)))

    def _expect_dimensions(self, segment: Segment) -> None:
        length = segment.vectors.shape[1]
        other = {each.dimensions for each in self._records.segments().values() if each.chunks} - {length}
        if len(segment) and other:
            raise StoreError(
                f"the content index at {self._locations.segments} holds vectors of {max(other)} numbers, the embedder "
                f"now gives {length}; `contextls clear` and `contextls index` rebuild it"
            )

    def touch(self, records: Sequence[FileRecord]) -> None:
        """Note new sizes and times of files whose content did not change."""
        self._records.write((), touched=records)

    def remove(self, paths: Sequence[str]) -> IndexChange:
        """Forget files that are gone."""
        return self.write((), {}, paths)

    def merge(self, *, settle: bool = False) -> tuple[SegmentMerge, Segment] | None:
        """Merge the segments that are due, one lot of them; ``None`` when none is. Call it inside ``writing()``.

        With ``settle`` all small ones are. Raises ``StoreError``.
        """
        return merge_due(self._segments, self._records, settle=settle)

    def is_as_left(self) -> bool:
        """Whether the last full run ended well and the segments are there, each as large as it was written."""
        if not self._facts.read().is_complete or self._doubtful():
            return False
        return self._segments.are_there(self._records.segments().values())

    def chunk_count(self) -> int:
        """The number of chunks in the index."""
        return self._records.count_chunks()

    def generation(self) -> int:
        """The number of the newest write by any process; 0 when there was none."""
        return self._records.generation()

    def changed_since(self, generation: int) -> IndexChange | None:
        """Everything this or another process wrote after ``generation``; ``None`` when nothing."""
        newest = self._records.generation()
        if newest <= generation:
            return None
        for last in (False, True):
            places = self._records.changed_since(generation)
            parts, lost = self._segments.read(places, self._records.segments())
            if not lost or last:
                break  # the first time another process may just have merged a segment away
        paths = frozenset(places.paths)
        self._lost = lost if generation == 0 else self._lost - paths | lost
        return IndexChange(paths, tuple(parts), newest)

    def stored(self, paths: Sequence[str]) -> IndexChange:
        """The stored content of these paths."""
        found = [record for path in paths if (record := self._records.record(path))]
        parts, _ = self._segments.read(FilePlaces.of(found), self._records.segments())
        return IndexChange(frozenset(paths), tuple(parts), 0)

    def build_unstored(self, results: Sequence[Analysis], *, words_only: bool = False) -> IndexChange:
        """Texts that are not stored (yet), ready to be searched; without vectors when the embedder fails."""
        none = NoVectors(self._embedder.dimensions)
        try:
            segment = build_segment(results, none if words_only else self._embedder)
        except EmbedderError:
            segment = build_segment(results, none)
        return IndexChange.whole([result.path for result in results], [segment], 0)

    def _doubtful(self) -> set[str]:
        """The files whose content is not what was written, as far as anyone looked."""
        found = set(self._lost)
        for number in list(self._segments.damaged()):
            found.update(path for _, path in self._records.files_in(number))
        found.update(self._segments.damaged_files())
        return found

    def is_complete(self) -> bool:
        """Whether a full run has ended since the index was made."""
        facts = self._facts.read()
        return self._is_sound(facts) and facts.is_complete

    def is_sound(self) -> bool:
        """Whether everything that the index should hold could be read, as far as it was; else it needs a full run."""
        return self._is_sound(self._facts.read())

    def _is_sound(self, facts: StoredFacts) -> bool:
        return not self._doubtful() and self._facts.are_ours(facts)

    def count_skipped(self) -> Mapping[str, int]:
        """The number of known files that are left out, by reason."""
        return self._records.count_skipped()

    def set_complete(self, skipped: Mapping[str, int], *, holds_noise: bool) -> None:
        """Note that a full run has ended, how many files it left out for which reason, and whether it let noise in."""
        self._facts.complete(skipped, holds_noise=holds_noise)

    def is_noted(self, skipped: Mapping[str, int], *, holds_noise: bool) -> bool:
        """Whether ``set_complete`` would change nothing."""
        facts = self._facts.read()
        return facts.is_complete and (facts.skipped, facts.holds_noise) == (skipped, holds_noise)

    def holds_noise(self) -> bool:
        """Whether the last full run let generated and minified files in."""
        return self._facts.read().holds_noise

    def skipped(self) -> Mapping[str, int]:
        """The number of files that the last full run left out, by reason."""
        return self._facts.read().skipped

    def size_bytes(self) -> int:
        """Bytes of the segments and of the index over their vectors, on disk."""
        return self._segments.size_bytes() + self._folders.size_bytes()

    def wipe(self) -> None:
        """Delete the index, and those of other versions."""
        self._locations.delete_other_indexes(unused_days=0)
        with self._lock.held():
            self._start_over()
            self._records.shrink()

    def close(self) -> None:
        """Let go of the files."""
        self._segments.close()
        self.vectors.close()
        self._records.close()


def _distrusted(record: FileRecord) -> FileRecord:
    return record._replace(digest="", stamp=NO_STAMP)

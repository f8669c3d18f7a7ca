"""The content index on disk as one thing: the chunk table and the file records, kept in step.

Order of a write: new rows into the table, then the records that make them valid (one transaction), then the old rows
out of the table. A process killed at any point leaves an index that reads as either before or after.
"""

from __future__ import annotations

import contextlib
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from contextls.errors import EmbedderError, StoreError
from contextls.memory.index.analysis import Analysis, Skipped
from contextls.memory.index.batches import batch_of
from contextls.memory.index.index_facts import Facts, IndexFacts
from contextls.memory.index.index_lock import IndexLock
from contextls.memory.index.mapped_copy import MappedCopy
from contextls.memory.index.stored import (
    Change,
    expected_of,
    generations_of,
    outline_of,
    outlines_of,
    record_of,
    unaltered_rows,
    valid_rows,
)
from contextls.models.embedders.base import Embedder, NoVectors
from contextls.store.chunk_batch import ChunkBatch, checksums_of
from contextls.store.content_table import ContentTable
from contextls.store.index_database import FileRecord, IndexDatabase
from contextls.store.locations import Locations
from contextls.store.notices import Notices
from contextls.store.quarantine import list_quarantined
from contextls.workspace.stamps import NO_STAMP, Stamp


class IndexStore:
    """The content index on disk. Reading needs no lock; writing needs ``writing()``."""

    def __init__(self, locations: Locations, embedder: Embedder, notices: Notices | None = None) -> None:
        """Open the index; one of another format or embedder is emptied, so that vectors never mix."""
        self._embedder = embedder
        self._locations = locations
        self._table = ContentTable(locations.content_table, embedder.dimensions)
        self._records = IndexDatabase(locations.index_database, notices)
        self.copy = MappedCopy(locations.mapped_chunks, self._records)
        self._facts = IndexFacts(self._records, embedder.identity)
        self._lock = IndexLock(locations.index_lock)
        self._damage = ""
        self._doubtful: set[str] = set()
        self._untidy = False
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
        """Hold the index lock, waiting for another process that has it, and put right what a killed one left.

        Raises ``CancelledError``.
        """
        with self._lock.held(cancelled):
            if not self._facts.are_ours():  # it was damaged and started over while it was open
                self._start_over()
            facts = self._facts.read()
            self._table.use(facts.table)
            if self._untidy or facts.is_dirty:
                self._tidy()
            yield

    def repair(self) -> bool:
        """Start over when the table turned out to be unreadable, and still is. Call it inside ``writing()``."""
        if not self._damage:
            return False
        try:
            self._table.read()
        except StoreError:
            self._table.quarantine()
            self._start_over()
            return True
        finally:
            self._damage = ""
        return False

    def delete_orphans(self) -> None:
        """Delete files that a writer killed half-way left behind. Call it inside ``writing()``."""
        self._table.delete_orphans()

    def warnings(self) -> tuple[str, ...]:
        """Warnings about the state of the index."""
        found = [f"{self._damage}; it is rebuilt by the next indexing"] if self._damage else []
        if self._doubtful:
            found.append(
                f"the chunks of {len(self._doubtful):,} files were lost or damaged; the next indexing reads them again"
            )
        places = (self._locations.index_database, self._locations.content_table)
        found.extend(
            f"the content index was damaged and started over; the damaged one lies at {place} and can be deleted"
            for path in places
            for place in list_quarantined(path)
        )
        return tuple(found)

    def _start_over(self) -> None:
        self._records.wipe()
        self._table.destroy()
        self.copy.delete()
        name = f"chunks-{uuid.uuid4().hex[:12]}"
        self._facts.begin(name)
        self._table.use(name)
        self._doubtful.clear()

    def _tidy(self) -> None:
        self._table.delete_all_but(
            {record.path: record.generation for record in self._records.stamps().values()}
        )
        self._untidy = False
        self._facts.mark_clean()

    def stamps(self) -> dict[str, FileRecord]:
        """The stamps of all files, outlines left out; none of files whose rows got lost."""
        found = self._records.stamps()
        for path in self._doubtful & found.keys():
            found[path] = replace(found[path], digest="", stamp=NO_STAMP)
        return found

    def record(self, path: str) -> FileRecord | None:
        """The stamp of one file."""
        found = self._records.record(path)
        return replace(found, digest="", stamp=NO_STAMP) if found and path in self._doubtful else found

    def write(self, results: Sequence[Analysis | Skipped], stamps: Mapping[str, Stamp]) -> Change:
        """Make the index hold exactly ``results`` for their paths."""
        generation = self._records.next_generation()
        analyses = [result for result in results if isinstance(result, Analysis)]
        batch = batch_of(analyses, self._embedder, generation)
        sums = checksums_of(batch)
        records = [
            record_of(result, stamps.get(result.path), generation, sums.get(result.path, 0))
            for result in results
        ]
        self._facts.mark_dirty()
        self._add(batch)
        self._records.write(records)
        self._doubtful.difference_update(record.path for record in records)
        return Change(
            frozenset(result.path for result in results), batch, tuple(map(outline_of, analyses)), generation
        )

    def _add(self, batch: ChunkBatch) -> None:
        try:
            self._table.add(batch)
        except StoreError as error:
            # The next run looks into it: what was loaded came perhaps from the copy, so nobody has read the table yet.
            self._damage = str(error)
            raise

    def touch(self, records: Sequence[FileRecord]) -> None:
        """Note new sizes and times of files whose content did not change."""
        self._records.write((), touched=records)

    def remove(self, paths: Sequence[str]) -> Change:
        """Forget files that are gone."""
        generation = self._records.next_generation()
        self._facts.mark_dirty()
        self._records.write(
            [FileRecord(path, "", NO_STAMP, "", "", "", generation, deleted=True) for path in paths]
        )
        return Change(frozenset(paths), self._table.empty(), (), generation)

    def drop_old_rows(self, changes: Sequence[Change], known_before: set[str]) -> None:
        """Delete the rows that ``changes`` made invalid: the last step of a write."""
        for change in changes:
            self._table.delete_older(change.generation, change.paths & known_before)
        if changes:
            self._facts.mark_clean()

    def seal(self) -> None:
        """Note how the table's files lie, so that a later process can tell that nothing happened to them."""
        self._facts.seal(self._table.fingerprint())

    def is_as_left(self) -> bool:
        """Whether the last full run ended well and the table's files are exactly those that it left.

        Reading the table would tell more, but costs seconds that an unchanged workspace need not spend.
        """
        facts = self._facts.read()
        self._table.use(facts.table)
        ended = facts.is_complete and not facts.is_dirty and not self._damage
        return ended and facts.seal == self._table.fingerprint()

    def chunk_count(self) -> int:
        """The number of chunks in the index."""
        return sum(record.chunks for record in self._records.stamps().values())

    def compact(self) -> None:
        """Merge what many small writes left; run it when idle."""
        self._table.compact()

    def load(self) -> tuple[Change, ...]:
        """Everything that is stored, to be shown in this order: the mapped copy, then what it lacks."""
        parts, is_intact = self.copy.read() if self.is_as_left() else ([], bool)
        changes = self._load_copy(parts) if parts else None
        # Beside what was just done the check took no time of its own.
        if changes is not None and is_intact():
            return changes
        if self.copy.names():
            self.copy.distrust()
        change = self.changed_since(0)
        return (change,) if change else ()

    def _load_copy(self, parts: Sequence[ChunkBatch]) -> tuple[Change, ...] | None:
        """Load the copy and, where it lacks something, the table; ``None`` when the copy makes no sense."""
        try:
            return self._from_copy(parts)
        except (LookupError, ValueError, TypeError, OverflowError, MemoryError):
            return None

    def _from_copy(self, parts: Sequence[ChunkBatch]) -> tuple[Change, ...]:
        base, *extras = parts
        self._table.dimensions = base.vectors.shape[1]
        newest = self._records.generation()
        records = {record.path: record for record in self._records.changed_since(0) if not record.deleted}
        shown = generations_of(base)
        stale = {path for path, found in shown.items() if found != expected_of(records.get(path))}
        rest = {path for path, record in records.items() if path not in shown or path in stale}
        extra = valid_rows(ChunkBatch.concatenate([self._table.empty(), *extras]), records)
        missing = sorted(path for path in rest if records[path].chunks and path not in generations_of(extra))
        if missing:
            read = valid_rows(self._read(missing) or self._table.empty(), records)
            extra = ChunkBatch.concatenate([extra, unaltered_rows(read, records)])
            held = generations_of(extra)
            self._doubtful |= {path for path in missing if held.get(path) != expected_of(records[path])}
        return (
            Change(
                frozenset(shown), base, outlines_of(records, (shown.keys() & records.keys()) - rest), newest
            ),
            Change(frozenset(stale | rest), extra, outlines_of(records, rest), newest),
        )

    def generation(self) -> int:
        """The number of the newest write by any process; 0 when there was none."""
        return self._records.generation()

    def changed_since(self, generation: int) -> Change | None:
        """Everything this or another process wrote after ``generation``; ``None`` when nothing."""
        newest = self._records.generation()
        if newest <= generation:
            return None
        records = self._records.changed_since(generation)
        living = [record for record in records if not record.deleted]
        batch = self._read(None if generation == 0 else [r.path for r in living if r.chunks])
        if batch is None:
            return None
        stored = len(batch)
        by_path = {record.path: record for record in living}
        batch = valid_rows(batch, by_path)
        valid = len(batch)
        batch = unaltered_rows(batch, by_path)
        rows = Counter(batch.rows.paths)
        lost = {record.path for record in living if rows[record.path] != record.chunks}
        self._doubtful = lost if generation == 0 else self._doubtful - by_path.keys() | lost
        if generation == 0:
            self._untidy = self._untidy or stored > valid
        return Change(
            paths=frozenset(record.path for record in records),
            batch=batch,
            outlines=outlines_of(
                {record.path: record for record in living}, {record.path for record in living}
            ),
            generation=newest,
        )

    def _read(self, paths: Sequence[str] | None) -> ChunkBatch | None:
        """Rows of the table in use now; ``None`` when they cannot be read, which ``repair`` then looks into."""
        for last in (False, True):
            self._table.use(self._facts.read().table)
            try:
                return self._table.read(paths)
            except StoreError as error:  # the first time another process may just have compacted it
                if last:
                    self._damage = str(error)
        return None

    def build_unstored(self, results: Sequence[Analysis]) -> Change:
        """Chunks and outlines of texts that are not stored (yet); without vectors when the embedder fails."""
        try:
            batch = batch_of(results, self._embedder, 0)
        except EmbedderError:
            batch = batch_of(results, NoVectors(self._embedder.dimensions or self._table.dimensions), 0)
        return Change(frozenset(result.path for result in results), batch, tuple(map(outline_of, results)), 0)

    def build_removal(self, paths: Sequence[str]) -> Change:
        """A change after which ``paths`` hold no chunks."""
        return Change(frozenset(paths), self._table.empty(), (), 0)

    def is_complete(self) -> bool:
        """Whether a full run has ended since the index was made."""
        facts = self._facts.read()
        return self._is_sound(facts) and facts.is_complete

    def is_sound(self) -> bool:
        """Whether everything that the index should hold could be read, as far as it was; else it needs a full run."""
        return self._is_sound(self._facts.read())

    def _is_sound(self, facts: Facts) -> bool:
        return not self._damage and not self._doubtful and self._facts.are_ours(facts)

    def set_complete(self, skipped: Mapping[str, int], *, holds_noise: bool = False) -> None:
        """Note that a full run has ended, how many files it left out for which reason, and whether it let noise in."""
        self._facts.complete(skipped, holds_noise=holds_noise)

    def holds_noise(self) -> bool:
        """Whether the last full run let generated and minified files in."""
        return self._facts.read().holds_noise

    def skipped(self) -> Mapping[str, int]:
        """How many files the last full run left out, by reason."""
        return self._facts.read().skipped

    def size_bytes(self) -> int:
        """Bytes of the chunk table and of the mapped copy on disk."""
        return self._table.size_bytes() + self.copy.size_bytes()

    def wipe(self) -> None:
        """Delete the index."""
        with self._lock.held():
            self._start_over()

    def close(self) -> None:
        """Let go of the files."""
        self._records.close()

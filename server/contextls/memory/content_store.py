"""The content index on disk as one thing: the chunk table and the file records, kept in step.

Order of a write: new rows into the table, then the records that make them valid (one transaction), then the old rows
out of the table. A process killed at any point leaves an index that reads as either before or after.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from filelock import FileLock, Timeout

from contextls.errors import CancelledError
from contextls.memory.content.analysis import Analysis, Skipped
from contextls.memory.content.batches import batch_of
from contextls.memory.outlines import Outline, dumps, loads, outline_of
from contextls.store.content_table import ChunkBatch, ContentTable
from contextls.store.embedders.base import Embedder
from contextls.store.index_database import FileRecord, IndexDatabase
from contextls.store.locations import Locations

# Bumped whenever chunks, terms or columns change meaning; another value on disk means: rebuild.
FORMAT = "1"
LOCK_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Stamp:
    """Size in bytes and modification time in ns of a file on disk when it was analysed."""

    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Change:
    """What a write or another process's write changed: these paths now hold exactly these chunks and outlines."""

    paths: frozenset[str]
    batch: ChunkBatch
    outlines: tuple[Outline, ...]
    generation: int


class ContentStore:
    """The content index on disk. Reading needs no lock; writing needs ``writing()``."""

    def __init__(self, locations: Locations, embedder: Embedder) -> None:
        """Open the index; one of another format or embedder is emptied, so that vectors never mix."""
        self._embedder = embedder
        self._table = ContentTable(locations.content_table, embedder.dimensions)
        self._records = IndexDatabase(locations.index_database)
        self._lock = FileLock(locations.index_lock)
        identity = {"format": FORMAT, "embedder": embedder.identity}
        facts = self._records.facts()
        if any(facts.get(key) != value for key, value in identity.items()):
            with self.writing():
                self._records.wipe()
                self._table.destroy()
                self._records.set_facts(identity)

    @contextlib.contextmanager
    def writing(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Hold the index lock, waiting for another process that has it. Raises ``CancelledError``."""
        while True:
            try:
                self._lock.acquire(timeout=LOCK_POLL_SECONDS)
                break
            except Timeout:
                if cancelled():
                    raise CancelledError(
                        "indexing was cancelled while another contextls process held the index"
                    ) from None
        try:
            yield
        finally:
            self._lock.release()

    def stamps(self) -> dict[str, FileRecord]:
        """What the index knows of each file, outlines left out."""
        return self._records.stamps()

    def write(self, results: Sequence[Analysis | Skipped], stamps: Mapping[str, Stamp]) -> Change:
        """Make the index hold exactly ``results`` for their paths."""
        generation = self._records.generation() + 1
        analyses = [result for result in results if isinstance(result, Analysis)]
        batch = batch_of(analyses, self._embedder, generation)
        records = [_record(result, stamps.get(result.path), generation) for result in results]
        self._table.add(batch)
        self._records.write(records)
        return Change(
            frozenset(result.path for result in results), batch, tuple(map(outline_of, analyses)), generation
        )

    def touch(self, records: Sequence[FileRecord]) -> None:
        """Note new sizes and times of files whose content did not change."""
        self._records.write((), touched=records)

    def remove(self, paths: Sequence[str]) -> Change:
        """Forget files that are gone."""
        generation = self._records.generation() + 1
        self._records.write(
            [FileRecord(path, "", 0, 0, "", "", "", generation, deleted=True) for path in paths]
        )
        return Change(frozenset(paths), self._table.empty(), (), generation)

    def drop_old_rows(self, changes: Sequence[Change], known_before: set[str]) -> None:
        """Delete the rows that ``changes`` made invalid."""
        for change in changes:
            self._table.delete_older(change.generation, change.paths & known_before)

    def compact(self) -> None:
        """Merge what many small writes left; run it when idle."""
        self._table.compact()

    def changed_since(self, generation: int) -> Change | None:
        """What this or another process wrote after ``generation``; ``None`` when nothing."""
        newest = self._records.generation()
        if newest <= generation:
            return None
        records = self._records.changed_since(generation)
        living = [record for record in records if not record.deleted]
        with_chunks = [record.path for record in living if not record.skipped]
        batch = self._table.read(None if generation == 0 else with_chunks)
        valid = {record.path: record.generation for record in living}
        keep = np.fromiter(
            (
                valid.get(row.path) == number
                for row, number in zip(batch.rows, batch.generations, strict=True)
            ),
            np.bool_,
            len(batch),
        )
        return Change(
            paths=frozenset(record.path for record in records),
            batch=batch.select(keep),
            outlines=tuple(loads(r.path, r.language, r.outline) for r in living if not r.skipped),
            generation=newest,
        )

    def ephemeral(self, results: Sequence[Analysis]) -> Change:
        """Chunks and outlines of texts that are not on disk (unsaved buffers); nothing is stored."""
        return Change(
            frozenset(result.path for result in results),
            batch_of(results, self._embedder, 0),
            tuple(map(outline_of, results)),
            0,
        )

    def nothing(self, paths: Sequence[str]) -> Change:
        """A change after which ``paths`` hold no chunks."""
        return Change(frozenset(paths), self._table.empty(), (), 0)

    def is_complete(self) -> bool:
        """Whether a full run has ended since the index was made."""
        return self._records.facts().get("complete") == "1"

    def set_complete(self, skipped: Mapping[str, int]) -> None:
        """Note that a full run has ended, and how many files it left out for which reason."""
        self._records.set_facts({"complete": "1", "skipped": dict(skipped)})

    def skipped(self) -> Mapping[str, int]:
        """How many files the last full run left out, by reason."""
        found: dict[str, int] = json.loads(self._records.facts().get("skipped", "{}"))
        return found

    def size_bytes(self) -> int:
        """Bytes of the chunk table on disk."""
        return self._table.size_bytes()

    def wipe(self) -> None:
        """Delete the index."""
        with self.writing():
            self._records.wipe()
            self._table.destroy()
            self._records.set_facts({"format": FORMAT, "embedder": self._embedder.identity})

    def close(self) -> None:
        """Let go of the files."""
        self._records.close()


def _record(result: Analysis | Skipped, stamp: Stamp | None, generation: int) -> FileRecord:
    size, mtime_ns = (stamp.size, stamp.mtime_ns) if stamp else (0, 0)
    if isinstance(result, Skipped):
        return FileRecord(result.path, result.digest, size, mtime_ns, "", result.reason, "", generation)
    outline = dumps(outline_of(result))
    return FileRecord(result.path, result.digest, size, mtime_ns, result.language, "", outline, generation)

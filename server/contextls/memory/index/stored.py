"""The rows that the content index stores of files, and the pure steps between them and what readers are shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from contextls.memory.index.analysis import Analysis, Skipped
from contextls.memory.index.outlines import Outline, loads
from contextls.store.chunk_batch import ChunkBatch, checksums_of
from contextls.store.index_database import FileRecord
from contextls.text.gate import CleanText
from contextls.workspace.stamps import NEVER, NO_STAMP, Stamp


@dataclass(frozen=True, slots=True)
class Change:
    """A change by this or another process: these paths now hold exactly these chunks and outlines."""

    paths: frozenset[str]
    batch: ChunkBatch
    outlines: tuple[Outline, ...]
    generation: int


def generations_of(batch: ChunkBatch) -> dict[str, tuple[int, int]]:
    """The generation and the number of chunks of each path in ``batch``, where a path has rows of one generation only."""
    labels = batch.rows.paths
    counts = np.bincount(labels.codes, minlength=len(labels.values))
    newest = np.zeros(len(labels.values), np.int64)
    newest[labels.codes] = batch.generations
    found = zip(labels.values, newest.tolist(), counts.tolist(), strict=True)
    return {path: (generation, count) for path, generation, count in found if count}


def expected_of(record: FileRecord | None) -> tuple[int, int] | None:
    """The value in ``generations_of`` for a path whose chunks are those of its record."""
    return (record.generation, record.chunks) if record and record.chunks else None


def valid_rows(batch: ChunkBatch, records: Mapping[str, FileRecord]) -> ChunkBatch:
    """The chunks whose generation is the one that the record of their path names."""
    labels = batch.rows.paths
    wanted = [records[path].generation if path in records else NEVER for path in labels.values]
    return batch.select(np.array(wanted, np.int64)[labels.codes] == batch.generations)


def unaltered_rows(batch: ChunkBatch, records: Mapping[str, FileRecord]) -> ChunkBatch:
    """The chunks without those of files whose chunks are not those that were stored, as far as their records know."""
    altered = {
        path
        for path, found in checksums_of(batch).items()
        if path in records and records[path].chunks_checksum not in (0, found)
    }
    if not altered:
        return batch
    labels = batch.rows.paths
    return batch.select(np.array([path not in altered for path in labels.values], np.bool_)[labels.codes])


def outlines_of(records: Mapping[str, FileRecord], paths: Collection[str]) -> tuple[Outline, ...]:
    """The outlines of ``paths``, those of files left out excepted."""
    chosen = (records[path] for path in sorted(paths))
    return tuple(loads(r.path, r.language, r.outline) for r in chosen if not r.skipped)


def outline_of(analysis: Analysis) -> Outline:
    """The outline part of an analysis."""
    return loads(analysis.path, analysis.language, analysis.outline)


def record_of(
    result: Analysis | Skipped, stamp: Stamp | None, generation: int, chunks_checksum: int = 0
) -> FileRecord:
    """Make the record that the index database keeps of an analysed file."""
    stamp = stamp or NO_STAMP
    if isinstance(result, Skipped):
        return FileRecord(result.path, result.digest, stamp, "", result.reason, "", generation)
    outline = CleanText(result.outline)  # made from redacted text alone
    return FileRecord(
        result.path,
        result.digest,
        stamp,
        result.language,
        "",
        outline,
        generation,
        len(result.chunks),
        chunks_checksum=chunks_checksum,
    )

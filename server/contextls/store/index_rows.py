"""The rows of the index database: its tables, and what one row of each says."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from contextls.workspace.stamps import Stamp

MIGRATIONS = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE files (
        path TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        mode INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        changed_ns INTEGER NOT NULL,
        size INTEGER NOT NULL,
        number INTEGER NOT NULL,
        language TEXT NOT NULL,
        skipped TEXT NOT NULL,
        generation INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        segment INTEGER NOT NULL,
        position INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX files_generation ON files (generation);
    CREATE INDEX files_segment ON files (segment, position);
    CREATE TABLE segments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        files INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        dimensions INTEGER NOT NULL
    );
    """,
)
STAMP = ("mode", "mtime_ns", "changed_ns", "size", "number")
CHECKED = (
    "CAST(path || X'00' || digest || X'00' || language || X'00' || skipped || X'00' || generation || X'00' || chunks"
    " AS BLOB)"
)
COLUMNS = (
    f"path, digest, {', '.join(STAMP)}, language, skipped, generation, chunks, deleted, segment, position"
)


class SegmentRecord(Struct, frozen=True):
    """One segment: its file and the bytes of it, the files and chunks in it, dead ones too, and how long its vectors are."""

    id: int
    name: str
    bytes: int
    files: int
    chunks: int
    dimensions: int


class FilePlaces(NamedTuple):
    """The places of files, as columns that go together; in ``segments``, 0 stands for files that no segment holds."""

    paths: Sequence[str]
    chunks: Sequence[int]
    segments: Sequence[int]
    positions: Sequence[int]

    @classmethod
    def of(cls, records: Iterable[FileRecord]) -> FilePlaces:
        """The places of these files."""
        rows = [(r.path, r.chunks, 0 if r.deleted else r.segment, r.position) for r in records]
        return cls(*zip(*rows, strict=True)) if rows else cls((), (), (), ())


class FileRecord(NamedTuple):
    """One file of the index: a tuple, as commands read all of them. ``skipped`` is "" or the reason why it has no chunks.

    ``segment`` is the id of the segment that holds it, ``position`` its number there; 0 where none does. ``chunks`` is the
    number of its chunks. A ``deleted`` record tells other processes that the file is gone.
    """

    path: str
    digest: str
    stamp: Stamp
    language: str
    skipped: str
    generation: int
    chunks: int = 0
    deleted: bool = False
    segment: int = 0
    position: int = 0

    def checksum(self) -> int:
        """The checksum of all fields that change with the file's content only; never 0. ``CHECKED`` is the same in SQL."""
        said = (self.path, self.digest, self.language, self.skipped, self.generation, self.chunks)
        return checksum_of("\0".join(map(str, said)).encode("utf-8", "surrogatepass"))

    @classmethod
    def of(cls, row: Sequence[Any]) -> FileRecord:
        """The record in a row of the table, in the order of its columns."""
        return cls(row[0], row[1], Stamp._make(row[2:7]), *row[7:])


def checksum_of(said: bytes) -> int:
    """The checksum of what is said of a file; never 0."""
    return 1 + zlib.crc32(said)

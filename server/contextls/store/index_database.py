"""Records of all indexed files besides their chunks: one SQLite file, a cache like the table beside it."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from contextls.store.database import Database
from contextls.store.notices import Notices
from contextls.text.gate import CleanText, clean_json_or_text
from contextls.workspace.stamps import Stamp

_MIGRATIONS = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE files (
        path TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        language TEXT NOT NULL,
        skipped TEXT NOT NULL,
        outline TEXT NOT NULL,
        generation INTEGER NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE INDEX files_generation ON files (generation);
    """,
    "ALTER TABLE files ADD COLUMN chunks INTEGER NOT NULL DEFAULT 0",
    # Records from before are of no stamp that a file has: each is read once more and found to be the same.
    """
    ALTER TABLE files ADD COLUMN mode INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE files ADD COLUMN changed_ns INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE files ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
    """,
    """
    ALTER TABLE files ADD COLUMN chunks_checksum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE files ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    """,
)
_STAMP = ("mode", "mtime_ns", "changed_ns", "size", "number")
_COLUMNS = f"path, digest, {', '.join(_STAMP)}, language, skipped, outline, generation, chunks, deleted, chunks_checksum"
_WITHOUT_OUTLINE = _COLUMNS.replace("outline", "''")


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file of the index. ``skipped`` is "" or the reason why it has no chunks; ``outline`` is JSON, opaque here.

    ``chunks`` is the number of its rows in the table. A ``deleted`` record tells other processes that the file is gone.
    ``chunks_checksum`` is ``checksums_of`` its chunks; 0 is not known.
    """

    path: str
    digest: str
    stamp: Stamp
    language: str
    skipped: str
    outline: str
    generation: int
    chunks: int = 0
    deleted: bool = False
    chunks_checksum: int = 0

    def checksum(self) -> int:
        """Of all that does not change without the file's content; never 0."""
        said = (
            self.path,
            self.digest,
            self.language,
            self.skipped,
            self.outline,
            self.generation,
            self.chunks,
            self.chunks_checksum,
        )
        return 1 + zlib.crc32("\0".join(map(str, said)).encode("utf-8", "surrogatepass"))

    @classmethod
    def of(cls, row: Sequence[Any]) -> FileRecord:
        """The record in a row of the table, in the order of its columns."""
        return cls(row[0], row[1], Stamp(*row[2:7]), *row[7:])


class IndexDatabase:
    """The file records of one workspace and the index's own facts (format, embedder, completeness)."""

    def __init__(self, path: Path, notices: Notices | None = None) -> None:
        """Open or create the database; a damaged or newer one is moved aside and started over."""
        self._database = Database.cache(path, _MIGRATIONS, notices)

    def generation(self) -> int:
        """The number of the newest write; 0 when there was none."""
        return self._database.sensibly(
            lambda: int(self._database.read("SELECT COALESCE(MAX(generation), 0) FROM files")[0][0])
        )

    def next_generation(self) -> int:
        """The number for a new write: greater than all before it, also than those of a database that was replaced."""
        return max(self.generation() + 1, int(time.time()))

    def changed_since(self, generation: int) -> list[FileRecord]:
        """The records written after ``generation``, deleted ones included, in path order."""

        def records() -> list[FileRecord]:
            rows = self._database.read(
                f"SELECT {_COLUMNS}, checksum FROM files WHERE generation > ? ORDER BY path",  # noqa: S608 - a constant
                (generation,),
            )
            found = [FileRecord.of(row[:-1]) for row in rows]
            for record, row in zip(found, rows, strict=True):
                # A record of an earlier version has none.
                if row[-1] and row[-1] != record.checksum():
                    raise ValueError(f"what is known of {record.path!r} is not what was stored")
            return found

        return self._database.sensibly(records)

    def stamps(self) -> dict[str, FileRecord]:
        """All living records by path, without their outlines."""
        rows = self._database.read(f"SELECT {_WITHOUT_OUTLINE} FROM files WHERE deleted = 0")  # noqa: S608 - a constant
        return {row[0]: FileRecord.of(row) for row in rows}

    def record(self, path: str) -> FileRecord | None:
        """The living record of one file, without its outline."""
        rows = self._database.read(
            f"SELECT {_WITHOUT_OUTLINE} FROM files WHERE path = ? AND deleted = 0",  # noqa: S608 - a constant
            (_path_key(path),),
        )
        return FileRecord.of(rows[0]) if rows else None

    def write(self, records: Iterable[FileRecord], touched: Iterable[FileRecord] = ()) -> None:
        """Insert or replace ``records``; of ``touched`` update only the stamp. One transaction."""
        # As it is stored, so that the checksum is of that.
        kept = [replace(r, outline=clean_json_or_text(r.outline)) for r in records]
        values: Sequence[tuple[object, ...]] = [
            (
                _path_key(r.path),
                CleanText(r.digest),
                *r.stamp,
                r.language,
                r.skipped,
                CleanText(r.outline),
                r.generation,
                r.chunks,
                int(r.deleted),
                r.chunks_checksum,
                r.checksum(),
            )
            for r in kept
        ]
        with self._database.write() as connection:
            connection.executemany(
                f"INSERT OR REPLACE INTO files ({_COLUMNS}, checksum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608 - a constant
                values,
            )
            connection.executemany(
                f"UPDATE files SET {' = ?, '.join(_STAMP)} = ? WHERE path = ?",  # noqa: S608 - constants
                [(*t.stamp, _path_key(t.path)) for t in touched],
            )

    def facts(self) -> Mapping[str, str]:
        """The index's own facts by name."""
        return self._database.sensibly(lambda: _texts(self._database.read("SELECT key, value FROM meta")))

    def set_facts(self, facts: Mapping[str, object]) -> None:
        """Store facts; values that are not strings are stored as JSON."""
        rows = [
            (key, value if isinstance(value, str) else json.dumps(value, sort_keys=True))
            for key, value in facts.items()
        ]
        with self._database.write() as connection:
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    def wipe(self) -> None:
        """Forget every file and fact; generations go on growing, so that other processes notice."""
        generation = self.next_generation()
        with self._database.write() as connection:
            connection.execute(
                "UPDATE files SET deleted = 1, digest = '', outline = '', chunks = 0, checksum = 0, generation = ?",
                (generation,),
            )
            connection.execute("DELETE FROM meta")
        self._database.shrink()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _path_key(path: str) -> CleanText:
    """A path as a key: the ignore rules let none in whose name holds a secret."""
    return CleanText(path)


def _texts(rows: Iterable[tuple[object, ...]]) -> dict[str, str]:
    """Names and values, all of them texts. Raises ``ValueError``."""
    found = {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}
    for name in ("copy", "skipped"):
        json.loads(found.get(name, "null"))
    return found

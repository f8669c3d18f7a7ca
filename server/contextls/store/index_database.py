"""What is known about each indexed file besides its chunks: one SQLite file, a cache like the table beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contextls.store.database import Database

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
)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file of the index. ``skipped`` is "" or the reason why it has no chunks; ``outline`` is JSON, opaque here.

    A ``deleted`` record tells other processes that the file is gone.
    """

    path: str
    digest: str
    size: int
    mtime_ns: int
    language: str
    skipped: str
    outline: str
    generation: int
    deleted: bool = False


class IndexDatabase:
    """The file records of one workspace and the index's own facts (format, embedder, completeness)."""

    def __init__(self, path: Path) -> None:
        """Open or create the database. Raises ``StoreError``."""
        self._database = Database(path, _MIGRATIONS, durable=False)

    def generation(self) -> int:
        """The number of the newest write; 0 when there was none."""
        return int(self._database.read("SELECT COALESCE(MAX(generation), 0) FROM files")[0][0])

    def changed_since(self, generation: int) -> list[FileRecord]:
        """The records written after ``generation``, deleted ones included, in path order."""
        rows = self._database.read(
            "SELECT path, digest, size, mtime_ns, language, skipped, outline, generation, deleted FROM files "
            "WHERE generation > ? ORDER BY path",
            (generation,),
        )
        return [FileRecord(*row) for row in rows]

    def stamps(self) -> dict[str, FileRecord]:
        """All living records by path, without their outlines."""
        rows = self._database.read(
            "SELECT path, digest, size, mtime_ns, language, skipped, '', generation FROM files WHERE deleted = 0"
        )
        return {row[0]: FileRecord(*row) for row in rows}

    def write(self, records: Iterable[FileRecord], touched: Iterable[FileRecord] = ()) -> None:
        """Insert or replace ``records``; of ``touched`` update only size and time. One transaction."""
        values: Sequence[tuple[object, ...]] = [
            (
                r.path,
                r.digest,
                r.size,
                r.mtime_ns,
                r.language,
                r.skipped,
                r.outline,
                r.generation,
                int(r.deleted),
            )
            for r in records
        ]
        with self._database.write() as connection:
            connection.executemany("INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?)", values)
            connection.executemany(
                "UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?",
                [(t.size, t.mtime_ns, t.path) for t in touched],
            )

    def facts(self) -> Mapping[str, str]:
        """The index's own facts by name."""
        return dict(self._database.read("SELECT key, value FROM meta"))

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
        with self._database.write() as connection:
            (newest,) = connection.execute("SELECT COALESCE(MAX(generation), 0) FROM files").fetchone()
            connection.execute(
                "UPDATE files SET deleted = 1, digest = '', outline = '', generation = ?", (newest + 1,)
            )
            connection.execute("DELETE FROM meta")

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

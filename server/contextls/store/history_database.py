"""Commits as read from git, one SQLite file: a cache that is rebuilt from the repository when it is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from contextls.store.database import Database
from contextls.store.locks import StateLock, lock_failure
from contextls.store.notices import Notices

_MIGRATIONS = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
    CREATE TABLE commits (
        number INTEGER PRIMARY KEY,
        sha BLOB NOT NULL UNIQUE,
        time INTEGER NOT NULL,
        author TEXT NOT NULL,
        subject TEXT NOT NULL,
        files BLOB NOT NULL,
        renames BLOB NOT NULL
    );
    """,
)


class CommitRow(NamedTuple):
    """One commit. ``number`` grows towards the newest; ``time`` is in seconds.

    ``files`` are path ids and ``renames`` pairs of them (from, to), as 32-bit numbers in this machine's order of bytes.
    """

    number: int
    sha: bytes
    time: int
    author: str
    subject: str
    files: bytes
    renames: bytes


class HistoryDatabase:
    """The remembered commits of one workspace. One process writes, any number read."""

    def __init__(self, path: Path, notices: Notices | None) -> None:
        """Open or create the database; a damaged or newer one is moved aside and started over."""
        self._lock = StateLock(path.with_name(f"{path.name}.writer"))
        self._database = Database.cache(path, _MIGRATIONS, notices)

    @contextmanager
    def writing(self, seconds: float) -> Iterator[bool]:
        """Be the one writer within the block; False when another is at work for longer than ``seconds``."""
        try:
            self._lock.acquire(timeout=seconds)
            held = True
        except TimeoutError:
            held = False
        except OSError as error:
            raise lock_failure(self._lock.path, error) from error
        try:
            yield held
        finally:
            if held:
                self._lock.release()

    def meta(self) -> dict[str, bytes]:
        """The facts that ``finish`` stored last."""
        return {key: bytes(value) for key, value in self._database.read("SELECT key, value FROM meta")}

    def paths(self) -> dict[int, str]:
        """Every path that a remembered commit touched, by id."""
        return dict(self._database.read("SELECT id, path FROM paths"))

    def commits(self) -> list[CommitRow]:
        """All commits, newest first."""
        rows = self._database.read(
            "SELECT number, sha, time, author, subject, files, renames FROM commits ORDER BY number DESC"
        )
        return [CommitRow._make(row) for row in rows]

    def newest(self) -> int:
        """The number of the newest commit; 0 when there is none."""
        return int(self._database.read("SELECT COALESCE(MAX(number), 0) FROM commits")[0][0])

    def add(self, commits: Iterable[CommitRow], paths: Iterable[tuple[int, str]]) -> None:
        """Store commits, each once by its hash, and the new paths they name."""
        with self._database.write() as connection:
            connection.executemany("INSERT OR IGNORE INTO paths VALUES (?, ?)", paths)
            connection.executemany("INSERT OR REPLACE INTO commits VALUES (?, ?, ?, ?, ?, ?, ?)", commits)

    def finish(self, meta: Mapping[str, bytes], forgotten: Sequence[bytes], keep: int) -> None:
        """Drop ``forgotten`` commits and all beyond the newest ``keep``, and store ``meta``, in one transaction."""
        with self._database.write() as connection:
            connection.executemany("DELETE FROM commits WHERE sha = ?", [(sha,) for sha in forgotten])
            connection.execute(
                "DELETE FROM commits WHERE number <= "
                "(SELECT number FROM commits ORDER BY number DESC LIMIT 1 OFFSET ?)",
                (keep,),
            )
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta.items())

    def wipe(self) -> None:
        """Forget everything."""
        with self._database.write() as connection:
            for table in ("commits", "paths", "meta"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - a constant

    def close(self) -> None:
        """Close the file."""
        self._database.close()

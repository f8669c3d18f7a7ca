"""SQLite the way every store here uses it: WAL, one schema script per version, short transactions.

A ``Database`` may be used from any thread: each thread gets a connection of its own.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contextls.errors import StoreError
from contextls.store.quarantine import DamagedError
from contextls.store.transaction import Transaction, gated

BUSY_TIMEOUT_SECONDS = 10.0
# A larger file is not read through at opening: that would take longer than a person waits.
CHECKED_BYTES = 64_000_000
# After a checkpoint the log beside the file is cut to this, whatever a burst made of it.
LOG_BYTES = 8_000_000
# So many pages are given back in one transaction: a few megabytes, for which nobody waits long.
_PAGES_AT_ONCE = 1_000
_INCREMENTAL = 2
_BAD_HEADER = "unsupported file format"
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_ADVICE = {
    sqlite3.SQLITE_FULL: "free some space, then try again; what was stored before is safe",
    sqlite3.SQLITE_BUSY: f"another process has been writing to it for {BUSY_TIMEOUT_SECONDS:.0f} s; try again",
}


@dataclass
class _Handle:
    """A connection of one thread, and whether that thread is inside a call."""

    connection: sqlite3.Connection
    busy: bool = False


class Database:
    """One SQLite file with a list of migrations; ``user_version`` says how many have been applied."""

    def __init__(
        self, path: Path, migrations: Sequence[str], *, durable: bool, shrinks: bool = False
    ) -> None:
        """Open or create ``path``.

        ``durable`` asks for a sync on every commit (events); a cache does without. ``shrinks`` prepares a new file for
        ``give_back``. Raises ``DamagedError`` when the content makes no sense, ``StoreError`` when the file cannot be
        used.
        """
        self.path = path
        self._durable = durable
        self._shrinks = shrinks
        self._local = threading.local()
        self._handles: list[_Handle] = []
        self._guard = threading.Lock()
        self._closed = False
        try:
            with self._using() as connection:
                _migrate(connection, path, migrations)
                _check(connection, path)
        except BaseException:
            self.close()
            raise

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self._using() as connection:
            return connection.execute(sql, gated(parameters)).fetchall()

    @contextlib.contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction: committed at the end of the block, rolled back when it raises. Texts lose their secrets."""
        with self._using() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield Transaction(connection)
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def shrink(self) -> None:
        """Give back the space of what was deleted, so that it is gone from the disk as well."""
        with self._using() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def size(self) -> int:
        """The size of the file in bytes, without the log beside it."""
        return self._pages("page_count")

    def used(self) -> int:
        """The bytes of the file that hold something; the rest is free for what comes."""
        return self._pages("page_count") - self._pages("freelist_count")

    def give_back(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Shrink the file to what it holds, in short transactions; ends early once ``stopped``.

        A file that was not made for this is rewritten once, which holds up writers for a moment.
        """
        with self._using() as connection:
            if connection.execute("PRAGMA auto_vacuum").fetchone() != (_INCREMENTAL,):
                connection.execute(f"PRAGMA auto_vacuum={_INCREMENTAL}")
                connection.execute("VACUUM")
            while not stopped() and connection.execute("PRAGMA freelist_count").fetchone() != (0,):
                # ``execute`` would take one step, which is one page.
                connection.executescript(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Refuse further calls and close every connection; one in use is closed when its call ends."""
        with self._guard:
            self._closed = True
            idle = [handle for handle in self._handles if not handle.busy]
            self._handles = [handle for handle in self._handles if handle.busy]
        for handle in idle:
            handle.connection.close()

    def _pages(self, what: str) -> int:
        with self._using() as connection:
            (pages,) = connection.execute(f"PRAGMA {what}").fetchone()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)

    @contextlib.contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with _translated(self.path):
            handle = self._enter()
            try:
                yield handle.connection
            finally:
                self._leave(handle)

    def _enter(self) -> _Handle:
        with self._guard:
            if self._closed:
                raise StoreError(f"{self.path} was closed; open the workspace again")
            handle: _Handle | None = getattr(self._local, "handle", None)
            if handle is not None:
                handle.busy = True
                return handle
        handle = _Handle(self._connect(), busy=True)
        with self._guard:
            self._handles.append(handle)
        self._local.handle = handle
        return handle

    def _leave(self, handle: _Handle) -> None:
        with self._guard:
            handle.busy = False
            if not self._closed:
                return
            self._handles.remove(handle)
        handle.connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            if self._shrinks:
                # Takes effect in a file that is still empty, and nowhere else.
                connection.execute(f"PRAGMA auto_vacuum={_INCREMENTAL}")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
            connection.execute(f"PRAGMA synchronous={'FULL' if self._durable else 'NORMAL'}")
        except BaseException:
            connection.close()
            raise
        return connection


def _migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    if _version(connection) == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)
        if version > len(migrations):
            raise StoreError(f"{path} was written by a newer contextls; update contextls or delete the file")
        for script in migrations[version:]:
            for statement in filter(str.strip, script.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if path.stat().st_size > CHECKED_BYTES:
        return
    (finding,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if finding != "ok":
        raise DamagedError(f"{path} is damaged: {finding}")


@contextlib.contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind of error, the rest tells its variety apart.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE or _BAD_HEADER in str(error):
            raise DamagedError(f"{path} is damaged: {error}") from error
        advice = _ADVICE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        raise StoreError(
            f"{path}: {error}; {advice or 'check free space and permissions, then try again'}"
        ) from error

"""SQLite the way every store here uses it: WAL, one schema script per version, short transactions.

A ``Database`` may be used from any thread: each thread gets a connection of its own.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from contextls.errors import StoreError

BUSY_TIMEOUT_SECONDS = 10.0


class Database:
    """One SQLite file with a list of migrations; ``user_version`` says how many have been applied."""

    def __init__(self, path: Path, migrations: Sequence[str], *, durable: bool) -> None:
        """Open or create ``path``.

        ``durable`` asks for a sync on every commit (events); a cache does without. Raises ``StoreError``.
        """
        self.path = path
        self._durable = durable
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        with _translated(path):
            self._migrate(migrations)

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with _translated(self.path):
            return self._connection().execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end of the block, rolled back when it raises."""
        with _translated(self.path):
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def close(self) -> None:
        """Close every thread's connection."""
        with self._guard:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self.path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={'FULL' if self._durable else 'NORMAL'}")
            self._local.connection = connection
            with self._guard:
                self._connections.append(connection)
        return connection

    def _migrate(self, migrations: Sequence[str]) -> None:
        connection = self._connection()
        if self._version(connection) == len(migrations):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = self._version(connection)
            if version > len(migrations):
                raise StoreError(
                    f"{self.path} was written by a newer contextls; update contextls or delete the file"
                )
            for script in migrations[version:]:
                for statement in filter(str.strip, script.split(";")):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version={len(migrations)}")
        except BaseException:
            connection.rollback()
            raise
        connection.commit()

    @staticmethod
    def _version(connection: sqlite3.Connection) -> int:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextlib.contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}; check free space and permissions, then try again") from error

"""Summaries that were made before, so that the same piece is never asked about twice and reads the same each time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from contextls.errors import StoreError
from contextls.store.database import Database

MAX_STORED = 5_000
MAX_IN_MEMORY = 256
_MIGRATIONS = (
    "CREATE TABLE summaries (number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, text TEXT NOT NULL)",
)


class SummaryCache:
    """Key to summary: the newest in memory, all of them in one SQLite file, the oldest forgotten beyond a number.

    A file that cannot be used costs the summaries of other processes and earlier runs, nothing else; ``problem`` says why.
    Safe to use from several threads.
    """

    def __init__(self, path: Path, most_stored: int = MAX_STORED) -> None:
        """Open or create ``path``; a damaged file is replaced by a new one."""
        self.problem = ""
        self._most = most_stored
        self._guard = threading.Lock()
        self._memory: OrderedDict[bytes, str] = OrderedDict()
        self._database = Database.cache(path, _MIGRATIONS)
        self.problem = self._database.problem

    def get(self, key: bytes) -> str | None:
        """The summary kept under ``key``."""
        with self._guard:
            known = self._memory.get(key)
            if known is not None:
                self._memory.move_to_end(key)
                return known
        stored = self._read_stored(key)
        return None if stored is None else self._remember(key, stored)

    def keep(self, key: bytes, text: str) -> str:
        """Keep ``text`` and return what is kept: of several processes that ask at the same time, the first wins."""
        try:
            with self._database.write() as connection:
                connection.execute("INSERT OR IGNORE INTO summaries (key, text) VALUES (?, ?)", (key, text))
                connection.execute(
                    "DELETE FROM summaries WHERE number <= (SELECT MAX(number) FROM summaries) - ?",
                    (self._most,),
                )
            text = self._read_stored(key) or text
        except StoreError as error:
            self.problem = str(error)
        return self._remember(key, text)

    def wipe(self) -> None:
        """Forget everything."""
        with self._guard:
            self._memory.clear()
        with self._database.write() as connection:
            connection.execute("DELETE FROM summaries")
        self._database.shrink()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _read_stored(self, key: bytes) -> str | None:
        try:
            rows = self._database.read("SELECT text FROM summaries WHERE key = ?", (key,))
        except StoreError as error:
            self.problem = str(error)
            return None
        return str(rows[0][0]) if rows else None

    def _remember(self, key: bytes, text: str) -> str:
        with self._guard:
            text = self._memory.setdefault(key, text)
            self._memory.move_to_end(key)
            while len(self._memory) > MAX_IN_MEMORY:
                self._memory.popitem(last=False)
        return text

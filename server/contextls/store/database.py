"""SQLite the way every store here uses it: WAL, one schema script per version, short transactions.

A ``Database`` may be used from any thread: each thread gets a connection of its own. Before each use it makes sure
that its path still names the file that it has open. One with a healer puts right what is damaged, whenever that shows.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from contextls.errors import StoreError
from contextls.store.database_file import DatabaseFile, DatabaseOptions
from contextls.store.healing import CacheHealer, Healer, TruthHealer
from contextls.store.notices import Notices
from contextls.store.quarantine import DamagedError
from contextls.store.salvage import Truth
from contextls.store.sqlite_opening import INCREMENTAL
from contextls.store.transaction import Transaction, reading_rows, run

Value = TypeVar("Value")

# The pages that one transaction gives back: a few megabytes, so that other writers wait only briefly.
_PAGES_AT_ONCE = 1_000
# Free pages are used again by what is stored next; only when they are more than this share is a file worth shrinking.
_FREE_SHARE = 0.25
# While another connection empties the log as well, SQLite refuses at once, whatever its timeout.
_CHECKPOINT_SECONDS, _PAUSE_SECONDS = 2.0, 0.05
_MAX_TRIES = 3


class ReplacedError(StoreError):
    """The file was deleted or replaced while it was written to: what was written is in no file that has its name."""


class Database:
    """One SQLite file with a list of migrations; ``user_version`` says how many have been applied."""

    def __init__(
        self,
        path: Path,
        migrations: Sequence[str],
        *,
        durable: bool,
        shrinks: bool = False,
        healer: Healer | None = None,
        notices: Notices | None = None,
    ) -> None:
        """Open or create ``path``.

        ``durable`` asks for a sync on every commit (events); a cache does without. ``shrinks`` prepares a new file for
        ``give_back``. Without a ``healer`` it raises ``DamagedError`` when the content makes no sense, ``NewerError``
        and, when the file cannot be used, ``StoreError``. With one it never raises: what cannot be helped is raised
        by every use, until it can. ``notices`` are told what was done.
        """
        self.path = path
        self._file = DatabaseFile(
            path, DatabaseOptions(migrations, durable, shrinks), healer, notices or Notices()
        )
        self._file.open_first()

    @classmethod
    def cache(cls, path: Path, migrations: Sequence[str], notices: Notices | None = None) -> Database:
        """A database that can be filled again: damaged or newer, it is moved aside and started over."""
        return cls(path, migrations, durable=False, healer=CacheHealer(), notices=notices)

    @classmethod
    def truth(
        cls,
        path: Path,
        migrations: Sequence[str],
        truth: Truth,
        notices: Notices | None = None,
        *,
        shrinks: bool = False,
    ) -> Database:
        """A database whose rows exist nowhere else: damaged, it is salvaged; newer, it is only read."""
        healer = TruthHealer(truth, migrations, shrinks)
        return cls(path, migrations, durable=True, shrinks=shrinks, healer=healer, notices=notices)

    @property
    def read_only(self) -> bool:
        """Whether the file is of a newer version and is only read."""
        return self._file.read_only

    @property
    def problem(self) -> str:
        """The reason why the file cannot be used, or not be written, right now; "" when it can."""
        return "" if self._file.problem is None else str(self._file.problem)

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""

        def rows() -> list[tuple[Any, ...]]:
            with self._file.connection() as connection:
                return run(connection, self.path, sql, parameters).fetchall()

        return self._retry_healed(rows)

    def decode(self, work: Callable[[], Value]) -> Value:
        """Run ``work``, which reads and decodes rows. Those that make no sense to it are damage, and put right first."""

        def checked() -> Value:
            with reading_rows(self.path):
                return work()

        return self._retry_healed(checked)

    @contextlib.contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction: committed at the end of the block, rolled back when it raises. Texts lose their secrets.

        Damage is put right: what SQLite finds, and what ``Transaction.read`` does. What else the block raises is its own.
        Raises ``ReplacedError`` when it was committed to a file that has lost its name meanwhile.
        """
        epoch = self._file.epoch
        try:
            with self._file.connection() as connection:
                if self.read_only:
                    raise self._file.problem or StoreError(f"{self.path} can only be read")
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield Transaction(connection, self.path)
                    connection.execute("COMMIT")
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")
                    raise
                # Before the caller is told that it is kept: there are commits into files that are in no folder.
                if self._file.identity.is_elsewhere():
                    raise ReplacedError(f"{self.path} was replaced while it was written to; try again")
        except ReplacedError:
            self._file.renew()
            raise
        except DamagedError as error:
            if not self._file.can_heal:
                raise
            self._file.heal(error, epoch)
            raise StoreError(f"{error}; what could be saved was saved, try again") from error

    def transact(self, work: Callable[[Transaction], Value]) -> Value:
        """Run ``work`` in one transaction; again where the file was replaced or put right meanwhile."""
        for _ in range(_MAX_TRIES - 1):
            epoch = self._file.epoch
            try:
                with self.write() as connection:
                    return work(connection)
            except StoreError:
                if self._file.epoch == epoch:  # nothing has become different
                    raise
        with self.write() as connection:
            return work(connection)

    def shrink(self) -> None:
        """Give back the space of what was deleted, so that it is gone from the disk as well.

        Raises ``StoreError``, which says that it is deleted all the same.
        """
        try:
            with self._file.connection() as connection:
                connection.execute("VACUUM")
                _empty_log(connection)
                self._file.identity.note_size()
        except StoreError as error:
            raise StoreError(
                f"it was deleted, but what it said still lies in free space of the file until that is used again ({error})"
            ) from error

    def size(self) -> int:
        """The size of the file in bytes, without its write-ahead log."""
        return self._pages("page_count")

    def used(self) -> int:
        """The bytes of the file that hold something; the rest is free for what comes."""
        return self._pages("page_count") - self._pages("freelist_count")

    def is_worth_shrinking(self) -> bool:
        """Whether so much of the file is free that what comes next will not soon fill it."""
        return self.size() - self.used() > _FREE_SHARE * self.size()

    def give_back(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Shrink the file to what it holds, in short transactions; ends early once ``stopped``.

        A file that was not made for this is rewritten once, which holds up writers for a moment.
        """
        with self._file.connection() as connection:
            if connection.execute("PRAGMA auto_vacuum").fetchone() != (INCREMENTAL,):
                connection.execute(f"PRAGMA auto_vacuum={INCREMENTAL}")
                connection.execute("VACUUM")
            while not stopped() and connection.execute("PRAGMA freelist_count").fetchone() != (0,):
                # ``execute`` would take one step, which is one page.
                connection.executescript(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
            _empty_log(connection, stopped)
            self._file.identity.note_size()

    def close(self) -> None:
        """Refuse further calls and close every connection; one in use is closed when its call ends."""
        self._file.close()

    def _retry_healed(self, work: Callable[[], Value]) -> Value:
        """Run ``work``; once more where it found damage that was put right."""
        epoch = self._file.epoch
        try:
            return work()
        except DamagedError as error:
            if not self._file.can_heal:
                raise
            self._file.heal(error, epoch)
        return work()

    def _pages(self, what: str) -> int:
        with self._file.connection() as connection:
            (pages,) = connection.execute(f"PRAGMA {what}").fetchone()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)


def _empty_log(connection: sqlite3.Connection, stopped: Callable[[], bool] = lambda: False) -> None:
    """Write the log into the file, which then has its new length."""
    deadline = time.monotonic() + _CHECKPOINT_SECONDS
    while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        if stopped() or time.monotonic() > deadline:
            return
        time.sleep(_PAUSE_SECONDS)

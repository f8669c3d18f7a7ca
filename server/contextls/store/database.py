"""SQLite the way every store here uses it: WAL, one schema script per version, short transactions.

A ``Database`` may be used from any thread: each thread gets a connection of its own. Before each use it makes sure
that its path still names the file that it has open. One with a healer puts right what is damaged, whenever that shows.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from contextls.errors import StoreError
from contextls.store.healing import CacheHealer, Healer, TruthHealer
from contextls.store.locks import lock_at
from contextls.store.notices import Notices
from contextls.store.quarantine import COMPANIONS, DamagedError, NewerError
from contextls.store.regular_files import FilePlace, place_of
from contextls.store.salvage import Truth, finish_salvage, is_unfinished
from contextls.store.sqlite_opening import (
    INCREMENTAL,
    check,
    check_log,
    clear_the_way,
    connect,
    migrate,
    read_log_file,
    translated,
)
from contextls.store.transaction import Transaction, gated

Value = TypeVar("Value")

# So many pages are given back in one transaction: a few megabytes, for which nobody waits long.
_PAGES_AT_ONCE = 1_000
# What could not be opened is tried again after this long, and not at every question.
_RETRY_SECONDS = 2.0
# A file that breaks again and again right after it was put right is left alone.
_MOST_HEALINGS = 20
_MOST_TRIES = 3


class ReplacedError(StoreError):
    """The file was deleted or replaced while it was written to: what was written is in no file that has its name."""


@dataclass
class _Handle:
    """A connection of one thread, whether that thread is inside a call, and which opening of the file it belongs to."""

    connection: sqlite3.Connection
    epoch: int
    busy: bool = False


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
        self.read_only = False
        self._log_path = f"{path}{COMPANIONS[0]}"
        self._migrations = migrations
        self._durable = durable
        self._shrinks = shrinks
        self._healer = healer
        self._notices = notices or Notices()
        self._local = threading.local()
        self._handles: list[_Handle] = []
        self._guard = threading.Lock()
        self._opening = threading.RLock()
        self._place: FilePlace | None = None
        self._log_place: FilePlace | None = None
        self._looked_at: FilePlace | None = None
        self._epoch = 0
        self._healings = 0
        self._problem: StoreError | None = None
        self._retry_at = 0.0
        self._closed = False
        try:
            with translated(path):
                self._open()
        except StoreError as error:
            if healer is None:
                self.close()
                raise
            self._note_problem(error)
        except BaseException:
            self.close()
            raise

    @classmethod
    def cache(cls, path: Path, migrations: Sequence[str], notices: Notices | None = None) -> Database:
        """A database that can be filled again: damaged or newer, it is moved aside and begun anew."""
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
    def problem(self) -> str:
        """Why the file cannot be used, or not be written, right now; "" when it can."""
        return "" if self._problem is None else str(self._problem)

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""

        def rows() -> list[tuple[Any, ...]]:
            with self._using() as connection:
                return connection.execute(sql, gated(parameters)).fetchall()

        return self.trusting(rows)

    def trusting(self, work: Callable[[], Value]) -> Value:
        """What ``work`` returns, which uses this database. Where it raises ``DamagedError``, that is put right first.

        Whoever finds that rows make no sense raises that error.
        """
        epoch = self._epoch
        try:
            return work()
        except DamagedError as error:
            if self._healer is None or self.read_only:
                raise
            self._heal_open(error, epoch)
        return work()

    def sensibly(self, work: Callable[[], Value]) -> Value:
        """As ``trusting``, where ``work`` raises what Python does of rows that make no sense."""

        def checked() -> Value:
            try:
                return work()
            except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
                raise DamagedError(f"{self.path} is damaged: a row makes no sense ({error})") from error

        return self.trusting(checked)

    @contextlib.contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction: committed at the end of the block, rolled back when it raises. Texts lose their secrets.

        Raises ``ReplacedError`` when it was committed to a file that has lost its name meanwhile.
        """
        epoch = self._epoch
        try:
            with self._using() as connection:
                if self.read_only:
                    raise self._problem or StoreError(f"{self.path} can only be read")
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield Transaction(connection)
                    connection.execute("COMMIT")
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")
                    raise
                # Before anybody is told that it is kept: there are commits into files that are in no folder.
                if self._is_elsewhere(place_of(self.path)):
                    raise ReplacedError(f"{self.path} was replaced while it was written to; try again")
        except ReplacedError:
            self._renew()
            raise
        except (DamagedError, ValueError, TypeError, LookupError) as error:
            # Within a transaction the values come from rows: those of callers were checked before it began.
            if self._healer is not None and not self.read_only:
                damaged = (
                    error
                    if isinstance(error, DamagedError)
                    else DamagedError(f"{self.path} is damaged: {error}")
                )
                self._heal_open(damaged, epoch)
                raise StoreError(f"{damaged}; what could be saved was saved, try again") from error
            raise

    def transact(self, work: Callable[[Transaction], Value]) -> Value:
        """What ``work`` returns, run in one transaction; again where the file was replaced or put right meanwhile."""
        for _ in range(_MOST_TRIES - 1):
            epoch = self._epoch
            try:
                with self.write() as connection:
                    return work(connection)
            except StoreError:
                if self._epoch == epoch:  # nothing has become different
                    raise
        with self.write() as connection:
            return work(connection)

    def shrink(self) -> None:
        """Give back the space of what was deleted, so that it is gone from the disk as well."""
        with self._using() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._note_size()

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
            if connection.execute("PRAGMA auto_vacuum").fetchone() != (INCREMENTAL,):
                connection.execute(f"PRAGMA auto_vacuum={INCREMENTAL}")
                connection.execute("VACUUM")
            while not stopped() and connection.execute("PRAGMA freelist_count").fetchone() != (0,):
                # ``execute`` would take one step, which is one page.
                connection.executescript(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._note_size()

    def close(self) -> None:
        """Refuse further calls and close every connection; one in use is closed when its call ends."""
        with self._guard:
            self._closed = True
        self._close_idle()

    def _pages(self, what: str) -> int:
        with self._using() as connection:
            (pages,) = connection.execute(f"PRAGMA {what}").fetchone()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
        return int(pages) * int(size)

    @contextlib.contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with translated(self.path):
            handle = self._enter()
            try:
                yield handle.connection
            finally:
                self._leave(handle)

    def _enter(self) -> _Handle:
        self._refuse_when_closed()
        if self._place is None or self._is_moved():
            self._renew()
        with self._guard:
            handle: _Handle | None = getattr(self._local, "handle", None)
            if handle is not None and handle.epoch == self._epoch:
                handle.busy = True
                return handle
            epoch = self._epoch
        connection = connect(
            self.path, durable=self._durable, shrinks=self._shrinks, read_only=self.read_only
        )
        return self._adopt(_Handle(connection, epoch, busy=True))

    def _adopt(self, handle: _Handle) -> _Handle:
        """Make ``handle`` the one of this thread."""
        with self._guard:
            self._handles.append(handle)
        self._local.handle = handle
        return handle

    def _leave(self, handle: _Handle) -> None:
        with self._guard:
            handle.busy = False
            if not self._closed and handle.epoch == self._epoch:
                return
            if handle in self._handles:
                self._handles.remove(handle)
        handle.connection.close()

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise StoreError(f"{self.path} was closed; open the workspace again")

    def _is_moved(self) -> bool:
        """Whether the file that is open has to be looked at again; a few microseconds."""
        known, place = self._place, place_of(self.path)
        if self._is_elsewhere(place) or known is None or place is None:
            return True
        if place.size < known.size:  # another process may have given space back, or cut it off
            return True
        if place.size != known.size:
            self._place = place
        return False

    def _note_size(self) -> None:
        """The file became smaller, and that is as it should be."""
        known, place = self._place, place_of(self.path)
        if known is not None and known.is_same(place):
            self._place = place

    def _is_elsewhere(self, place: FilePlace | None) -> bool:
        """Whether the path (``place``), or its log's, names another file than the one that is open, or an empty one."""
        known = self._place
        if known is None or place is None or not known.is_same(place) or not place.size:
            return True
        known_log = self._log_place
        return known_log is not None and not known_log.is_same(place_of(self._log_path))

    def _renew(self) -> None:
        """Open the file again that the path names now. Raises ``StoreError``."""
        with self._opening:
            self._refuse_when_closed()
            if self._place is not None and not self._is_moved():
                return  # another thread was faster
            if self._problem is not None and self._place is None and time.monotonic() < self._retry_at:
                raise self._problem
            self._rescue_log()
            try:
                self._open()
            except StoreError as error:
                self._note_problem(error)
                raise

    def _rescue_log(self) -> None:
        """Where only the log lost its name, bring what it holds into the file while there is a connection to it."""
        known, handle = self._place, getattr(self._local, "handle", None)
        if known is not None and known.is_same(place_of(self.path)) and handle is not None:
            with contextlib.suppress(sqlite3.Error):
                handle.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _open(self) -> None:
        """Judge the file, put it right where that is needed, and take note of which one it is."""
        self.read_only = False
        try:
            self._open_once()
        except (DamagedError, NewerError) as error:
            if self._healer is None:
                raise
            # A log that SQLite has read is gone with the last connection: a second look would find nothing wrong.
            self._heal(error, self._looked_at if isinstance(error, DamagedError) and error.log else None)

    def _open_once(self) -> None:
        """Let go of what was open, and open what lies at the path now."""
        if is_unfinished(self.path):
            with self._locked():
                self._finish()
        self._forget()
        clear_the_way(self.path)
        self._looked_at = place_of(self.path)
        is_truth = self._healer is not None and self._healer.is_truth
        log = b""
        if is_truth:
            try:
                log = read_log_file(self.path)
            except OSError as error:
                raise StoreError(f"{self.path}: {error.strerror}; check permissions") from error
            found = self._looked_at
            if log and (found is None or not found.size):
                # SQLite would delete the log of an empty file.
                damaged = DamagedError(f"{self.path} is damaged: it is empty, but there is a log of it")
                damaged.log = log
                raise damaged
            if found is not None and not found.size:
                self._tell_of_empty_file()
        with translated(self.path):
            connection = connect(
                self.path, durable=self._durable, shrinks=self._shrinks, read_only=self.read_only
            )
            try:
                if not self.read_only:
                    migrate(connection, self.path, self._migrations)
                    if log:
                        check_log(connection, self.path, log)
                    check(connection, self.path, self._migrations)
                else:
                    connection.execute("PRAGMA user_version").fetchone()
            except BaseException:
                connection.close()
                raise
        self._adopt(_Handle(connection, self._epoch))
        self._log_place = place_of(self._log_path)
        self._place = place_of(self.path)
        if not self.read_only:
            self._problem = None

    def _tell_of_empty_file(self) -> None:
        """A file is empty for a moment when it is made; one that has been so for longer was emptied."""
        if time.time() - self.path.stat().st_mtime > _RETRY_SECONDS:
            self._notices.tell(f"{self.path} was empty and is begun anew; if it held something, that is lost")

    def _heal_open(self, error: DamagedError, epoch: int) -> None:
        """Put right what showed while the database was open, unless another thread has done so since ``epoch``."""
        with self._opening:
            if self._epoch != epoch:
                return
            self._healings += 1
            if self._healings > _MOST_HEALINGS:
                raise error
            if not error.log:
                with contextlib.suppress(OSError):
                    error.log = read_log_file(self.path)
            damaged = self._place
            self._forget()
            try:
                with translated(self.path):
                    self._heal(error, damaged)
            except StoreError as problem:
                self._note_problem(problem)
                raise

    def _heal(self, error: DamagedError | NewerError, damaged: FilePlace | None) -> None:
        """Of several processes that find the same damage one puts it right, the others open what it made.

        ``damaged`` is the file where looking through it again would not show what is wrong.
        """
        healer = self._healer
        assert healer is not None  # noqa: S101 - asked by the callers
        if isinstance(error, NewerError) and healer.is_truth:
            self._open_to_read()
            return
        with self._locked():
            if damaged is None or not damaged.is_same(place_of(self.path)):
                try:
                    self._open_once()
                    return
                except (DamagedError, NewerError) as again:
                    if isinstance(again, DamagedError) and isinstance(error, DamagedError):
                        again.log = again.log or error.log
                    error = again
            self._forget()
            self._notices.tell(healer.heal(self.path, error))
            self._open_once()

    def _open_to_read(self) -> None:
        self.read_only = True
        self._open_once()
        self._problem = NewerError(
            f"{self.path} was written by a newer contextls: it is read, but nothing can be recorded in it; "
            "update contextls"
        )
        self._notices.tell(str(self._problem))

    def _finish(self) -> None:
        try:
            finish_salvage(self.path)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror}; check permissions and free space") from error

    def _forget(self) -> None:
        """Begin a new epoch: no connection of an earlier one is used again."""
        with self._guard:
            self._epoch += 1
        self._place = self._log_place = None
        self._close_idle()

    def _close_idle(self) -> None:
        with self._guard:
            idle = [handle for handle in self._handles if not handle.busy]
            self._handles = [handle for handle in self._handles if handle.busy]
        for handle in idle:
            with contextlib.suppress(sqlite3.Error):
                handle.connection.close()

    def _note_problem(self, error: StoreError) -> None:
        if str(error) != self.problem:
            self._notices.tell(str(error))
        self._problem = error
        self._retry_at = time.monotonic() + _RETRY_SECONDS

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        lock = lock_at(self.path.with_name(f"{self.path.name}.lock"))
        try:
            lock.acquire()
        except OSError as error:
            raise StoreError(f"cannot lock {lock.lock_file}: {error.strerror}; check permissions") from error
        try:
            yield
        finally:
            lock.release()

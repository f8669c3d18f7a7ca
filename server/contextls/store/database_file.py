"""One SQLite file that is opened, judged and put right: at the beginning, when it was replaced, when damage shows.

Each opening begins an epoch; what was found out about the file in an earlier one concerns another file.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from contextls.errors import StoreError
from contextls.store.file_identity import FileIdentity
from contextls.store.healing import Healer
from contextls.store.locks import StateLock, lock_failure
from contextls.store.notices import Notices
from contextls.store.quarantine import DamagedError, NewerError
from contextls.store.salvage import finish_salvage, is_unfinished
from contextls.store.sqlite_opening import (
    OutdatedConnectionError,
    check,
    check_log,
    clear_the_way,
    connect,
    migrate,
    read_log_file,
    translate_errors,
)
from contextls.store.state_place import StateFilePlace, make_folder, place_of
from contextls.store.thread_connections import ThreadConnections

# What could not be opened is tried again after this long, and not at every question.
_RETRY_SECONDS = 2.0
# To save the rows of a file of gigabytes takes about that long; who waits longer waits for a process that hangs.
_LOCK_SECONDS = 60.0
# A file that breaks again and again right after it was put right is left alone.
_MAX_HEALINGS = 20


class DatabaseOptions(Struct, frozen=True):
    """The make of a file: its schema, whether commits are synced, and whether it can give back space."""

    migrations: Sequence[str]
    durable: bool
    shrinks: bool


class DatabaseFile:
    """The file of one ``Database``; safe to use from any thread."""

    def __init__(self, path: Path, options: DatabaseOptions, healer: Healer | None, notices: Notices) -> None:
        """Open nothing yet: see ``open_first``."""
        self.path = path
        self.read_only = False
        self.problem: StoreError | None = None
        self.identity = FileIdentity(path)
        self._options = options
        self._healer = healer
        self._notices = notices
        self._connections = ThreadConnections()
        self._opening = threading.RLock()
        self._looked_at: StateFilePlace | None = None
        self._healings = 0
        self._retry_at = 0.0

    @property
    def epoch(self) -> int:
        """Grows whenever the file is opened again."""
        return self._connections.epoch

    @property
    def can_heal(self) -> bool:
        """Whether damage is put right."""
        return self._healer is not None and not self.read_only

    def open_first(self) -> None:
        """Open the file for the first time and put it right where needed. Without a healer, raises what is wrong."""
        try:
            with translate_errors(self.path):
                self._open()
        except StoreError as error:
            if self._healer is None:
                self.close()
                raise
            self._note_problem(error)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Refuse further use and close every connection; one in use is closed when its call ends."""
        self._connections.close()

    @contextlib.contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """The connection of this thread to the file that the path names now."""
        try:
            with translate_errors(self.path):
                self._refuse_when_closed()
                if self.identity.is_moved():
                    self.renew()
                handle = self._connections.enter(self._connect)
                try:
                    yield handle.connection
                finally:
                    self._connections.leave(handle)
        except OutdatedConnectionError:
            self._connections.begin_epoch()
            raise

    def renew(self) -> None:
        """Open the file again that the path names now. Raises ``StoreError``."""
        with self._opening:
            self._refuse_when_closed()
            if not self.identity.is_moved():
                return  # another thread was faster
            if self.problem is not None and self.identity.file is None and time.monotonic() < self._retry_at:
                raise self.problem
            self._rescue_log()
            try:
                self._make_folder()
                self._open()
            except StoreError as error:
                self._note_problem(error)
                raise

    def heal(self, error: DamagedError, epoch: int) -> None:
        """Put right what showed while the file was open, unless another thread has done so since ``epoch``."""
        with self._opening:
            if self.epoch != epoch:
                return
            self._healings += 1
            if self._healings > _MAX_HEALINGS:
                raise error
            if not error.log:
                with contextlib.suppress(OSError):
                    error.log = read_log_file(self.path)
            damaged = self.identity.file
            self._forget()
            try:
                with translate_errors(self.path):
                    self._heal(error, damaged)
            except StoreError as problem:
                self._note_problem(problem)
                raise

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
            with self._lock():
                self._finish()
        self._forget()
        clear_the_way(self.path)
        self._looked_at = place_of(self.path)
        log = self._log_of_truth() if self._healer is not None and self._healer.is_truth else b""
        with translate_errors(self.path):
            connection = self._connect()
            try:
                if self.read_only:
                    connection.execute("PRAGMA user_version").fetchone()
                else:
                    migrate(connection, self.path, self._options.migrations)
                    if log:
                        check_log(connection, self.path, log)
                    check(connection, self.path, self._options.migrations)
            except UnicodeDecodeError as error:  # of a damaged schema SQLite says bytes that are no text
                connection.close()
                raise DamagedError(f"{self.path} is damaged: {error}") from error
            except BaseException:
                connection.close()
                raise
        self._connections.add(connection)
        self.identity.note()
        if not self.read_only:
            self.problem = None

    def _connect(self) -> sqlite3.Connection:
        return connect(
            self.path, durable=self._options.durable, shrinks=self._options.shrinks, read_only=self.read_only
        )

    def _log_of_truth(self) -> bytes:
        """Read the log before SQLite sees it. Raises ``DamagedError`` when the file that it belongs to is empty."""
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
        # A file is empty for a moment when it is made; one that has been so for longer was emptied.
        if found is not None and not found.size and time.time() - self.path.stat().st_mtime > _RETRY_SECONDS:
            self._notices.tell(f"{self.path} was empty and starts over; if it held something, that is lost")
        return log

    def _heal(self, error: DamagedError | NewerError, damaged: StateFilePlace | None) -> None:
        """Put the damage right, or open what another process that found the same damage made.

        ``damaged`` is the file where looking through it again would not show what is wrong.
        """
        healer = self._healer
        assert healer is not None  # noqa: S101 - asked by the callers
        if isinstance(error, NewerError) and healer.is_truth:
            self._open_to_read()
            return
        with self._lock():
            self._finish()  # here, as ``_open_once`` would wait for the lock that this thread holds
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
        self.problem = NewerError(
            f"{self.path} was written by a newer contextls: it is read, but nothing can be recorded in it; "
            "update contextls"
        )
        self._notices.tell(str(self.problem))

    def _finish(self) -> None:
        """Do what is left of the work of a process that was killed. The lock is held."""
        try:
            finish_salvage(self.path)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror}; check permissions and free space") from error

    def _make_folder(self) -> None:
        """Recreate the folder if it was deleted while the file was open."""
        try:
            make_folder(self.path.parent)
        except OSError as error:
            raise StoreError(
                f"cannot create {self.path.parent}: {error.strerror}; check permissions"
            ) from error

    def _rescue_log(self) -> None:
        """Bring what a log holds that lost its name into the file, while there is a connection to it."""
        connection = self._connections.of_thread()
        if connection is not None and self.identity.is_file_there():
            with contextlib.suppress(sqlite3.Error):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _forget(self) -> None:
        self.identity.forget()
        self._connections.begin_epoch()

    def _refuse_when_closed(self) -> None:
        if self._connections.is_closed:
            raise StoreError(f"{self.path} was closed; open the workspace again")

    def _note_problem(self, error: StoreError) -> None:
        if self.problem is None or str(error) != str(self.problem):
            self._notices.tell(str(error))
        self.problem = error
        self._retry_at = time.monotonic() + _RETRY_SECONDS

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        lock = StateLock(self.path.with_name(f"{self.path.name}.lock"))
        try:
            lock.acquire(timeout=_LOCK_SECONDS)
        except TimeoutError as error:
            raise StoreError(
                f"another process has been putting {self.path} right for {_LOCK_SECONDS:g} s; wait for it or end it, "
                "then try again"
            ) from error
        except OSError as error:
            raise lock_failure(lock.path, error) from error
        try:
            yield
        finally:
            lock.release()

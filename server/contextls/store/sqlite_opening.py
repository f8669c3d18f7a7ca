"""The one place where SQLite files are opened and judged: healthy, damaged, or written by a newer contextls."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from contextls.errors import StoreError
from contextls.store.disk_support import describe_missing_support
from contextls.store.quarantine import COMPANIONS, DamagedError, NewerError, remove
from contextls.store.state_place import kind_in_the_way, place_of, read_regular
from contextls.store.write_ahead_log import committed_frames, cut_log, read_log
from contextls.workspace.regular_file import blocks

BUSY_TIMEOUT_SECONDS = 10.0
_BUSY_PAUSE_SECONDS = 0.005
# A larger file is not read through at opening: that would take longer than a person waits.
CHECKED_BYTES = 64_000_000
# After a checkpoint the write-ahead log is cut to this, whatever a burst made of it.
LOG_BYTES = 8_000_000
INCREMENTAL = 2
# A log of events is held to a few hundred megabytes by the settings; what is far larger is kept aside unread.
MAX_BYTES = 4_000_000_000
# No release will ever be this far ahead: such a number is damage.
_NEWEST_THINKABLE = 1_000
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
# What SQLite or its driver say, without a code of its own, of content that no program of ours has written.
_SIGNS = (
    "unsupported file format",
    "could not decode to utf-8",
    "malformed",
    "no such table",
    "no such column",
    "has no column named",
)
# https://www.sqlite.org/fileformat2.html: the byte that says which programs may write.
_HEADER_BYTES, _WRITE_VERSION_AT, _NEWEST_WRITE_VERSION = 100, 18, 2
_OF_THE_DISK = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR})
_ADVICE = {
    sqlite3.SQLITE_FULL: "free some space, then try again; what was stored before is safe",
    sqlite3.SQLITE_BUSY: f"another process has been writing to it for {BUSY_TIMEOUT_SECONDS:.0f} s; try again",
    sqlite3.SQLITE_READONLY: "the file or its folder cannot be written; check permissions, then try again",
}


def clear_the_way(path: Path) -> None:
    """Make sure that SQLite, which follows links and waits for pipes, meets regular files only.

    Raises ``DamagedError`` when something else has the database's name. What has the name of a companion holds
    nothing and goes.
    """
    found = kind_in_the_way(path)
    if found is not None:
        raise DamagedError(f"{path} is damaged: it is {found}")
    for ending in COMPANIONS:
        companion = path.with_name(path.name + ending)
        if kind_in_the_way(companion) is not None:
            try:
                remove(companion)
            except OSError as error:
                raise StoreError(f"{companion} is no file and cannot be removed: {error.strerror}") from error


def connect(path: Path, *, durable: bool, shrinks: bool, read_only: bool = False) -> sqlite3.Connection:
    """A connection to ``path`` (WAL); with ``read_only``, one that refuses to write. Raises ``sqlite3.Error``."""
    connection = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        if not os.access(path.parent, os.W_OK) and path.exists() and not read_log_file(path):
            # Without a place for its companions SQLite refuses even to read, unless nobody can be writing.
            connection.close()
            return sqlite3.connect(
                f"{path.absolute().as_uri()}?immutable=1",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
        if read_only:
            connection.execute("PRAGMA query_only=1")
            return connection
        if shrinks and connection.execute("PRAGMA page_count").fetchone() == (0,):
            # Takes effect in a file that is still empty, and nowhere else.
            connection.execute(f"PRAGMA auto_vacuum={INCREMENTAL}")
        _keep_log_ahead(connection)
        connection.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
        connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
    except BaseException:
        connection.close()
        raise
    return connection


def _keep_log_ahead(connection: sqlite3.Connection) -> None:
    """Have the file write ahead (WAL). Where several make a new file do so at once, SQLite waits for none of them."""
    deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_BUSY_PAUSE_SECONDS)
        else:
            return


def migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    """Bring the tables to the form of today. Raises ``NewerError``, ``DamagedError``."""
    if _version(connection, path, len(migrations)) == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection, path, len(migrations))
        for script in migrations[version:]:
            _run_script(connection, path, script)
        connection.execute(f"PRAGMA user_version={len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _run_script(connection: sqlite3.Connection, path: Path, script: str) -> None:
    for statement in filter(str.strip, script.split(";")):
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            # The tables are not those that this version has.
            raise DamagedError(f"{path} is damaged: {error}") from error


class OutdatedConnectionError(StoreError):
    """The file was opened while it could only be read, and can be written by now."""


def check(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    """Look through the file. Raises ``DamagedError``."""
    missing = _form_of(tuple(migrations)).items() - _form(connection).items()
    if missing:
        names = ", ".join(sorted(name for name, _ in missing))
        raise DamagedError(f"{path} is damaged: its tables are not as they were made ({names})")
    place = place_of(path)
    if place is None or place.size > CHECKED_BYTES:
        return
    (finding,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if finding != "ok":
        raise DamagedError(f"{path} is damaged: {finding}")


def check_log(connection: sqlite3.Connection, path: Path, log: bytes) -> None:
    """Compare what the log held before SQLite read it with what SQLite took from it. Raises ``DamagedError``.

    The first look costs next to nothing; only where it is suspicious the checksums are worked out.
    """
    if committed_frames(log) <= _frames_taken(connection):
        return
    # Another process may be in the middle of a commit: with its lock in our hands, nobody is.
    connection.execute("BEGIN IMMEDIATE")
    try:
        with contextlib.suppress(OSError):
            log = read_log_file(path, log) or log
    finally:
        connection.execute("ROLLBACK")
    found = read_log(log)
    if found.is_damaged and _frames_taken(connection) < found.present:
        damaged = DamagedError(
            f"{path} is damaged: of the {found.present:,} pages in its log only the first {found.valid:,} are intact"
        )
        damaged.log = log
        raise damaged


def read_log_file(path: Path, earlier: bytes = b"") -> bytes:
    """The content of a database's log where it holds commits. Raises ``OSError``.

    ``earlier`` is what this said before SQLite opened the file, see ``cut_log``.
    """
    log, index = (read_regular(path.with_name(path.name + ending), MAX_BYTES) or b"" for ending in COMPANIONS)
    known = cut_log(log, index, earlier)
    return known if committed_frames(known) else b""


def _frames_taken(connection: sqlite3.Connection) -> int:
    _, taken, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return int(taken)


@contextlib.contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise what SQLite raises within the block as ``DamagedError`` or, for any other trouble, ``StoreError``."""
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind of error, the rest tells its variety apart.
        whole = getattr(error, "sqlite_errorcode", 0)
        code, said = whole & 0xFF, str(error).lower()
        if code in _DAMAGE or any(sign in said for sign in _SIGNS):
            raise DamagedError(f"{path} is damaged: {error}") from error
        if whole == sqlite3.SQLITE_READONLY and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            if _is_marked_read_only(path):  # which we never write
                raise DamagedError(
                    f"{path} is damaged: its header says that it is only to be read"
                ) from error
            raise OutdatedConnectionError(
                f"{path} could not be written when it was opened; try again"
            ) from error
        advice = _ADVICE.get(code) or "check free space and permissions, then try again"
        if code == sqlite3.SQLITE_CANTOPEN and path.parent.is_dir() and not os.access(path.parent, os.W_OK):
            advice = _ADVICE[sqlite3.SQLITE_READONLY]
        if code in _OF_THE_DISK:
            advice = describe_missing_support(path.parent) or advice
        raise StoreError(f"{path}: {error}; {advice}") from error


def _is_marked_read_only(path: Path) -> bool:
    with contextlib.suppress(OSError):
        header = next(blocks(path), b"")[:_HEADER_BYTES]
        return len(header) < _HEADER_BYTES or header[_WRITE_VERSION_AT] > _NEWEST_WRITE_VERSION
    return False


def _version(connection: sqlite3.Connection, path: Path, known: int) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not 0 <= version <= known + _NEWEST_THINKABLE:
        raise DamagedError(f"{path} is damaged: no contextls has version {version} of it")
    if version > known:
        raise NewerError(f"{path} was written by a newer contextls; update contextls or delete the file")
    return version


@lru_cache(maxsize=32)
def _form_of(migrations: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    connection = sqlite3.connect(":memory:")
    try:
        for script in migrations:
            connection.executescript(script)
        return _form(connection)
    finally:
        connection.close()


def _form(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """The columns of each table and, without any, the indexes."""
    found = connection.execute(
        "SELECT name, type FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND type IN ('table', 'index')"
    ).fetchall()
    return {
        name: tuple(row[1] for row in connection.execute(f"PRAGMA table_info({_quote(name)})"))
        if kind == "table"
        else ()
        for name, kind in found
    }


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

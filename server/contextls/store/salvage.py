"""Saves what can be read of a damaged database of truth into a new file, row by row, and keeps the old one aside.

The new file is complete before it takes the old one's name, so that a process killed at any moment leaves either the
damaged file or the salvaged one. Processes that had the old file open notice that its name means another file now.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from contextls.errors import StoreError
from contextls.store.quarantine import COMPANIONS, DamagedError, quarantine, remove, set_aside
from contextls.store.sqlite_opening import INCREMENTAL, MAX_BYTES, read_log_file
from contextls.store.sqlite_pages import Pages, Row, Value
from contextls.store.state_file import write_text
from contextls.store.state_place import kind_in_the_way, read_regular
from contextls.store.transaction import Transaction
from contextls.store.write_ahead_log import LogReading, read_log

_DONE, _DRAFT = ".salvaged", ".salvaging"
_LOCK_SECONDS = 2.0
# Windows replaces no file that anybody has open, and so not one that is held.
_REPLACES_OPEN_FILES = os.name != "nt"
# A counter of rows that runs further ahead of the rows than this, for each page, is itself damaged.
_ROWS_PER_PAGE = 400


class SavedTable(Struct, frozen=True):
    """One table of a database of truth.

    ``read`` turns a row as found (number, values) into the values to store, or ``None`` when they make no sense.
    ``single`` is a table that always has exactly one row.
    """

    name: str
    columns: Sequence[str]
    read: Callable[[int, tuple[Value, ...]], tuple[object, ...] | None]
    single: bool = False


class Truth(Struct, frozen=True):
    """The tables of a database of truth.

    ``noun`` names the rows of its first table. ``repair`` puts right what rows say of each other once some may be missing.
    """

    noun: str
    tables: tuple[SavedTable, ...]
    repair: Callable[[Transaction], None] = lambda _: None


def text_of(value: Value) -> str:
    """A text as found; bytes that are none become replacement characters. Raises ``ValueError`` for other values."""
    if not isinstance(value, bytes):
        raise ValueError("no text")
    return value.decode("utf-8", "replace")


def optional_text(value: Value) -> str | None:
    """A text as found, or nothing. Raises ``ValueError`` for other values."""
    return None if value is None else text_of(value)


def whole(value: Value, least: int = 0, most: int = 1 << 62) -> int:
    """A whole number within bounds. Raises ``ValueError`` for other values."""
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError("no number of this range")
    return value


def salvage(
    path: Path, truth: Truth, migrations: Sequence[str], error: DamagedError, *, shrinks: bool
) -> str:
    """Put a new file in place of the damaged one at ``path``; what happened, in words for the user.

    Call it while holding the lock of ``path``. Raises ``StoreError``.
    """
    reason = str(error).removeprefix(f"{path} is damaged: ")
    if kind_in_the_way(path) is not None:
        place = quarantine(path, keep_all=True)
        return _leave_note(
            place, f"{_describe_restart(truth, path, reason)}; what lay there is kept at {place}"
        )
    try:
        if not path.exists():  # only its log is left
            path.touch(mode=0o600)
        with _hold(path):
            raw = read_log_file(path, error.log) or error.log
            place = set_aside(path, raw)
            log = read_log(raw)
            content = read_regular(path, MAX_BYTES) or b""
            pages = Pages.of(content, log.pages, log.page_size if log.pages else 0)
            draft = path.with_name(path.name + _DRAFT)
            try:
                outcome = _rebuild(draft, pages, truth, migrations, shrinks=shrinks)
                draft.replace(path.with_name(path.name + _DONE))
            finally:
                _remove_draft(draft)
            if _REPLACES_OPEN_FILES:
                finish_salvage(path)
        finish_salvage(path)
    except (OSError, sqlite3.Error) as problem:
        raise StoreError(
            f"{path} is damaged ({_shortly(reason)}) and cannot be salvaged ({problem}); free some space, check "
            "permissions, and try again"
        ) from problem
    said = f"the {truth.noun} at {path} were damaged ({_shortly(reason)}{_of_log(log, reason)}): {outcome}"
    return _leave_note(place, f"{said}; the damaged file is kept at {place}")


def finish_salvage(path: Path) -> None:
    """Give a salvaged file its name, if there is one that still waits for it. Raises ``OSError``."""
    done = path.with_name(path.name + _DONE)
    if kind_in_the_way(done) is None and done.exists():
        for ending in COMPANIONS:  # of the damaged file; they lie aside as well
            remove(path.with_name(path.name + ending))
        done.replace(path)


def is_unfinished(path: Path) -> bool:
    """Whether a salvaged file waits for its name: its process was killed at that very moment."""
    return os.path.lexists(f"{path}{_DONE}")


@contextlib.contextmanager
def _hold(path: Path) -> Iterator[None]:
    """Keep other processes from writing to the old file within the block, as far as it can still be opened."""
    connection = None
    if path.stat().st_size:  # SQLite deletes the log of an empty file
        with contextlib.suppress(sqlite3.Error, UnicodeError):
            connection = sqlite3.connect(path, timeout=_LOCK_SECONDS, isolation_level=None)
            connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()


def _rebuild(draft: Path, pages: Pages, truth: Truth, migrations: Sequence[str], *, shrinks: bool) -> str:
    """A new file with every row that makes sense; how many those are, in words."""
    _remove_draft(draft)
    connection = sqlite3.connect(draft, isolation_level=None)
    try:
        if shrinks:
            connection.execute(f"PRAGMA auto_vacuum={INCREMENTAL}")
        connection.execute("BEGIN IMMEDIATE")
        for statement in filter(str.strip, ";".join(migrations).split(";")):
            connection.execute(statement)
        found = list(pages.rows())
        nonsense = {table.name: _insert(connection, table, found) for table in truth.tables}
        last = _continue_counting(connection, truth, found, len(pages.by_number))
        truth.repair(Transaction(connection, draft))
        connection.execute(f"PRAGMA user_version={len(migrations)}")
        outcome = _outcome(connection, truth.tables[0], nonsense[truth.tables[0].name], last)
        connection.execute("COMMIT")
    finally:
        connection.close()
    return outcome


def _remove_draft(draft: Path) -> None:
    for ending in ("", "-journal", *COMPANIONS):
        remove(draft.with_name(draft.name + ending))


def _insert(connection: sqlite3.Connection, table: SavedTable, found: Iterable[Row]) -> int:
    """Store the rows of ``table``; how many looked like some of it, but made no sense."""
    nonsense = 0
    marks = ", ".join("?" * len(table.columns))
    insert = f"INSERT OR IGNORE INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})"  # noqa: S608 - constants
    for row in found:
        try:
            values = table.read(row.number, row.values)
        except (ValueError, TypeError, OverflowError, RecursionError):
            nonsense += 1
            continue
        if values is not None:
            if table.single:
                connection.execute(f"DELETE FROM {table.name}")  # noqa: S608 - a constant
            connection.execute(insert, values)
    return nonsense


def _continue_counting(
    connection: sqlite3.Connection, truth: Truth, found: Iterable[Row], pages: int
) -> dict[str, int]:
    """Let no number be used again that the damaged file gave out; the last one of each table."""
    names = {table.name.encode(): table.name for table in truth.tables}
    last = dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    for row in found:
        if len(row.values) == 2 and isinstance(row.values[0], bytes) and row.values[0] in names:
            name, count = names[row.values[0]], row.values[1]
            if (
                isinstance(count, int)
                and last.get(name, 0) < count <= last.get(name, 0) + pages * _ROWS_PER_PAGE
            ):
                last[name] = count
    for name, count in last.items():
        connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, count))
    return last


def _outcome(connection: sqlite3.Connection, table: SavedTable, nonsense: int, last: dict[str, int]) -> str:
    kept, first = connection.execute(
        f"SELECT COUNT(*), MIN(rowid) FROM {table.name}"  # noqa: S608 - a constant
    ).fetchone()
    if not kept and not last.get(table.name) and not nonsense:
        return "none could be read, and how many there were is not known"
    # Numbers are given out one after the other and only the oldest are ever deleted: a gap is a loss.
    gaps = last.get(table.name, 0) - first + 1 - kept if kept else 0
    lost = max(nonsense, gaps)
    return f"{kept:,} kept, {f'{lost:,} lost' if lost else 'none lost'}"


def _of_log(log: LogReading, reason: str) -> str:
    if not log.is_damaged or "its log" in reason:
        return ""
    return f"; of its log {log.valid:,} of {log.present:,} pages were readable in order"


def _shortly(reason: str) -> str:
    return " ".join(reason.split())[:160]


def _describe_restart(truth: Truth, path: Path, reason: str) -> str:
    return f"the {truth.noun} at {path} could not be opened ({_shortly(reason)}) and were started over"


def _leave_note(place: Path, message: str) -> str:
    """Write ``message`` next to what was set aside, for later processes and for people who find it."""
    note = place.with_name(f"{place.name}.txt")
    with contextlib.suppress(OSError):
        remove(note)
        write_text(note, f"{message}\n")
    return message

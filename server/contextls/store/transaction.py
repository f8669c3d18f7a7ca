"""Runs statements: texts pass the gate, so that no secret gets in; rows that make no sense are damage."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from contextls.store.quarantine import DamagedError
from contextls.text.gate import clean_all, clean_json_or_text
from contextls.text.surrogates import replace_surrogates

Value = TypeVar("Value")

# Rows are searched for secrets in batches: one search through all their texts costs far less than one for each.
_ROWS_AT_ONCE = 500
# A row with a text of at least this many characters is searched by itself.
_SHORT_ROW = 2_000


class Transaction:
    """One open transaction of ``Database.write``."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """``path`` is that of the database, for messages."""
        self._connection = connection
        self._path = path

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; the texts among ``parameters`` are stored without their secrets."""
        return run(self._connection, self._path, sql, parameters)

    def insert(self, sql: str, parameters: Sequence[Any]) -> int:
        """Insert one row; its number."""
        number = self.execute(sql, parameters).lastrowid
        assert number is not None  # noqa: S101 - the statement inserts
        return number

    def read(
        self, decode: Callable[[list[tuple[Any, ...]]], Value], sql: str, parameters: Sequence[Any] = ()
    ) -> Value:
        """Decode the rows of a query. Rows of which ``decode`` makes no sense are damage, and put right.

        What other code of a transaction raises is a mistake of that code.
        """
        rows = self.execute(sql, parameters).fetchall()
        with reading_rows(self._path):
            return decode(rows)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row; their texts are stored without their secrets."""
        self._connection.executemany(sql, _gated_rows(iter(rows)))


@contextlib.contextmanager
def reading_rows(path: Path) -> Iterator[None]:
    """Raise what Python raises within the block of values in rows that make no sense as ``DamagedError``."""
    try:
        yield
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
        raise DamagedError(f"{path} is damaged: a row makes no sense ({error})") from error


def run(
    connection: sqlite3.Connection, path: Path, sql: str, parameters: Sequence[Any] = ()
) -> sqlite3.Cursor:
    """Run one statement, its texts clean."""
    values = clean_parameters(parameters)
    try:
        try:
            return connection.execute(sql, values)
        except UnicodeEncodeError:  # half of a surrogate pair, as JSON and names of files may hold
            return connection.execute(sql, [_without_surrogates(value) for value in values])
    except UnicodeDecodeError as error:  # of a damaged schema SQLite says bytes that are no text
        raise DamagedError(f"{path} is damaged: {error}") from error


def clean_parameters(parameters: Sequence[Any]) -> Sequence[Any]:
    """Clean the texts bound to a statement. What is looked up passes as well, so that it is found."""
    if not any(isinstance(value, str) for value in parameters):
        return parameters
    return [clean_json_or_text(value) if isinstance(value, str) else value for value in parameters]


def _gated_rows(rows: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    while batch := [tuple(row) for row in islice(rows, _ROWS_AT_ONCE)]:
        texts = [
            value for row in batch for value in row if isinstance(value, str) and len(value) < _SHORT_ROW
        ]
        if all(before is after for before, after in zip(texts, clean_all(texts), strict=True)):
            yield from (_with_long_texts_clean(row) for row in batch)
        else:
            yield from map(clean_parameters, batch)


def _with_long_texts_clean(row: Sequence[Any]) -> Sequence[Any]:
    long = any(isinstance(value, str) and len(value) >= _SHORT_ROW for value in row)
    return clean_parameters(row) if long else row


def _without_surrogates(value: object) -> object:
    return replace_surrogates(value) if isinstance(value, str) else value

"""A transaction through which no secret gets into a database: every text that it is given passes the gate."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from contextls.text.gate import clean_all, clean_stored

# Rows are looked through so many at a time: one look at all their texts costs far less than one at each.
_ROWS_AT_ONCE = 500
# Where the texts of a row are longer than this together, each row is looked at by itself.
_SHORT_ROW = 2_000


class Transaction:
    """One open transaction of ``Database.write``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; the texts among ``parameters`` are stored without their secrets."""
        return self._connection.execute(sql, gated(parameters))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row; their texts are stored without their secrets."""
        self._connection.executemany(sql, _gated_rows(iter(rows)))


def gated(parameters: Sequence[Any]) -> Sequence[Any]:
    """What is bound to a statement, its texts clean. What is looked up passes as well, so that it is found."""
    if not any(isinstance(value, str) for value in parameters):
        return parameters
    return [clean_stored(value) if isinstance(value, str) else value for value in parameters]


def _gated_rows(rows: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    while batch := [tuple(row) for row in islice(rows, _ROWS_AT_ONCE)]:
        texts = [
            value for row in batch for value in row if isinstance(value, str) and len(value) < _SHORT_ROW
        ]
        if all(before is after for before, after in zip(texts, clean_all(texts), strict=True)):
            yield from (_with_long_texts_clean(row) for row in batch)
        else:
            yield from map(gated, batch)


def _with_long_texts_clean(row: Sequence[Any]) -> Sequence[Any]:
    long = any(isinstance(value, str) and len(value) >= _SHORT_ROW for value in row)
    return gated(row) if long else row

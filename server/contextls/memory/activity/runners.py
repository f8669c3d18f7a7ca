"""The rows of ``runners.toml``: what the lines that tools print of failures look like."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from msgspec import Struct

from contextls.memory.activity.open_failure import OpenFailure
from contextls.package_data import read_packaged
from contextls.toml_text import parse_toml

_PATH = r"(?P<path>(?:[A-Za-z]:[\\/])?[^\s:()\[\]\"'`|<>,;*?]+)"
_LINE = r"(?P<line>\d{1,7})"


class Row(Struct, frozen=True):
    """One row of the table."""

    runner: str
    role: str
    hint: str
    pattern: re.Pattern[str]
    inner: str = "first"
    then: str = ""
    open: bool = False
    in_test: bool = False
    weak: bool = False
    extension: str = ""


def find_row(line: str, current: OpenFailure) -> tuple[Row, re.Match[str]] | None:
    """The first row that knows a line, where it may play its role in the failure that is being read."""
    if not line.strip():
        return None
    for row in _rows_of_failures():
        if row.hint not in line or (row.open and (current.message or not current.path)):
            continue
        if row.role != "detail" or current.message or current.test:
            match = row.pattern.match(line)
            if match:
                return row, match
    return None


def begins_round(line: str) -> bool:
    """Whether a command that watches files says in a line that it begins again, or that it is content."""
    return any(row.hint in line and row.pattern.match(line) for row in _rows_of("round"))


def as_printed(line: str) -> str:
    """A line without what was set before it by a program that ran the one which printed it, or after its paths."""
    for row in _rows_of("query"):
        if row.hint in line:
            line = row.pattern.sub("", line)
    for row in _rows_of("prefix"):
        if row.hint in line and (found := row.pattern.match(line)):
            return line[found.end() :]
    return line


@functools.cache
def _rows_of_failures() -> tuple[Row, ...]:
    return tuple(row for row in _rows() if row.role not in ("round", "prefix", "query"))


@functools.cache
def _rows_of(role: str) -> tuple[Row, ...]:
    return tuple(row for row in _rows() if row.role == role)


@functools.cache
def _rows() -> tuple[Row, ...]:
    table = parse_toml(read_packaged(Path(__file__).with_name("runners.toml")))
    return tuple(
        Row(
            **{**row, "pattern": re.compile(row["pattern"].replace("{path}", _PATH).replace("{line}", _LINE))}
        )
        for row in table["row"]
    )

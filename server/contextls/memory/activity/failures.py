"""Failures read from a command's output: errors with file, line, test and message.

The formats of runners, compilers and linters are the rows of ``runners.toml``; this module knows the roles that a
line can play and no runner. The text is read once, line by line; each row looks at a line of bounded length, so the
time grows with the length of the text and with nothing else.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from contextls.package_data import read_packaged
from contextls.regex import compile_late

MAX_FAILURES = 20
# What is cut is the middle: compilers say the first error first, runners their summary last.
FIRST_LINES, LAST_LINES = 1_500, 3_000
MAX_LINE_CHARS = 400
MAX_MESSAGE_CHARS = 500
_PATH = r"(?P<path>(?:[A-Za-z]:[\\/])?[^\s:()\[\]\"'`|<>,;*?]+)"
_LINE = r"(?P<line>\d{1,7})"
_CODES = compile_late(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")

Resolve = Callable[[str], str | None]


class Failure(Struct, frozen=True):
    """One thing that went wrong. ``path`` is a file of the workspace, ``line`` is 1-based; empty where not told."""

    path: str
    message: str
    line: int | None = None
    test: str = ""
    code: str = ""
    source: str = ""


class _Row(Struct, frozen=True):
    """One row of the table."""

    runner: str
    role: str
    hint: str
    pattern: re.Pattern[str]
    inner: str = "first"
    then: str = ""
    open: bool = False
    in_test: bool = False
    extension: str = ""


class _Open(Struct):
    """The failure that is being read. ``wants`` is set where the next line is the message."""

    path: str = ""
    line: int | None = None
    message: str = ""
    test: str = ""
    code: str = ""
    source: str = ""
    wants: bool = False
    skipped: bool = False


def failures_in(text: str, resolve: Resolve) -> tuple[Failure, ...]:
    """The failures that ``text`` tells of, in its order, each once, at most ``MAX_FAILURES``.

    ``resolve`` gives the workspace-relative path of a path as printed, or ``None`` for what is not the workspace's.
    Never raises for any text.
    """
    reader = _Reader(functools.cache(resolve))
    found: dict[tuple[str, int | None, str], Failure] = {}
    tests: set[str] = set()
    for failure in reader.read(_lines(text)):
        name = re.split(r"::|[.\s]", failure.test)[-1] if failure.line is None else ""
        if name and any(name in test for test in tests):
            continue
        tests.add(failure.test)
        found.setdefault((failure.path, failure.line, failure.test if failure.line is None else ""), failure)
        if len(found) >= MAX_FAILURES:
            break
    return tuple(found.values())


class _Reader:
    """Reads the lines of one text."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._open = _Open()
        self._file = ""
        self._before: _Row | None = None

    def read(self, lines: Iterator[str]) -> Iterator[Failure]:
        """Every failure, repetitions included."""
        for line in lines:
            row, match = _matching(line, self._open)
            if row is None or match is None:
                if self._open.wants and line.strip():
                    self._open.message, self._open.wants = line.strip(), False
                self._before = None
                continue
            yield from self._take(row, match)
            self._before = row
        yield from self._close()

    def _take(self, row: _Row, match: re.Match[str]) -> Iterator[Failure]:
        part = {name: value.strip() for name, value in match.groupdict().items() if value}
        if row.role in ("test", "start", "skip"):
            yield from self._close()
            test = part.get("test", self._open.test if row.role == "start" else "")
            self._open = _Open(test=test, source=row.runner, skipped=row.role == "skip")
            self._place(row, part)
        elif row.role == "error":
            yield from self._complete(row, part)
        elif row.role == "file":
            self._file = self._resolve(part["path"]) or ""
        elif row.role == "message":
            yield from self._message(row, part)
        elif row.role == "place":
            self._place(row, part)
        if row.then == "message" and not self._open.message:
            self._open.wants = True

    def _message(self, row: _Row, part: dict[str, str]) -> Iterator[Failure]:
        if self._before is row:
            return  # the message goes on
        if self._open.skipped or (self._open.message and self._open.path):
            test = self._open.test
            yield from self._close()
            self._open = _Open(test=test)
        if not self._open.message:
            self._open = replace(
                self._open,
                message=part["message"],
                code=part.get("code", ""),
                source=self._open.source or row.runner,
                wants=False,
            )

    def _place(self, row: _Row, part: dict[str, str]) -> None:
        if "line" not in part or (row.inner == "first" and self._open.path):
            return
        path = self._path(row, part)
        if path:
            self._open.path, self._open.line = path, int(part["line"])
            self._open.source = self._open.source or row.runner

    def _complete(self, row: _Row, part: dict[str, str]) -> Iterator[Failure]:
        test = self._open.test if row.in_test else ""
        yield from self._close()
        self._open = _Open(test=test, source=row.runner if row.in_test else "")
        path = self._path(row, part) or ("" if "path" in part or row.extension else self._file)
        if path:
            line = int(part["line"]) if "line" in part else None
            test = part.get("test", test)
            message = part.get("message") or f"{test} failed"
            yield Failure(path, message[:MAX_MESSAGE_CHARS], line, test, part.get("code", ""), row.runner)

    def _close(self) -> Iterator[Failure]:
        done, self._open = self._open, _Open(test=self._open.test)
        if done.path and not done.skipped and (done.message or done.test):
            message = (done.message or f"{done.test} failed")[:MAX_MESSAGE_CHARS]
            yield Failure(done.path, message, done.line, done.test, done.code, done.source)

    def _path(self, row: _Row, part: dict[str, str]) -> str:
        path = part.get("path", "")
        if row.extension:
            path = part["class"].rsplit(".", 1)[-1] + row.extension
        elif "class" in part:
            # a.b.Class.method in Class.java: the folders are the package
            path = "/".join([*part["class"].split(".")[:-2], path])
        return (self._resolve(path) if path else None) or ""


def _matching(line: str, current: _Open) -> tuple[_Row | None, re.Match[str] | None]:
    if not line.strip():
        return None, None
    for row in _rows():
        if row.hint in line and (not row.open or (current.path and not current.message)):
            match = row.pattern.match(line)
            if match:
                return row, match
    return None, None


def _lines(text: str) -> Iterator[str]:
    lines = text.splitlines()
    if len(lines) > FIRST_LINES + LAST_LINES:
        lines = [*lines[:FIRST_LINES], "", *lines[-LAST_LINES:]]
    return (_CODES.sub("", line[: 2 * MAX_LINE_CHARS])[:MAX_LINE_CHARS].rstrip() for line in lines)


@functools.cache
def _rows() -> tuple[_Row, ...]:
    table = tomllib.loads(read_packaged(Path(__file__).with_name("runners.toml")))
    return tuple(
        _Row(
            **{**row, "pattern": re.compile(row["pattern"].replace("{path}", _PATH).replace("{line}", _LINE))}
        )
        for row in table["row"]
    )

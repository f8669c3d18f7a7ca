"""Failures read from a command's output: errors with file, line, test and message.

The formats of runners, compilers and linters are the rows of ``runners.toml``; this module knows the roles that a
line can play and no runner. The text is read once, line by line; each row looks at a line of bounded length, so the
time grows with the length of the text and with nothing else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.activity.open_failure import OpenFailure, compose_message
from contextls.memory.activity.runners import Row, as_printed, find_row
from contextls.memory.index.query.traces import frame_of
from contextls.text.json_lines import lines_said
from contextls.text.terminal_text import plain_text

MAX_FAILURES = 20
# What is cut is the middle: compilers say the first error first, runners their summary last.
FIRST_LINES, LAST_LINES = 1_500, 3_000
MAX_LINE_CHARS = 400
MAX_MESSAGE_CHARS = 500

Resolve = Callable[[str], str | None]


class Failure(Struct, frozen=True):
    """One thing that went wrong. ``path`` is a file of the workspace, ``line`` is 1-based; empty where not reported."""

    path: str
    message: str
    line: int | None = None
    test: str = ""
    code: str = ""
    source: str = ""


def failures_in(text: str, resolve: Resolve) -> tuple[Failure, ...]:
    """The failures that ``text`` tells of, in its order, each once, at most ``MAX_FAILURES``.

    ``resolve`` gives the workspace-relative path of a path as printed, or ``None`` for what is not the workspace's.
    Never raises for any text.
    """
    reader = _Reader(functools.cache(resolve))
    found: dict[tuple[str, int | None, str], Failure] = {}
    for failure in reader.read(_lines(text)):
        if failure.test and (failure.line is None or failure.message == failure.test):
            echoed = _find_echoed(failure, found)
            if echoed:
                if failure.source == "pytest" and failure.test != failure.path:
                    found[echoed] = replace(found[echoed], test=f"{failure.path}::{failure.test}")
                continue
        told = _find_told(failure, found) if failure.test else None
        if told:
            found[told] = replace(found[told], test=failure.test)
        else:
            said = failure.test or failure.message
            found.setdefault((failure.path, failure.line, said), failure)
        if len(found) >= MAX_FAILURES:
            break
    return tuple(found.values())


def _find_echoed(
    summary: Failure, found: Mapping[tuple[str, int | None, str], Failure]
) -> tuple[str, int | None, str] | None:
    """The key of the failure that a line of a summary tells of once more, by its test or, without one, by its message."""
    name = summary.test.rpartition("::")[2]
    names = (summary.test, f"{summary.path}::{summary.test}")  # the second where the same tests ran before
    said = summary.message.removesuffix("...")
    for key, failure in found.items():
        if failure.test in names or (failure.line is not None and _is_named(failure.test, name)):
            return key
        if not failure.test and failure.message.startswith(said):
            return key
    return None


def _find_told(
    summary: Failure, found: Mapping[tuple[str, int | None, str], Failure]
) -> tuple[str, int | None, str] | None:
    """The key of the failure that a line of a summary tells of once more in short, with the whole name of the test."""
    for key, failure in found.items():
        if (failure.path, failure.line) == (summary.path, summary.line) and (
            summary.test.endswith(failure.test) and failure.message.endswith(summary.message)
        ):
            return key
    return None


def _is_named(test: str, name: str) -> bool:
    return "::" not in test and (test == name or test.endswith((f".{name}", f" {name}")))


class _Reader:
    """Reads the lines of one text."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._open = OpenFailure()
        self._file = ""
        self._before: Row | None = None
        self._line_before = ""

    def read(self, lines: Iterator[str]) -> Iterator[Failure]:
        """Every failure, repetitions included."""
        for line in lines:
            found = find_row(line, self._open)
            if found is None:
                self._take_plain(line)
                self._before = None
            else:
                row, match = found
                yield from self._take(row, match)
                if row.role not in ("noise", "detail"):
                    self._before = row
            self._line_before = line
        yield from self._close()

    def _take_plain(self, line: str) -> None:
        """A line that no row knows: what an open failure waits for, or a frame."""
        current, text = self._open, line.strip()
        if not text:
            if current.details:
                current.announced = 0
        elif current.wants == "titles":
            self._take_title(line, text)
        elif current.wants == "test":
            current.test, current.wants = text, ""
        elif current.wants:
            current.set_message(text)
        elif not self._take_frame(line) and current.announced:
            current.announced -= 1
            current.add_detail(text)

    def _take_title(self, line: str, text: str) -> None:
        """Take one more line of a name; the last one ends in a colon, and none is at the margin."""
        current = self._open
        if not line.startswith("   "):
            current.wants = ""
            return
        current.test = f"{current.test} {text.removesuffix(':')}"
        if text.endswith(":"):
            current.wants = "message"

    def _take_frame(self, line: str) -> bool:
        """Take the place of a frame as any runtime prints it, where a failure is open that has none."""
        current = self._open
        if current.told or current.skipped or not (current.message or current.test):
            return False
        frame = frame_of(line, self._line_before)
        if frame is None or not frame[1].path or frame[1].line is None:
            return False
        if not current.path or current.weak:
            self._set_place(self._resolve(frame[1].path) or "", frame[1].line, "")
        return True

    def _take(self, row: Row, match: re.Match[str]) -> Iterator[Failure]:
        part = {name: value.strip() for name, value in match.groupdict().items() if value}
        if row.role in ("test", "start", "skip", "end"):
            yield from self._close()
            test = part.get("test", self._open.test if row.role == "start" else "")
            self._open = OpenFailure(test=test, source=row.runner, skipped=row.role == "skip")
            self._place(row, part)
            if "message" in part:
                self._open.set_message(part["message"])
        elif row.role == "error":
            yield from self._complete(row, part)
        elif row.role == "file":
            self._file = self._resolve(part["path"]) or ""
        elif row.role == "message":
            yield from self._message(row, part, match)
        elif row.role == "detail":
            self._open.add_detail(part["detail"])
        elif row.role == "place":
            self._place(row, part)
        if row.then and not self._open.message:
            self._open.wants = row.then

    def _message(self, row: Row, part: dict[str, str], match: re.Match[str]) -> Iterator[Failure]:
        if "message" not in part:
            return
        indent = len(match["indent"]) if "indent" in row.pattern.groupindex else None
        if self._before is row and indent is None:
            return  # the message goes on
        if self._before is row and self._open.message and indent is not None:
            if indent >= (self._open.indent or 0):
                self._open.add_detail(part["message"])
                return
            self._open.message, self._open.details = "", []
        if self._open.skipped or (self._open.message and self._open.path):
            yield from self._close()
            self._open = OpenFailure(test=self._open.test)
        if not self._open.message:
            self._open.set_message(part["message"])
            self._open.code, self._open.indent = part.get("code", ""), indent
            self._open.source = self._open.source or row.runner

    def _place(self, row: Row, part: dict[str, str]) -> None:
        current = self._open
        if "line" not in part or current.told or (row.inner == "first" and current.path and not current.weak):
            return
        self._set_place(self._path(row, part), int(part["line"]), row.runner, weak=row.weak)

    def _set_place(self, path: str, line: int, runner: str, *, weak: bool = False) -> None:
        if path:
            self._open.path, self._open.line, self._open.weak = path, line, weak
            self._open.source = self._open.source or runner

    def _complete(self, row: Row, part: dict[str, str]) -> Iterator[Failure]:
        keeps = self._open.test if row.in_test else ""
        yield from self._close()
        self._open = OpenFailure(test=keeps, source=row.runner if row.in_test else "")
        path = self._path(row, part) or ("" if "path" in part or row.extension else self._file)
        if path:
            test = part.get("test", keeps)
            line = int(part["line"]) if "line" in part else None
            self._open = OpenFailure(path, line, test=test, source=row.runner, told=True, keeps=keeps)
            self._open.set_message(part.get("message") or f"{test} failed")
            self._open.code = part.get("code", "")

    def _close(self) -> Iterator[Failure]:
        done = self._open
        self._open = OpenFailure(test=done.keeps if done.told else done.test)
        if done.path and not done.skipped and (done.message or done.test):
            message = compose_message(done.message or f"{done.test} failed", done.details)[:MAX_MESSAGE_CHARS]
            yield Failure(done.path, message, done.line, done.test, done.code, done.source)

    def _path(self, row: Row, part: dict[str, str]) -> str:
        path = part.get("path", "")
        if row.extension:
            path = part["class"].rsplit(".", 1)[-1] + row.extension
        elif "class" in part:
            # a.b.Class.method in Class.java: the folders are the package
            path = "/".join([*part["class"].split(".")[:-2], path])
        return (self._resolve(path) if path else None) or ""


def _lines(text: str) -> Iterator[str]:
    lines = text.splitlines()
    if len(lines) > FIRST_LINES + LAST_LINES:
        lines = [*lines[:FIRST_LINES], "", *lines[-LAST_LINES:]]
    for line in lines:
        for said in lines_said(line):
            yield as_printed(plain_text(said[: 2 * MAX_LINE_CHARS])[:MAX_LINE_CHARS].rstrip())

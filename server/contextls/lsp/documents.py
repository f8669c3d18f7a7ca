"""The texts of open documents, kept equal to the editor's.

Lines end at LF, CR LF or CR and nowhere else (not at form feeds or Unicode separators), as the protocol says,
and characters count in the units that client and server agreed upon.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.requests.uris import to_path
from contextls.text.gate import clean_part
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lsprotocol import types

# What gives a secret away stands near it: a private key, the longest, has some hundred lines.
_LINES_AROUND = 120
_MAX_CHARS_AROUND = 20_000


class Excerpt(Struct, frozen=True):
    """A part of a document, with what stands ``before`` and ``after`` it."""

    before: str
    text: str
    after: str

    def clean(self) -> str:
        """The part without secrets, also those that only what stands around it gives away."""
        before, text, after = map(repair_surrogates, (self.before, self.text, self.after))
        return clean_part(before + text + after, len(before), len(before) + len(text))


class Document:
    """One open document. ``path`` is ``None`` for those without a file (``untitled:`` and the like).

    It is kept as lines, so that an edit costs what its own lines cost: an editor may send thousands at once.
    Positions past the end of a line mean its end, past the last line the end of the text; one that falls
    inside a character means its start.
    """

    def __init__(self, uri: str, path: Path | None, version: int, text: str, encoding: str) -> None:
        self.uri = uri
        self.path = path
        self.version = version
        self._encoding = encoding
        self._lines = _split_lines(text)
        self._text: str | None = text

    @property
    def text(self) -> str:
        """The whole text; put together when it is read, and not with every edit."""
        if self._text is None:
            self._text = "".join(self._lines)
        return self._text

    def apply(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Replace a range, or everything when the change has none."""
        span = getattr(change, "range", None)
        if span is None:
            self._lines, self._text = _split_lines(change.text), change.text
            return
        (first, begin), (last, end) = self._places(span)
        text = self._lines[first][:begin] + change.text + self._lines[last][end:]
        if first and text.startswith("\n"):  # with a CR at the end of the line before, it is one line end
            first -= 1
            text = self._lines[first] + text
        lines = _split_lines(text)
        if last + 1 < len(self._lines):
            lines.pop()  # empty: the text ends with a line end, and what follows it is there already
        self._lines[first : last + 1] = lines
        self._text = None

    def excerpt(self, span: types.Range) -> Excerpt:
        """The text within a range in the client's units."""
        begin, end = self._places(span)
        return self._cut(begin, end)

    def word_at(self, position: types.Position) -> Excerpt | None:
        """The identifier that touches the position; ``None`` where there is none."""
        number, at = self._place(position)
        line = self._lines[number]
        before = re.search(r"(?<!\w)\w*+\Z", line[max(0, at - 200) : at])
        after = re.match(r"\w*", line[at : at + 200])
        begin = at - (len(before.group()) if before else 0)
        end = at + (len(after.group()) if after else 0)
        word = line[begin:end]
        return self._cut((number, begin), (number, end)) if word and not word.isdigit() else None

    def line_excerpt(self, number: int) -> Excerpt:
        """A line, 0-based, without its end; an empty one past the last."""
        at = min(number, len(self._lines) - 1)
        return self._cut((at, 0), (at, len(self.line(number))))

    def line(self, number: int) -> str:
        """The text of a line, 0-based, without its end; empty past the last one."""
        return self._lines[number].rstrip("\r\n") if number < len(self._lines) else ""

    def _cut(self, begin: tuple[int, int], end: tuple[int, int]) -> Excerpt:
        (first, left), (last, right) = begin, end
        lines = self._lines[first : last + 1]
        rest = lines[-1][right:]
        lines[-1] = lines[-1][:right]
        start = lines[0][:left]
        lines[0] = lines[0][left:]
        before = "".join((*self._lines[max(0, first - _LINES_AROUND) : first], start))
        after = "".join((rest, *self._lines[last + 1 : last + 1 + _LINES_AROUND]))
        return Excerpt(before[-_MAX_CHARS_AROUND:], "".join(lines), after[:_MAX_CHARS_AROUND])

    def _places(self, span: types.Range) -> list[tuple[int, int]]:
        """Both ends of a range, in ascending order whatever the client says."""
        return sorted((self._place(span.start), self._place(span.end)))

    def _place(self, position: types.Position) -> tuple[int, int]:
        """The number of the line that a position lies in, and the index into it."""
        if position.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        row = self.line(position.line)[: position.character]
        return position.line, _count_characters(row, position.character, self._encoding)


class Documents:
    """All open documents. Lives on the event loop alone."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self._open: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """The open document of this URI."""
        return self._open.get(_key(uri))

    def open(self, uri: str, version: int, text: str) -> Document:
        """Start to follow a document; opening it again replaces its text."""
        document = Document(uri, to_path(uri), version, text, self.encoding)
        self._open[_key(uri)] = document
        return document

    def close(self, uri: str) -> Document | None:
        """Stop following a document; ``None`` when it was not open."""
        return self._open.pop(_key(uri), None)


def _split_lines(text: str) -> list[str]:
    """The lines with their ends; the last one has none, and may be empty."""
    lines = list(StringIO(text, newline=""))
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def _count_characters(row: str, units: int, encoding: str) -> int:
    """The number of whole characters of ``row`` that fit into ``units``; in compiled code, as a line may have megabytes."""
    if encoding == "utf-32" or row.isascii():
        return len(row)
    width, codec = (2, "utf-16-le") if encoding == "utf-16" else (1, "utf-8")
    raw = row.encode(codec, "surrogatepass")[: units * width]
    if len(raw) < units * width:
        return len(row)
    return len(raw.decode(codec, "ignore"))


def _key(uri: str) -> str:
    path = to_path(uri)
    return uri if path is None else str(path)

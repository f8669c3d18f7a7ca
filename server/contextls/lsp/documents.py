"""The texts of open documents, kept equal to the editor's.

Lines end at LF, CR LF or CR and nowhere else (not at form feeds or Unicode separators), as the protocol says,
and characters count in the units that client and server agreed upon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from contextls.requests.uris import to_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lsprotocol import types

_LINE_END = re.compile(r"\r\n|\n|\r")


def offset_at(text: str, line: int, character: int, encoding: str) -> int:
    """The index into ``text`` of a protocol position.

    Positions past the end of a line mean its end, past the last line the end of the text; one that falls
    inside a character means its start.
    """
    start = 0
    if line:
        found = next(islice(_LINE_END.finditer(text), line - 1, None), None)
        if found is None:
            return len(text)
        start = found.end()
    next_end = _LINE_END.search(text, start)
    end = next_end.start() if next_end else len(text)
    row = text[start:end]
    return start + _characters(row[:character], character, encoding)


def _characters(row: str, units: int, encoding: str) -> int:
    """How many whole characters of ``row`` fit into ``units``; in compiled code, as a line may have megabytes."""
    if encoding == "utf-32" or row.isascii():
        return len(row)
    width, codec = (2, "utf-16-le") if encoding == "utf-16" else (1, "utf-8")
    raw = row.encode(codec, "surrogatepass")[: units * width]
    if len(raw) < units * width:
        return len(row)
    return len(raw.decode(codec, "ignore"))


@dataclass(slots=True)
class Document:
    """One open document. ``path`` is ``None`` for those without a file (``untitled:`` and the like)."""

    uri: str
    path: Path | None
    version: int
    text: str
    encoding: str

    def apply(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Replace a range, or everything when the change has none."""
        span = getattr(change, "range", None)
        if span is None:
            self.text = change.text
            return
        start, end = sorted((self.offset(span.start), self.offset(span.end)))
        self.text = self.text[:start] + change.text + self.text[end:]

    def offset(self, position: types.Position) -> int:
        """Index into ``text`` of a position in the client's units."""
        return offset_at(self.text, position.line, position.character, self.encoding)

    def slice(self, span: types.Range) -> str:
        """The text within a range in the client's units."""
        start, end = sorted((self.offset(span.start), self.offset(span.end)))
        return self.text[start:end]

    def word_at(self, position: types.Position) -> str:
        """The identifier that touches the position; empty where there is none."""
        at = self.offset(position)
        before = re.search(r"(?<!\w)\w*+\Z", self.text[max(0, at - 200) : at])
        after = re.match(r"\w*", self.text[at : at + 200])
        word = (before.group() if before else "") + (after.group() if after else "")
        return "" if word.isdigit() else word

    def line(self, number: int) -> str:
        """The text of a line, 0-based, without its end; empty past the last one."""
        start = offset_at(self.text, number, 0, "utf-32")
        found = _LINE_END.search(self.text, start)
        return self.text[start : found.start() if found else len(self.text)]


class Documents:
    """All open documents. Lives on the event loop alone."""

    def __init__(self, encoding: str = "utf-16") -> None:
        self.encoding = encoding
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


def _key(uri: str) -> str:
    path = to_path(uri)
    return uri if path is None else str(path)

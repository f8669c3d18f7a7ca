"""A text made ready for parsing: the lines as an editor counts them and the bytes that tree-sitter sees.

tree-sitter counts rows by line feeds alone and stumbles over byte order marks and NULs. The bytes given to it are
therefore a copy in which every lone carriage return is a line feed, a NUL is a space and the mark is gone: its rows are
then exactly the text's lines, and only rows ever lead back to the text.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from contextls.regex import compile_late

_LONE_CR = compile_late("\r(?!\n)")


class SourceText:
    """A text, its ``lines`` (with their ends; joined they are the text) and the ``data`` to parse."""

    __slots__ = ("data", "lines", "offsets", "text")

    def __init__(self, text: str) -> None:
        plain = _LONE_CR.sub("\n", text) if "\r" in text else text
        self.text = text
        self.lines = _split(text, plain)
        self.offsets = [0, *accumulate(map(len, self.lines))]
        if plain.startswith("\ufeff"):
            plain = plain[1:]
        if "\0" in plain:
            plain = plain.replace("\0", " ")
        self.data = plain.encode("utf-8", "replace")

    def size(self, first: int, end: int) -> int:
        """Characters in rows ``first`` (0-based) up to, not including, ``end``."""
        return self.offsets[end] - self.offsets[first]

    def slice(self, first: int, end: int) -> str:
        """The text of rows ``first`` up to, not including, ``end``."""
        return self.text[self.offsets[first] : self.offsets[end]]

    def row_reached(self, first: int, chars: int) -> int:
        """The largest ``end`` such that rows ``first`` to ``end`` hold at most ``chars`` characters; may be ``first``."""
        return bisect_right(self.offsets, self.offsets[first] + chars) - 1


def _split(text: str, plain: str) -> list[str]:
    """The lines of ``text``; ``plain`` is the same text with nothing but line feeds as single line ends."""
    lines = [line + "\n" for line in plain.split("\n")]
    lines[-1] = lines[-1][:-1]
    if not lines[-1]:
        lines.pop()
    if plain is text:
        return lines
    ends = list(accumulate(map(len, lines)))
    return [text[end - len(line) : end] for line, end in zip(lines, ends, strict=True)]

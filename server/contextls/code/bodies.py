"""Finds the bodies of functions, which a skeleton leaves out. Runs in worker processes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from contextls.code.kinds import Kind

if TYPE_CHECKING:
    from contextls.code.language_facts import LanguageFacts
    from contextls.code.source import SourceText
    from contextls.code.units import FileOutline, Unit

_WITH_BODIES = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.MACRO, Kind.TEST})


def bodies_of(source: SourceText, outline: FileOutline, facts: LanguageFacts) -> str:
    """The bodies of all functions, less their docstrings, in the order of the file and packed for ``skeleton``."""
    bodies = [
        unit.body
        for unit in outline.units
        if unit.body is not None and unit.kind in _WITH_BODIES and not _holds_members(unit)
    ]
    starts = _row_starts(source) if bodies else []
    numbers: list[int] = []
    for body in bodies:
        start, end = _left_out(body, source.data, facts)
        if start < end:
            numbers += (*_place(start, source, starts), *_place(end, source, starts))
    return " ".join(map(str, numbers))


def _holds_members(unit: Unit) -> bool:
    """Whether a test suite or a module-like function is better opened up than elided."""
    return unit.kind is Kind.TEST and any(child.kind is Kind.TEST for child in unit.children)


def _left_out(body: tuple[int, int], data: bytes, facts: LanguageFacts) -> tuple[int, int]:
    """The bytes of ``body`` that go: all of it, less a docstring at its head and trailing white space."""
    start, end = body
    if facts.docstring is not None:
        found = facts.docstring.match(data[start:end].decode("utf-8", "replace"))
        if found:
            after = start + len(found.group().encode("utf-8"))
            rest = data[after:end]
            start = after + len(rest) - len(rest.lstrip()) if rest.strip() else end
    text = data[start:end]
    return start, end - (len(text) - len(text.rstrip()))


def _row_starts(source: SourceText) -> list[int]:
    data = source.data
    if source.text.isascii():  # a byte for each character
        return source.offsets if data.endswith(b"\n") else source.offsets[:-1] or source.offsets
    starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
    return starts if data.endswith(b"\n") else starts[:-1] or starts


def _place(at: int, source: SourceText, starts: list[int]) -> tuple[int, int]:
    """The 1-based line and the 0-based column, in characters, of a byte."""
    row = bisect_right(starts, at) - 1
    column = len(source.data[starts[row] : at].decode("utf-8", "replace"))
    return row + 1, column + (row == 0 and source.text.startswith("\ufeff"))

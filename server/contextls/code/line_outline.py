"""The outline of a text in a language without a grammar, told by its lines: how they begin, and how far they are indented.

A definition reaches as far as lines are indented deeper than its own, or brackets that it opened stay open, with the line
that closes it. That holds for code as people lay it out, and costs one pass.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.code.kinds import CALLABLE, Kind
from contextls.code.leading_comments import attach_comments
from contextls.code.model import ChunkLimits, Import, Reference
from contextls.code.references import SCOPE
from contextls.code.units import FileOutline, Unit, join_clauses, nest_units
from contextls.regex import compile_late
from contextls.text.indentation import indent_width

if TYPE_CHECKING:
    from contextls.code.language_facts import LanguageFacts
    from contextls.code.line_facts import LineFacts
    from contextls.code.source import SourceText

# The columns that a tab counts in a file that indents with both tabs and spaces.
_TAB_WIDTH = 8
_INK = compile_late(r"[^\n]")
_WORD = compile_late(r"[^\W\d]\w*")
_OPEN, _CLOSE = "([{", ")]}"
_QUOTES = ('"', "'", "`")
# What stands in one of these is a detail of it, if it is of one of these itself.
_VALUES = frozenset({Kind.CONSTANT, Kind.BLOCK})
# A line that begins so goes on with the one above it.
_GOES_ON = ("{", ")", "]", '"')


class _Start(Struct):
    """A line that begins a definition, or a region: what lies between it and the next one."""

    row: int
    column: int
    kind: Kind
    name: str
    named: tuple[int, int]  # characters of the text
    is_region: bool
    last: int
    indent: int = 0
    is_detail: bool = False  # a value within another one


def read_line_outline(source: SourceText, facts: LanguageFacts, lines: LineFacts) -> FileOutline:
    """The definitions, references and imports of ``source`` as far as its lines tell them."""
    text = _Text(source.data.decode("utf-8", "replace"), lines)
    starts = list(text.find_starts())
    text.find_ends(starts)
    ordered = nest_units([(text.unit_of(start), "") for start in starts], whole_names=lines.whole_names)
    if facts.clauses:
        ordered = join_clauses(ordered, source, ChunkLimits().max_chars)
    attach_comments(ordered, source, dict(text.find_attached()), facts.comments)
    return FileOutline(
        ordered,
        [unit for unit in ordered if unit.parent is None],
        tuple(text.find_references(starts)),
        tuple(text.find_imports()),
    )


class _Text:
    """A text with its rows, and a copy of the same length in which comments and strings are blank."""

    def __init__(self, text: str, facts: LineFacts) -> None:
        self.text = text
        self.facts = facts
        self.bare = facts.silent.sub(self._blank, text)
        self.rows = self.bare.split("\n")
        self.depths = self._depths()
        self.offsets = [0, *accumulate(len(row) + 1 for row in self.rows)]
        self.bytes = (
            self.offsets
            if text.isascii()
            else [0, *accumulate(len(row.encode()) + 1 for row in text.split("\n"))]
        )

    def find_starts(self) -> Iterator[_Start]:
        """Find the lines that begin a definition or a region, outside comments and strings."""
        regions = self.facts.region_groups
        for found in self.facts.starts.finditer(self.text):
            group = found.lastindex
            row = self._row(found.start())
            column = len(self.rows[row]) - len(self.rows[row].lstrip())
            if group is None or self.offsets[row] + column >= found.end():
                continue
            kind, named = self.facts.kinds[group - 1], found.span(group)
            yield _Start(row, column, kind, found[group].strip(), named, group <= regions, row)

    def find_ends(self, starts: list[_Start]) -> None:
        """Set the last row of each of ``starts``."""
        at = {start.row: start for start in starts}
        depths = self.depths
        is_open: list[_Start] = []  # definitions around the row, innermost last
        region: _Start | None = None
        ink = 0  # the last row that is not blank
        for row, line in enumerate(self.rows):
            stripped = line.lstrip()
            if not stripped:
                continue
            start, indent = at.get(row), indent_width(line, _TAB_WIDTH)
            stripped = stripped.lower() if self.facts.any_case else stripped
            while is_open and indent <= (top := is_open[-1]).indent:
                if start is None and indent == top.indent and self._goes_on(stripped):
                    break
                if start is None and indent == top.indent and stripped.startswith(self.facts.closers):
                    top.last = row
                    is_open.pop()
                    break
                if start is None and depths[row] > depths[top.row]:
                    break
                top.last = max(top.last, ink)
                is_open.pop()
            ends = self.facts.region_end is not None and self.facts.region_end.match(self.text_of(row))
            if region is not None and (ends or (start is not None and start.is_region)):
                region.last = row if ends else ink
                region = None
            if start is not None and start.is_region:
                region = start
            elif start is not None:
                start.indent = indent
                start.is_detail = any(each.kind in _VALUES for each in is_open[-1:]) and start.kind in _VALUES
                is_open.append(start)
            ink = row
        for rest in (*is_open, *([region] if region else ())):
            rest.last = max(rest.last, ink)
        for start in starts if self.facts.docs_below else ():
            start.last = self._with_docs(start.last)
        starts[:] = [start for start in starts if not start.is_detail]

    def unit_of(self, start: _Start) -> Unit:
        """``start`` as a unit, from its line to its last."""
        begin = self._byte(start.row, start.column)
        end = self._byte(start.last, len(self.text_of(start.last).rstrip()))
        return Unit(
            kind=start.kind,
            name=start.name,
            qualified="",
            first=start.row,
            row=start.row,
            last=start.last,
            start=begin,
            end=max(end, begin + 1),
            body=self._body(start, end) if start.kind in CALLABLE or not start.is_region else None,
            named=start.named,
        )

    def text_of(self, row: int) -> str:
        """A row without its end."""
        return self.text[self.offsets[row] : self.offsets[row + 1] - 1]

    def find_attached(self) -> Iterator[tuple[int, int]]:
        """The rows that belong to the definition below them though they are no comments, each as last and first row."""
        attach = self.facts.attach
        if attach is not None:
            yield from ((row, row) for row, line in enumerate(self.rows) if attach.match(line))

    def find_references(self, starts: list[_Start]) -> Iterator[Reference]:
        """The calls and the other names of the code, each once a line; what a line defines is none."""
        defined = {(start.name, start.row) for start in starts}
        called: dict[tuple[str, int], bool] = {}
        for found in self.facts.calls.finditer(self.bare):
            called[self._name(found)] = True
        if self.facts.bare:
            own = {start.name for start in starts if start.kind in CALLABLE}
            for found in _WORD.finditer(self.bare):
                if found[0] in own:
                    called[found[0], self._row(found.start())] = True
        for found in self.facts.refs.finditer(self.bare) if self.facts.refs else ():
            name, row = self._name(found)
            called.setdefault((name if self.facts.whole_names else SCOPE.sub("", name), row), False)
        for place, is_call in called.items():
            word = place[0].lower() if self.facts.any_case else place[0]
            if place not in defined and word not in self.facts.keywords:
                yield Reference(place[0], place[1] + 1, is_call)

    def find_imports(self) -> Iterator[Import]:
        """Find the imported modules, each once, in the order of their lines."""
        modules: dict[str, int] = {}
        for pattern in self.facts.imports:
            for found in pattern.finditer(self.text):
                names, row = self._name(found)
                for module in names.split(","):
                    modules.setdefault(module.strip(), row + 1)
        yield from (Import(module, (), line) for module, line in sorted(modules.items(), key=itemgetter(1)))

    def _name(self, found: re.Match[str]) -> tuple[str, int]:
        """The name that the matching group captured, and its row."""
        group = found.lastindex or 0
        return found[group], self._row(found.start(group))

    def _row(self, at: int) -> int:
        return bisect_right(self.offsets, at) - 1

    def _byte(self, row: int, column: int) -> int:
        if self.bytes is self.offsets:
            return self.bytes[row] + column
        return self.bytes[row] + len(self.text_of(row)[:column].encode())

    def _blank(self, found: re.Match[str]) -> str:
        """As many spaces and ends of lines; the quote that ends a string of several lines stays, as its line has code."""
        blank = _INK.sub(" ", found[0])
        is_open = (
            "\n" in blank and found[0].endswith(_QUOTES) and not found[0].startswith(self.facts.comments)
        )
        return f"{blank[:-1]}{found[0][-1]}" if is_open else blank

    def _goes_on(self, stripped: str) -> bool:
        """Whether a line, as indented as the one that begins a definition, is not the end of it."""
        pattern = self.facts.goes_on
        return stripped.startswith(_GOES_ON) or (pattern is not None and pattern.match(stripped) is not None)

    def _with_docs(self, last: int) -> int:
        """The last row of the documentation right below the row ``last``, where it has its lines to itself."""
        docs, row = self.facts.docs_below, last + 1
        if docs is None or row >= len(self.rows) or not docs.match(self.text_of(row)):
            return last
        while row < len(self.rows) and self.text_of(row).strip() and not self.rows[row].strip():
            row += 1
        is_followed = row < len(self.rows) and self.rows[row].strip()
        return last if is_followed else row - 1

    def _depths(self) -> list[int]:
        """The number of brackets that are open at the start of each row."""
        changes = (
            sum(map(row.count, _OPEN)) - sum(map(row.count, _CLOSE)) if row else 0 for row in self.rows
        )
        return [0, *accumulate(changes)]

    def _body(self, start: _Start, end: int) -> tuple[int, int] | None:
        """The bytes after the signature: from the brace on where there are braces, else from the second line on.

        Lines that a bracket joins to the first one belong to the signature.
        """
        if "}" in self.facts.closers:
            stop = self.offsets[start.last + 1] - 1
            brace = self.bare.find("{", start.named[1], stop)
            if brace < 0:
                return None
            row = self._row(brace)
            return self._byte(row, brace - self.offsets[row]), end
        row = first = start.row + 1
        while row <= start.last and (
            self.depths[row] > self.depths[start.row] or not self.text_of(row).strip()
        ):
            row += 1
        row = row if row <= start.last else first
        return (self._byte(row, 0), end) if row <= start.last else None

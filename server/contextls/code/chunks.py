"""Cutting a file into chunks along its structure.

Everything is decided in whole rows, so chunks lie back to back and together are the file's text to the letter; only a
single row longer than ``max_chars`` is cut inside. The steps: lay out the units and the gaps between them; take apart
what is too large (a class into its head and its members, a function at statement borders); merge small neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from contextls.code.kinds import CALLABLE, HEAD_RANK, RANK, Kind
from contextls.code.model import Chunk, ChunkLimits
from contextls.code.outline import Outline, Unit, last_row, signature_of
from contextls.code.windows import cut_line, cut_rows

if TYPE_CHECKING:
    from tree_sitter import Tree

    from contextls.code.source import Source

_CLOSING = frozenset("})];,>/ \t\r\n")
_CLOSERS = frozenset({"end", "fi", "done", "esac", "", "}", ")"})
# Imports, guards and heads of at most so many lines are no chunk of their own.
LEADING_LINES = 3
_FUNCTIONS = CALLABLE - {Kind.TEST}
_LEADING = frozenset({Kind.IMPORT, Kind.BLOCK})


@dataclass(slots=True)
class _Piece:
    """Rows ``first`` up to, not including, ``end`` and what they are. ``weight`` ranks the symbol among merged pieces."""

    first: int
    end: int
    kind: Kind
    symbol: str
    header: str
    weight: tuple[int, int] = (0, 0)
    owner: Unit | None = None  # only pieces of one owner merge
    head: bool = False  # the beginning of its owner
    gap: bool = False  # lies between units
    begins: Unit | None = None  # the unit whose head it begins with
    unit: Unit | None = None  # the unit that it is, or a part of
    apart: bool = False  # a part without the signature of the unit, which is its header


def chunk_outline(source: Source, tree: Tree, outline: Outline, limits: ChunkLimits) -> tuple[Chunk, ...]:
    """The chunks of a parsed file."""
    return tuple(_Chunker(source, tree, limits).chunks(outline.roots))


def chunk_text(source: Source, limits: ChunkLimits, language: str = "") -> tuple[Chunk, ...]:
    """The chunks of a text without a grammar: windows cut at blank lines and little indentation.

    ``language`` is not looked at; windows know layout only.
    """
    del language
    narrow = replace(limits, max_chars=max(limits.target_chars, 1))
    pieces = [
        _Piece(first, end, Kind.WINDOW, "", "")
        for first, end in cut_rows(source, 0, len(source.lines), narrow)
    ]
    return tuple(chunk for piece in pieces for chunk in _emit(source, piece, limits))


class _Chunker:
    def __init__(self, source: Source, tree: Tree, limits: ChunkLimits) -> None:
        self.source = source
        self.tree = tree
        self.limits = limits
        self.small = limits.target_chars // 3
        self._borders: dict[int, int] | None = None

    def chunks(self, roots: list[Unit]) -> list[Chunk]:
        pieces = self._lay_out(0, len(self.source.lines), roots, None)
        return [chunk for piece in self._merge(pieces) for chunk in _emit(self.source, piece, self.limits)]

    def _lay_out(self, first: int, end: int, units: list[Unit], owner: Unit | None) -> list[_Piece]:
        """Pieces for rows ``first`` up to ``end``: one or more per unit, and the gaps between them."""
        spans: list[tuple[int, int, list[Unit]]] = []
        at = first
        for unit in units:
            if unit.last < at and spans and spans[-1][2]:
                spans[-1][2].append(unit)
                continue
            begin, stop = max(unit.first, at), min(unit.last + 1, end)
            if stop <= at:
                continue
            if unit.first < at and spans and spans[-1][2] and unit.row < at:
                spans[-1] = (spans[-1][0], stop, [*spans[-1][2], unit])
            else:
                if begin > at:
                    spans.append((at, begin, []))
                spans.append((begin, stop, [unit]))
            at = stop
        if at < end:
            spans.append((at, end, []))
        pieces: list[_Piece] = []
        for begin, stop, members in self._without_crumbs(spans):
            pieces += self._span(begin, stop, members, owner, head=begin == first)
        return pieces

    def _without_crumbs(self, spans: list[tuple[int, int, list[Unit]]]) -> list[tuple[int, int, list[Unit]]]:
        """Blank lines and closing brackets go to what stands before them (after them, at the very top)."""
        kept: list[tuple[int, int, list[Unit]]] = []
        leading: int | None = None
        for begin, stop, members in spans:
            if not members and stop - begin < 100 and self._is_crumb(begin, stop):
                if kept:
                    kept[-1] = (kept[-1][0], stop, kept[-1][2])
                elif leading is None:
                    leading = begin
                continue
            kept.append((begin if leading is None else leading, stop, members))
            leading = None
        if not kept and spans:
            return [(spans[0][0], spans[-1][1], [])]
        return kept

    def _is_crumb(self, begin: int, stop: int) -> bool:
        text = self.source.slice(begin, stop)
        return len(text) < 400 and (
            _CLOSING.issuperset(text) or all(word.rstrip(";,.") in _CLOSERS for word in text.split())
        )

    def _span(
        self, begin: int, stop: int, members: list[Unit], owner: Unit | None, *, head: bool
    ) -> list[_Piece]:
        size = self.source.size(begin, stop)
        if not members:
            return self._gap(begin, stop, size, owner, head=head)
        unit = max(members, key=lambda member: RANK[member.kind])
        # A group of constants is called by the first of them.
        named = unit if unit.name or not unit.children else unit.children[0]
        symbol = named.qualified or (owner.qualified if owner else "")
        header = self._header(owner)
        # What a function holds is a detail of it, however it is called.
        inside = owner is not None and owner.kind in _FUNCTIONS
        rank = min(RANK[named.kind], HEAD_RANK) if inside else RANK[named.kind]
        whole = _Piece(begin, stop, named.kind, symbol, header, (rank, size), owner, unit=unit)
        sectioned = unit.kind is Kind.SECTION and bool(unit.children)
        if size <= (self.limits.target_chars if sectioned else self.limits.max_chars):
            return [whole]
        if unit.children and len(members) == 1:
            inner = self._lay_out(begin, stop, unit.children, unit)
            return self._merge(inner)
        return self._cut_piece(whole, unit)

    def _gap(self, begin: int, stop: int, size: int, owner: Unit | None, *, head: bool) -> list[_Piece]:
        if owner is None:
            piece = _Piece(begin, stop, Kind.BLOCK, "", "", (0, size), gap=True)
        else:
            header = self._header(owner.parent) if head else self._header(owner)
            rank = HEAD_RANK if head or owner.kind in _FUNCTIONS else 0
            piece = _Piece(begin, stop, owner.kind, owner.qualified, header, (rank, size), owner)
            piece.head, piece.begins, piece.unit = head, owner if head else None, owner
            piece.gap = owner.kind is not Kind.SECTION
        if size <= self.limits.max_chars:
            return [piece]
        return self._cut_piece(piece, owner if head else None)

    def _cut_piece(self, piece: _Piece, unit: Unit | None) -> list[_Piece]:
        """A piece too large to stay whole, at statement borders; all but the one with its signature carry that as header.

        What stands above the signature stays with it as far as it fits.
        """
        borders = self._statement_rows()
        if unit is None:
            ranges = cut_rows(self.source, piece.first, piece.end, self.limits, borders)
            return [replace(piece, first=first, end=end) for first, end in ranges]
        ranges = self._cut_evenly(piece, borders, range(unit.first + 1, unit.row + 1))
        header = self._header(unit)
        return [
            replace(
                piece,
                first=first,
                end=end,
                header=piece.header if first <= unit.row < end else header,
                apart=not first <= unit.row < end,
            )
            for first, end in ranges
        ]

    def _cut_evenly(self, piece: _Piece, borders: dict[int, int], together: range) -> list[tuple[int, int]]:
        """``piece`` in rows; of a function, without a rest of few lines behind the last border."""
        ranges = cut_rows(self.source, piece.first, piece.end, self.limits, borders, together)
        if piece.kind is not Kind.SECTION and len(ranges) > 1 and self.source.size(*ranges[-1]) < self.small:
            first = ranges[-2][0]
            half = max(self.source.size(first, piece.end) * 2 // 3, 1)
            narrow = replace(self.limits, target_chars=min(half, self.limits.target_chars), max_chars=half)
            halves = cut_rows(self.source, first, piece.end, narrow, borders, together)
            if len(halves) == 2 and half <= self.limits.max_chars:
                return [*ranges[:-2], *halves]
        return ranges

    def _merge(self, pieces: list[_Piece]) -> list[_Piece]:
        merged: list[_Piece] = []
        for piece in self._lead_on(self._join_imports(pieces)):
            if merged and self._belong_together(merged[-1], piece):
                merged[-1] = _join(merged[-1], piece)
            else:
                merged.append(piece)
        return merged

    def _join_imports(self, pieces: list[_Piece]) -> list[_Piece]:
        joined: list[_Piece] = []
        for piece in pieces:
            last = joined[-1] if joined else None
            if (
                last is not None
                and last.owner is piece.owner
                and last.kind is piece.kind is Kind.IMPORT
                and self.source.size(last.first, piece.end) <= self.limits.max_chars
            ):
                joined[-1] = _join(last, piece)
            else:
                joined.append(piece)
        return joined

    def _lead_on(self, pieces: list[_Piece]) -> list[_Piece]:
        """Few lines that say nothing alone go to what they lead to: a guard, ``namespace {``, an import, a class line."""
        kept: list[_Piece] = []
        for piece in reversed(pieces):
            if kept and self._leads_to(piece, kept[-1]):
                kept[-1] = _join(piece, kept[-1])
            else:
                kept.append(piece)
        return kept[::-1]

    def _leads_to(self, left: _Piece, right: _Piece) -> bool:
        opens = right.begins is not None and right.begins.parent is left.owner
        return (
            (left.head or left.kind in _LEADING)
            and self._is_lead(left)
            and (left.owner is right.owner or opens)
            and self.source.size(left.first, right.end) <= self.limits.max_chars
        )

    def _is_lead(self, piece: _Piece) -> bool:
        """Whether ``piece`` is a few lines between definitions."""
        lines = self.source.lines[piece.first : min(piece.end, piece.first + 3 * LEADING_LINES)]
        return (
            not piece.apart
            and (piece.gap or piece.kind in _LEADING)
            and piece.end - piece.first <= 2 * LEADING_LINES
            and sum(bool(line.strip()) for line in lines) <= LEADING_LINES
        )

    def _belong_together(self, left: _Piece, right: _Piece) -> bool:
        opens = left.head and right.owner is not None and right.owner.parent is left.owner
        if left.owner is not right.owner and not opens:
            return False
        # The header of a part of a function is not that of its neighbour.
        if (left.apart or right.apart) and left.unit is not right.unit:
            return False
        a, b = self.source.size(left.first, left.end), self.source.size(right.first, right.end)
        if self._is_lead(right):
            return a + b <= self.limits.max_chars
        if (
            Kind.SECTION in (left.kind, right.kind)
            and left.kind is right.kind
            and left.symbol != right.symbol
        ):
            return a + b <= self.limits.target_chars // 2
        return a + b <= self.limits.target_chars and min(a, b) <= self.small

    def _header(self, unit: Unit | None) -> str:
        if unit is None:
            return ""
        if unit.kind is Kind.SECTION:
            return unit.qualified
        chain = [unit, *unit.ancestors()][::-1]
        lines = [signature_of(around, self.source.data) for around in chain]
        return "\n".join("  " * depth + line for depth, line in enumerate(lines))

    def _statement_rows(self) -> dict[int, int]:
        """Rows at which a statement begins, with its depth; found once, and only inside what is too large."""
        if self._borders is None:
            self._borders = statement_rows(self.tree, self.limits.target_chars)
        return self._borders


def _join(left: _Piece, right: _Piece) -> _Piece:
    """Both as one, called by the one that says more."""
    same = left.unit is right.unit
    return replace(
        right if right.weight > left.weight else left,
        first=left.first,
        end=right.end,
        header=right.header if (left.apart if same else right.apart) else left.header,
        owner=right.owner,
        head=left.head and left.owner is right.owner,
        gap=left.gap and right.gap,
        begins=left.begins if left.head or left.owner is right.owner else right.begins,
        unit=right.unit,
        apart=right.apart and (left.apart or not same),
    )


def statement_rows(tree: Tree, minimum_bytes: int) -> dict[int, int]:
    """The rows at which a statement begins in a node larger than ``minimum_bytes``, with its depth.

    A statement begins with the comments and attributes right above it.
    """
    rows: dict[int, int] = {}
    level, depth = [tree.root_node], 0
    while level:
        below = []
        for node in level:
            last = node.start_point[0] if depth else -1
            above = -1  # the row of a comment that the next statement belongs to
            for child in node.children:
                row, end = child.start_point[0], last_row(child)
                attached = above >= 0 and row == above + 1
                if row > last and child.is_named and not attached:
                    rows.setdefault(row, depth)
                above = end if row > last and ("comment" in child.type or "attribute" in child.type) else -1
                last = max(last, end)
                if child.end_byte - child.start_byte > minimum_bytes and child.end_point[0] > row:
                    below.append(child)
        level, depth = below, depth + 1
    return rows


def _emit(source: Source, piece: _Piece, limits: ChunkLimits) -> list[Chunk]:
    text = source.slice(piece.first, piece.end)
    if piece.end - piece.first == 1 and len(text) > limits.max_chars:
        parts = cut_line(text, limits.max_chars)
    else:
        parts = [text] if text else []
    return [
        Chunk(piece.kind.value, piece.symbol, piece.first + 1, piece.end, part, piece.header)
        for part in parts
    ]

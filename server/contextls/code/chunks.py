"""Cutting a file into chunks along its structure.

Everything is decided in whole rows, so chunks lie back to back and together are the file's text to the letter; only a
single row longer than ``max_chars`` is cut inside. The steps: lay out the units and the gaps between them; take apart
what is too large (a class into its head and its members, a function at statement borders); join small neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.code.chunk_joining import PieceJoiner, smallest_alone
from contextls.code.chunk_pieces import ChunkPiece, write_chunks
from contextls.code.kinds import CALLABLE, HEAD_RANK, RANK, TYPE_LIKE, Kind
from contextls.code.model import Chunk, ChunkLimits
from contextls.code.statements import statement_rows
from contextls.code.units import Unit, signature_of
from contextls.code.windows import cut_rows
from contextls.regex import compile_late

if TYPE_CHECKING:
    from tree_sitter import Tree

    from contextls.code.source import SourceText

# The beginning of a comment in most languages; a directive of C is as little.
_COMMENT = compile_late(r"\s*(?:#(?!\[)|//|/\*|\*(?:\s|/|$)|--\s|$)")
_CLOSING = frozenset("})];,>/ \t\r\n")
_CLOSERS = frozenset({"end", "fi", "done", "esac", "", "}", ")"})
_FUNCTIONS = CALLABLE - {Kind.TEST}
_IN_NAMESPACES = TYPE_LIKE - {Kind.EXTENSION} | {Kind.MODULE}


def chunk_outline(
    source: SourceText, tree: Tree | None, roots: list[Unit], limits: ChunkLimits
) -> tuple[Chunk, ...]:
    """The chunks of a file with these units at its top; without a ``tree``, what is too large is cut by its layout."""
    return tuple(_Chunker(source, tree, limits).chunks(roots))


def chunk_text(source: SourceText, limits: ChunkLimits) -> tuple[Chunk, ...]:
    """The chunks of a text without a grammar: windows cut at blank lines and little indentation."""
    narrow = replace(limits, max_chars=max(limits.target_chars, 1))
    pieces = [
        ChunkPiece(first, end, Kind.WINDOW, "", "")
        for first, end in cut_rows(source, 0, len(source.lines), narrow)
    ]
    return tuple(chunk for piece in pieces for chunk in write_chunks(source, piece, limits))


class _Chunker:
    def __init__(self, source: SourceText, tree: Tree | None, limits: ChunkLimits) -> None:
        self.source = source
        self.tree = tree
        self.limits = limits
        self.small = smallest_alone(limits)
        self.joiner = PieceJoiner(source, limits)
        self._borders: dict[int, int] | None = None

    def chunks(self, roots: list[Unit]) -> list[Chunk]:
        pieces = self._lay_out(0, len(self.source.lines), roots, None)
        return [
            chunk
            for piece in self.joiner.join(pieces)
            for chunk in write_chunks(self.source, piece, self.limits)
        ]

    def _lay_out(self, first: int, end: int, units: list[Unit], owner: Unit | None) -> list[ChunkPiece]:
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
        pieces: list[ChunkPiece] = []
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

    def _ink(self, begin: int, stop: int) -> int:
        """The characters of these rows that are no comment."""
        return sum(len(line) for line in self.source.lines[begin:stop] if not _COMMENT.match(line))

    def _is_crumb(self, begin: int, stop: int) -> bool:
        text = self.source.slice(begin, stop)
        return len(text) < 400 and (
            _CLOSING.issuperset(text) or all(word.rstrip(";,.") in _CLOSERS for word in text.split())
        )

    def _span(
        self, begin: int, stop: int, members: list[Unit], owner: Unit | None, *, head: bool
    ) -> list[ChunkPiece]:
        size = self.source.size(begin, stop)
        if not members:
            return self._gap(begin, stop, size, owner, head=head)
        unit = max(members, key=lambda member: RANK[member.kind])
        named = _named_by(unit)
        symbol = named.qualified or (owner.qualified if owner else "")
        header = self._header(owner)
        # What a function holds is a detail of it, however it is called.
        inside = owner is not None and owner.kind in _FUNCTIONS
        rank = min(RANK[named.kind], HEAD_RANK) if inside else RANK[named.kind]
        whole = ChunkPiece(begin, stop, _kind_of(named), symbol, header, (rank, size), owner, unit=unit)
        sectioned = unit.kind is Kind.SECTION and bool(unit.children)
        whole.term = unit.kind is Kind.SECTION and unit.body is not None
        if size <= (self.limits.target_chars if sectioned else self.limits.max_chars):
            return [whole]
        if unit.children and len(members) == 1:
            inner = self._lay_out(begin, stop, unit.children, unit)
            return self.joiner.join(inner)
        return self._cut_piece(whole, unit)

    def _gap(self, begin: int, stop: int, size: int, owner: Unit | None, *, head: bool) -> list[ChunkPiece]:
        if owner is None:
            piece = ChunkPiece(
                begin, stop, Kind.BLOCK, "", "", (RANK[Kind.BLOCK], self._ink(begin, stop)), gap=True
            )
        else:
            header = self._header(owner.parent) if head else self._header(owner)
            rank = HEAD_RANK if head or owner.kind in _FUNCTIONS else 0
            piece = ChunkPiece(begin, stop, _kind_of(owner), owner.qualified, header, (rank, size), owner)
            piece.head, piece.begins, piece.unit = head, owner if head else None, owner
            piece.gap = owner.kind is not Kind.SECTION
        if size <= self.limits.max_chars:
            return [piece]
        return self._cut_piece(piece, owner if head else None)

    def _cut_piece(self, piece: ChunkPiece, unit: Unit | None) -> list[ChunkPiece]:
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

    def _cut_evenly(
        self, piece: ChunkPiece, borders: dict[int, int], together: range
    ) -> list[tuple[int, int]]:
        """``piece`` in rows; of a function, without a rest of few lines after the last border."""
        ranges = cut_rows(self.source, piece.first, piece.end, self.limits, borders, together)
        if piece.kind is not Kind.SECTION and len(ranges) > 1 and self.source.size(*ranges[-1]) < self.small:
            first = ranges[-2][0]
            half = max(self.source.size(first, piece.end) * 2 // 3, 1)
            narrow = replace(self.limits, target_chars=min(half, self.limits.target_chars), max_chars=half)
            halves = cut_rows(self.source, first, piece.end, narrow, borders, together)
            if len(halves) == 2 and half <= self.limits.max_chars:
                return [*ranges[:-2], *halves]
        return ranges

    def _header(self, unit: Unit | None) -> str:
        if unit is None or unit.kind is Kind.SECTION:
            return ""  # the qualified name of a section is all its titles
        chain = [unit, *unit.ancestors()][::-1]
        lines = [signature_of(around, self.source.data) for around in chain]
        return "\n".join("  " * depth + line for depth, line in enumerate(lines))

    def _statement_rows(self) -> dict[int, int]:
        """Rows at which a statement begins, with its depth; found once, and only inside what is too large."""
        if self._borders is None:
            self._borders = statement_rows(self.tree, self.limits.target_chars) if self.tree else {}
        return self._borders


def _named_by(unit: Unit) -> Unit:
    """The unit after which a chunk with the whole of ``unit`` is called.

    A group of constants is called after its first, and namespaces after the type in them, where they hold nothing else
    but imports.
    """
    if not unit.name and unit.children:
        return unit.children[0]
    while unit.kind is Kind.MODULE:
        held = [child for child in unit.children if child.kind is not Kind.IMPORT]
        if len(held) != 1 or held[0].kind not in _IN_NAMESPACES:
            break
        unit = held[0]
    return unit


def _kind_of(unit: Unit) -> Kind:
    return Kind.TEST if unit.tests else unit.kind

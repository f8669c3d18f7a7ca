"""Joins small neighbours: imports with each other, a few lines with what they lead to, definitions of one owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.code.chunk_pieces import ChunkPiece, join_pieces
from contextls.code.kinds import Kind
from contextls.code.model import ChunkLimits

if TYPE_CHECKING:
    from contextls.code.source import SourceText

# Imports, guards and heads of at most this many lines are joined with what follows.
LEADING_LINES = 3
_LEADING = frozenset({Kind.IMPORT, Kind.BLOCK})


class PieceJoiner:
    """Joins the pieces of one file."""

    def __init__(self, source: SourceText, limits: ChunkLimits) -> None:
        self.source = source
        self.limits = limits
        self.small = smallest_alone(limits)

    def join(self, pieces: list[ChunkPiece]) -> list[ChunkPiece]:
        """``pieces`` of one owner in their order, the small ones joined."""
        joined: list[ChunkPiece] = []
        for piece in self._lead_on(self._join_imports(pieces)):
            if joined and self._belong_together(joined[-1], piece):
                joined[-1] = join_pieces(joined[-1], piece)
            else:
                joined.append(piece)
        return joined

    def _join_imports(self, pieces: list[ChunkPiece]) -> list[ChunkPiece]:
        joined: list[ChunkPiece] = []
        for piece in pieces:
            last = joined[-1] if joined else None
            if (
                last is not None
                and last.owner is piece.owner
                and last.kind is piece.kind is Kind.IMPORT
                and self.source.size(last.first, piece.end) <= self.limits.max_chars
            ):
                joined[-1] = join_pieces(last, piece)
            else:
                joined.append(piece)
        return joined

    def _lead_on(self, pieces: list[ChunkPiece]) -> list[ChunkPiece]:
        """Few lines that say nothing alone go to what they lead to: a guard, ``namespace {``, an import, a class line."""
        kept: list[ChunkPiece] = []
        for piece in reversed(pieces):
            if kept and self._leads_to(piece, kept[-1]):
                kept[-1] = join_pieces(piece, kept[-1])
            else:
                kept.append(piece)
        return kept[::-1]

    def _leads_to(self, left: ChunkPiece, right: ChunkPiece) -> bool:
        opens = right.begins is not None and right.begins.parent is left.owner
        return (
            _agree(left, right)
            and (left.head or left.kind in _LEADING)
            and self._is_lead(left)
            and (left.owner is right.owner or opens)
            and self.source.size(left.first, right.end) <= self.limits.max_chars
        )

    def _is_lead(self, piece: ChunkPiece) -> bool:
        """Whether ``piece`` is a few lines between definitions."""
        lines = self.source.lines[piece.first : min(piece.end, piece.first + 3 * LEADING_LINES)]
        return (
            not piece.apart
            and (piece.gap or piece.kind in _LEADING)
            and piece.end - piece.first <= 2 * LEADING_LINES
            and sum(bool(line.strip()) for line in lines) <= LEADING_LINES
        )

    def _belong_together(self, left: ChunkPiece, right: ChunkPiece) -> bool:
        opens = left.head and right.owner is not None and right.owner.parent is left.owner
        if not _agree(left, right) or (left.owner is not right.owner and not opens):
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
            return a + b <= self.limits.target_chars // 2 and not (left.term and right.term)
        return a + b <= self.limits.target_chars and min(a, b) <= self.small


def _agree(left: ChunkPiece, right: ChunkPiece) -> bool:
    """Whether both belong to tests among source, or neither: a question about code does not ask for its tests."""
    return left.gap or right.gap or _tests(left) is _tests(right)


def _tests(piece: ChunkPiece) -> bool:
    return piece.unit is not None and piece.unit.tests


def smallest_alone(limits: ChunkLimits) -> int:
    """The characters below which a piece is too small to be a chunk of its own."""
    return limits.target_chars // 3

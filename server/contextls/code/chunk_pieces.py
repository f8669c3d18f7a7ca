"""A piece of a file on its way to becoming a chunk: its rows, what it is, and what it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from contextls.code.kinds import Kind
from contextls.code.model import Chunk, ChunkLimits
from contextls.code.units import Unit
from contextls.code.windows import cut_line

if TYPE_CHECKING:
    from contextls.code.source import SourceText


class ChunkPiece(Struct):
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
    term: bool = False  # has a term of a definition list, which is looked for by its name


def join_pieces(left: ChunkPiece, right: ChunkPiece) -> ChunkPiece:
    """Both pieces as one, called by the one that says more."""
    same = left.unit is right.unit
    # What opens around a definition is in the text itself then.
    behind = left.apart if same else right.apart and not left.head
    return replace(
        right if right.weight > left.weight else left,
        first=left.first,
        end=right.end,
        header=right.header if behind else left.header,
        owner=right.owner,
        head=left.head and left.owner is right.owner,
        gap=left.gap and right.gap,
        begins=left.begins if left.head or left.owner is right.owner else right.begins,
        unit=right.unit,
        apart=right.apart and (left.apart or not same),
        term=left.term or right.term,
    )


def write_chunks(source: SourceText, piece: ChunkPiece, limits: ChunkLimits) -> list[Chunk]:
    """The chunk of a piece; several where it is a single row that is too long."""
    text = source.slice(piece.first, piece.end)
    if piece.end - piece.first == 1 and len(text) > limits.max_chars:
        parts = cut_line(text, limits.max_chars)
    else:
        parts = [text] if text else []
    return [
        Chunk(piece.kind.value, piece.symbol, piece.first + 1, piece.end, part, piece.header)
        for part in parts
    ]

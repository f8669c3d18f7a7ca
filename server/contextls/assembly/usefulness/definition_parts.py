"""Completes long definitions: of one that was cut into several chunks, the parts beside a likely one are shown too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from contextls.code.kinds import CALLABLE, Kind
from contextls.memory.index.view import ChunkRef, IndexView

# A class is cut between its members, of which each stands for itself.
_READ_WHOLE = CALLABLE | {Kind.STRUCT, Kind.ENUM}
# A part beside a chunk is worth so much of it, where that chunk is worth half as much again as what enters a prompt. On the
# development questions (benchmarks.lines) coverage rises from .522 to .524 and noise falls from .514 to .508 at 2 % more
# tokens.
SHARE = 0.5
LIKELY = 1.5
# Why such a chunk is shown.
PART = "part of a definition that is shown"


def add_adjacent_parts(
    relevance: Mapping[ChunkRef, float], view: IndexView, floor: float
) -> dict[ChunkRef, float]:
    """``relevance`` with the chunks before and after likely ones that are parts of the same definition.

    Each counts ``SHARE`` of what it completes, at least ``floor``, so it enters where room is left.
    """
    found = dict(relevance)
    for ref, value in relevance.items():
        if value >= LIKELY * floor and view.kind(ref) in _READ_WHOLE:
            share = max(floor, SHARE * value)
            for first, second in _pairs_with(ref, view):
                part = second if ref == first else first
                # The rows are read, with their text, only where that can change anything.
                if found.get(part, 0.0) < share and _continues(view, first, second):
                    found[part] = share
    return found


def _pairs_with(ref: ChunkRef, view: IndexView) -> Iterator[tuple[ChunkRef, ChunkRef]]:
    """A chunk and the one before it, and the one behind it, where they are of one kind."""
    chunks = view.chunks_of(view.path(ref))
    at = chunks.index(ref)
    for first, second in pairwise(chunks[max(0, at - 1) : at + 2]):
        if view.kind(first) == view.kind(second):
            yield first, second


def _continues(view: IndexView, first: ChunkRef, second: ChunkRef) -> bool:
    """Whether a chunk goes on with the definition before it: then its header is the signature of that."""
    before, after = view.row(first), view.row(second)
    return bool(after.header) and before.symbol == after.symbol

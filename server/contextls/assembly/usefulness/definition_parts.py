"""Completes what is likely: the parts around a chunk of a long definition, and what little stands between two chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from contextls.code.kinds import CALLABLE, Kind
from contextls.memory.index.view import ChunkRef, IndexView

# A class is cut between its members, of which each stands for itself.
_READ_WHOLE = CALLABLE | {Kind.STRUCT, Kind.ENUM}
# A part beside a chunk is worth so much of it, and the next one so much of that, where the chunk is worth half as much again
# as what enters a prompt. On the development questions (benchmarks.lines) coverage is .535 without parts, .535 with those
# right beside and .537 with three on each side, noise .502, .491 and .487, of 2,859, 2,914 and 2,940 tokens.
SHARE = 0.5
LIKELY = 1.5
FURTHEST = 3
# Why such a chunk is shown.
PART = "part of a definition that is shown"
# A chunk of so many characters between two that are shown is no reason to part them: who reads code reads on. Noise falls
# from .477 to .471 on the development questions, and as much on two sets of others.
GAP_CHARS = 900
BETWEEN = "between two pieces that are shown"


def add_parts(relevance: Mapping[ChunkRef, float], view: IndexView, floor: float) -> dict[ChunkRef, float]:
    """``relevance`` with the chunks around likely ones that are parts of the same definition.

    Each counts ``SHARE`` of the one that it completes, at least ``floor``, so it enters where room is left.
    """
    found = dict(relevance)
    for ref, value in relevance.items():
        if value >= LIKELY * floor and view.kind(ref) in _READ_WHOLE:
            for step in (1, -1):
                share = value
                for part in islice(_parts(ref, step, view), FURTHEST):
                    share = max(floor, SHARE * share)
                    found[part] = max(share, found.get(part, 0.0))
    return found


def find_gaps(relevance: Mapping[ChunkRef, float], view: IndexView, floor: float) -> list[ChunkRef]:
    """The short chunks between two that are worth ``floor`` and more."""
    found = []
    for ref, value in relevance.items():
        gap = view.chunk_beside(ref, 1) if value >= floor else None
        if gap is not None and gap not in relevance and view.size(gap) <= GAP_CHARS:
            behind = view.chunk_beside(gap, 1)
            if behind is not None and relevance.get(behind, 0.0) >= floor:
                found.append(gap)
    return found


def _parts(ref: ChunkRef, step: int, view: IndexView) -> Iterator[ChunkRef]:
    """The chunks behind ``ref`` (``step`` 1) or before it (-1), nearest first, that are of its definition."""
    near = ref
    # The rows are read, with their text, only where the kinds do not tell.
    while (
        (far := view.chunk_beside(near, step)) is not None
        and view.kind(near) == view.kind(far)
        and _continues(view, *sorted((near, far)))
    ):
        yield far
        near = far


def _continues(view: IndexView, first: ChunkRef, second: ChunkRef) -> bool:
    """Whether a chunk goes on with the definition before it: then its header is the signature of that.

    Of an overload, which is called the same, it is that of the class.
    """
    before, after = view.row(first), view.row(second)
    return before.symbol == after.symbol and after.symbol.rpartition(".")[2] in after.header

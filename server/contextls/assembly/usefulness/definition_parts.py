"""Completes what is likely: the parts of a long function, the members of a short type, what little is between two chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from contextls.code.kinds import CALLABLE, TYPE_LIKE, Kind
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.regex import compile_late

# A class is cut between its members, of which each stands for itself.
_READ_WHOLE = CALLABLE | {Kind.STRUCT, Kind.ENUM}
# The share of a chunk's worth that the part next to it gets, and of that the part after it, if the chunk is worth LIKELY
# times what enters a prompt. On the development questions (benchmarks.lines) coverage is .535 without parts, .535 with those
# right beside and .537 with three on each side, noise .502, .491 and .487, of 2,859, 2,914 and 2,940 tokens.
SHARE = 0.5
LIKELY = 1.5
FURTHEST = 3
# The bound on a chunk with its parts, and the larger one for a chunk that is worth as much as GOOD. On the development
# questions coverage falls from .572 to .571 and noise from .467 to .466; of a function of 200 lines that was hardly likely,
# a third of a prompt was shown.
PART_CHARS, GOOD_CHARS = 3_600, 10_800
GOOD = 0.4
# A type of at most this size is shown whole if its head is among the MAX_LEADING chunks. On the development questions
# nothing changes; coverage of two sets of others rises by .006 and .007.
MAX_TYPE_CHARS = 3_500
MAX_LEADING = 3
# A table has at least this many lines, and this share of them are rows.
MIN_ROWS, MIN_ROW_SHARE = 8, 0.8
_ROW = compile_late(r"\s*+[\"'\w.-]{1,120}+\s{0,40}+(?::|=>?)\s{0,40}+[\w.]{0,40}\(?[\"'`]")
# Why such a chunk is shown.
PART = "part of a definition that is shown"
# A chunk of at most this size between two shown ones is shown as well, so that readers can read on. Noise falls
# from .477 to .471 on the development questions, and as much on two sets of others.
MAX_GAP_CHARS = 900
BETWEEN = "between two pieces that are shown"


def add_parts(relevance: Mapping[ChunkRef, float], view: IndexView, floor: float) -> dict[ChunkRef, float]:
    """``relevance`` with the chunks around likely ones that are parts of the same definition.

    Each counts ``SHARE`` of the one that it completes, at least ``floor``, so it enters where room is left.
    """
    found = dict(relevance)
    for ref, value in relevance.items():
        if value >= LIKELY * floor and view.kind(ref) in _READ_WHOLE and not _is_table(view.row(ref).text):
            room = (GOOD_CHARS if value >= GOOD else PART_CHARS) - view.size(ref)
            for step in (1, -1):
                share = value
                for part in islice(parts_beside(ref, step, view), FURTHEST):
                    room -= view.size(part)
                    if room < 0:
                        break
                    share = max(floor, SHARE * share)
                    found[part] = max(share, found.get(part, 0.0))
    return found


def _is_table(text: str) -> bool:
    """Whether nearly every line gives a name a text: of messages, each stands for itself."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) >= MIN_ROWS and sum(map(bool, map(_ROW.match, lines))) >= MIN_ROW_SHARE * len(lines)


def add_members(relevance: Mapping[ChunkRef, float], view: IndexView, floor: float) -> dict[ChunkRef, float]:
    """``relevance`` with the members of short types whose heads are among the first; each counts like a part."""
    found = dict(relevance)
    for ref in view.best_first(relevance)[:MAX_LEADING]:
        if relevance[ref] >= LIKELY * floor and view.kind(ref) in TYPE_LIKE:
            members = _find_members(ref, view)
            if view.size(ref) + sum(map(view.size, members)) <= MAX_TYPE_CHARS:
                share = max(floor, SHARE * relevance[ref])
                found |= {member: max(share, found.get(member, 0.0)) for member in members}
    return found


def _find_members(head: ChunkRef, view: IndexView) -> list[ChunkRef]:
    """The members right after the ``head`` of a type, up to the first that is one too many for ``MAX_TYPE_CHARS``."""
    inside, chars = f"{view.symbol(head)}.", 0
    found: list[ChunkRef] = []
    far = view.chunk_beside(head, 1)
    while far is not None and chars <= MAX_TYPE_CHARS and view.symbol(far).startswith(inside):
        found.append(far)
        chars += view.size(far)
        far = view.chunk_beside(far, 1)
    return found


def find_gaps(relevance: Mapping[ChunkRef, float], view: IndexView, floor: float) -> list[ChunkRef]:
    """The short chunks between two that are worth ``floor`` and more."""
    found = []
    for ref, value in relevance.items():
        gap = view.chunk_beside(ref, 1) if value >= floor else None
        if gap is not None and gap not in relevance and view.size(gap) <= MAX_GAP_CHARS:
            behind = view.chunk_beside(gap, 1)
            if behind is not None and relevance.get(behind, 0.0) >= floor:
                found.append(gap)
    return found


def parts_beside(ref: ChunkRef, step: int, view: IndexView) -> Iterator[ChunkRef]:
    """The chunks after ``ref`` (``step`` 1) or before it (-1), nearest first, that are of its definition.

    They end at a line that is too long for one chunk: that is data, a picture say, and nobody reads it.
    """
    near = ref
    # The rows are read, with their text, only where the kinds do not tell.
    while (
        (far := view.chunk_beside(near, step)) is not None
        and view.kind(near) == view.kind(far)
        and not is_inside_a_line(far, view)
        and _continues(view, *sorted((near, far)))
    ):
        yield far
        near = far


def is_inside_a_line(ref: ChunkRef, view: IndexView) -> bool:
    """Whether a chunk is a piece of one line that continues in the next or the previous chunk."""
    line, last = view.bounds(ref)
    if line != last:
        return False
    beside = (view.bounds(other) for step in (1, -1) if (other := view.chunk_beside(ref, step)))
    return any(start <= line <= end for start, end in beside)


def _continues(view: IndexView, first: ChunkRef, second: ChunkRef) -> bool:
    """Whether a chunk goes on with the definition before it: then its header is the signature of that.

    Of an overload, which is called the same, it is that of the class.
    """
    symbol = view.symbol(second)
    return view.symbol(first) == symbol and symbol.rpartition(".")[2] in view.row(second).header

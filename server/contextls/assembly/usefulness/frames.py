"""Weighs what a question quotes of a program's output: the code at the frames of its trace, and what prints its messages."""

from __future__ import annotations

from collections.abc import Iterable

from contextls.memory.index.query.traces import Found
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef

# How relevant the code at the line of a frame is, in 0..1, of the innermost frames that stand in the workspace: further
# out a trace tells how the program was started. Coverage of the development questions (benchmarks.lines): .559 to .561.
FRAME, MAX_FRAMES = 0.6, 6
# The factor from each frame to the next outer one: where there is no room for all, the inner ones are shown.
NEXT_OUT = 0.98
# How relevant code is that surely prints a message of a long question, and of a short one.
MESSAGE, OF_SHORT = 0.4, 0.8


def weigh_frames(places: Iterable[Found], snapshot: Snapshot) -> dict[ChunkRef, float]:
    """The worth of the chunks that hold the lines of the innermost frames among ``places``, which lead from inside out."""
    found: dict[ChunkRef, float] = {}
    for place in places:
        if not place.frame or place.line is None:
            continue
        ref = snapshot.view.chunk_at(place.path, place.line)
        if ref is not None:
            found.setdefault(ref, FRAME * NEXT_OUT ** len(found))
            if len(found) == MAX_FRAMES:
                break
    return found


def weigh_messages(ranking: Ranking) -> dict[ChunkRef, float]:
    """The worth of the chunks that print what the question quotes."""
    worth = MESSAGE if ranking.question.is_long else OF_SHORT
    return {ref: worth * sure for ref, sure in ranking.printed.items()}

"""The likeness of the chunks of a pool: what answers a question is seldom alone, and speaks the same language.

Vectors are looked at from the middle of the pool. All of it is near the question in the same way; what is left tells the
chunks apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from contextls.assembly.usefulness.pool import Pool
from contextls.assembly.usefulness.ranks import log_rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Two kernels of BLAS differ in the last bits of a sum.
DIGITS = 9


def describe_likeness(pool: Pool) -> Mapping[str, NDArray[np.float64]]:
    """The rank of each chunk of ``pool`` by its likeness to the question, and to the chunks that lead.

    Those are the best of all, by words alone, and among the kinds of file that the question does not ask for: a test or a
    document often says in plain words what the code does in its own.
    """
    question = pool.ranking.question.vector
    outward = pool.numbers.vectors(pool.chunks, len(question))
    middle = outward.mean(axis=0)
    outward -= middle
    lengths = np.sqrt(np.vecdot(outward, outward)) + 1e-9

    def near(direction: NDArray[np.float64]) -> NDArray[np.float64]:
        return log_rank(np.round(outward @ direction / lengths, DIGITS))

    def near_chunk(place: int) -> NDArray[np.float64]:
        return near(outward[place] / lengths[place])

    scored = pool.scored
    best = _leader(pool, scored.score) or 0
    by_words = _leader(pool, scored.rows.words * scored.likely)
    beside = _leader(pool, scored.bare * ~scored.likely)
    like_best = near_chunk(best)
    return {
        "meaning rank": near(question - middle),
        "like the best": like_best,
        "like the best by words": like_best if by_words is None else near_chunk(by_words),
        "like the best unlikely": like_best if beside is None else near_chunk(beside),
    }


def _leader(pool: Pool, values: NDArray[np.float32]) -> int | None:
    """The place in the pool of the chunk with the largest of ``values``, the first by path and line of several."""
    inside = values[pool.at]
    if not inside.max(initial=0) > 0:
        return None
    places = np.flatnonzero(inside == inside.max())
    view = pool.ranking.view

    def order(place: int) -> tuple[str, int]:
        (ref,) = pool.numbers.refs(pool.chunks[place : place + 1])
        lines = view.lines(ref)
        return lines.path, lines.start_line

    return int(places[0]) if len(places) == 1 else min(places.tolist(), key=order)

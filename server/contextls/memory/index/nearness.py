"""How near chunks are to a question by their vectors. Nothing else compares a question with all vectors of a workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.chunk_numbers import ChunkNumbers
from contextls.memory.index.number_sets import largest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.counted import Counted

# Of fewer chunks than this, the mean similarity says little about what an unrelated chunk scores.
FEW_CHUNKS = 20
# The mean is told from so many chunks or some more.
_SAMPLE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """The living chunks that are ``nearest`` to a question (their numbers ascend), and how near any of them are.

    ``mean`` is what an unrelated chunk has, ``best`` the most that one of those has that are counted, ``first`` the most
    that any living one has. All is 0 where the question, or every chunk, could not be embedded.
    """

    nearest: NDArray[np.int64]
    mean: float
    best: float
    first: float
    _numbers: ChunkNumbers
    _columns: tuple[NDArray[np.float32], ...]

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """How near the vector of each of these chunks is; 0 where it could not be embedded."""
        return self._numbers.take(self._columns, numbers)


def find_nearest(
    numbers: ChunkNumbers, vector: NDArray[np.float32], counted: Counted, count: int
) -> Nearness:
    """Compare ``vector`` with those of all chunks; ``count`` of the nearest are told."""
    view = numbers.view
    columns = tuple(segment.similar(vector) for segment in view.segments)
    nearest = numbers.join(
        _nearest(column, mask, count) for column, mask in zip(columns, view.alive, strict=True)
    )
    near = numbers.take(columns, nearest)
    if len(nearest) > count:
        kept = np.sort(largest(near, count))
        nearest, near = nearest[kept], near[kept]
    told = near[numbers.take(counted.masks, nearest)]
    return Nearness(
        nearest=nearest[near > 0],
        mean=_mean(columns, counted),
        best=float((told if len(told) else near).max(initial=0)),
        first=float(near.max(initial=0)),
        _numbers=numbers,
        _columns=columns,
    )


def _nearest(column: NDArray[np.float32], alive: NDArray[np.bool_], count: int) -> NDArray[np.intp]:
    """The positions of the living chunks of a segment among which the nearest are, ascending."""
    if len(column) <= count:
        return np.flatnonzero(alive)
    living = column if alive.all() else np.where(alive, column, -np.inf)
    found = np.sort(largest(living, count))
    return found[alive[found]]


def _mean(columns: tuple[NDArray[np.float32], ...], counted: Counted) -> float:
    """The mean of what is counted, nearer to 0 where that is little."""
    step = max(1, counted.total // _SAMPLE)
    told = [column[::step][mask[::step]] for column, mask in zip(columns, counted.masks, strict=True)]
    some = np.concatenate(told) if told else np.zeros(0, np.float32)
    if not len(some):
        return 0.0
    return float(np.float32(some.mean() * counted.total / (counted.total + FEW_CHUNKS)))

"""How near chunks are to a question by their vectors. Nothing else compares a question with all vectors of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.chunk_numbers import ChunkNumbers
from contextls.memory.index.number_sets import largest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.counted import Counted
    from contextls.memory.index.segment import Segment
    from contextls.memory.index.vector_index import VectorIndex

# Of fewer chunks than this, the mean similarity says little about what an unrelated chunk scores.
FEW_CHUNKS = 20
# The mean is told from so many chunks or some more.
_SAMPLE = 1 << 16
# Of chunks that an index covers, from so many: each has to be compared for it.
_COMPARED_SAMPLE = 1 << 12
# Where less than this share of the chunks is alive, numpy compares them all.
_LIVING = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """How near the chunks of one segment are: of all of them, or worked out for those that are asked for.

    ``near`` are the positions that an index found, ascending, instead of ``values``.
    """

    segment: Segment
    alive: NDArray[np.bool_]
    vector: NDArray[np.float32]
    values: NDArray[np.float32] | None
    near: NDArray[np.int64]

    def at(self, positions: NDArray[np.integer]) -> NDArray[np.float32]:
        if self.values is None:
            return self.segment.similar_at(self.vector, positions)
        values: NDArray[np.float32] = self.values[positions]
        return values

    def nearest(self, count: int) -> NDArray[np.intp]:
        """The positions of the living chunks among which the nearest are, ascending."""
        if self.values is None:
            return self.near[self.alive[self.near]]
        if len(self.values) <= count:
            return np.flatnonzero(self.alive)
        living = self.values if self.alive.all() else np.where(self.alive, self.values, -np.inf)
        found = np.sort(largest(living, count))
        return found[self.alive[found]]

    def sample(self, step: int, counted: NDArray[np.bool_]) -> NDArray[np.float32]:
        """How near those of every ``step``-th chunk are that are ``counted``."""
        return self.at(np.flatnonzero(counted[::step]) * step)


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
    _columns: tuple[_Column, ...]

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """How near the vector of each of these chunks is, whose numbers ascend; 0 where it could not be embedded."""
        found = np.zeros(len(numbers), np.float32)
        for segment, inside, positions in self._numbers.split(numbers):
            found[inside] = self._columns[segment].at(positions)
        return found


def find_nearest(
    numbers: ChunkNumbers,
    vector: NDArray[np.float32],
    counted: Counted,
    count: int,
    index: VectorIndex | None = None,
) -> Nearness:
    """Compare ``vector`` with those of all chunks; ``count`` of the nearest are told.

    Of the segments that ``index`` covers, only with those of the chunks that it finds.
    """
    columns = tuple(_compare(numbers, vector, count, index))
    nearest = numbers.join(column.nearest(count) for column in columns)
    found = Nearness(nearest, 0.0, 0.0, 0.0, numbers, columns)
    near = found.of(nearest)
    if len(nearest) > count:
        kept = np.sort(largest(near, count))
        nearest, near = nearest[kept], near[kept]
    told = near[numbers.take(counted.masks, nearest)]
    return replace(
        found,
        nearest=nearest[near > 0],
        mean=_mean(columns, counted),
        best=float((told if len(told) else near).max(initial=0)),
        first=float(near.max(initial=0)),
    )


def _compare(
    numbers: ChunkNumbers, vector: NDArray[np.float32], count: int, index: VectorIndex | None
) -> Iterator[_Column]:
    segments, alive = numbers.view.segments, numbers.view.alive
    covered = {}
    if index is not None and len(numbers) >= index.least_chunks and vector.any():
        living = sum(map(np.count_nonzero, alive))
        # Within a narrow scope, what an index finds is nearly all outside.
        if living >= _LIVING * len(numbers):
            covered = index.nearest(segments, vector, round(count * len(numbers) / living))
    none = np.zeros(0, np.int64)
    for segment, mask in zip(segments, alive, strict=True):
        near = covered.get(segment.id)
        values = segment.similar(vector) if near is None else None
        yield _Column(segment, mask, vector, values, none if near is None else near)


def _mean(columns: tuple[_Column, ...], counted: Counted) -> float:
    """The mean of what is counted, nearer to 0 where that is little."""
    few = any(column.values is None for column in columns)
    step = max(1, counted.total // (_COMPARED_SAMPLE if few else _SAMPLE))
    told = [column.sample(step, mask) for column, mask in zip(columns, counted.masks, strict=True)]
    some = np.concatenate(told) if told else np.zeros(0, np.float32)
    if not len(some):
        return 0.0
    return float(np.float32(some.mean() * counted.total / (counted.total + FEW_CHUNKS)))

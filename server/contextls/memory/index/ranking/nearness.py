"""The nearness of chunks to a question by their vectors. Nothing else compares it with all vectors of a workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.index.segments.number_sets import largest
from contextls.memory.index.segments.sign_bits import find_likeliest
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.disk.vector_index import VectorIndex
    from contextls.memory.index.segments.segment import Segment
    from contextls.memory.index.snapshot.counted_chunks import CountedChunks

# With fewer chunks than this, the mean similarity says little about what an unrelated chunk scores.
FEW_CHUNKS = 20
# The number of chunks, or a few more, from which the mean is estimated.
_SAMPLE = 1 << 16
# The same for chunks that an index covers, as each has to be compared for it.
_COMPARED_SAMPLE = 1 << 12
# Where less than this share of the chunks is alive, no index is asked.
_LIVING = 0.5
# From this many chunks on, only those are compared that are likely to be near by the signs of their numbers.
SIGNS_FROM = 100_000


class _Column(Struct, frozen=True, eq=False):
    """The nearness of the chunks of one segment: of all of them, or worked out for those that are asked for.

    ``near`` are the positions that may be near, ascending, instead of ``values``.
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
        """The nearness of those of every ``step``-th chunk that are ``counted``."""
        return self.at(np.flatnonzero(counted[::step]) * step)


class Nearness(Struct, frozen=True, eq=False):
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
        """The nearness of each of these chunks, whose numbers ascend; 0 where it could not be embedded."""
        found = np.zeros(len(numbers), np.float32)
        for segment, inside, positions in self._numbers.split(numbers):
            found[inside] = self._columns[segment].at(positions)
        return found


def find_nearest(
    numbers: ChunkNumbers,
    vector: NDArray[np.float32],
    counted: CountedChunks,
    count: int,
    index: VectorIndex | None = None,
) -> Nearness:
    """Compare ``vector`` with those of chunks; ``count`` of the nearest are returned.

    These are all chunks or, of many, those that ``index`` finds in the segments that it covers, and the likeliest in others.
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
    if index is not None and len(numbers) >= index.min_chunks and vector.any():
        living = sum(map(np.count_nonzero, alive))
        # Within a narrow scope, what an index finds is nearly all outside.
        if living >= _LIVING * len(numbers):
            covered = index.nearest(segments, vector, round(count * len(numbers) / living))
    nears = {at: covered[one.id] for at, one in enumerate(segments) if one.id in covered}
    rest = [at for at in range(len(segments)) if at not in nears]
    nears |= _find_likely(numbers, rest, vector, count)
    none = np.zeros(0, np.int64)
    for at, (segment, mask) in enumerate(zip(segments, alive, strict=True)):
        values = None if at in nears else segment.similar(vector)
        yield _Column(segment, mask, vector, values, nears.get(at, none))


def _find_likely(
    numbers: ChunkNumbers, rest: Sequence[int], vector: NDArray[np.float32], count: int
) -> dict[int, NDArray[np.int64]]:
    """The positions of the likeliest chunks of each of the segments in ``rest``; none where these have few chunks."""
    segments, alive = numbers.view.segments, numbers.view.alive
    asked = [at for at in rest if segments[at].vectors.shape[1] == len(vector)]
    if sum(len(segments[at]) for at in asked) < SIGNS_FROM:
        return {}
    found = find_likeliest([segments[at].signs for at in asked], [alive[at] for at in asked], vector, count)
    return dict(zip(asked, found, strict=True))


def _mean(columns: tuple[_Column, ...], counted: CountedChunks) -> float:
    """The mean of what is counted, nearer to 0 where that is little."""
    few = any(column.values is None for column in columns)
    step = max(1, counted.total // (_COMPARED_SAMPLE if few else _SAMPLE))
    told = [column.sample(step, mask) for column, mask in zip(columns, counted.masks, strict=True)]
    some = np.concatenate(told) if told else np.zeros(0, np.float32)
    if not len(some):
        return 0.0
    # In single precision the order of the segments makes no difference.
    mean = some.mean(dtype=np.float64)
    return float(np.float32(mean * counted.total / (counted.total + FEW_CHUNKS)))

"""The chunks of all segments of a view numbered through, so that what is known of some of them is one array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from msgspec import Struct

from contextls.memory.index.snapshot.view import ChunkRef, IndexView

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


class ChunkNumbers(Struct, frozen=True, eq=False):
    """The numbers of a view's chunks and files.

    ``starts`` is the number of each segment's first chunk, then their count; ``file_starts`` the same of files. Every
    method costs in proportion to the numbers that it is given, not to the chunks that there are.
    """

    view: IndexView
    starts: NDArray[np.int64]
    file_starts: NDArray[np.int64]

    @classmethod
    def of(cls, view: IndexView) -> ChunkNumbers:
        """The numbers of the chunks of ``view``."""
        return cls(
            view=view,
            starts=np.cumsum([0, *map(len, view.segments)], dtype=np.int64),
            file_starts=np.cumsum([0, *(len(one.file_kinds) for one in view.segments)], dtype=np.int64),
        )

    def __len__(self) -> int:
        return int(self.starts[-1])

    def numbers(self, refs: Iterable[ChunkRef]) -> NDArray[np.int64]:
        """The numbers of chunks, in their order."""
        starts = self.starts.tolist()
        return np.fromiter((starts[segment] + position for segment, position in refs), np.int64)

    def refs(self, numbers: NDArray[np.int64]) -> list[ChunkRef]:
        """The chunks of these numbers."""
        segments = np.searchsorted(self.starts, numbers, side="right") - 1
        positions = numbers - self.starts[segments]
        return list(map(ChunkRef, segments.tolist(), positions.tolist()))

    def split(self, numbers: NDArray[np.int64]) -> Iterator[tuple[int, slice, NDArray[np.int32]]]:
        """Ascending ``numbers`` by segment: which, where they are among ``numbers``, and their positions in it."""
        places = np.searchsorted(numbers, self.starts).tolist()
        for segment, start in enumerate(self.starts[:-1].tolist()):
            inside = slice(places[segment], places[segment + 1])
            if inside.start < inside.stop:
                yield segment, inside, (numbers[inside] - start).astype(np.int32)

    def all_living(self) -> NDArray[np.int64]:
        """The numbers of all chunks that count."""
        return self.join(map(np.flatnonzero, self.view.alive))

    def join(self, parts: Iterable[NDArray[np.integer]]) -> NDArray[np.int64]:
        """The numbers of positions in each segment, one array per segment."""
        numbered = [part + start for part, start in zip(parts, self.starts.tolist(), strict=False)]
        return np.concatenate(numbered).astype(np.int64) if numbered else np.zeros(0, np.int64)

    def living(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ``numbers`` of chunks that count."""
        return numbers[_take(self.starts, self.view.alive, numbers)]

    def take(self, columns: Sequence[NDArray[Number]], numbers: NDArray[np.int64]) -> NDArray[Number]:
        """The values of these chunks in ``columns``, one column per segment with a value per chunk."""
        return _take(self.starts, columns, numbers)

    def files(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of the file of each of these chunks."""
        inside = self.take([segment.chunk_files for segment in self.view.segments], numbers)
        if len(self.view.segments) == 1:
            return inside.astype(np.int64)
        return inside + self.file_starts[np.searchsorted(self.starts, numbers, side="right") - 1]

    def kinds(self, files: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The kind of each of these files as a position in ``KINDS``."""
        return _take(self.file_starts, [segment.file_kinds for segment in self.view.segments], files)

    def paths(self, files: NDArray[np.int64]) -> list[str]:
        """The path of each of these files."""
        segments = np.searchsorted(self.file_starts, files, side="right") - 1
        inside = files - self.file_starts[segments]
        pairs = zip(segments.tolist(), inside.tolist(), strict=True)
        return [self.view.segments[segment].paths[number] for segment, number in pairs]

    def kinds_of_chunks(self, numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The kinds of the files of chunks whose numbers ascend, as ``Segment.file_kinds_of`` tells them."""
        of_segments = [
            self.view.segments[segment].file_kinds_of(positions)
            for segment, _, positions in self.split(numbers)
        ]
        return np.concatenate([np.empty(0, np.uint8), *of_segments])

    def chunks_of(self, files: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the first chunk of each of these files, and of the one after its last."""
        segments = self.view.segments
        firsts = _take(self.file_starts, [one.first_chunks[:-1] for one in segments], files)
        ends = _take(self.file_starts, [one.first_chunks[1:] for one in segments], files)
        before = self.starts[np.searchsorted(self.file_starts, files, side="right") - 1]
        return firsts + before, ends + before

    def vectors(self, numbers: NDArray[np.int64], dimensions: int) -> NDArray[np.float64]:
        """The vectors of chunks whose numbers ascend (m, dimensions); zeros where one of them has other dimensions."""
        found = np.empty((len(numbers), dimensions))
        for at, inside, positions in self.split(numbers):
            segment = self.view.segments[at]
            if segment.vectors.shape[1] != dimensions:
                return np.zeros_like(found)
            found[inside] = segment.vectors_at(positions)
        return found


def _take(
    starts: NDArray[np.int64], columns: Sequence[NDArray[Number]], numbers: NDArray[np.int64]
) -> NDArray[Number]:
    if len(columns) == 1:
        return columns[0][numbers]
    found = np.empty(len(numbers), columns[0].dtype if columns else np.int64)
    segments = np.searchsorted(starts, numbers, side="right") - 1
    for segment in np.flatnonzero(np.bincount(segments)).tolist():
        inside = segments == segment
        found[inside] = columns[segment][numbers[inside] - starts[segment]]
    return found

"""The chunks of all segments of a view in one row, so that every number about them is one array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from contextls.memory.index.terms import count_in
from contextls.memory.index.view import ChunkRef, IndexView

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Columns:
    """The chunks of a view, numbered through. ``starts`` is the number of each segment's first chunk, then their count.

    ``alive`` (n) marks those that count, ``files`` (n) is the number of each chunk's file, ``kinds`` (n) its position in
    ``KINDS``.
    """

    view: IndexView
    starts: NDArray[np.int64]
    alive: NDArray[np.bool_]
    files: NDArray[np.intp]
    kinds: NDArray[np.intp]

    @classmethod
    def of(cls, view: IndexView) -> Columns:
        """Those of ``view``, which has a chunk at least."""
        segments = view.segments
        starts = np.cumsum([0, *map(len, segments)])
        before = np.cumsum([0, *(len(segment.files) for segment in segments)])
        return cls(
            view=view,
            starts=starts,
            alive=np.concatenate(view.alive),
            files=np.concatenate(
                [one.files.of_chunk + first for one, first in zip(segments, before, strict=False)]
            ),
            kinds=np.concatenate([one.files.kinds[one.files.of_chunk] for one in segments]),
        )

    def __len__(self) -> int:
        return int(self.starts[-1])

    def number(self, ref: ChunkRef) -> int:
        """The number of a chunk."""
        return int(self.starts[ref.segment]) + ref.position

    def refs(self, numbers: NDArray[np.int64]) -> list[ChunkRef]:
        """The chunks of these numbers."""
        segments = np.searchsorted(self.starts, numbers, side="right") - 1
        positions = numbers - self.starts[segments]
        return list(map(ChunkRef, segments.tolist(), positions.tolist()))

    def fingerprints(self, numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
        """What tells the texts of chunks apart."""
        segments = np.searchsorted(self.starts, numbers, side="right") - 1
        found = np.zeros(len(numbers), np.uint64)
        for segment in np.unique(segments):
            inside = segments == segment
            found[inside] = self.view.segments[segment].fingerprints[numbers[inside] - self.starts[segment]]
        return found

    def vectors(self, numbers: NDArray[np.int64]) -> list[NDArray[np.float64]]:
        """The vectors of chunks whose numbers ascend, one array (m, dimensions) per segment."""
        places = np.searchsorted(numbers, self.starts)
        return [
            segment.vectors_at(numbers[first:last] - start).astype(np.float64)
            for segment, start, first, last in zip(
                self.view.segments, self.starts, places, places[1:], strict=False
            )
        ]

    def join(self, parts: Sequence[NDArray[Number]]) -> NDArray[Number]:
        """One array (n) of one array per segment."""
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def holding(self, term: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the living chunks that hold a term, and of those among them that hold it in their head."""
        found, heads = [], []
        for segment, start in zip(self.view.segments, self.starts, strict=False):
            postings = segment.postings(term)
            chunks = postings.chunks + start
            living = self.alive[chunks]
            found.append(chunks[living])
            heads.append(chunks[living & (count_in("head", postings.counts) > 0)])
        return self.join(found), self.join(heads)

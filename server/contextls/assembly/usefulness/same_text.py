"""Chunks with the same text count once in a pool: of versions side by side, ten copies would take ten places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.number_sets import largest
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

# To find the wanted number of different texts, at most this many times as many chunks are looked through.
FURTHEST = 8
_OLD = KINDS.index(FileKind.LEGACY)


class SameText:
    """The chunk that stands for those of the same text: the first that was asked for, thus the best.

    Of those that are asked for together none stands for others that is in an old version.
    """

    def __init__(self, numbers: ChunkNumbers) -> None:
        self._numbers = numbers
        self._fingerprints = [segment.fingerprints for segment in numbers.view.segments]
        self._has_old = any(_OLD in segment.file_kinds for segment in numbers.view.segments)
        self._first: dict[int, int] = {}
        self._others: dict[int, int] = {}

    def distinct(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The distinct ``numbers`` of chunks with each replaced by the one that stands for it, without repetitions."""
        texts, own = self._numbers.take(self._fingerprints, numbers).tolist(), numbers.tolist()
        if self._has_old:
            is_old = self._numbers.kinds(self._numbers.files(numbers)) == _OLD
            for at in np.flatnonzero(~is_old).tolist() if is_old.any() else ():
                self._first.setdefault(texts[at], own[at])
        stand = list(map(self._first.setdefault, texts, own))
        if stand == own:
            return numbers
        self._others.update((one, first) for one, first in zip(own, stand, strict=True) if one != first)
        return np.fromiter(dict.fromkeys(stand), np.int64)

    def top(self, chunks: NDArray[np.int64], values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """The ``count`` of ``chunks`` with the best ``values`` above 0 that say different things, best first."""
        looked_at = count
        while True:
            best = _top(values, looked_at)
            found = self.distinct(chunks[best])
            if len(found) >= count or len(best) < looked_at or looked_at >= FURTHEST * count:
                return found[:count]
            looked_at *= 2

    @property
    def others(self) -> Mapping[int, int]:
        """The chunks for which others stand, and these."""
        return self._others


def _top(values: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """The places of the largest values above 0, the largest first."""
    best = largest(values, count)
    best = best[values[best] > 0]
    return best[np.argsort(-values[best], kind="stable")]

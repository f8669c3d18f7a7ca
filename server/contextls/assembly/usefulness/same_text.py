"""Chunks with the same text count once in a pool: of versions side by side, ten copies would take ten places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from contextls.assembly.usefulness.columns import Columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So many times the wanted number are looked through for as many different ones.
FURTHEST = 8

Top = Callable[["NDArray[np.float32]", int], "NDArray[np.int64]"]


class SameText:
    """Which chunk stands for those of the same text: the first that was asked for, thus the best."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._first: dict[int, int] = {}
        self._of: dict[int, int] = {}

    def distinct(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """``numbers`` of chunks with each replaced by the one that stands for it, without repetitions."""
        texts = self._columns.fingerprints(numbers).tolist()
        stand = map(self._standing_for, numbers.tolist(), texts)
        return np.fromiter(dict.fromkeys(stand), np.int64)

    def top(self, top: Top, values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """The ``count`` best chunks by ``values`` that say different things, best first."""
        looked_at = count
        while True:
            best = top(values, looked_at)
            found = self.distinct(best)
            if len(found) >= count or len(best) < looked_at or looked_at >= FURTHEST * count:
                return found[:count]
            looked_at *= 2

    @property
    def others(self) -> Mapping[int, int]:
        """The chunks for which others stand, and these."""
        return {number: first for number, first in self._of.items() if number != first}

    def _standing_for(self, number: int, text: int) -> int:
        first = self._of[number] = self._first.setdefault(text, number)
        return first

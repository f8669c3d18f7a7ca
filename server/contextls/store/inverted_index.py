"""Inverted indexes: sorted keys, each with a run of ascending owners and perhaps a number for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from numpy.typing import NDArray


class InvertedIndex(Struct, frozen=True, eq=False):
    """The owners of ``keys[k]`` (ascending, uint32) are ``owners[starts[k]:starts[k + 1]]`` (int32, ascending).

    ``counts`` (uint16) has a number for each owner, or is empty.
    """

    keys: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    owners: NDArray[np.int32]
    counts: NDArray[np.uint16]

    def run(self, key: int) -> slice:
        """The range of the owners of ``key``."""
        at = int(self.keys.searchsorted(np.uint32(key)))
        if at == len(self.keys) or self.keys[at] != key:
            return slice(0, 0)
        return slice(int(self.starts[at]), int(self.starts[at + 1]))

    @staticmethod
    def of(
        keys: NDArray[np.uint32], owners: NDArray[np.int32], counts: NDArray[np.uint16] | None = None
    ) -> InvertedIndex:
        """The index over pairs of key and owner, whose owners ascend."""
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        distinct, starts = np.unique(ordered, return_index=True)
        return InvertedIndex(
            keys=distinct,
            starts=np.append(starts, len(ordered)).astype(np.uint32),
            owners=owners[order],
            counts=np.zeros(0, np.uint16) if counts is None else counts[order],
        )

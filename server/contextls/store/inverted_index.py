"""Which things hold which key: sorted keys, each with a run of ascending owners and perhaps a number beside each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Indexes are joined in so many slices of their keys, so that what is sorted at once stays small.
_OWNERS_PER_SLICE = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class InvertedIndex:
    """The owners of ``keys[k]`` (ascending, uint32) are ``owners[starts[k]:starts[k + 1]]`` (int32, ascending).

    ``counts`` (uint16) has a number beside each owner, or is empty.
    """

    keys: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    owners: NDArray[np.int32]
    counts: NDArray[np.uint16]

    def run(self, key: int) -> slice:
        """Where the owners of ``key`` are."""
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

    @staticmethod
    def join(parts: Sequence[InvertedIndex], numbers: Sequence[NDArray[np.int32]]) -> InvertedIndex:
        """One index of all ``parts``: owner ``o`` of part ``p`` becomes ``numbers[p][o]``, and goes where that is -1.

        New numbers ascend within a part and from part to part.
        """
        total = sum(len(part.owners) for part in parts)
        slices = max(1, -(-total // _OWNERS_PER_SLICE))
        bounds = np.linspace(0, 1 << 32, slices + 1).astype(np.int64)
        found = [
            InvertedIndex.of(*_pairs_between(parts, numbers, low, high))
            for low, high in pairwise(bounds.tolist())
        ]
        lengths = np.concatenate([np.diff(each.starts) for each in found])
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
        return InvertedIndex(
            keys=np.concatenate([each.keys for each in found]),
            starts=starts.astype(np.uint32),
            owners=np.concatenate([each.owners for each in found]),
            counts=np.concatenate([each.counts for each in found]),
        )


def _pairs_between(
    parts: Sequence[InvertedIndex], numbers: Sequence[NDArray[np.int32]], low: int, high: int
) -> tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.uint16] | None]:
    """Key, owner and count of all that stays, for the keys from ``low`` to before ``high``."""
    keys, owners, counts = [], [], []
    for part, renumbered in zip(parts, numbers, strict=True):
        first, last = (
            int(np.searchsorted(part.keys, np.uint64(bound))) if bound < 1 << 32 else len(part.keys)
            for bound in (low, high)
        )
        inside = slice(int(part.starts[first]), int(part.starts[last]))
        fresh = renumbered[part.owners[inside]]
        stays = fresh >= 0
        keys.append(np.repeat(part.keys[first:last], np.diff(part.starts[first : last + 1]))[stays])
        owners.append(fresh[stays])
        if len(part.counts):
            counts.append(part.counts[inside][stays])
    together = np.concatenate(counts) if counts else None
    return np.concatenate(keys), np.concatenate(owners), together

"""Several inverted indexes as one, slice by slice of its keys, so that it never has to be held as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from contextls.store.array_file import JoinedArray
from contextls.store.inverted_index import InvertedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

# About this many owners are sorted at once.
_OWNERS_PER_SLICE = 1_000_000


class JoinedIndex(Struct, frozen=True, dict=True):
    """One index of all ``parts``: owner ``o`` of part ``p`` becomes ``numbers[p][o]``, and goes where that is -1.

    New numbers ascend within a part and from part to part.
    """

    parts: Sequence[InvertedIndex]
    numbers: Sequence[NDArray[np.int32]]

    @cached_property
    def keys(self) -> NDArray[np.uint32]:
        """The keys of all parts with an owner that stays, ascending."""
        kept = [
            part.keys[_count_staying(part, renumbered, 0, len(part.keys)) > 0]
            for part, renumbered in zip(self.parts, self.numbers, strict=True)
        ]
        # To sort takes a tenth of the time of np.unique, which hashes.
        keys = np.sort(np.concatenate([np.zeros(0, np.uint32), *kept]), kind="stable")
        return keys[np.diff(keys, prepend=np.int64(-1)) > 0]

    @cached_property
    def starts(self) -> NDArray[np.uint32]:
        """The offset at which the owners of each key begin, and the end of the last ones."""
        lengths = np.zeros(len(self.keys), np.int64)
        for part, renumbered in zip(self.parts, self.numbers, strict=True):
            staying = _count_staying(part, renumbered, 0, len(part.keys))
            kept = staying > 0
            lengths[np.searchsorted(self.keys, part.keys[kept])] += staying[kept]
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]).astype(np.uint32)

    @property
    def owners(self) -> JoinedArray:
        """The owners, as those of an ``InvertedIndex``."""
        return self._join(np.dtype(np.int32), lambda _part, fresh, _inside: fresh)

    @property
    def counts(self) -> JoinedArray:
        """The number of each owner; empty where no part has any."""
        if not any(len(part.counts) for part in self.parts):
            return JoinedArray(np.dtype(np.uint16), (0,), lambda: iter(()))
        return self._join(np.dtype(np.uint16), lambda part, _fresh, inside: part.counts[inside])

    def whole(self) -> InvertedIndex:
        """All of it at once."""
        owners, counts = (
            np.concatenate([np.zeros(0, column.dtype), *column.parts()])
            for column in (self.owners, self.counts)
        )
        return InvertedIndex(self.keys, self.starts, owners, counts)

    def _join(
        self,
        dtype: np.dtype[Any],
        read: Callable[[InvertedIndex, NDArray[np.int32], slice], NDArray[Any]],
    ) -> JoinedArray:
        def pieces() -> Iterator[NDArray[Any]]:
            for low, high in pairwise(self._bounds()):
                yield self._slice(dtype, read, low, high)

        return JoinedArray(dtype, (int(self.starts[-1]),), pieces)

    def _bounds(self) -> list[int]:
        """The offset at which each slice of the keys begins, and the end of the last one."""
        wanted = np.arange(0, int(self.starts[-1]), _OWNERS_PER_SLICE)
        begin = np.searchsorted(self.starts, wanted, side="right") - 1
        return [*dict.fromkeys(begin.tolist()), len(self.keys)]

    def _slice(
        self,
        dtype: np.dtype[Any],
        read: Callable[[InvertedIndex, NDArray[np.int32], slice], NDArray[Any]],
        low: int,
        high: int,
    ) -> NDArray[Any]:
        keys, base = self.keys[low:high], int(self.starts[low])
        # Where the next owner of each key goes: those of a part stand after those of the parts before.
        free = self.starts[low:high].astype(np.int64) - base
        found = np.empty(int(self.starts[high]) - base, dtype)
        for part, renumbered in zip(self.parts, self.numbers, strict=True):
            first = int(np.searchsorted(part.keys, keys[0]))
            last = int(np.searchsorted(part.keys, keys[-1], side="right"))
            inside = slice(int(part.starts[first]), int(part.starts[last]))
            fresh = renumbered[part.owners[inside]]
            staying = _count_staying(part, renumbered, first, last)
            kept = staying > 0
            places, lengths = np.searchsorted(keys, part.keys[first:last][kept]), staying[kept]
            # The owners of a key lie side by side, as they do in the part.
            shifts = free[places] - np.cumsum(lengths) + lengths
            targets = np.repeat(shifts, lengths) + np.arange(int(lengths.sum()))
            found[targets] = read(part, fresh, inside)[fresh >= 0]
            free[places] += lengths
        return found


def _count_staying(
    part: InvertedIndex, renumbered: NDArray[np.int32], first: int, last: int
) -> NDArray[np.int64]:
    """The number of owners that stay of each key from ``first`` to before ``last``."""
    found = np.zeros(last - first, np.int64)
    begin = first
    while begin < last:
        # As many keys as have about a slice of owners, at least one.
        beyond = int(part.starts[begin]) + _OWNERS_PER_SLICE
        end = min(last, max(begin + 1, int(np.searchsorted(part.starts, beyond, side="right")) - 1))
        starts = part.starts[begin : end + 1]
        stay = renumbered[part.owners[int(starts[0]) : int(starts[-1])]] >= 0
        found[begin - first : end - first] = np.add.reduceat(stay, starts[:-1] - starts[0], dtype=np.int64)
        begin = end
    return found

"""Several inverted indexes as one, slice by slice of its keys, so that it never has to be held as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from contextls.store.array_file import JoinedArray
from contextls.store.inverted_index import InvertedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

# About so many owners are put in order at once.
_OWNERS_PER_SLICE = 1_000_000


@dataclass(frozen=True)
class JoinedIndex:
    """One index of all ``parts``: owner ``o`` of part ``p`` becomes ``numbers[p][o]``, and goes where that is -1.

    New numbers ascend within a part and from part to part.
    """

    parts: Sequence[InvertedIndex]
    numbers: Sequence[NDArray[np.int32]]

    @cached_property
    def _stay(self) -> list[NDArray[np.int32]]:
        """How many owners of each key of each part stay."""
        return [
            np.add.reduceat(renumbered[part.owners] >= 0, part.starts[:-1], dtype=np.int32)
            if len(part.keys)
            else np.zeros(0, np.int32)
            for part, renumbered in zip(self.parts, self.numbers, strict=True)
        ]

    @cached_property
    def keys(self) -> NDArray[np.uint32]:
        """The keys of all parts of which an owner stays, ascending."""
        kept = [part.keys[stay > 0] for part, stay in zip(self.parts, self._stay, strict=True)]
        # To sort takes a tenth of the time of np.unique, which hashes.
        keys = np.sort(np.concatenate([np.zeros(0, np.uint32), *kept]), kind="stable")
        return keys[np.diff(keys, prepend=np.int64(-1)) > 0]

    @cached_property
    def _places(self) -> list[NDArray[np.int32]]:
        """For each key of each part, which key it is of all; of one without owners, where it would be."""
        return [np.searchsorted(self.keys, part.keys).astype(np.int32) for part in self.parts]

    @cached_property
    def starts(self) -> NDArray[np.uint32]:
        """Where the owners of each key begin, and where the last ones end."""
        lengths = np.zeros(len(self.keys) + 1, np.int64)
        for at, stay in zip(self._places, self._stay, strict=True):
            lengths[at] += stay
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[:-1])]).astype(np.uint32)

    @cached_property
    def _firsts(self) -> list[NDArray[np.uint32]]:
        """Where the owners of each key of each part begin: behind those of the parts before."""
        free, found = self.starts.copy(), []
        for at, stay in zip(self._places, self._stay, strict=True):
            found.append(free[at])
            free[at] += stay.astype(np.uint32)
        return found

    @property
    def owners(self) -> JoinedArray:
        """The owners, as those of an ``InvertedIndex``."""
        return self._join(np.dtype(np.int32), lambda _part, fresh, _inside: fresh)

    @property
    def counts(self) -> JoinedArray:
        """The number beside each owner; empty where no part has any."""
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
        """Where slices of the keys begin, and where the last one ends."""
        wanted = np.arange(0, int(self.starts[-1]), _OWNERS_PER_SLICE)
        begin = np.searchsorted(self.starts, wanted, side="right") - 1
        return [*np.unique(begin).tolist(), len(self.keys)]

    def _slice(
        self,
        dtype: np.dtype[Any],
        read: Callable[[InvertedIndex, NDArray[np.int32], slice], NDArray[Any]],
        low: int,
        high: int,
    ) -> NDArray[Any]:
        base = int(self.starts[low])
        found = np.empty(int(self.starts[high]) - base, dtype)
        known = zip(self.parts, self.numbers, self._places, self._firsts, self._stay, strict=True)
        for part, renumbered, places, firsts, stay in known:
            first, last = np.searchsorted(places, [low, high]).tolist()
            inside = slice(int(part.starts[first]), int(part.starts[last]))
            fresh = renumbered[part.owners[inside]]
            kept, lengths = fresh >= 0, stay[first:last]
            # The owners of a key lie side by side, as they do in the part.
            shifts = firsts[first:last].astype(np.int64) - base - np.cumsum(lengths) + lengths
            found[np.repeat(shifts, lengths) + np.arange(int(lengths.sum()))] = read(part, fresh, inside)[
                kept
            ]
        return found

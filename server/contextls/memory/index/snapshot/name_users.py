"""The files that refer to one name, known by their numbers: of thousands, none is spelled out to find those nearby."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.segments.number_sets import meet
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.terms import hash_term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.segments.segment import Segment

# Finding one path among all takes as long as decoding this many.
_SPELLED = 16


class NameUsers:
    """The living files of each segment that refer to ``name``; two names in a million are taken for each other."""

    def __init__(self, files: SegmentSet, name: str) -> None:
        self._files = files
        self._found: list[tuple[Segment, NDArray[np.int32]]] = list(
            files.holding("references", hash_term(name))
        )
        self._count = sum(len(numbers) for _, numbers in self._found)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        """Their paths, in order."""
        return iter(sorted(path for segment, numbers in self._found for path in segment.paths.some(numbers)))

    def __contains__(self, path: object) -> bool:
        place = self._files.find(path) if isinstance(path, str) else None
        if place is None:
            return False
        numbers = self._found[place.segment][1]
        at = int(numbers.searchsorted(np.int32(place.number)))
        return at < len(numbers) and int(numbers[at]) == place.number

    def among(self, paths: Sequence[str]) -> Iterator[str]:
        """The ``paths`` of files that use the name, in their order."""
        known = self._spelled if len(self) < _SPELLED * len(paths) else self
        return (path for path in paths if path in known)

    def both(self, other: NameUsers) -> list[str]:
        """The paths of the files that use this name and the ``other``, in order."""
        found: list[str] = []
        for (segment, mine), (_, theirs) in zip(self._found, other._found, strict=True):
            found += segment.paths.some(mine[meet(mine, theirs)[0]])
        return sorted(found)

    @cached_property
    def _spelled(self) -> frozenset[str]:
        return frozenset(path for segment, numbers in self._found for path in segment.paths.some(numbers))

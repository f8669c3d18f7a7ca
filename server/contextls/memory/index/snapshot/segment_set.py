"""The segments of one moment, and which of their files still count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct, field

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.merge import SegmentMerge
from contextls.memory.index.segments.name_tables import stem_of
from contextls.memory.index.segments.segment import Segment
from contextls.memory.index.terms import hash_term

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_REMEMBERED = 4096
T = TypeVar("T")


class FilePlace(NamedTuple):
    """A file of a set: segment number and position in it."""

    segment: int
    number: int


class SegmentSet(Struct, frozen=True, dict=True, eq=False):
    """Segments with a mask each: ``alive[s]`` (bool) marks the files of segment ``s`` that count; no path counts twice."""

    segments: tuple[Segment, ...] = ()
    alive: tuple[NDArray[np.bool_], ...] = ()
    _places: dict[str, FilePlace | None] = field(default_factory=dict)

    @cached_property
    def _count(self) -> int:
        return int(sum(int(mask.sum()) for mask in self.alive))

    def __len__(self) -> int:
        return self._count

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.find(path) is not None

    def find(self, path: str) -> FilePlace | None:
        """The place of a file; ``None`` for one that is not there."""
        if path in self._places:
            return self._places[path]
        found = None
        for at in range(len(self.segments) - 1, -1, -1):
            alive = self.alive[at]
            number = next((each for each in self.segments[at].find(path) if alive[each]), None)
            if number is not None:
                found = FilePlace(at, number)
                break
        if len(self._places) >= MAX_REMEMBERED:
            self._places.clear()
        self._places[path] = found
        return found

    def kind(self, path: str) -> FileKind | None:
        """The kind of a file; ``None`` for one that is not there."""
        place = self.find(path)
        return None if place is None else KINDS[self.segments[place.segment].file_kinds[place.number]]

    @cached_property
    def paths(self) -> Sequence[str]:
        """The paths of all files, in order."""
        found: list[str] = []
        for segment, mask in zip(self.segments, self.alive, strict=True):
            found += map(segment.paths.__getitem__, np.flatnonzero(mask).tolist())
        return tuple(sorted(found))

    def below(self, folder: str) -> Iterator[str]:
        """The paths of all files in a folder and those in it."""
        prefix = f"{folder}/".encode("utf-8", "replace")
        for segment, mask in zip(self.segments, self.alive, strict=True):
            for number in segment.paths.beginning_with_in(prefix, segment.path_order):
                if mask[number]:
                    yield segment.paths[number]

    def count_languages(self) -> Mapping[str, int]:
        """The number of files of each language."""
        found: Counter[str] = Counter()
        for segment, mask in zip(self.segments, self.alive, strict=True):
            counts = np.bincount(segment.language_codes[mask], minlength=len(segment.languages))
            found.update({name: int(n) for name, n in zip(segment.languages, counts, strict=True) if n})
        return found

    def languages(self) -> dict[str, str]:
        """The language of each file."""
        return self._label(lambda segment: ([*segment.languages], segment.language_codes))

    def kinds(self) -> dict[str, FileKind]:
        """The kind of each file."""
        return self._label(lambda segment: (KINDS, segment.file_kinds))

    def _label(self, read: Callable[[Segment], tuple[Sequence[T], NDArray[np.integer]]]) -> dict[str, T]:
        found: dict[str, T] = {}
        for segment, mask in zip(self.segments, self.alive, strict=True):
            labels, codes = read(segment)
            numbers = np.flatnonzero(mask)
            paths = map(segment.paths.__getitem__, numbers.tolist())
            found.update(zip(paths, map(labels.__getitem__, codes[numbers].tolist()), strict=True))
        return found

    def holding(self, kind: str, key: int) -> Iterator[tuple[Segment, NDArray[np.int32]]]:
        """The files of each segment that own ``key`` in its index ``kind`` (``definitions`` or ``references``)."""
        for segment, mask in zip(self.segments, self.alive, strict=True):
            index = getattr(segment, kind)
            owners = index.owners[index.run(key)]
            yield segment, owners[mask[owners]]

    def find_stem(self, stem: str) -> Sequence[str]:
        """The paths of files that are called ``stem``, endings and case left out."""
        folded = stem.lower()
        found = (segment.paths.some(files) for segment, files in self.holding("stems", hash_term(folded)))
        return sorted(path for paths in found for path in paths if stem_of(path) == folded)

    def replace(
        self, paths: Collection[str], parts: Sequence[tuple[Segment, NDArray[np.bool_]]]
    ) -> SegmentSet:
        """A set in which the files of ``paths`` are those that are marked in ``parts``, and others as they were."""
        alive = [mask.copy() for mask in self.alive]
        for path in paths if alive else ():
            place = self.find(path)
            if place is not None:
                alive[place.segment][place.number] = False
        segments = list(self.segments)
        for segment, mask in parts:
            at = next((n for n, each in enumerate(segments) if each is segment), -1)
            if at < 0:
                segments.append(segment)
                alive.append(mask.copy())
            else:
                alive[at] |= mask
        found = SegmentSet.of(segments, alive)
        if "paths" in self.__dict__ and all((self.find(p) is None) == (found.find(p) is None) for p in paths):
            # No file came or went, and to list all takes a tenth of a second.
            found.__dict__["paths"] = self.paths
        return found

    def swap(self, merge: SegmentMerge, new: Segment) -> SegmentSet:
        """The same files after those of ``merge`` moved to ``new``; those that were replaced meanwhile stay so."""
        places = [
            next((n for n, each in enumerate(self.segments) if each is old), -1) for old in merge.segments
        ]
        mask = np.zeros(len(new.paths), np.bool_)
        for source, at in enumerate(places):
            mine = merge.sources == source
            if at >= 0:
                mask[mine] = self.alive[at][merge.numbers[mine]]
        kept = [n for n in range(len(self.segments)) if n not in set(places)]
        segments = [*(self.segments[n] for n in kept), new]
        found = SegmentSet.of(segments, [*(self.alive[n] for n in kept), mask])
        if "paths" in self.__dict__ and len(found) == len(self):
            found.__dict__["paths"] = self.paths
        return found

    @staticmethod
    def of(segments: Sequence[Segment], alive: Sequence[NDArray[np.bool_]]) -> SegmentSet:
        """The set of those segments with a file that counts."""
        filled = [(s, m) for s, m in zip(segments, alive, strict=True) if m.any()]
        return SegmentSet(tuple(s for s, _ in filled), tuple(m for _, m in filled))

"""Changes of the content index: the files that a write replaces, as records and as readers are shown them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.segments.analysis import Analysis, Skipped
from contextls.memory.index.segments.segment import Segment
from contextls.store.index_rows import FileRecord
from contextls.workspace.stamps import NO_STAMP, Stamp

if TYPE_CHECKING:
    from numpy.typing import NDArray

_IN_NEW_SEGMENT = -1


class IndexChange(Struct, frozen=True):
    """A change by this or another process: these paths are now exactly the files that are marked in ``parts``."""

    paths: frozenset[str]
    parts: tuple[tuple[Segment, NDArray[np.bool_]], ...]
    generation: int

    @classmethod
    def whole(cls, paths: Collection[str], segments: Sequence[Segment], generation: int) -> IndexChange:
        """A change to all files of ``segments``."""
        parts = tuple((segment, np.ones(len(segment.paths), np.bool_)) for segment in segments)
        return cls(frozenset(paths), parts, generation)

    @classmethod
    def removal(cls, paths: Collection[str]) -> IndexChange:
        """A change that is not stored, after which ``paths`` hold nothing."""
        return cls.whole(paths, (), 0)

    def removing(self, paths: Collection[str]) -> IndexChange:
        """The change with ``paths``, which are not part of it yet, removed as well."""
        return IndexChange(self.paths.union(paths), self.parts, self.generation)

    def without(self, paths: Collection[str]) -> IndexChange:
        """The change, but for these paths."""
        left_out = self.paths.intersection(paths)
        if not left_out:
            return self
        parts = []
        for segment, mask in self.parts:
            kept = mask.copy()
            for path in left_out:
                kept[segment.find(path)] = False
            parts.append((segment, kept))
        return IndexChange(self.paths - left_out, tuple(parts), self.generation)


def records_of(
    results: Sequence[Analysis | Skipped], stamps: Mapping[str, Stamp], generation: int
) -> list[FileRecord]:
    """The records that the index database keeps of analysed files; those with content lie in one new segment, in order."""
    records, position = [], 0
    for result in results:
        stamp = stamps.get(result.path) or NO_STAMP
        if isinstance(result, Skipped):
            records.append(FileRecord(result.path, result.digest, stamp, "", result.reason, generation))
            continue
        records.append(
            FileRecord(
                result.path,
                result.digest,
                stamp,
                result.language,
                "",
                generation,
                len(result.chunks),
                segment=_IN_NEW_SEGMENT,
                position=position,
            )
        )
        position += 1
    return records

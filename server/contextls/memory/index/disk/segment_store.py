"""The segments of one index on disk: written, mapped, looked through, and what of them is not as it was written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np

from contextls.errors import StoreError
from contextls.memory.index.segments.arrays import from_arrays
from contextls.memory.index.segments.check import CheckNotes, SegmentCheck
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.segments.segment import Segment
from contextls.store.array_file import Writable
from contextls.store.index_rows import FilePlaces, SegmentRecord
from contextls.store.segment_files import SegmentFiles

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Parts = list[tuple[Segment, "NDArray[np.bool_]"]]


class SegmentStore:
    """The segments as files, each mapped once."""

    def __init__(self, folder: Path, notes: CheckNotes) -> None:
        """Nothing is opened before it is asked for. ``notes`` say which were looked through by other processes."""
        self._files = SegmentFiles(folder)
        self._check = SegmentCheck(self._files, notes)
        # The holders of a segment share its mapping.
        self._mapped: WeakValueDictionary[int, Segment] = WeakValueDictionary()

    def write(self, columns: Mapping[str, Writable]) -> tuple[str, int]:
        """Write a segment, on the disk when this returns; its name and its size. Raises ``StoreError``."""
        return self._files.write(columns)

    def map_own(self, shape: SegmentRecord) -> Segment:
        """A segment that this process has just written."""
        self._check.trust(shape.id)
        return self.map(shape)

    def map(self, shape: SegmentRecord) -> Segment:
        """A stored segment. Raises ``StoreError`` when it cannot be read."""
        known = self._mapped.get(shape.id)
        if known is None:
            try:
                known = from_arrays(self._files.map(shape.name, shape.bytes), shape.id)
            except (LookupError, ValueError, TypeError, OverflowError) as error:
                raise StoreError(f"{shape.name} makes no sense: {error!r}") from error
            self._mapped[shape.id] = known
        return known

    def read(self, places: FilePlaces, shapes: Mapping[int, SegmentRecord]) -> tuple[Parts, set[str]]:
        """The segments of these files with them marked, and the paths that are not where they should be."""
        segments, positions, chunks = (
            np.array(column, np.int64) for column in (places.segments, places.positions, places.chunks)
        )
        living = distinct(segments[segments > 0]).tolist()
        intact = self._check.are_intact([shapes[number] for number in living if number in shapes])
        parts: Parts = []
        lost: set[str] = set()
        for number in living:
            inside = np.flatnonzero(segments == number)
            paths, at = [places.paths[each] for each in inside.tolist()], positions[inside]
            segment = self._try_map(shapes[number]) if number in intact else None
            if segment is None:
                lost.update(paths)
                continue
            right = _hold(segment, paths, at, chunks[inside])
            lost.update(compress(paths, ~right))
            parts.append((segment, mask_of(segment, at[right])))
        return parts, lost

    def sound_places(self, shapes: Iterable[SegmentRecord]) -> tuple[str, ...]:
        """The paths of those segments that were looked through and found to be what was written."""
        return tuple(str(self._files.place(each.name)) for each in shapes if self._check.is_sound(each.id))

    def damaged(self) -> Collection[int]:
        """The ids of the segments that are not what was written, as far as anyone looked."""
        return self._check.damaged

    def damaged_files(self) -> Iterator[str]:
        """The paths of the files in other segments that are not what was written, as far as anyone looked."""
        # Others are mapped meanwhile, in other threads: the list of references is made at once, one of values is not.
        mapped = (reference() for reference in self._mapped.valuerefs())
        for segment in filter(None, mapped):
            yield from (segment.paths[at] for at in list(segment.damaged))

    def are_there(self, shapes: Iterable[SegmentRecord]) -> bool:
        """Whether each of these is as large as it was written."""
        return all(self._files.has(each.name, each.bytes) for each in shapes)

    def delete_all_but(self, shapes: Iterable[SegmentRecord], names: Iterable[str] = ()) -> None:
        """Delete the files of all other segments, and all other files except ``names``."""
        self._files.delete_all_but({*(each.name for each in shapes), *names})

    def has_others(self, shapes: Iterable[SegmentRecord], names: Iterable[str] = ()) -> bool:
        """Whether there is anything that ``delete_all_but`` would delete."""
        return self._files.has_others({*(each.name for each in shapes), *names})

    def size_bytes(self) -> int:
        """Bytes on disk."""
        return self._files.size_bytes()

    def close(self) -> None:
        """Look through no more of them."""
        self._check.close()

    def _try_map(self, shape: SegmentRecord) -> Segment | None:
        try:
            return self.map(shape)
        except StoreError:
            return None


def mask_of(segment: Segment, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The files of a segment, with those at ``positions`` marked."""
    mask = np.zeros(len(segment.paths), np.bool_)
    mask[positions] = True
    return mask


def _hold(
    segment: Segment, paths: Sequence[str], positions: NDArray[np.int64], chunks: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """The files that lie at their positions, with as many chunks as they should have."""
    right = (positions >= 0) & (positions < len(segment.paths))
    at = positions[right]
    stored = segment.paths.bytes_of(at)
    same = [one == path.encode() for one, path in zip(stored, compress(paths, right), strict=True)]
    right[right] = np.array(same, np.bool_) & (
        segment.first_chunks[at + 1] - segment.first_chunks[at] == chunks[right]
    )
    return right

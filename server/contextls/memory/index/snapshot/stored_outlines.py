"""The outlines of all files of one moment, read from their segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from contextls.memory.index.segments.outlines import Outline, loads
from contextls.memory.index.segments.segment import Segment
from contextls.memory.index.snapshot.segment_set import SegmentSet


class StoredOutlines(Mapping[str, Outline]):
    """The outlines of all files of one moment, by path; each is read from its segment when it is asked for."""

    def __init__(self, files: SegmentSet) -> None:
        self._files = files

    def __getitem__(self, path: str) -> Outline:
        place = self._files.find(path)
        if place is None:
            raise KeyError(path)
        return outline_at(self._files.segments[place.segment], place.number)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._files.find(path) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._files.paths)

    def __len__(self) -> int:
        return len(self._files)


def outline_at(segment: Segment, number: int) -> Outline:
    """The outline of a segment's file."""

    def read(at: int) -> Outline:
        version = int(segment.versions[at])
        return loads(segment.paths[at], segment.language(at), version, segment.outline_reader(at))

    return segment.recent_outlines.get(number, read)

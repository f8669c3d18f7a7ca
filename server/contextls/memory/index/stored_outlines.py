"""The outlines of all files of one moment, read from their segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from contextls.memory.index.outlines import Outline, loads
from contextls.memory.index.segment_set import SegmentSet


class StoredOutlines(Mapping[str, Outline]):
    """The outlines of all files of one moment, by path; each is read from its segment when it is asked for."""

    def __init__(self, files: SegmentSet) -> None:
        self._files = files

    def __getitem__(self, path: str) -> Outline:
        place = self._files.find(path)
        if place is None:
            raise KeyError(path)
        segment, number = self._files.segments[place.segment], place.number
        return segment.recent_outlines.get(
            number,
            lambda at: loads(
                path, segment.language(at), int(segment.versions[at]), lambda: segment.outline(at)
            ),
        )

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._files.find(path) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._files.paths)

    def __len__(self) -> int:
        return len(self._files)

    def changed_since(self, before: StoredOutlines) -> set[str]:
        """The paths that came, went or have other content than ``before``."""
        return self._files.changed_since(before._files)


def changed_paths(before: Mapping[str, Outline], now: Mapping[str, Outline]) -> set[str]:
    """The paths that came, went or have other content ``now`` than ``before``."""
    if before is now:
        return set()
    if isinstance(before, StoredOutlines) and isinstance(now, StoredOutlines):
        return now.changed_since(before)
    changed = set(before.keys() - now.keys())
    changed.update(path for path, outline in now.items() if not outline.is_of_same_text(before.get(path)))
    return changed

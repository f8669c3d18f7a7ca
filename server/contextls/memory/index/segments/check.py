"""Checks that segments hold what was written to them: all of each is read once by a process that opens it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from contextls.store.index_rows import SegmentRecord
from contextls.store.segment_files import SegmentFiles

# So many bytes are checked before anything is shown of them, a fraction of a second; the rest behind.
CHECKED_AT_ONCE = 128 << 20


class SegmentCheck:
    """The segments that were looked through. Safe to use from several threads."""

    def __init__(self, files: SegmentFiles) -> None:
        self._files = files
        self._guard = threading.Lock()
        self._seen: set[int] = set()
        self._sound: set[int] = set()
        self._closed = threading.Event()
        self.damaged: set[int] = set()  # the ids of segments that are not what was written

    def are_intact(self, segments: Sequence[SegmentRecord]) -> set[int]:
        """The ids of those that are, as far as could be found out at once; the others are looked through behind."""
        with self._guard:
            fresh = [each for each in segments if each.id not in self._seen]
            self._seen.update(each.id for each in fresh)
        now: list[SegmentRecord] = []
        later: list[SegmentRecord] = []
        size = 0
        for each in sorted(fresh, key=lambda segment: segment.bytes):
            size += each.bytes
            (now if size <= CHECKED_AT_ONCE else later).append(each)
        if now:
            with ThreadPoolExecutor(2, "contextls-check") as threads:
                list(threads.map(self._look_through, now))
        if later:
            behind = threading.Thread(
                target=self._look_through_all, args=(later,), name="contextls-check", daemon=True
            )
            behind.start()
        return {each.id for each in segments} - self.damaged

    def trust(self, number: int) -> None:
        """Count a segment that this process wrote as looked through."""
        with self._guard:
            self._seen.add(number)
            self._sound.add(number)

    def is_sound(self, number: int) -> bool:
        """Whether a segment was looked through and is what was written."""
        return number in self._sound

    def close(self) -> None:
        """Look no further."""
        self._closed.set()

    def _look_through_all(self, segments: Sequence[SegmentRecord]) -> None:
        for each in segments:
            self._look_through(each)

    def _look_through(self, segment: SegmentRecord) -> None:
        # One that is gone was merged with others meanwhile.
        if self._closed.is_set():
            return
        if self._files.is_intact(segment.name):
            self._sound.add(segment.id)
        elif self._files.has(segment.name, segment.bytes):
            self.damaged.add(segment.id)

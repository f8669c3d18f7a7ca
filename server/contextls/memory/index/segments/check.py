"""Checks that segments hold what was written to them: all of each is read once a day, and whenever its file changed."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Protocol

from contextls.store.index_rows import SegmentRecord
from contextls.store.segment_files import SegmentFiles
from contextls.store.times import now_ms
from contextls.workspace.stamps import Stamp, is_settled

# The bytes that are checked before a segment is used, which takes a fraction of a second; the rest is checked afterwards.
CHECKED_AT_ONCE = 128 << 20
# Disks lose data now and then without changing the time stamp of the file, so a check holds for a day.
TRUSTED_MS = 24 * 3_600_000


class CheckNote(NamedTuple):
    """A segment was looked through and found whole, at ``checked_ms``, when its file had this ``stamp``."""

    stamp: Stamp
    checked_ms: int

    def holds(self, stamp: Stamp | None, now: int) -> bool:
        """Whether it still says something of a file that has ``stamp`` now."""
        return self.stamp == stamp and 0 <= now - self.checked_ms < TRUSTED_MS


class CheckNotes(Protocol):
    """Keeps notes on segments, by id, for the processes that come after."""

    def read_checks(self) -> Mapping[int, CheckNote]:
        """The notes that were kept."""

    def keep_checks(self, notes: Mapping[int, CheckNote]) -> None:
        """Keep these and no others, as far as possible. Never raises."""


class SegmentCheck:
    """The segments that were looked through. Safe to use from several threads."""

    def __init__(self, files: SegmentFiles, notes: CheckNotes) -> None:
        self._files = files
        self._notes = notes
        self._guard = threading.Lock()
        self._seen: set[int] = set()
        self._sound: set[int] = set()
        self._closed = threading.Event()
        self.damaged: set[int] = set()  # the ids of segments that are not what was written

    def are_intact(self, segments: Sequence[SegmentRecord]) -> set[int]:
        """The ids of those that are, as far as could be found out at once; the others are looked through afterwards."""
        with self._guard:
            fresh = [each for each in segments if each.id not in self._seen]
            self._seen.update(each.id for each in fresh)
        if fresh:
            fresh = self._skip_noted(fresh)
        now: list[SegmentRecord] = []
        later: list[SegmentRecord] = []
        size = 0
        for each in sorted(fresh, key=lambda segment: segment.bytes):
            size += each.bytes
            (now if size <= CHECKED_AT_ONCE else later).append(each)
        if now:
            with ThreadPoolExecutor(2, "contextls-check") as threads:
                list(threads.map(self._look_through, now))
            if not later:
                self._note_sound(segments)
        if later:
            behind = threading.Thread(
                target=self._look_through_all, args=(later, segments), name="contextls-check", daemon=True
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

    def _skip_noted(self, segments: Sequence[SegmentRecord]) -> list[SegmentRecord]:
        """The segments without a note that they are whole."""
        notes, now = self._notes.read_checks(), now_ms()
        left = []
        for each in segments:
            note = notes.get(each.id)
            if note is not None and note.holds(self._files.stamp(each.name), now):
                self._sound.add(each.id)
            else:
                left.append(each)
        return left

    def _note_sound(self, segments: Sequence[SegmentRecord]) -> None:
        """Note of those that are whole what was not noted yet; the notes of others go."""
        before, now = self._notes.read_checks(), now_ms()
        notes = {}
        for each in segments:
            stamp = self._files.stamp(each.name) if each.id in self._sound else None
            if stamp is not None and is_settled(stamp):
                known = before.get(each.id)
                if known is None or not known.holds(stamp, now):
                    known = CheckNote(stamp, now)
                notes[each.id] = known
        self._notes.keep_checks(notes)

    def _look_through_all(self, segments: Sequence[SegmentRecord], beside: Sequence[SegmentRecord]) -> None:
        for each in segments:
            self._look_through(each)
        if not self._closed.is_set():
            self._note_sound(beside)

    def _look_through(self, segment: SegmentRecord) -> None:
        # One that is gone was merged with others meanwhile.
        if self._closed.is_set():
            return
        if self._files.is_intact(segment.name):
            self._sound.add(segment.id)
        elif self._files.has(segment.name, segment.bytes):
            self.damaged.add(segment.id)

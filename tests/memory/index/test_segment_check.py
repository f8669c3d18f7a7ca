from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from contextls.memory.index.segments.check import TRUSTED_MS, CheckNote, SegmentCheck
from contextls.store.index_rows import SegmentRecord
from contextls.store.segment_files import SegmentFiles
from contextls.workspace.stamps import is_settled


class CountedFiles(SegmentFiles):
    """Says how often a file was read from its first byte to the last."""

    reads = 0

    def is_intact(self, name: str) -> bool:
        self.reads += 1
        return super().is_intact(name)


class Notes:
    """Notes that stay in this process."""

    def __init__(self) -> None:
        self.kept: Mapping[int, CheckNote] = {}

    def read_checks(self) -> Mapping[int, CheckNote]:
        return self.kept

    def keep_checks(self, notes: Mapping[int, CheckNote]) -> None:
        self.kept = notes


def written(files: SegmentFiles) -> SegmentRecord:
    name, size = files.write({"numbers": np.arange(1_000)})
    while not is_settled(files.stamp(name)):
        time.sleep(0.01)
    return SegmentRecord(7, name, size, 1, 1, 1)


def test_a_segment_that_was_found_whole_is_not_read_by_the_next_process(tmp_path: Path) -> None:
    files, notes = CountedFiles(tmp_path), Notes()
    segment = written(files)
    for _ in range(3):
        check = SegmentCheck(files, notes)
        assert check.are_intact([segment]) == {7}
        assert check.is_sound(7)
    assert files.reads == 1


def test_a_segment_that_changed_is_read_again(tmp_path: Path) -> None:
    files, notes = CountedFiles(tmp_path), Notes()
    segment = written(files)
    SegmentCheck(files, notes).are_intact([segment])
    place = files.place(segment.name)
    damaged = bytearray(place.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    place.write_bytes(damaged)
    check = SegmentCheck(files, notes)
    assert check.are_intact([segment]) == set()
    assert check.damaged == {7}
    assert not notes.kept


def test_a_segment_is_read_again_after_a_day(tmp_path: Path) -> None:
    files, notes = CountedFiles(tmp_path), Notes()
    segment = written(files)
    SegmentCheck(files, notes).are_intact([segment])
    note = notes.kept[7]
    for checked_ms in (note.checked_ms - TRUSTED_MS, note.checked_ms + TRUSTED_MS):  # a clock may go back
        notes.kept = {7: note._replace(checked_ms=checked_ms)}
        assert SegmentCheck(files, notes).are_intact([segment]) == {7}
    assert files.reads == 3

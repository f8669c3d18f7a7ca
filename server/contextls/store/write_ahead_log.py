"""The log next to a SQLite file (``-wal``): which commits are in it, and which of them SQLite will leave out.

SQLite reads the log up to the first frame whose checksum is wrong and drops the rest without a word. A frame can be
checked on its own, given the one before it, so that what comes after the damage is not lost to us.
Formats: https://www.sqlite.org/fileformat2.html#the_write_ahead_log, https://www.sqlite.org/walformat.html.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping

from msgspec import Struct, field

_HEADER = 32
_FRAME_HEADER = 24
_MAGIC = 0x377F0682
_USUAL_PAGE_SIZE = 4096
_INDEX_HEADER = 48


class LogReading(Struct, frozen=True):
    """The content of a log.

    ``present`` frames end with the last commit in the log, ``valid`` of them are read by SQLite; ``pages`` are the
    newest that can be trusted, by number, of ``page_size`` bytes each.
    """

    present: int = 0
    valid: int = 0
    page_size: int = 0
    pages: Mapping[int, bytes] = field(default_factory=dict)

    @property
    def is_damaged(self) -> bool:
        """Whether something that was committed is left out by SQLite."""
        return self.valid < self.present


def committed_frames(log: bytes) -> int:
    """The number of frames up to the last commit, by the frames' own marks: a quick look that checks no content."""
    size, frames = _frames(log)
    return max((index + 1 for index in range(frames) if _commits(log, index, size)), default=0)


def cut_log(log: bytes, index: bytes, earlier: bytes) -> bytes:
    """The log up to the last commit that ``index``, the content of the file ``-shm``, names; all of it if it names none.

    A process writes a transaction, then names it there. Killed in between, it leaves frames that nobody was told of, over
    which the next one writes: the rest of them looks like commits that are damaged.
    ``earlier`` is what this was before SQLite read the log, from when on the index names what was taken and no more.
    """
    header = index[:_INDEX_HEADER]
    if (
        len(log) < _HEADER
        or header != index[_INDEX_HEADER : 2 * _INDEX_HEADER]
        or len(header) < _INDEX_HEADER
    ):
        return log
    order = "<" if sys.byteorder == "little" else ">"
    summed = _checksum(order, header[:40], (0, 0)) == struct.unpack_from("=II", header, 40)
    if not summed or header[32:40] != log[16:24]:
        return log
    (named,) = struct.unpack_from("=I", header, 16)
    least = len(earlier) if earlier[:_HEADER] == log[:_HEADER] else 0
    return log[: max(least, _HEADER + named * (_FRAME_HEADER + _page_size(log)))]


def read_log(log: bytes) -> LogReading:
    """Check every frame of a log."""
    size, frames = _frames(log)
    present = committed_frames(log)
    if not present:
        return LogReading(page_size=size)
    order = _byte_order(log)
    intact = _is_header_intact(log)
    before: tuple[int, int] = struct.unpack_from(">II", log, 24)
    unbroken = intact and _salts(log, 0, size) == log[16:24]
    valid, pages = 0, {}
    for index in range(min(frames, present)):
        start = _HEADER + index * (_FRAME_HEADER + size)
        page = log[start + _FRAME_HEADER : start + _FRAME_HEADER + size]
        found = _checksum(order, page, _checksum(order, log[start : start + 8], before))
        said: tuple[int, int] = struct.unpack_from(">II", log, start + 16)
        right, before = found == said, said
        # Behind a damaged header the first frame has nothing to be checked against.
        if right or (index == 0 and not intact):
            pages[struct.unpack_from(">I", log, start)[0]] = page
        unbroken = unbroken and right
        if unbroken and _commits(log, index, size):
            valid = index + 1
    return LogReading(present, valid, size, pages)


def _frames(log: bytes) -> tuple[int, int]:
    """The size of a page, and how many frames belong to the log's present round: older ones lie after them."""
    if len(log) < _HEADER + _FRAME_HEADER:
        return 0, 0
    size = _page_size(log)
    whole = (len(log) - _HEADER) // (_FRAME_HEADER + size)
    salts = log[16:24]
    # Under an intact header, frames of other salts are old ones: the process was killed before it wrote the first.
    if whole > 1 and not _is_header_intact(log) and _salts(log, 0, size) == _salts(log, 1, size):
        salts = _salts(log, 0, size)
    present = 0
    for index in range(whole):
        # One frame whose own salt is damaged does not end the log.
        if _salts(log, index, size) == salts:
            present = index + 1
        elif index + 1 >= whole or _salts(log, index + 1, size) != salts:
            break
    return size, present


def _page_size(log: bytes) -> int:
    (size,) = struct.unpack_from(">I", log, 8)
    return int(size) if 512 <= size <= 65_536 and size & (size - 1) == 0 else _USUAL_PAGE_SIZE


def _salts(log: bytes, index: int, size: int) -> bytes:
    start = _HEADER + index * (_FRAME_HEADER + size) + 8
    return log[start : start + 8]


def _commits(log: bytes, index: int, size: int) -> bool:
    start = _HEADER + index * (_FRAME_HEADER + size)
    return bool(log[start + 4 : start + 8] != b"\0\0\0\0")


def _is_header_intact(log: bytes) -> bool:
    return _checksum(_byte_order(log), log[:24], (0, 0)) == struct.unpack_from(">II", log, 24)


def _byte_order(log: bytes) -> str:
    """The order of the bytes in what is summed up, as ``struct`` writes it."""
    (magic,) = struct.unpack_from(">I", log)
    return ">" if magic == _MAGIC | 1 else "<"


def _checksum(order: str, data: bytes, start: tuple[int, int]) -> tuple[int, int]:
    first, second = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for one, two in zip(words[::2], words[1::2], strict=True):
        first = first + one + second & 0xFFFFFFFF
        second = second + two + first & 0xFFFFFFFF
    return first, second

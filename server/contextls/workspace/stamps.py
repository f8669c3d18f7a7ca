"""Stamps of files: they tell, at the cost of one look, that a file is no longer what it was."""

from __future__ import annotations

import errno
import os
import sys
import time
from typing import NamedTuple

# A file changed this lately may change again without its stamp telling: the clocks of some disks tick every other second.
UNSURE_NS = 2_000_000_000
# Where the time of the last change has parts of a millisecond, the system notes it at least every 10 ms.
FINE_UNSURE_NS = 50_000_000
_FINE_NS = 1_000_000
# A time that no file has: a file with such a stamp is read again.
NEVER = -1
# Elsewhere it is the time at which the file was made.
_CHANGES_ARE_TOLD = sys.platform != "win32"
_MAX_NUMBER = (1 << 63) - 1  # what a database can hold; as nanoseconds, the year 2262


class Stamp(NamedTuple):
    """The system's word on a file. Times are in nanoseconds, ``size`` is in bytes.

    A program can set ``modified`` as it likes; ``changed`` and ``number`` (the inode) tell all the same.
    """

    mode: int
    modified: int
    changed: int
    size: int
    number: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """The stamp in what ``stat`` or ``lstat`` said."""
        modified, changed = status.st_mtime_ns, status.st_ctime_ns
        if not (0 <= modified <= _MAX_NUMBER and 0 <= changed <= _MAX_NUMBER):
            modified, changed = _bound(modified), _bound(changed)
        return cls(status.st_mode, modified, changed, status.st_size, status.st_ino & _MAX_NUMBER)

    def distrust_recent(self, seen_ns: int) -> Stamp:
        """The stamp as it may be kept when taken at ``seen_ns``: one that equals no file's where it is not settled."""
        return self if is_settled(self, seen_ns) else self._replace(modified=NEVER)


def _bound(time_ns: int) -> int:
    """A time as a database can hold it: there are disks, and archives, with files from the year 30,000."""
    return min(max(time_ns, -_MAX_NUMBER), _MAX_NUMBER)


# There is no file either at a name too long for any disk, or at the end of links in a ring.
_NO_SUCH_FILE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP})
NO_STAMP = Stamp(0, 0, 0, 0, 0)


def stamp_at(path: str | os.PathLike[str]) -> Stamp | None:
    """The stamp of the file, the folder or the link at ``path``; ``None`` when there is none."""
    try:
        # A thousand pins are looked at for each question: a Path costs twice as much.
        return Stamp.of(os.lstat(path))
    except (OSError, ValueError):
        return None


def stamp_of_target(path: str | os.PathLike[str]) -> Stamp | None:
    """Like ``stamp_at``, but follows links."""
    try:
        return Stamp.of(os.stat(path))  # noqa: PTH116 - asked every other second, for as long as a server runs
    except (OSError, ValueError):
        return None


def explain_missing(path: str | os.PathLike[str], kind: str = "file") -> str:
    """The reason why a file, or another ``kind`` of thing, has no stamp: it is not there, or cannot be looked at."""
    denial = find_denial(path)
    return f"it cannot be read: {denial}" if denial else f"no such {kind}"


def find_denial(path: str | os.PathLike[str]) -> str | None:
    """The system's message where it refuses to look whether there is a file; ``None`` where it looks."""
    try:
        os.lstat(path)
    except ValueError:
        return None
    except OSError as error:
        return None if error.errno in _NO_SUCH_FILE else os.strerror(error.errno or 0)
    return None


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file, links followed; ``Path.is_file`` fails on a name that is too long for any disk."""
    return os.path.isfile(path)  # noqa: PTH113


def is_settled(stamp: Stamp | None, seen_ns: int | None = None) -> bool:
    """Whether a change after ``seen_ns`` (now without it) would surely give another stamp than this one.

    git calls a file that fails this "racily clean" and reads it again; so do all who keep stamps here.
    """
    if stamp is None:
        return True
    seen = time.time_ns() if seen_ns is None else seen_ns
    if _CHANGES_ARE_TOLD and stamp.changed % _FINE_NS:
        # No program can set this time, so the modification time adds nothing.
        return seen - stamp.changed > min(FINE_UNSURE_NS, UNSURE_NS)
    return seen - max(stamp.modified, stamp.changed) > UNSURE_NS


def changed_ms(stamp: Stamp) -> int:
    """The time at which the file became what it is, in milliseconds since the epoch."""
    return (stamp.changed if _CHANGES_ARE_TOLD else stamp.modified) // 1_000_000

"""What tells, at the cost of one look, that a file is no longer what it was."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

# A file changed this lately may change again without its stamp telling: the clock of a disk ticks slowly.
_UNSURE_SECONDS = 2.0


class Stamp(NamedTuple):
    """What the system says of a file. Times are in nanoseconds, ``size`` is in bytes."""

    mode: int
    modified: int
    changed: int
    size: int
    number: int


def stamp_at(path: str | os.PathLike[str]) -> Stamp | None:
    """What differs once the file, the folder or the link at ``path`` does; ``None`` when there is none."""
    try:
        status = os.lstat(path)  # a thousand pins are looked at for each question: a Path costs twice as much
    except (OSError, ValueError):
        return None
    return Stamp(status.st_mode, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def is_settled(stamp: Stamp | None) -> bool:
    """Whether another change would surely give another stamp than this one."""
    return stamp is None or time.time() - max(stamp.modified, stamp.changed) / 1e9 > _UNSURE_SECONDS

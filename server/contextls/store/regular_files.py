"""Files of our own state as the files they should be: nothing else is opened, waited for or followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

# What takes part in opening without waiting or following, where the platform knows it.
_PLAIN = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


class FilePlace(NamedTuple):
    """Which file lies at a path right now, and its size in bytes."""

    device: int
    number: int
    size: int

    def is_same(self, other: FilePlace | None) -> bool:
        """Whether both are the same file, whatever its size."""
        return other is not None and self.number == other.number and self.device == other.device


def kind_in_the_way(path: Path) -> str | None:
    """What lies at ``path`` instead of a regular file, in words; ``None`` when it is one, or nothing is there."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return None
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a link" if stat.S_ISLNK(mode) else "no regular file"


def make_folder(path: Path) -> None:
    """A folder at ``path``, for the user alone; what lies there instead is cleared away. Raises ``OSError``."""
    if kind_in_the_way(path) != "a folder" and os.path.lexists(path):
        path.unlink()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def place_of(path: Path | str) -> FilePlace | None:
    """The file at ``path``; ``None`` when there is none."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return FilePlace(found.st_dev, found.st_ino, found.st_size)


def read_regular(path: Path, limit: int) -> bytes | None:
    """The content of a regular file of at most ``limit`` bytes; ``None`` when it is anything else.

    Raises ``OSError`` when a regular file cannot be read.
    """
    if kind_in_the_way(path) is not None or not path.exists():
        return None
    handle = os.open(path, _PLAIN)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return None
        return file.read(limit)

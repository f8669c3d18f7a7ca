"""The kinds of things at a place of our own state: a regular file, which one, or something else in its way."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from contextls.workspace.regular_file import RefusedFileError, read_bytes


class StateFilePlace(NamedTuple):
    """The file that lies at a path right now, and its size in bytes."""

    device: int
    number: int
    size: int

    def is_same(self, other: StateFilePlace | None) -> bool:
        """Whether both are the same file, whatever its size."""
        return other is not None and self.number == other.number and self.device == other.device


def kind_in_the_way(path: Path) -> str | None:
    """The thing at ``path`` that is no regular file, in words; ``None`` when it is one, or nothing is there."""
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


def place_of(path: Path | str) -> StateFilePlace | None:
    """The file at ``path``; ``None`` when there is none."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return StateFilePlace(found.st_dev, found.st_ino, found.st_size)


def read_regular(path: Path, limit: int) -> bytes | None:
    """The content of a regular file of at most ``limit`` bytes; ``None`` when it is anything else.

    Raises ``OSError`` when a regular file cannot be read.
    """
    if kind_in_the_way(path) is not None:
        return None
    try:
        return read_bytes(path, limit)
    except (FileNotFoundError, RefusedFileError):
        return None

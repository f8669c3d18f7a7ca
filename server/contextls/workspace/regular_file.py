"""The one way to read a file of a workspace, of a repository or of our own state: regular files only, within a bound.

The author of a folder chose what lies in it: a pipe would make a reader wait for ever, a device would never end, a link
would lead out of the folder, a sparse file would fill the memory. So nothing is opened that is not a regular file, what
is opened never waits, and no more is read than the kind of file may have, however it grows meanwhile.
"""

from __future__ import annotations

import errno
import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# Bytes that a file of each kind may have; none that was written by hand comes near.
SOURCE_BYTES = 64_000_000  # the setting maxFileBytes bounds what is indexed; this bounds what is looked at
SETTINGS_BYTES = 1_000_000
STATE_BYTES = 16_000_000
POINTER_BYTES = 65_536  # the small files of git: HEAD, commondir, a .git that is a file
SHALLOW_BYTES = 4_000_000  # the list of where the history of a shallow clone ends
MODEL_CONFIGURATION_BYTES = 64_000_000  # tokenizers of large vocabularies have 20 MB

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
)
_BLOCK = 1 << 20
_MIN_READ_BYTES = 4_096


class RefusedFileError(OSError):
    """A file that is not read, whatever lies in it; ``strerror`` says why."""


class NotRegularError(RefusedFileError):
    """A folder, pipe, socket or device where a file was expected."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(errno.EINVAL, "not a regular file", str(path))


class FileTooLargeError(RefusedFileError):
    """A file with more bytes than its kind may have."""

    def __init__(self, path: Path | str, limit: int) -> None:
        super().__init__(errno.EFBIG, f"larger than {limit:,} bytes", str(path))
        self.limit = limit


class OutsideError(RefusedFileError):
    """A symbolic link that leads out of the folder that holds it."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(errno.EXDEV, "a link that leads out of its folder", str(path))


def read_bytes(path: Path | str, limit: int, *, within: Path | None = None) -> bytes:
    """All of a file. Raises ``OSError``: ``RefusedFileError`` for what is no regular file or has over ``limit`` bytes.

    With ``within`` also for one that lies outside of it, links followed.
    """
    with open_regular(path, within=within) as file:
        raw = _read(file, limit + 1)
    if len(raw) > limit:
        raise FileTooLargeError(path, limit)
    return raw


def read_part(path: Path | str, start: int, most: int, *, within: Path | None = None) -> bytes:
    """At most ``most`` bytes from byte ``start`` on, however large the file is. Raises ``OSError`` like ``read_bytes``."""
    with open_regular(path, within=within) as file:
        file.seek(start)
        return _read(file, most)


def read_text(path: Path | str, limit: int, *, errors: str = "strict") -> str:
    """All of a file in UTF-8, with one kind of line end. Raises ``OSError`` and ``UnicodeDecodeError``."""
    text = read_bytes(path, limit).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


@contextmanager
def open_regular(path: Path | str, *, within: Path | None = None, follow: bool = True) -> Iterator[BinaryIO]:
    """An unbuffered regular file, for those who bound what they read themselves. Raises ``OSError``.

    Without ``follow``, a symbolic link is refused wherever it leads.
    """
    try:
        handle = _open(path, within, follow)
    except ValueError as error:  # a NUL in the name
        raise FileNotFoundError(errno.ENOENT, str(error), str(path)) from None
    with os.fdopen(handle, "rb", buffering=0) as file:
        yield file


def map_bytes(path: Path | str) -> mmap.mmap:
    """A regular file as memory, read from the disk as it is used. Raises ``OSError``, and ``ValueError`` when empty."""
    with open_regular(path) as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def blocks(path: Path | str) -> Iterator[bytes]:
    """A regular file of any size, piece by piece. Raises ``OSError``."""
    with open_regular(path) as file:
        while block := file.read(_BLOCK):
            yield block


def is_regular(path: Path | str) -> bool:
    """Whether a regular file lies there, links followed."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - asked often; a Path costs twice as much
    except (OSError, ValueError):
        return False


def _open(path: Path | str, within: Path | None, follow: bool) -> int:
    # Looked at before it is opened: opening a device may already do something.
    status = os.stat(path) if follow else os.lstat(path)  # noqa: PTH116
    if not stat.S_ISREG(status.st_mode):
        raise NotRegularError(path)
    handle = os.open(path, _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotRegularError(path)
        if within is not None and not _lies_within(handle, path, within):
            raise OutsideError(path)
    except OSError:
        os.close(handle)
        raise
    return handle


def _lies_within(handle: int, path: Path | str, within: Path) -> bool:
    try:
        real = os.readlink(f"/proc/self/fd/{handle}")  # noqa: PTH115 - what was opened, whatever its path means by now
    except OSError:
        real = os.path.realpath(path)
        if not os.path.samestat(os.fstat(handle), os.stat(real)):  # noqa: PTH116
            return False
    return _is_below(real, str(within)) or _is_below(real, os.path.realpath(within))


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip(os.sep)}{os.sep}")


def _read(file: BinaryIO, most: int) -> bytes:
    parts: list[bytes] = []
    expected = os.fstat(file.fileno()).st_size + 1
    while most > 0:
        wanted = min(most, max(expected, _MIN_READ_BYTES), _BLOCK)
        part = file.read(wanted)
        parts.append(part)
        most -= len(part)
        if len(part) < wanted:  # of a regular file, only where it ends
            break
    return b"".join(parts)

"""Tells whether a file on the disk is what git keeps of it, by its stamp or its bytes."""

from __future__ import annotations

import hashlib
import stat
from contextlib import suppress
from pathlib import Path

from contextls.workspace.git_tree import IndexEntry
from contextls.workspace.read import decode
from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.regular_file import POINTER_BYTES, read_text
from contextls.workspace.stamps import Stamp, stamp_at

MAX_BYTES = 400_000  # of one file
_SECOND = 1_000_000_000  # in nanoseconds
_GIT_NUMBER = 0xFFFFFFFF  # what git keeps of an inode


def stamp_of(root: Path, path: str) -> Stamp | None:
    """The stamp of a regular file below ``root``, which a link is not."""
    stamp = stamp_at(f"{root}/{path}" if path else root)
    return stamp if stamp is not None and stat.S_ISREG(stamp.mode) else None


def git_version(folder: GitFolder) -> tuple[object, ...]:
    """A version that changes whenever the newest commit or the index does."""
    places = [folder.own / "HEAD", folder.own / "index", folder.moves, folder.shared / "packed-refs"]
    with suppress(OSError, ValueError):
        name = read_text(folder.own / "HEAD", POINTER_BYTES).strip()
        if name.startswith("ref: refs/"):
            places.append(folder.shared / name.removeprefix("ref: "))
    return tuple(stamp_of(place, "") for place in places)


def index_time(root: Path) -> int:
    """When git's index was written, in nanoseconds; 0 where there is none.

    Ask before the index is read: of one that is written meanwhile, no file looks clean then that is not.
    """
    folder = git_folder(root)
    written = None if folder is None else stamp_of(folder.own, "index")
    return 0 if written is None else written.modified


def is_clean(entry: IndexEntry | None, stamp: Stamp | None, taken: int) -> bool:
    """Whether the file is what the index holds: same times, size and inode, and written before the index was."""
    if entry is None or stamp is None or not _looks_clean(entry, stamp, taken):
        return False
    if entry.number and entry.number != stamp.number & _GIT_NUMBER:
        return False
    return not any(entry.changed) or _same_time(entry.changed, stamp.changed)


def _looks_clean(entry: IndexEntry, stamp: Stamp | None, taken: int) -> bool:
    """As ``is_clean``, by what a program can set at will and by what copying a whole folder keeps."""
    if stamp is None or stamp.size != entry.size or not _same_time(entry.mtime, stamp.modified):
        return False
    if entry.mtime[1]:
        return stamp.modified < taken
    return stamp.modified // _SECOND < taken // _SECOND


def _same_time(written: tuple[int, int], time_ns: int) -> bool:
    """Whether git wrote this time; some writers leave the nanoseconds at 0."""
    seconds, nanoseconds = written
    if nanoseconds:
        return time_ns == seconds * _SECOND + nanoseconds
    return time_ns // _SECOND == seconds


def has_hash(raw: bytes, blob: str) -> bool:
    """Whether these bytes are the content of that blob."""
    return hash_blob(raw, len(blob)) == blob


def hash_blob(raw: bytes, length: int) -> str:
    """The hash under which git keeps these bytes, where its hashes have ``length`` digits."""
    digest = hashlib.sha256 if length == 64 else hashlib.sha1
    return digest(b"blob %d\0" % len(raw) + raw).hexdigest()


def text_of(raw: bytes | None) -> str | None:
    """The text of these bytes; None when they are none."""
    text = None if raw is None else decode(raw)
    return None if text is None else text[0]

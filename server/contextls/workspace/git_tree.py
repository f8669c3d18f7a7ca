"""The files of a commit and of the index, and their contents, as git keeps them: nothing is checked out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from contextls.workspace.git_process import answer, decode_path

_REGULAR = (b"100644", b"100755")
_ENTRY = re.compile(
    rb"(\d{6}) ([0-9a-f]{40,64}) (\d)\t([^\0]*)\0"
    rb"  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \S+\tino: (\d+)\n"
    rb"  uid: \S+\tgid: \S+\n  size: (\d+)\tflags: ([0-9a-f]+)\n"
)
_UNMERGED = re.compile(rb"(\d{6}) ([0-9a-f]{40,64}) ([123])\t([^\0]*)\0")
_UNWATCHED = 1 << 30 | 1 << 15  # skip-worktree, assume-unchanged
_HEAD = re.compile(rb"(\d{6}) (\w+) ([0-9a-f]{40,64})\t")


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A file as the index knows it: its content's hash and what the disk said about it when that was taken."""

    blob: str
    mtime: tuple[int, int]  # seconds, nanoseconds; some writers leave the second at 0
    size: int
    changed: tuple[int, int] = (0, 0)  # zeros where the index does not say
    number: int = 0  # the lower 32 bits of the inode; 0 where it was not known
    watched: bool = True  # false for what a sparse checkout leaves out and what the user told git to ignore


def files_of(root: Path, commit: str) -> dict[str, str] | None:
    """The regular files of a commit below ``root`` with the hashes of their contents; None when it cannot be read."""
    output = answer(root, ("ls-tree", "-r", "-z", commit))
    if output is None:
        return None
    files = {}
    for item in output.split(b"\0"):
        match = _HEAD.match(item)
        if match is not None and match[1] in _REGULAR:
            name = decode_path(item[match.end() :])
            if name is not None:
                files[name] = match[3].decode()
    return files


def index_entries(root: Path) -> dict[str, IndexEntry] | None:
    """The regular files in the index below ``root``; None when it cannot be read. Files in conflict are left out.

    The disk is not looked at: that could start a filter or a file-system monitor.
    """
    output = answer(root, ("ls-files", "--stage", "--debug", "-z"))
    if output is None:
        return None
    entries = {}
    for mode, blob, stage, raw, *stamp, size, flags in _ENTRY.findall(output):
        name = decode_path(raw)
        if mode in _REGULAR and stage == b"0" and name is not None:
            changed, changed_ns, modified, modified_ns, number = map(int, stamp)
            entries[name] = IndexEntry(
                blob.decode(),
                (modified, modified_ns),
                int(size),
                (changed, changed_ns),
                number,
                watched=not int(flags, 16) & _UNWATCHED,
            )
    return entries


def list_conflicts(root: Path) -> dict[str, str]:
    """The regular files in conflict below ``root`` with the hash of what they were on our side, else on theirs or before."""
    output = answer(root, ("ls-files", "--unmerged", "-z")) or b""
    stages: dict[str, dict[int, str]] = {}
    for mode, blob, stage, raw in _UNMERGED.findall(output):
        name = decode_path(raw)
        if mode in _REGULAR and name is not None:
            stages.setdefault(name, {})[int(stage)] = blob.decode()
    return {
        name: next(found[stage] for stage in (2, 3, 1) if stage in found) for name, found in stages.items()
    }


def read_contents(root: Path, blobs: Iterable[str], most_bytes: int) -> dict[str, bytes]:
    """The contents of ``blobs`` by hash; those that are missing or larger than ``most_bytes`` are left out."""
    wanted = sorted(set(blobs))
    if not wanted:
        return {}
    sizes = answer(
        root, ("cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"), _lines(wanted)
    )
    if sizes is None:
        return {}
    small = []
    for described in sizes.decode("ascii", "replace").splitlines():
        fields = described.split()
        if len(fields) == 3 and fields[1] == "blob" and int(fields[2]) <= most_bytes:
            small.append(fields[0])
    output = answer(root, ("cat-file", "--batch"), _lines(small)) if small else None
    found = {}
    place = 0
    while output and (end := output.find(b"\n", place)) >= 0:
        fields = output[place:end].decode("ascii", "replace").split()
        if len(fields) != 3:
            place = end + 1  # "<hash> missing"
            continue
        size = int(fields[2])
        found[fields[0]] = output[end + 1 : end + 1 + size]
        place = end + 2 + size
    return found


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()

"""The files of a commit and of the index, and their contents, as git keeps them: nothing is checked out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from contextls.regex import compile_late
from contextls.text.surrogates import is_encodable
from contextls.workspace.git_process import answer

_ENTRY = compile_late(
    r"([0-9]{6}) ([0-9a-f]{40,64}) ([0-9])\t([^\0]+)\0"
    r"  ctime: ([0-9]+):([0-9]+)\n  mtime: ([0-9]+):([0-9]+)\n  dev: \S+\tino: ([0-9]+)\n"
    r"  uid: \S+\tgid: \S+\n  size: ([0-9]+)\tflags: ([0-9a-f]+)\n"
)
_UNWATCHED = 1 << 30 | 1 << 15  # skip-worktree, assume-unchanged
_ONLY_MEANT = 1 << 29  # named by ``git add --intent-to-add``, with no content yet
_TREE_ENTRY = compile_late(r"(?<![^\0])([0-9]{6}) [a-z]+ ([0-9a-f]{40,64})\t([^\0]+)\0")


class EntryKind(StrEnum):
    """The kinds of entries that git tells apart, by the mode that it keeps."""

    FILE = "100644"
    EXECUTABLE = "100755"
    LINK = "120000"
    SUBMODULE = "160000"


REGULAR = frozenset({EntryKind.FILE, EntryKind.EXECUTABLE})
_KINDS = {kind.value: kind for kind in EntryKind}


class TreeEntry(Struct, frozen=True):
    """A file, link or submodule as git keeps it; ``blob`` is the hash of its content, of a submodule that of its commit."""

    kind: EntryKind
    blob: str


class IndexEntry(Struct, frozen=True):
    """A file as the index knows it: its content's hash and what the disk said about it when that was taken."""

    blob: str
    mtime: tuple[int, int]  # seconds, nanoseconds; some writers leave the second at 0
    size: int
    changed: tuple[int, int] = (0, 0)  # zeros where the index does not say
    number: int = 0  # the lower 32 bits of the inode; 0 where it was not known
    watched: bool = True  # false for what a sparse checkout leaves out and what the user told git to ignore
    kind: EntryKind = EntryKind.FILE

    @property
    def content(self) -> TreeEntry:
        """The content as a commit would hold it."""
        return TreeEntry(self.kind, self.blob)


class Index(Struct, frozen=True):
    """The index: its files, links and submodules, and the regular files in conflict.

    Those stand apart, with what they were on our side, else on theirs or before.
    """

    entries: Mapping[str, IndexEntry] = field(default_factory=dict)
    conflicts: Mapping[str, TreeEntry] = field(default_factory=dict)


def files_of(root: Path, commit: str) -> dict[str, str] | None:
    """The regular files of a commit below ``root`` with the hashes of their contents; None when it cannot be read."""
    entries = read_tree(root, commit)
    if entries is None:
        return None
    return {path: entry.blob for path, entry in entries.items() if entry.kind in REGULAR}


def read_tree(root: Path, commit: str) -> dict[str, TreeEntry] | None:
    """The files, links and submodules of a commit below ``root``; None when it cannot be read."""
    output = answer(root, ("ls-tree", "-r", "-z", commit))
    if output is None:
        return None
    return {
        name: TreeEntry(_KINDS[mode], blob)
        for mode, blob, name in _TREE_ENTRY.findall(_decode(output))
        if mode in _KINDS and is_encodable(name)
    }


def _decode(output: bytes) -> str:
    """All of it at once; a path that is not UTF-8, which nothing of ours can name, is not encodable."""
    return output.decode("utf-8", "surrogateescape")


def index_entries(root: Path) -> dict[str, IndexEntry] | None:
    """The regular files of ``read_index`` that are not in conflict."""
    index = read_index(root)
    if index is None:
        return None
    return {path: entry for path, entry in index.entries.items() if entry.kind in REGULAR}


def read_index(root: Path) -> Index | None:
    """The index below ``root``; None when it cannot be read.

    Files that are only meant to be added are left out. The disk is not looked at: that could start a filter or a
    file-system monitor.
    """
    output = answer(root, ("ls-files", "--stage", "--debug", "-z"))
    if output is None:
        return None
    entries = {}
    stages: dict[str, dict[int, TreeEntry]] = {}
    found = _ENTRY.findall(_decode(output))
    for mode, blob, stage, name, changed, changed_ns, modified, modified_ns, number, size, flags in found:
        kind = _KINDS.get(mode)
        state = int(flags, 16)
        if kind is None or state & _ONLY_MEANT or not is_encodable(name):
            continue
        if stage != "0":
            stages.setdefault(name, {})[int(stage)] = TreeEntry(kind, blob)
        else:
            entries[name] = IndexEntry(
                blob,
                (int(modified), int(modified_ns)),
                int(size),
                (int(changed), int(changed_ns)),
                int(number),
                not state & _UNWATCHED,
                kind,
            )
    return Index(entries, _find_conflicts(stages))


def _find_conflicts(stages: Mapping[str, Mapping[int, TreeEntry]]) -> dict[str, TreeEntry]:
    """The stage that each file in conflict counts as: 1 is what it was before, 2 our side, 3 theirs."""
    conflicts = {}
    for name, found in stages.items():
        regular = [found[stage] for stage in (2, 3, 1) if stage in found and found[stage].kind in REGULAR]
        if regular:
            conflicts[name] = regular[0]
    return conflicts


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


def find_blobs(root: Path, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The hashes of the contents that files have in commits, by (commit, path below ``root``); where they are there."""
    asked = [(commit, path) for commit, path in places if "\n" not in path]
    names = _lines(f"{commit}:./{path}" for commit, path in asked)
    output = answer(root, ("cat-file", "--batch-check=%(objectname) %(objecttype)"), names) if asked else None
    said = [] if output is None else output.decode("utf-8", "replace").split("\n")
    found = {}
    for place, line in zip(asked, said, strict=False):
        blob, _, kind = line.partition(" ")
        if kind == "blob":
            found[place] = blob
    return found


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()

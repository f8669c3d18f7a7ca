"""Which files of a checkout belong to a commit, byte for byte, and may be shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from contextls.errors import WorkspaceError
from contextls.memory.vcs.clean_files import has_hash, index_time, is_clean
from contextls.settings import Settings
from contextls.shared_index.manifest import CommitFile
from contextls.workspace.git_tree import files_of, index_entries
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.read import digest
from contextls.workspace.regular_file import SOURCE_BYTES, read_bytes
from contextls.workspace.scan import scan


class FileToShare(Struct, frozen=True):
    """A file as git keeps it (``blob``) and as it lies on the disk."""

    path: str
    blob: str
    digest: str
    size: int


class FilesToShare(Struct, frozen=True):
    """The files of a commit; ``left_out`` counts the others by reason."""

    files: tuple[FileToShare, ...]
    left_out: Mapping[str, int]


def find_files(root: Path, commit: str, settings: Settings, before: Mapping[str, CommitFile]) -> FilesToShare:
    """The files of ``commit`` that are not ignored and are on the disk as they were committed.

    Of those that an earlier manifest had with the same content (``before``) the digest is taken from there. Raises
    ``WorkspaceError``.
    """
    tree = files_of(root, commit)
    if tree is None:
        raise WorkspaceError(f"{root}: the files of commit {commit} cannot be read")
    taken = index_time(root)
    entries = index_entries(root) or {}
    # The patterns in the author's own settings count here too; noise never enters, whatever they let in.
    found = scan(root, IgnoreRules(root, patterns=settings.ignore), settings.max_file_bytes)
    left_out = Counter(found.skipped)
    files = []
    for file in found.files:
        blob = tree.get(file.path)
        if blob is None:
            left_out["not committed"] += 1
            continue
        entry = entries.get(file.path)
        clean = entry is not None and entry.blob == blob and is_clean(entry, file.stamp, taken)
        known = before.get(file.path)
        if clean and known is not None and (known.blob, known.size) == (blob, file.size):
            files.append(FileToShare(file.path, blob, known.digest, file.size))
            continue
        try:
            raw = read_bytes(root / file.path, SOURCE_BYTES, within=root)
        except OSError:
            left_out["unreadable"] += 1
            continue
        if clean or has_hash(raw, blob):
            files.append(FileToShare(file.path, blob, digest(raw), len(raw)))
        else:
            left_out["changed since the commit"] += 1
    return FilesToShare(tuple(files), dict(left_out))

"""The files that are new or different since HEAD left a branch; git's objects and the disk are compared, nothing is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.memory.vcs.clean_files import MAX_BYTES, has_hash, index_time, is_clean, text_of
from contextls.memory.vcs.renames import MAX_RENAMES, pair_renames
from contextls.workspace.git_branch import fork_point
from contextls.workspace.git_tree import files_of, index_entries, read_contents
from contextls.workspace.new_files import find_new
from contextls.workspace.regular_file import SOURCE_BYTES, read_bytes
from contextls.workspace.scan import FileStat
from contextls.workspace.stamps import stamp_at


class ChangedFiles(Struct, frozen=True):
    """Files that are there and not as they were; those that are gone; and the new paths of those renamed, by old ones."""

    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    renamed: Mapping[str, str]


def changed_since(root: Path, base: str, found: Mapping[str, FileStat]) -> ChangedFiles:
    """Which of the files ``found`` differ from the commit at which HEAD left ``base``, uncommitted changes included.

    Raises ``InvalidRequestError`` where the repository of ``root`` has no branch, tag or commit of that name.
    """
    commit = fork_point(root, base)
    if commit is None:
        raise InvalidRequestError("changed", "a branch, a tag or a commit of this repository", base)
    before = files_of(root, commit) or {}
    taken = index_time(root)
    index = index_entries(root) or {}
    changed = []
    own = {*before, *index, *find_new(root, found.keys() - before.keys() - index.keys())}
    for path, file in found.items():
        if path not in own:
            continue
        blob, entry = before.get(path), index.get(path)
        if entry is not None and is_clean(entry, file.stamp, taken):
            same = entry.blob == blob
        else:
            same = blob is not None and _is_still(root, path, blob)
        if not same:
            changed.append(path)
    gone = sorted(path for path in before if path not in found and stamp_at(root / path) is None)
    came = [path for path in changed if path not in before]
    renamed = _find_renamed(root, {path: before[path] for path in gone[:MAX_RENAMES]}, came[:MAX_RENAMES])
    return ChangedFiles(tuple(changed), tuple(path for path in gone if path not in renamed), renamed)


def _find_renamed(root: Path, gone: Mapping[str, str], came: Sequence[str]) -> dict[str, str]:
    """The new path of each file of ``gone`` (blobs by path) that is among ``came``."""
    if not (gone and came):
        return {}
    blobs = read_contents(root, gone.values(), MAX_BYTES)
    before = {path: text for path, blob in gone.items() if (text := text_of(blobs.get(blob)))}
    now = {path: text for path in came if (text := text_of(_bytes_of(root, path)))}
    return {old: new for new, old in pair_renames(before, now).items()}


def _bytes_of(root: Path, path: str) -> bytes | None:
    try:
        return read_bytes(root / path, MAX_BYTES, within=root)
    except OSError:
        return None


def _is_still(root: Path, path: str, blob: str) -> bool:
    try:
        return has_hash(read_bytes(root / path, SOURCE_BYTES, within=root), blob)
    except OSError:
        return False

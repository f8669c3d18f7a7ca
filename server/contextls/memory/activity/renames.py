"""Finds which of the files and folders that are gone were known, and which were renamed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.workspace_index import WorkspaceIndex
from contextls.store.index_rows import FileRecord
from contextls.workspace.read import Unreadable, read_source
from contextls.workspace.stamps import stamp_at

# The number of files that are read to find a move: a moved file is known by its stamp, a copied one only by its content.
MAX_READ = 100
# A watcher that reports a new folder, and not the files in it, reports few of them.
MAX_FOLDERS_TRIED = 50


def find_folder_moves(
    root: Path, store: IndexStore, gone: Iterable[str], came: Iterable[str]
) -> dict[tuple[str, str], frozenset[str]]:
    """Find the folders of ``gone`` of which all files that the index knew are in one new folder, most of them the same.

    By the old and the new folder, the files that hold what they held, by their new paths.
    """
    fresh = sorted(came)
    lost = set(gone) if fresh else ()
    if not lost:
        return {}
    known = store.stamps()
    found: dict[tuple[str, str], frozenset[str]] = {}
    for old, files in sorted(_files_by_folder(lost - known.keys(), known).items()):
        if any(old.startswith(f"{moved}/") for moved, _ in found):
            continue
        for new in _likely_places(files, fresh):
            same = _find_same(root, new, files)
            if 2 * len(same) > len(files) and not any(path.startswith(f"{new}/") for path in known):
                found[old, new] = same
                break
    return found


def _files_by_folder(
    folders: Collection[str], known: Mapping[str, FileRecord]
) -> dict[str, dict[str, FileRecord]]:
    """The known files in each of ``folders``, by their paths within."""
    found: dict[str, dict[str, FileRecord]] = {}
    for path, record in known.items() if folders else ():
        end = path.find("/")
        while end > 0:
            if path[:end] in folders:
                found.setdefault(path[:end], {})[path[end + 1 :]] = record
            end = path.find("/", end + 1)
    return found


def _likely_places(files: Mapping[str, FileRecord], fresh: Collection[str]) -> Iterator[str]:
    """The folders that may hold ``files`` now."""
    tail = f"/{max(files, key=len)}"
    yield from dict.fromkeys(path.removesuffix(tail) for path in fresh if path.endswith(tail))
    yield from fresh if len(fresh) <= MAX_FOLDERS_TRIED else ()


def _find_same(root: Path, new: str, files: Mapping[str, FileRecord]) -> frozenset[str]:
    """The files in the folder ``new`` that hold what they held; none where one of ``files`` is not there."""
    same, doubtful = set(), []
    for name, record in files.items():
        stamp = stamp_at(root / new / name)
        if stamp is None:
            return frozenset()
        before = record.stamp
        if (stamp.number, stamp.size, stamp.modified) == (before.number, before.size, before.modified):
            same.add(f"{new}/{name}")
        else:
            doubtful.append(name)
    for name in islice(doubtful, MAX_READ):
        source = read_source(root / new / name, within=root)
        if not isinstance(source, Unreadable) and source.digest == files[name].digest:
            same.add(f"{new}/{name}")
    return frozenset(same)


def find_moves(root: Path, store: IndexStore, gone: Iterable[str], came: Iterable[str]) -> dict[str, str]:
    """New path -> old path, for files of ``came`` that hold what the index last knew of exactly one of ``gone``."""
    lost, fresh = set(gone), sorted(came)
    if not lost or not fresh:
        return {}
    known = store.stamps()
    by_digest: dict[str, list[str]] = {}
    for path in lost:
        digest = known[path].digest if path in known else ""
        if digest:
            by_digest.setdefault(digest, []).append(path)
    found: dict[str, str] = {}
    for path in fresh:
        if path in known or not by_digest:
            continue
        source = read_source(root / path, within=root)
        origins = [] if isinstance(source, Unreadable) else by_digest.pop(source.digest, [])
        if len(origins) == 1:
            found[path] = origins[0]
    return found


def find_known(content: WorkspaceIndex, gone: Iterable[str]) -> set[str]:
    """The paths in ``gone`` that the index knows as files or folders: what came and went unnoticed is no loss.

    All of them while the index is not complete and so cannot tell.
    """
    lost = set(gone)
    if not lost or not content.is_built:
        return lost
    known = content.store.stamps()
    return {path for path in lost if path in known or any(other.startswith(f"{path}/") for other in known)}

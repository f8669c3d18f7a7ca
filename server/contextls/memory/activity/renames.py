"""Files that went: which of them were there at all, and which are back under another name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from contextls.memory.index.index_store import IndexStore
from contextls.memory.index.workspace_index import WorkspaceIndex
from contextls.workspace.read import Unreadable, read_source


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
    """Those of ``gone`` that the index knows as files or folders: what came and went unnoticed is no loss.

    All of them while the index is not complete and so cannot tell.
    """
    lost = set(gone)
    if not lost or not content.is_built:
        return lost
    known = content.store.stamps()
    return {path for path in lost if path in known or any(other.startswith(f"{path}/") for other in known)}

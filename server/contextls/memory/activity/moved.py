"""Renames that nobody announced: a file went, and one with the same content came."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from contextls.memory.content_store import ContentStore
from contextls.workspace.read import Unreadable, read_source


def moved(root: Path, store: ContentStore, gone: Iterable[str], came: Iterable[str]) -> dict[str, str]:
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
        source = read_source(root / path)
        origins = [] if isinstance(source, Unreadable) else by_digest.pop(source.digest, [])
        if len(origins) == 1:
            found[path] = origins[0]
    return found

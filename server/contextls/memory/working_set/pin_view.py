"""The working set as people read it: each pin, remarks on it, and what counts while a file is broken."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.followed import ManifestState
from contextls.memory.working_set.pin_validation import Pinned
from contextls.model import PinnedFile, Updater


def describe_fallback(known: ManifestState, file: str) -> str:
    """Say what counts while ``file`` is broken."""
    if file == NAME and known.text is None:
        return "nothing is pinned or excluded"
    return "what it said before still counts"


def list_remarks(pinned: Sequence[Pinned]) -> list[str]:
    """The remarks on entries that count, in words for their authors."""
    return [f"pinned {each.entry.target.text}: {each.remark}" for each in pinned if each.remark]


def view_of(pinned: Pinned) -> PinnedFile:
    """One pin as clients see it."""
    entry = pinned.entry
    return PinnedFile(
        path=entry.target.path,
        symbol=entry.target.symbol,
        folder=entry.target.folder,
        priority=entry.priority,
        role=entry.role,
        truncate_strategy=entry.truncate_strategy,
        max_lines=entry.max_lines,
        problem=pinned.problem,
        by=entry.by,
        why=entry.why if entry.by is Updater.MODEL else None,
        target=entry.target.text,
        pattern=entry.target.pattern,
        start_line=entry.target.lines[0] if entry.target.lines else None,
        end_line=entry.target.lines[1] if entry.target.lines else None,
        included_from=entry.place.included_from,
    )

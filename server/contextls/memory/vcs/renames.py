"""Renamed files: which of those that came is one that went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice

# They are one file when they have at least this share of lines in common.
RENAMED_SHARE = 0.5
# At most this many deleted files are compared with as many new ones.
MAX_RENAMES = 30


def pair_renames(gone: Mapping[str, str], came: Mapping[str, str]) -> dict[str, str]:
    """The old path of each renamed file, by its new one; ``gone`` and ``came`` are texts by path. Empty ones never pair."""
    old = {path: text for path, text in islice(gone.items(), MAX_RENAMES) if text}
    new = {path: text for path, text in islice(came.items(), MAX_RENAMES) if text}
    alike = sorted((-_alike(old[went], new[now]), went, now) for went in old for now in new)
    origin: dict[str, str] = {}
    for share, went, now in alike:
        if -share >= RENAMED_SHARE and now not in origin and went not in origin.values():
            origin[now] = went
    return origin


def _alike(old: str, new: str) -> float:
    """The share of lines that two texts have in common, in 0..1."""
    first, second = Counter(old.splitlines()), Counter(new.splitlines())
    return 2 * (first & second).total() / max(1, first.total() + second.total())

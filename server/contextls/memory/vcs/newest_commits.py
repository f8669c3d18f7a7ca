"""The newest commits, as git tells them now: what is stored of the history is as old as its last reading."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from contextls.workspace.git_log import Commit, UnreadableHistoryError, read_commits

# The number of commits that are searched for those that touch the files asked for.
MAX_SEARCHED = 500


def read_newest(
    root: Path, limit: int, *, within: Callable[[str], bool] | None = None, seen: str | None = None
) -> tuple[Commit, ...]:
    """At most ``limit`` commits, newest first: those that touch a file ``within``; those from ``seen`` on are left out."""
    found: list[Commit] = []
    searched = limit if within is None else MAX_SEARCHED
    with suppress(UnreadableHistoryError):  # what was read so far is true
        commits = read_commits(root, searched, seen=seen, renames=False)
        found.extend(
            islice((each for each in commits if within is None or any(map(within, each.paths))), limit)
        )
    return tuple(found)

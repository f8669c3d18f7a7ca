"""The files that people are at work on, as far as git tells: changed and not committed, and committed lately."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from contextls.memory.index.updating.order_of_use import Use
from contextls.workspace.git_log import UnreadableHistoryError, read_commits
from contextls.workspace.git_tree import index_entries
from contextls.workspace.scan import FileStat

MAX_CHANGED = 500
MAX_COMMITS = 100
# Commits of more files are imports, formatting and releases: nobody is at work on all of them.
MAX_COMMITTED_AT_ONCE = 100
# Where git answers slowly, the order of indexing is not worth waiting for.
MAX_SECONDS = 1.0


def find_files_in_use(root: Path, files: Sequence[FileStat]) -> Use:
    """The ``files`` that git shows to be in use; none without a repository. The disk is not read."""
    return Use(changed=_changed(root, files), committed=_committed(root))


def _changed(root: Path, files: Sequence[FileStat]) -> tuple[str, ...]:
    """Files whose size or time differs from that in git's index, and those that it does not hold; newest first."""
    entries = index_entries(root)
    if not entries:
        return ()
    found = []
    for stat in files:
        entry = entries.get(stat.path)
        seconds = stat.stamp.modified // 1_000_000_000
        if entry is None or (entry.size, entry.mtime[0]) != (stat.size, seconds):
            found.append(stat)
    found.sort(key=lambda stat: (-stat.stamp.modified, stat.path))
    return tuple(stat.path for stat in found[:MAX_CHANGED])


def _committed(root: Path) -> tuple[str, ...]:
    ends_at = time.monotonic() + MAX_SECONDS
    paths: dict[str, None] = {}
    try:
        for commit in read_commits(root, MAX_COMMITS, renames=False):
            if len(commit.paths) <= MAX_COMMITTED_AT_ONCE:
                paths.update(dict.fromkeys(commit.paths))
            if time.monotonic() > ends_at:
                break
    except UnreadableHistoryError:
        pass
    return tuple(paths)

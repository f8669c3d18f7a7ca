"""The work on the checked-out branch: its commits since it left the trunk, and all that it changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from contextls.memory.vcs.asked_changes import AskedChanges
from contextls.memory.vcs.newest_commits import read_newest
from contextls.workspace.git_branch import branch_base
from contextls.workspace.git_log import Commit

MAX_COMMITS = 30


class BranchWork(Struct, frozen=True):
    """The branch ``name`` ("" when HEAD is detached) and its ``commits`` since ``trunk``, newest first.

    ``changes`` reads what all of it changes, the uncommitted changes included.
    """

    name: str
    trunk: str
    commits: tuple[Commit, ...]
    changes: Callable[[], AskedChanges]


def read_branch(root: Path, changes_since: Callable[[str], AskedChanges]) -> BranchWork | None:
    """Read the work on the branch of ``root``; None where there is no trunk that it grew from.

    ``changes_since`` reads the changes since a commit.
    """
    base = branch_base(root)
    if base is None:
        return None
    commits = read_newest(root, MAX_COMMITS, seen=base.sha)
    return BranchWork(base.name or "", base.trunk, commits, lambda: changes_since(base.sha))

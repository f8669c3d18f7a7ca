"""The checked-out branch and what it grew from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from contextls.workspace.git import head
from contextls.workspace.git_process import line

# Where work is merged to, by custom; what the remote says of itself comes before.
_TRUNKS = ("main", "master", "trunk", "develop")


@dataclass(frozen=True, slots=True)
class BranchBase:
    """The branch ``name`` (None when HEAD is detached), which left ``trunk`` at the commit ``sha``."""

    name: str | None
    trunk: str
    sha: str


def branch_base(root: Path) -> BranchBase | None:
    """What the checked-out branch grew from; of a trunk, what its remote has of it. None where that cannot be told."""
    here = head(root)
    if here is None or here.commit is None:
        return None
    for trunk in _trunks(root, here.branch):
        if line(root, "rev-parse", "--quiet", "--verify", f"{trunk}^{{commit}}") is None:
            continue
        sha = line(root, "merge-base", "HEAD", trunk)
        return BranchBase(here.branch, trunk, sha) if sha else None
    return None


def _trunks(root: Path, branch: str | None) -> list[str]:
    if branch in _TRUNKS:
        return [f"origin/{branch}"]
    told = line(root, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    known = (*_TRUNKS, *(f"origin/{trunk}" for trunk in _TRUNKS))
    local = told.removeprefix("origin/") if told else None
    names = [name for name in dict.fromkeys((local, told, *known)) if name and name != branch]
    return [name for name in names if not name.startswith("-")]  # a repository may name refs like options

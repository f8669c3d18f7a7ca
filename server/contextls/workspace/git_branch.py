"""The checked-out branch and what it grew from."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from contextls.regex import compile_late
from contextls.workspace.git_head import head
from contextls.workspace.git_process import read_line

# Where work is merged to, by custom; what the remote says of itself comes before.
_TRUNKS = ("main", "master", "trunk", "develop")
# No name of git holds a control character, nor half of a pair, which no program can be given.
_UNNAMEABLE = compile_late(r"[\x00-\x1f\x7f\ud800-\udfff]")


class BranchBase(Struct, frozen=True):
    """The branch ``name`` (None when HEAD is detached), which left ``trunk`` at the commit ``sha``."""

    name: str | None
    trunk: str
    sha: str


def branch_base(root: Path) -> BranchBase | None:
    """The commit that the checked-out branch grew from; for a trunk, the one that its remote has.

    None where that cannot be told.
    """
    here = head(root)
    if here is None or here.commit is None:
        return None
    for trunk in _trunks(root, here.branch):
        if _is_commit(root, trunk):
            sha = fork_point(root, trunk)
            return BranchBase(here.branch, trunk, sha) if sha else None
    return None


def fork_point(root: Path, name: str) -> str | None:
    """The commit at which HEAD left the branch, tag or commit ``name``; None where there is no such thing."""
    return read_line(root, "merge-base", "HEAD", name) if _is_commit(root, name) else None


def _is_commit(root: Path, name: str) -> bool:
    # Refs of a repository, and names in a request, may look like options.
    is_name = bool(name) and not name.startswith("-") and not _UNNAMEABLE.search(name)
    return is_name and read_line(root, "rev-parse", "--quiet", "--verify", f"{name}^{{commit}}") is not None


def _trunks(root: Path, branch: str | None) -> list[str]:
    if branch in _TRUNKS:
        return [f"origin/{branch}"]
    told = read_line(root, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    known = (*_TRUNKS, *(f"origin/{trunk}" for trunk in _TRUNKS))
    local = told.removeprefix("origin/") if told else None
    return [name for name in dict.fromkeys((local, told, *known)) if name and name != branch]

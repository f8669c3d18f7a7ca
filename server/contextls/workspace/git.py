"""What is checked out, and why there may be no history to read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from contextls.workspace.git_process import complaint, installed, line


@dataclass(frozen=True, slots=True)
class GitHead:
    """What is checked out. ``branch`` is None when HEAD is detached, ``commit`` is None before the first commit."""

    branch: str | None
    commit: str | None


def head(root: Path) -> GitHead | None:
    """What is checked out at ``root`` (or the repository around it); None without git or a readable repository."""
    if line(root, "rev-parse", "--git-dir") is None:
        return None
    branch = line(root, "symbolic-ref", "--quiet", "--short", "HEAD")
    return GitHead(branch, line(root, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"))


def in_repository(root: Path) -> bool:
    """Whether ``root`` or a folder above it looks like a work tree; asks no git."""
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def problem(root: Path) -> str | None:
    """Why there is no history to read for ``root``, in words for a user; None when there is."""
    if not installed():
        return "git is not installed or not on the PATH"
    state = head(root)
    if state is None:
        said = complaint(root, "rev-parse", "--git-dir")
        if "dubious ownership" in said:
            return (
                f"git refuses to read {root} because it belongs to another user; if you trust it, run "
                f"`git config --global --add safe.directory {root}`"
            )
        return f"{root} is not inside a git repository that can be read"
    if line(root, "rev-parse", "--is-inside-work-tree") != "true":
        return f"{root} is a bare repository: it has history but no files to go with it"
    if state.commit is not None:
        return None
    if line(root, "rev-parse", "--quiet", "--verify", "HEAD") is not None:
        return f"the newest commit of {root} cannot be read; run `git fsck` there"
    return f"the repository of {root} has no commits yet"

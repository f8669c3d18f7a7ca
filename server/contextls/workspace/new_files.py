"""New files of a workspace, told from others that git does not track."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from contextls.workspace.ignore import IgnoreRules


def find_new(root: Path, untracked: Iterable[str]) -> list[str]:
    """The ``untracked`` files below ``root`` that its repository would call new.

    Not those in a repository of their own, as of a submodule, and none where the repository ignores ``root``: who keeps
    the home folder in one that ignores nearly all of it has not just written everything else.
    """
    paths = list(untracked)
    if not paths or _is_ignored(root):
        return []
    inner = {"": False}

    def is_inner(folder: str) -> bool:
        unknown = []
        while folder not in inner:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        for below in reversed(unknown):
            inner[below] = inner[below.rpartition("/")[0]] or os.path.lexists(f"{root}/{below}/.git")
        return inner[unknown[0] if unknown else folder]

    return [path for path in paths if not is_inner(path.rpartition("/")[0])]


def _is_ignored(root: Path) -> bool:
    return not os.path.lexists(root / ".git") and IgnoreRules(root).leave_out_root()

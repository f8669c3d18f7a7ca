"""Repositories below a workspace: submodules, and clones that lie there. Their changes are not the workspace's."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def drop_inner(root: Path, paths: Iterable[str]) -> list[str]:
    """``paths`` below ``root`` without those that lie in a repository of their own."""
    known = {"": False}

    def is_inner(folder: str) -> bool:
        if folder not in known:
            above = folder.rpartition("/")[0]
            known[folder] = is_inner(above) or os.path.lexists(f"{root}/{folder}/.git")
        return known[folder]

    return [path for path in paths if not is_inner(path.rpartition("/")[0])]

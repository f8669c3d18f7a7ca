"""Repositories below a workspace: submodules, and clones that lie there. Their changes are not the workspace's."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def drop_inner(root: Path, paths: Iterable[str]) -> list[str]:
    """``paths`` below ``root`` without those that lie in a repository of their own."""
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

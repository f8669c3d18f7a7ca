"""Trust in a folder: what lies in a trusted one may instruct a model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from contextls.workspace.roots import expand_user

EVERYWHERE = "*"


def is_trusted(root: Path, folders: Iterable[str]) -> bool:
    """Whether ``root`` is one of ``folders`` or lies below one; ``*`` stands for every folder, ``~`` for the home."""
    real = root.resolve()
    for folder in folders:
        if folder == EVERYWHERE:
            return True
        path = expand_user(folder)
        # A relative path would mean another folder wherever a program was started.
        if path.is_absolute() and real.is_relative_to(path.resolve()):
            return True
    return False

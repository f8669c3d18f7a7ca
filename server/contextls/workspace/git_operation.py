"""The operation in which git stopped for the user: a merge, a rebase, a patch application, a cherry-pick or a revert."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.regular_file import POINTER_BYTES, read_text

_BRANCH = "refs/heads/"
_MAX_CHARS = 200  # of a subject
# The file that stands for each of them while it is under way, in the order in which they count.
_MARKS = (("MERGE_HEAD", "merge"), ("CHERRY_PICK_HEAD", "cherry-pick"), ("REVERT_HEAD", "revert"))


class GitOperation(Struct, frozen=True):
    """An operation under way. ``message`` is the commit's that git prepared; it and ``branch`` may be empty."""

    name: str
    message: str = ""
    branch: str = ""  # the one that is rebased


def find_operation(root: Path) -> GitOperation | None:
    """The operation under way in the working tree that holds ``root``, read as plain files; ``None`` when there is none."""
    folder = git_folder(root)
    if folder is None:
        return None
    for place in ("rebase-merge", "rebase-apply"):
        if os.path.lexists(folder.own / place):
            branch = _read(folder, f"{place}/head-name").strip()
            if os.path.lexists(folder.own / place / "applying"):
                message = _read(folder, f"{place}/final-commit")
                return GitOperation("patch application", _subject(message))
            message = _read(folder, f"{place}/message") or _read(folder, f"{place}/msg-clean")
            return GitOperation("rebase", _subject(message), branch.removeprefix(_BRANCH))
    for mark, name in _MARKS:
        if os.path.lexists(folder.own / mark):
            return GitOperation(name, _subject(_read(folder, "MERGE_MSG")))
    return None


def _subject(message: str) -> str:
    lines = (line.strip() for line in message.splitlines() if not line.startswith("#"))
    return next(filter(None, lines), "")[:_MAX_CHARS]


def _read(folder: GitFolder, name: str) -> str:
    with suppress(OSError):
        return read_text(folder.own / name, POINTER_BYTES, errors="replace")
    return ""

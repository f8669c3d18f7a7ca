"""The operation in which git stopped for the user: a merge, a rebase, patches, a cherry-pick, a revert or a bisect."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from contextls.regex import compile_late
from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.regular_file import POINTER_BYTES, read_text

_BRANCH = "refs/heads/"
_MAX_CHARS = 200  # of a subject
# The file that stands for each of them while it is under way, in the order in which they count.
_MARKS = (("MERGE_HEAD", "merge"), ("CHERRY_PICK_HEAD", "cherry-pick"), ("REVERT_HEAD", "revert"))


# The folders of what git does commit by commit, and in each the files with the number of the one at hand and of all.
_SERIES = (("rebase-merge", "msgnum", "end"), ("rebase-apply", "next", "last"))
_MAX_DIGITS = 6
_JUDGED = compile_late(r"# (?P<word>\w{1,20}): \[(?P<sha>[0-9a-f]{40,64})\] (?P<subject>.+)")
_SHA_CHARS = 7
_MAX_JUDGED = 6


class GitOperation(Struct, frozen=True):
    """An operation under way; all but its name may be empty. ``message`` is the commit's that git prepared."""

    name: str
    message: str = ""
    branch: str = ""  # the one that is rebased, or that a bisect began at
    step: str = ""  # "2 of 5"
    # For each commit that a bisect was told of, its sha and subject, and the word for it.
    judged: tuple[tuple[str, str, str], ...] = ()


def find_operation(root: Path) -> GitOperation | None:
    """The operation under way in the working tree that holds ``root``, read as plain files; ``None`` when there is none."""
    folder = git_folder(root)
    if folder is None:
        return None
    for place, *counts in _SERIES:
        if os.path.lexists(folder.own / place):
            branch = _read(folder, f"{place}/head-name").strip()
            step, steps = (_read(folder, f"{place}/{name}").strip()[:_MAX_DIGITS] for name in counts)
            step = f"{step} of {steps}" if step.isdecimal() and steps.isdecimal() and steps != "1" else ""
            if os.path.lexists(folder.own / place / "applying"):
                message = _read(folder, f"{place}/final-commit")
                return GitOperation("patch application", _subject(message), step=step)
            message = _read(folder, f"{place}/message") or _read(folder, f"{place}/msg-clean")
            return GitOperation("rebase", _subject(message), branch.removeprefix(_BRANCH), step)
    for mark, name in _MARKS:
        if os.path.lexists(folder.own / mark):
            return GitOperation(name, _subject(_read(folder, "MERGE_MSG")))
    if os.path.lexists(folder.own / "BISECT_START"):
        branch = _read(folder, "BISECT_START").strip()[:_MAX_CHARS]
        return GitOperation("bisect", branch=branch, judged=_read_judged(_read(folder, "BISECT_LOG")))
    return None


def _read_judged(log: str) -> tuple[tuple[str, str, str], ...]:
    """The commits that were last marked in a bisect, in the order of marking."""
    found = (_JUDGED.fullmatch(line.strip()) for line in log.splitlines())
    told = [(each["sha"][:_SHA_CHARS], each["subject"][:_MAX_CHARS], each["word"]) for each in found if each]
    return tuple(told[-_MAX_JUDGED:])


def _subject(message: str) -> str:
    lines = (line.strip() for line in message.splitlines() if not line.startswith("#"))
    return next(filter(None, lines), "")[:_MAX_CHARS]


def _read(folder: GitFolder, name: str) -> str:
    with suppress(OSError):
        return read_text(folder.own / name, POINTER_BYTES, errors="replace")
    return ""

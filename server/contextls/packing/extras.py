"""Sections after the files: the uncommitted changes and the newest commits, of nothing that is kept out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from contextls.code.pool import WorkerPool
from contextls.memory.vcs.asked_changes import read_asked_changes
from contextls.memory.vcs.change_scope import read_scope
from contextls.memory.vcs.file_pairs import ComparedWorkspace
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Changes
from contextls.text.gate import clean
from contextls.workspace.git_log import UnreadableHistoryError, read_commits

Accepts = Callable[[str], bool]


def write_changes(root: Path, accepts: Accepts) -> str:
    """The uncommitted changes of files that git knows, as hunks under their places; "" where there are none."""
    with WorkerPool(1, 1.0) as unused:  # only what is staged is parsed
        found = read_asked_changes(
            ComparedWorkspace(root, {}, {}, accepts, unused), read_scope(root, Changes.ALL)
        )
    return clean("\n".join(map(_write_hunk, found.hunks)))


def _write_hunk(hunk: Hunk) -> str:
    if hunk.is_note:
        return f"--- {hunk.path} {hunk.note}"
    return f"--- {hunk.path}:{hunk.start_line}-{hunk.end_line}\n{hunk.text}"


def write_commits(root: Path, number: int, accepts: Accepts) -> str:
    """The newest commits, each with its files; "" where there is no history."""
    lines = []
    with suppress(UnreadableHistoryError):  # what was read so far is true
        for commit in islice(read_commits(root, number), number):
            paths = [path for path in commit.paths if accepts(path)]
            lines += [f"{commit.sha[:10]} {commit.subject}", *(f"  {path}" for path in paths)]
    return clean("\n".join(lines))

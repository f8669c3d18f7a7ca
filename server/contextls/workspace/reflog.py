"""The reflog, git's note of every move of HEAD and of every stash, read as plain files: nothing is executed.

git appends a line to ``logs/HEAD`` for each commit, checkout, reset, merge and step of a rebase. Everything here is
read within bounds, from regular files alone, and what is damaged is passed over.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from msgspec import Struct

from contextls.regex import compile_late
from contextls.workspace.regular_file import is_regular, read_part

# A longer tail than a day's work; what lies before it is history, and history is read from the commits.
MAX_BYTES = 1_000_000
_SMALL = 4_096
_ENTRY = compile_late(
    rb"(?P<old>[0-9a-f]{40,64}) (?P<new>[0-9a-f]{40,64}) [^\t]*? (?P<seconds>\d{1,11}) [+-]\d{4}(?:\t(?P<message>.*))?"
)


class GitFolder(Struct, frozen=True):
    """The folders in which a working tree keeps its own state, and its repository what all working trees share."""

    own: Path
    shared: Path

    @property
    def moves(self) -> Path:
        """The log of HEAD."""
        return self.own / "logs" / "HEAD"

    @property
    def stashes(self) -> Path:
        """The log of stashes; git takes lines out when a stash is dropped."""
        return self.shared / "logs" / "refs" / "stash"


class Move(Struct, frozen=True):
    """One line of a log. ``old`` and ``new`` are commit hashes, all zeros for none; ``timestamp`` is in milliseconds."""

    old: str
    new: str
    timestamp: int
    message: str


class Tail(Struct, frozen=True):
    """The lines of a log from some point on. ``end`` is where they end in the file, in bytes; ``last`` marks the last."""

    moves: tuple[Move, ...]
    end: int
    last: str


def git_folder(root: Path) -> GitFolder | None:
    """The git folder of the working tree that holds ``root``; ``None`` outside of one, or where it cannot be read."""
    for folder in (root, *root.parents):
        place = folder / ".git"
        if os.path.lexists(place):
            found = pointed_to(place)
            return found if is_regular(found.own / "HEAD") else None
    return None


def pointed_to(place: Path) -> GitFolder:
    """The folder that a ``.git`` stands for: itself or, in a linked working tree and a submodule, the one it names."""
    own = place
    if is_regular(place):
        target = _text(place).removeprefix("gitdir:").strip()
        own = place.parent / target if target else place
    shared = _text(own / "commondir").strip()
    return GitFolder(own, own / shared if shared else own)


def branch(folder: GitFolder) -> str | None:
    """The branch that is checked out; ``None`` when HEAD is detached or cannot be read."""
    head = _text(folder.own / "HEAD").strip()
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None


def rebased_branch(folder: GitFolder) -> str | None:
    """The branch that a rebase in progress will go back to, "" for none; ``None`` where there is no such rebase."""
    for name in ("rebase-merge", "rebase-apply"):
        state = folder.own / name
        # `git am` keeps its patches in a folder of the same name.
        if state.is_dir() and not os.path.lexists(state / "applying"):
            head = _text(state / "head-name").strip()
            return head.removeprefix("refs/heads/") if head.startswith("refs/heads/") else ""
    return None


def size(log: Path) -> int:
    """The length of a log in bytes; 0 when there is none."""
    try:
        found = log.stat()
    except (OSError, ValueError):
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def tail(log: Path, start: int = 0, after: str = "") -> Tail:
    """The whole lines after byte ``start``, of which the line before must be the one that ``after`` marks.

    Where it is another (the log was rewritten), the lines after the last one with this mark, or none if no line
    has it. An empty ``after`` takes the lines as they are.
    """
    first = max(0, min(start, size(log)) - _length(after) - 1) if after else start
    first = max(first, size(log) - MAX_BYTES)
    data = _read(log, first, MAX_BYTES)
    data = data[: data.rfind(b"\n") + 1]
    end = first + len(data)
    lines = data.split(b"\n")[:-1]
    known = _place_of(after, lines) if after else None
    if after and known is None:
        lines = _read(log, max(0, size(log) - MAX_BYTES), MAX_BYTES).split(b"\n")[:-1]
        end = size(log)
        known = _place_of(after, lines)
        if known is None:
            return Tail((), end, mark(lines[-1]) if lines else "")
    new = lines if known is None else lines[known + 1 :]
    return Tail(_moves(new), end, mark(lines[-1]) if lines else "")


def before(log: Path, end: int) -> tuple[Move, ...]:
    """The moves before byte ``end`` of a log, oldest first, within the bound that every look at it has."""
    first = max(0, end - MAX_BYTES)
    return _moves(_read(log, first, end - first).split(b"\n"))


def mark(line: bytes) -> str:
    """The mark by which a line is known later: its length and a hash, as it may hold what must not be kept."""
    return f"{len(line)}:{hashlib.blake2b(line, digest_size=16).hexdigest()}"


def _length(wanted: str) -> int:
    """The length of the line that a mark stands for; 0 for what is no mark."""
    head = wanted.partition(":")[0]
    return int(head) if head.isascii() and head.isdecimal() and len(head) < 10 else 0


def _place_of(wanted: str, lines: list[bytes]) -> int | None:
    """The number of the last line with this mark."""
    length = _length(wanted)
    places = range(len(lines) - 1, -1, -1)
    return next(
        (place for place in places if len(lines[place]) == length and mark(lines[place]) == wanted), None
    )


def _moves(lines: list[bytes]) -> tuple[Move, ...]:
    found = []
    for line in lines:
        match = _ENTRY.fullmatch(line)
        if match:
            message = (match["message"] or b"").decode("utf-8", "replace").strip()
            moment = int(match["seconds"]) * 1000
            found.append(Move(match["old"].decode(), match["new"].decode(), moment, message))
    return tuple(found)


def _text(path: Path) -> str:
    return _read(path, 0, _SMALL).decode("utf-8", "replace")


def _read(path: Path, start: int, most: int) -> bytes:
    """Bytes of a regular file; empty for anything else."""
    try:
        return read_part(path, start, most)
    except OSError:
        return b""

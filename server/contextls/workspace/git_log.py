"""Commits as git tells them, one after the other, with the files that each of them touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from contextls.errors import WorkspaceError
from contextls.workspace.git_process import answer, decode_path, read_line, stream
from contextls.workspace.regular_file import SHALLOW_BYTES, read_bytes

# More names for one commit are not kept; initial imports of the largest public repositories stay below it.
MAX_PATHS = 200_000
MAX_SUBJECT_CHARS = 300  # characters
_RENAME_MATRIX = (
    "200"  # files on each side whose contents are compared to find renames; identical ones always are
)
_HEADER = b"\x1e"
_FORMAT = "%x1e%H%x1f%at%x1f%an%x1f%s"


class UnreadableHistoryError(WorkspaceError):
    """History ends at an object that cannot be read; the commits before it were given out."""


class Commit(Struct, frozen=True):
    """One commit. ``time`` is the author's, in seconds since the epoch; ``paths`` are relative to the opened root.

    A renamed file stands in ``paths`` with its new name, and in ``renames`` as (old, new). Names that are not UTF-8 are
    left out, as they are everywhere else.
    """

    sha: str
    time: int
    author: str
    subject: str
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...] = ()


def read_commits(
    root: Path, limit: int, *, tip: str = "HEAD", seen: str | None = None, renames: bool = True
) -> Iterator[Commit]:
    """The newest ``limit`` commits reachable from ``tip`` that touched ``root``, newest first, as they are read.

    Merges are left out, and with ``seen`` everything reachable from that commit. Renames are found by comparing contents,
    unless ``renames`` is false. Raises ``UnreadableHistoryError`` at the first object that cannot be read; ends at once
    where there is no history.
    """
    if limit <= 0 or read_line(root, "rev-parse", "--quiet", "--verify", f"{tip}^{{commit}}") is None:
        return
    arguments = (
        "log", f"--max-count={limit}", "--no-merges", "--no-ext-diff", "--no-textconv", "--no-show-signature",
        "--no-mailmap", "--no-notes", "--name-status", "--relative", "--ignore-submodules=all",
        "--no-color", "--no-decorate", "-z", f"--format={_FORMAT}",
        *(("--find-renames", f"-l{_RENAME_MATRIX}") if renames else ("--no-renames",)),
        tip, *(("--not", seen) if seen else ()), "--",
        # At the top a pathspec would only cost time.
        *((".",) if read_line(root, "rev-parse", "--show-prefix") else ()),
    )  # fmt: skip
    with stream(root, *arguments) as running:
        if running is None:
            return
        yield from _parse_commits(_tokens(running.pieces))
        if not running.succeeded():
            raise UnreadableHistoryError(
                f"the history of {root} cannot be read to its end; run `git fsck` there"
            )


def list_left_behind(root: Path, old: str, new: str) -> tuple[str, ...] | None:
    """The commits reachable from ``old`` but not from ``new``; None when git no longer knows that."""
    output = answer(root, ("rev-list", old, "--not", new))
    return None if output is None else tuple(output.decode("ascii", "replace").split())


def read_subjects(root: Path, commits: Sequence[str]) -> dict[str, str]:
    """The subjects of ``commits``, by hash, merges among them; of those that git does not know, none."""
    output = answer(
        root, ("log", "--no-walk", "--ignore-missing", "--no-show-signature", "--no-notes", "--no-color",
               "--no-decorate", "--format=%H %s", *commits, "--"),
    )  # fmt: skip
    lines = () if output is None else output.decode("utf-8", "replace").splitlines()
    return {sha: subject[:MAX_SUBJECT_CHARS] for sha, _, subject in (line.partition(" ") for line in lines)}


def boundary(root: Path) -> str:
    """A version that changes when a shallow clone gets more or less history; "" for a complete one."""
    place = read_line(root, "rev-parse", "--git-path", "shallow")
    try:
        raw = read_bytes(root / place, SHALLOW_BYTES) if place else b""
        return " ".join(sorted(raw.decode("ascii", "replace").split()))
    except OSError:
        return ""


def _tokens(pieces: Iterator[bytes]) -> Iterator[bytes]:
    pending: list[bytes] = []
    for part in pieces:
        first, *rest = part.split(b"\0")
        pending.append(first)
        for token in rest:
            yield b"".join(pending)
            pending = [token]
    if pending and any(pending):
        yield b"".join(pending)


def _parse_commits(tokens: Iterator[bytes]) -> Iterator[Commit]:
    header: Commit | None = None
    paths: list[str] = []
    renames: list[tuple[str, str]] = []
    for token in tokens:
        if token.startswith(_HEADER):
            if header is not None:
                yield _with(header, paths, renames)
            header, paths, renames = _header(token), [], []
            continue
        status = token.strip(b"\n")[:1]
        if not status:
            continue
        # Names follow by position, so that no name can be taken for anything else.
        old = next(tokens, b"") if status in b"RC" else None
        name = decode_path(next(tokens, b""))
        if name is None or len(paths) >= MAX_PATHS:
            continue
        paths.append(name)
        before = None if old is None or status == b"C" else decode_path(old)
        if before is not None:
            renames.append((before, name))
    if header is not None:
        yield _with(header, paths, renames)


def _with(header: Commit, paths: list[str], renames: list[tuple[str, str]]) -> Commit:
    return Commit(header.sha, header.time, header.author, header.subject, tuple(paths), tuple(renames))


def _header(token: bytes) -> Commit | None:
    fields = token[1:].decode("utf-8", "replace").split("\x1f", 3)
    if len(fields) != 4:
        return None
    sha, time, author, subject = fields
    try:
        # A forged date may have any number of digits.
        seconds = min(max(int(time), 0), 253_402_300_799)
        bytes.fromhex(sha)
    except ValueError:
        return None
    return Commit(sha, seconds, author, subject[:MAX_SUBJECT_CHARS], ())


def list_ancestors(root: Path, limit: int) -> tuple[str, ...]:
    """The newest commit and its ancestors, at most ``limit`` in all, newest first; empty where there is no history."""
    output = answer(root, ("rev-list", f"--max-count={limit}", "HEAD"))
    return () if output is None else tuple(output.decode("ascii", "replace").split())

"""The files that git would open in a repository, looked at before git is started.

git waits for ever on a pipe in a file's place, reads a device without end and a sparse file for minutes. The author of
a folder chose what lies in it, so the small set of files that git opens by name is checked, and what lies among references
and objects is walked through within a bound. What slips through meets a time-out, which is remembered: one bad repository
costs one time-out, not one for each question.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from contextls.regex import compile_late
from contextls.workspace.reflog import GitFolder, pointed_to
from contextls.workspace.regular_file import POINTER_BYTES, SETTINGS_BYTES, SHALLOW_BYTES, read_text
from contextls.workspace.roots import expand_user
from contextls.workspace.stamps import Stamp, stamp_of_target

_REMEMBERED_SECONDS = 300.0
_TOLD_SECONDS = 10.0  # who was told what to do about it does not wait long
_MAX_REMEMBERED = 200
_MAX_ENTRIES = 50_000  # among references and objects; git packs what is much more
_MAX_FOLDERS = 2_000  # of the workspace, in which git looks for .gitattributes
_MAX_INCLUDED = 50
_LARGE = (
    512_000_000  # files that git maps into memory: an index of 4 million files, a list of as many references
)
_OWN = {"HEAD": POINTER_BYTES, "commondir": POINTER_BYTES, "config.worktree": SETTINGS_BYTES, "index": _LARGE}
_SHARED = {
    "HEAD": POINTER_BYTES,
    "config": SETTINGS_BYTES,
    "packed-refs": _LARGE // 4,
    "shallow": SHALLOW_BYTES,
    "info/grafts": SHALLOW_BYTES,
    "info/attributes": SHALLOW_BYTES,
    "objects/info/alternates": SETTINGS_BYTES,
}
_INCLUDE = compile_late(
    r"(?:^|\[include[^\]\n]*\])[^\S\n]*path[^\S\n]*=[^\S\n]*\"?([^\"\n#;]+)", re.MULTILINE | re.IGNORECASE
)
_Signature = tuple[Stamp | None, ...]


class _Verdict(Struct, frozen=True):
    """A finding about a repository, for as long as ``signature`` is the same and until ``until``."""

    signature: _Signature
    until: float
    refusal: str | None


_verdicts: dict[Path, _Verdict] = {}
_guard = threading.Lock()


def refusal(root: Path, *, settings_alone: bool = False) -> str | None:
    """The reason why git is not started in ``root``, in words for a user; None when it may be.

    For a command that reads ``settings_alone``, nothing is walked through.
    """
    files = list(_files(root))
    signature = tuple(stamp_of_target(path) for path, _ in files)
    known = _verdicts.get(root)
    now = time.monotonic()
    if known is None or known.signature != signature or known.until < now:
        if settings_alone:
            return _first_problem(files)
        lasting = known is not None and known.until >= now and known.refusal is None
        problem = _first_problem(files) or (None if lasting else _walk(root))
        # What a walk found holds until its time is over, whatever changes meanwhile.
        until = known.until if known is not None and lasting else now + _REMEMBERED_SECONDS
        known = _Verdict(signature, until, problem)
        _remember(root, known)
    return known.refusal


def give_up(root: Path, reason: str) -> None:
    """Start no git in ``root`` until its repository changes or some minutes pass."""
    text = f"git is not asked about {root}: {reason}; run `git fsck` there, it is tried again in some minutes"
    _refuse(root, text, _REMEMBERED_SECONDS)


def mark_foreign(root: Path, repository: str) -> None:
    """Start no git in ``root`` for some seconds: its ``repository`` is another user's, who must be trusted first."""
    text = (
        f"git refuses to read {repository} because it belongs to another user; if you trust it, run "
        f"`git config --global --add safe.directory {shlex.quote(repository)}`"
    )
    _refuse(root, text, _TOLD_SECONDS)


def mark_misconfigured(root: Path, said: str) -> None:
    """Start no git in ``root`` for some seconds: it cannot read its settings, which it ``said`` with file and line."""
    _refuse(root, f"git cannot start in {root}: {said}", _TOLD_SECONDS)


def _refuse(root: Path, text: str, seconds: float) -> None:
    signature = tuple(stamp_of_target(path) for path, _ in _files(root))
    _remember(root, _Verdict(signature, time.monotonic() + seconds, text))


def _remember(root: Path, verdict: _Verdict) -> None:
    with _guard:
        if len(_verdicts) >= _MAX_REMEMBERED:
            _verdicts.clear()
        _verdicts[root] = verdict


def _files(root: Path) -> Iterator[tuple[Path, int]]:
    """Every file that git opens by name to read the repository around ``root``, with the size that it may have."""
    for folder in (root, *root.parents):
        yield folder / ".gitattributes", SHALLOW_BYTES
        place = folder / ".git"
        is_bare = os.path.lexists(folder / "HEAD") and os.path.lexists(folder / "objects")
        if not os.path.lexists(place) and not is_bare:
            continue
        for found in _git_folders(folder, place, is_bare):
            yield from ((found.own / name, limit) for name, limit in _OWN.items())
            yield from ((found.shared / name, limit) for name, limit in _SHARED.items())
            yield from ((path, SETTINGS_BYTES) for path in _find_included(found))
        if os.path.lexists(place):
            return


def _git_folders(folder: Path, place: Path, is_bare: bool) -> Iterator[GitFolder]:
    if os.path.lexists(place):
        yield pointed_to(place)
    if is_bare:
        yield GitFolder(folder, folder)


def _find_included(folder: GitFolder) -> list[Path]:
    """The files that a configuration includes, on whatever condition, and those that these include."""
    pending = [folder.shared / "config", folder.own / "config.worktree"]
    found: list[Path] = []
    while pending and len(found) < _MAX_INCLUDED:
        config = pending.pop()
        try:
            text = read_text(config, SETTINGS_BYTES, errors="replace")
        except OSError:
            continue
        if "include" not in text.lower():
            continue
        for match in _INCLUDE.finditer(text):
            named = match[1].strip().replace("\\\\", "\\")
            place = config.parent / expand_user(named)
            if place not in found:
                found.append(place)
                pending.append(place)
    return found[:_MAX_INCLUDED]


def _first_problem(files: list[tuple[Path, int]]) -> str | None:
    return next((problem for path, limit in files if (problem := _problem(path, limit))), None)


def _problem(path: Path | str, limit: int) -> str | None:
    stamp = stamp_of_target(path)
    if stamp is None:
        return None
    if _is_special(stamp.mode):
        return (
            f"{path} is a pipe or a device and no file; git is not started there, as it would wait for ever"
        )
    if stat.S_ISREG(stamp.mode) and stamp.size > limit:
        return f"{path} is larger than {limit:,} bytes; git is not started there, as it would read all of it"
    return None


def _walk(root: Path) -> str | None:
    """The first special file among references, objects and the attribute files of the workspace."""
    for folder in (root, *root.parents):
        place = folder / ".git"
        if os.path.lexists(place):
            found = pointed_to(place)
            references = {found.own / "refs", found.shared / "refs"}
            objects = {found.shared / "objects", found.shared / "info"}
            return (
                _special_below(map(str, references), POINTER_BYTES)
                or _special_below(map(str, objects), None)
                or _special_attributes(str(root))
            )
    return None


# As text: of a thousand folders, joining Paths takes as long as looking at them.
def _special_below(tops: Iterable[str], limit: int | None) -> str | None:
    """The first special file below ``tops``. Without a ``limit`` of size only kinds are looked at, which costs nothing."""
    folders, left = list(tops), _MAX_ENTRIES
    while folders and left > 0:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif limit is not None or not entry.is_file(follow_symlinks=False):
                        problem = _problem(entry.path, limit or _LARGE)
                        if problem:
                            return problem
        except OSError:
            continue
    return None


def _special_attributes(root: str) -> str | None:
    folders, seen = [root], 0
    while folders and seen < _MAX_FOLDERS:
        seen += 1
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    name = entry.name
                    if name == ".gitattributes" and (problem := _problem(entry.path, SHALLOW_BYTES)):
                        return problem
                    if name != ".git" and entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError:
            continue
    return None


def _is_special(mode: int) -> bool:
    """A pipe or a device; a socket cannot be opened at all, and git keeps one there itself."""
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)

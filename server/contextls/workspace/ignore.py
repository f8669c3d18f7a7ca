"""Which files belong to the memory: git's rules, ours, the settings and the built-in lists as one question."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contextls.workspace import builtin_rules
from contextls.workspace.patterns import Patterns, parse

GITIGNORE = ".gitignore"
CONTEXTLSIGNORE = ".contextlsignore"
_MAX_IGNORE_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class _Level:
    """The patterns of one ignore file, and what makes a root-relative path relative to that file."""

    strip: int  # characters at the head of the path to leave out, for a file below the root
    base: str  # what to put before the path, for a file above the root
    patterns: Patterns

    def check(self, path: str, is_dir: bool) -> bool | None:
        return self.patterns.check(self.base + path[self.strip :], is_dir)


@dataclass(frozen=True, slots=True)
class Folder:
    """An accepted folder and the patterns in force there. ``path`` is relative to the root, itself ``""``."""

    rules: IgnoreRules
    path: str
    git: tuple[_Level, ...]
    own: tuple[_Level, ...]

    def reason(self, name: str, is_dir: bool) -> str | None:
        """Why the entry ``name`` of this folder is left out; None when it is accepted."""
        return self.rules._decide(self, self._child(name), name, is_dir)

    def enter(self, name: str) -> Folder:
        """The accepted sub-folder ``name``."""
        path = self._child(name)
        git = self.rules._level(path, GITIGNORE)
        own = self.rules._level(path, CONTEXTLSIGNORE)
        return Folder(self.rules, path, (*self.git, *git), (*self.own, *own))

    def _child(self, name: str) -> str:
        return f"{self.path}/{name}" if self.path else name


class IgnoreRules:
    """The ignore rules of one workspace.

    In order, the first that speaks decides: the security list (nothing re-includes what it names), the
    settings, ``.contextlsignore``, ``.gitignore`` with ``.git/info/exclude``, the noise list. A negated
    pattern therefore re-includes what later rules would leave out, but nothing below a folder that is left
    out, as in git. Ignore files are read again when they change. Safe to use from several threads.
    """

    def __init__(self, root: Path, patterns: Sequence[str] = (), include_noise: bool = False) -> None:
        self.root = root
        self.include_noise = include_noise
        self._prefix = f"{str(root).rstrip(os.sep)}{os.sep}"
        self._settings = Patterns(patterns)
        self._cache: dict[str, tuple[tuple[int, int], Patterns | None]] = {}

    def reason(self, path: str, is_dir: bool = False) -> str | None:
        """Why ``path`` (relative, ``/`` between parts) is left out; None when it is accepted.

        One of ``security``, ``settings``, ``contextlsignore``, ``gitignore``, ``noise``. The file need not
        exist.
        """
        *parents, name = path.split("/")
        folder = self.top()
        for parent in parents:
            if reason := folder.reason(parent, is_dir=True):
                return reason
            folder = folder.enter(parent)
        return folder.reason(name, is_dir)

    def folder(self, path: str) -> Folder | None:
        """The folder at ``path`` to walk down from; ``""`` is the root. None when it is left out."""
        folder = self.top()
        for name in path.split("/") if path else ():
            if folder.reason(name, is_dir=True):
                return None
            folder = folder.enter(name)
        return folder

    def top(self) -> Folder:
        """The root itself, to walk down from."""
        above = self._above()
        git = (*above, *self._level("", GITIGNORE))
        return Folder(self, "", git, self._level("", CONTEXTLSIGNORE))

    def _decide(self, folder: Folder, path: str, name: str, is_dir: bool) -> str | None:
        if builtin_rules.secret(path, is_dir):
            return "security"
        if builtin_rules.internal(name):
            return "noise"
        asked = self._settings.check(path, is_dir) if self._settings else None
        if asked is not None:
            return "settings" if asked else None
        for reason, levels in (("contextlsignore", folder.own), ("gitignore", folder.git)):
            for level in reversed(levels):
                asked = level.check(path, is_dir)
                if asked is not None:
                    break
            else:
                continue
            if asked or reason == "contextlsignore":
                return reason if asked else None
            break
        return "noise" if not self.include_noise and builtin_rules.noise(self.root, path, is_dir) else None

    def _level(self, folder: str, name: str) -> tuple[_Level, ...]:
        patterns = self._patterns(f"{self._prefix}{folder}/{name}" if folder else self._prefix + name)
        return (_Level(len(folder) + 1 if folder else 0, "", patterns),) if patterns else ()

    def _above(self) -> tuple[_Level, ...]:
        """What holds for the root from outside: the exclude file, and ignore files up to the repository's top."""
        top = _repository_top(self.root)
        if top is None:
            return ()
        levels: list[_Level] = []
        places = [str(_git_directory(top) / "info" / "exclude"), *_ignore_files_between(top, self.root)]
        for place in places:
            base = top if place.endswith("exclude") else Path(place).parent
            patterns = self._patterns(place)
            if patterns:
                relative = self.root.relative_to(base).as_posix()
                levels.append(_Level(0, "" if relative == "." else relative + "/", patterns))
        if any(_leaves_out_base(level) for level in levels):
            return ()  # the user opened an ignored folder on purpose: what ignores it does not hold inside
        return tuple(levels)

    def _patterns(self, path: str) -> Patterns | None:
        """The patterns of an ignore file, read again when its time or size changed."""
        try:
            status = os.stat(path)  # noqa: PTH116 - asked for every folder of a scan; a Path costs twice as much
            stamp = (status.st_mtime_ns, status.st_size)
        except OSError:
            return None
        known = self._cache.get(path)
        if known is None or known[0] != stamp:
            known = (stamp, _read_patterns(path))
            self._cache[path] = known
        return known[1]


def is_ignore_file(path: str) -> bool:
    """Whether a change of this file changes what belongs to the memory."""
    return path.rsplit("/", 1)[-1] in (GITIGNORE, CONTEXTLSIGNORE)


def _read_patterns(path: str) -> Patterns | None:
    try:
        with Path(path).open("rb") as file:
            return parse(file.read(_MAX_IGNORE_BYTES).decode("utf-8", "replace")) or None
    except OSError:
        return None


def _leaves_out_base(level: _Level) -> bool:
    parts = level.base.split("/")[:-1]
    return any(
        level.patterns.check("/".join(parts[:depth]), is_dir=True) for depth in range(1, len(parts) + 1)
    )


def _repository_top(root: Path) -> Path | None:
    return next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)


def _ignore_files_between(top: Path, root: Path) -> list[str]:
    """Those above the root, outermost first."""
    folders = [folder for folder in reversed(root.parents) if folder.is_relative_to(top)]
    return [str(folder / GITIGNORE) for folder in folders]


def _git_directory(top: Path) -> Path:
    """Where ``info/exclude`` lies: in a linked worktree and a submodule ``.git`` is a file that points to it."""
    git = top / ".git"
    if not git.is_file():
        return git
    try:
        pointed = git.read_text("utf-8", "replace").strip().removeprefix("gitdir:").strip()
        folder = (top / pointed).resolve()
        common = folder / "commondir"
        return (folder / common.read_text("utf-8").strip()).resolve() if common.is_file() else folder
    except (OSError, ValueError):
        return git

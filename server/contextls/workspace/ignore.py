"""Which files belong to the memory: git's rules, ours, the settings and the built-in lists as one question."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from contextls.workspace import builtin_rules
from contextls.workspace.outer_ignore_files import (
    GITIGNORE,
    OuterFile,
    find_outer_files,
    find_repository_files,
)
from contextls.workspace.pattern_files import PatternFiles
from contextls.workspace.patterns import Patterns
from contextls.workspace.personal_ignore import TrackedFiles
from contextls.workspace.roots import SYSTEM_FOLDERS, relative
from contextls.workspace.state_folders import state_folders

CONTEXTLSIGNORE = ".contextlsignore"
# Characters of patterns with stars inside that may be in force in one folder, from all ignore files above it together.
_MAX_IN_FORCE = 64_000


class _Level(Struct, frozen=True):
    """The patterns of one ignore file, and what makes a root-relative path relative to that file."""

    strip: int  # characters at the head of the path to leave out, for a file below the root
    base: str  # what to put before the path, for a file above the root
    patterns: Patterns
    file: str  # its absolute path
    tracked: TrackedFiles | None = None  # of the user's own file, what it does not concern

    def check(self, path: str, is_dir: bool) -> bool | None:
        return self.patterns.check(self.base + path[self.strip :], is_dir)

    def tracks(self, path: str, is_dir: bool) -> bool:
        """Whether the user's own patterns name ``path`` or a folder around it, but git tracks it or something in it."""
        path = self.base + path[self.strip :]
        return self.tracked is not None and self.tracked.holds(path, is_dir, self.patterns)


class Folder(Struct, frozen=True):
    """An accepted folder and the patterns in force there. ``path`` is relative to the root, itself ``""``."""

    rules: IgnoreRules
    path: str
    git: tuple[_Level, ...]
    own: tuple[_Level, ...]
    weight: int = 0  # characters of the patterns in force that have to be tried one by one
    only_tracked: bool = False  # the user's own ignore file names it, and only what git tracks in it counts

    def reason(self, name: str, is_dir: bool) -> str | None:
        """Why the entry ``name`` of this folder is left out; None when it is accepted."""
        return self.rules.decide(self, self.child(name), name, is_dir)

    def find_ignore_file(self, name: str, is_dir: bool) -> str:
        """The ignore file that leaves out its entry ``name``, where ``reason`` says that one does; its absolute path."""
        path = self.child(name)
        levels = (*reversed(self.own), *reversed(self.git))
        speaking = (level for level in levels if level.check(path, is_dir) is not None)
        return next(speaking, self.git[0] if self.only_tracked else levels[-1]).file

    def enter(self, name: str, *, has_rules: bool = True) -> Folder:
        """The accepted sub-folder ``name``; unless it ``has_rules``, no ignore file is looked for in it."""
        path = self.child(name)
        only_tracked = self.only_tracked or self.rules.is_personal(self, path)
        if not has_rules:
            return Folder(self.rules, path, self.git, self.own, self.weight, only_tracked)
        return self.rules._folder(path, self.git, self.own, self.weight, only_tracked)

    def child(self, name: str) -> str:
        """The path of its entry ``name``; of an empty one, its own."""
        if not name:
            return self.path
        return f"{self.path}/{name}" if self.path else name


class FrozenRules:
    """The rules as they are at one moment, for many paths. Belongs to one thread."""

    def __init__(self, top: Folder) -> None:
        """Use ``IgnoreRules.at_once``."""
        self._folders: dict[str, Folder | str] = {"": top}

    def reason(self, path: str, is_dir: bool = False) -> str | None:
        """As ``IgnoreRules.reason``."""
        above, _, name = path.rpartition("/")
        folder = self._enter(above)
        return folder if isinstance(folder, str) else folder.reason(name, is_dir)

    def _enter(self, path: str) -> Folder | str:
        """The folder at ``path``, or why it is left out."""
        known = self._folders.get(path)
        if known is None:
            above, _, name = path.rpartition("/")
            parent = self._enter(above)
            known = (
                parent if isinstance(parent, str) else parent.reason(name, is_dir=True) or parent.enter(name)
            )
            self._folders[path] = known
        return known


class IgnoreRules:
    """The ignore rules of one workspace.

    In order, the first that speaks decides: the security list (nothing re-includes what it names), the
    settings, ``.contextlsignore``, ``.gitignore`` with ``.git/info/exclude`` and the user's own ignore file of
    git, the noise list. A negated pattern therefore re-includes what later rules would leave out, but nothing
    below a folder that is left out, as in git. Ignore files are read again when they change. Safe to use from
    several threads.
    """

    def __init__(
        self,
        root: Path,
        patterns: Sequence[str] = (),
        include_noise: bool = False,
        before: IgnoreRules | None = None,
    ) -> None:
        """``before`` are earlier rules of the same root: what these have read is not read again."""
        self.root = root
        self.include_noise = include_noise
        self._prefix = f"{str(root).rstrip(os.sep)}{os.sep}"
        self._asked = patterns
        self._settings: Patterns | None = None
        self._state: frozenset[str] | None = None
        self._files: PatternFiles = PatternFiles(root) if before is None else before._files
        self._tracked: dict[Path, TrackedFiles] = {} if before is None else before._tracked

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

    def names(self, path: str, is_dir: bool = False) -> bool:
        """Whether ``path`` may be named, though nobody reads it: it is accepted, or left out as noise by its own name alone.

        A folder also where one around it is noise.
        """
        *parents, name = path.split("/")
        folder = self.top()
        for parent in parents:
            reason = folder.reason(parent, is_dir=True)
            if reason is not None and not (is_dir and reason == "noise"):
                return False
            folder = folder.enter(parent)
        return folder.reason(name, is_dir) in (None, "noise")

    def folder(self, path: str) -> Folder | None:
        """The folder at ``path`` to walk down from; ``""`` is the root. None when it is left out."""
        folder = self.top()
        for name in path.split("/") if path else ():
            if folder.reason(name, is_dir=True):
                return None
            folder = folder.enter(name)
        return folder

    def at_once(self) -> FrozenRules:
        """The same rules for many paths of one moment, each folder of which is entered once."""
        return FrozenRules(self.top())

    def top(self) -> Folder:
        """The root itself, to walk down from."""
        above = self._above()
        return self._folder("", above, (), sum(level.patterns.glob_size for level in above))

    def leave_out_root(self) -> bool:
        """Whether rules from outside of the root leave it out: the user opened an ignored folder on purpose."""
        return any(_leaves_out_base(level) for level in self._outer())

    def warnings(self) -> tuple[str, ...]:
        """Warnings about rules that count for nothing, in words for a user."""
        found = [f"the setting `ignore`, {problem}" for problem in self._set().problems]
        return (*found, *self._files.warnings())

    def decide(self, folder: Folder, path: str, name: str, is_dir: bool) -> str | None:
        """As ``Folder.reason``, of the entry ``name`` of ``folder`` whose path is known."""
        if builtin_rules.is_secret(path, is_dir):
            return "security"
        if builtin_rules.is_internal(name) or path in self._kept_state():
            return "noise"
        asked = self._set().check(path, is_dir)
        if asked is not None:
            return "settings" if asked else None
        for reason, levels in (("contextlsignore", folder.own), ("gitignore", folder.git)):
            for level in reversed(levels):
                asked = level.check(path, is_dir)
                if asked is not None:
                    break
            else:
                continue
            if reason == "contextlsignore":
                return reason if asked else None
            if asked and (self._is_noise(path, is_dir) or not level.tracks(path, is_dir)):
                return reason
            return "noise" if self._is_noise(path, is_dir) else None
        if folder.only_tracked and not folder.git[0].tracks(path, is_dir):
            return "gitignore"
        return "noise" if self._is_noise(path, is_dir) else None

    def is_personal(self, folder: Folder, path: str) -> bool:
        """Whether the user's own ignore file has the last word on the folder ``path`` of ``folder``, and names it."""
        if not folder.git or folder.git[0].tracked is None:
            return False
        others: tuple[_Level | Patterns, ...] = (self._set(), *folder.git[1:], *folder.own)
        spoken = any(each.check(path, is_dir=True) is not None for each in others)
        return not spoken and folder.git[0].check(path, is_dir=True) is True

    def _is_noise(self, path: str, is_dir: bool) -> bool:
        return not self.include_noise and builtin_rules.is_noise(self.root, path, is_dir)

    def _set(self) -> Patterns:
        """The patterns of the settings, read when they are first needed: often rules are made and none is asked for."""
        if self._settings is None:
            self._settings = Patterns(self._asked)
        return self._settings

    def _kept_state(self) -> frozenset[str]:
        """The folders in the workspace that hold the state of contextls or of the system: none, as a rule."""
        if self._state is None:
            inside = (relative(self.root, folder) for folder in (*state_folders(), *SYSTEM_FOLDERS))
            self._state = frozenset(path for path in inside if path is not None)
        return self._state

    def _folder(
        self,
        path: str,
        git: tuple[_Level, ...],
        own: tuple[_Level, ...],
        weight: int,
        only_tracked: bool = False,
    ) -> Folder:
        """The folder at ``path`` with its own ignore files on top of what is in force above it."""
        start = f"{self._prefix}{path}/" if path else self._prefix
        strip = len(path) + 1 if path else 0
        if path and os.path.lexists(f"{start}.git"):
            git, weight, only_tracked = *self._enter_repository(path, git, weight), False
        if patterns := self._patterns(start + GITIGNORE, weight, self.root):
            git = (*git, _Level(strip, "", patterns, start + GITIGNORE))
            weight += patterns.glob_size
        if patterns := self._patterns(start + CONTEXTLSIGNORE, weight, self.root):
            own = (*own, _Level(strip, "", patterns, start + CONTEXTLSIGNORE))
            weight += patterns.glob_size
        return Folder(self, path, git, own, weight, only_tracked)

    def _patterns(self, path: str, weight: int, within: Path | None) -> Patterns | None:
        patterns = self._files.read(path, within)
        if patterns and patterns.glob_size and weight + patterns.glob_size > _MAX_IN_FORCE:
            patterns = self._files.read(path, within, globs=False)
        return patterns

    def _above(self) -> tuple[_Level, ...]:
        """The rules for the root from outside of it; what ignores the root does not hold inside."""
        levels = self._outer()
        return () if any(_leaves_out_base(level) for level in levels) else tuple(levels)

    def _outer(self) -> list[_Level]:
        levels: list[_Level] = []
        weight = 0
        for file in find_outer_files(self.root):
            relative = self.root.relative_to(file.base).as_posix()
            level = self._level(file, weight, 0, "" if relative == "." else relative + "/")
            if level is not None:
                weight += level.patterns.glob_size
                levels.append(level)
        return levels

    def _enter_repository(
        self, path: str, git: tuple[_Level, ...], weight: int
    ) -> tuple[tuple[_Level, ...], int]:
        """The levels in a repository of its own, such as a submodule, and their weight."""
        levels = [level for level in git if level.tracked is None]
        for file in find_repository_files(self.root / path):
            level = self._level(file, weight, len(path) + 1, "")
            if level is not None:
                weight += level.patterns.glob_size
                levels.insert(0 if file.is_personal else len(levels), level)
        return tuple(levels), weight

    def _level(self, file: OuterFile, weight: int, strip: int, base: str) -> _Level | None:
        patterns = self._patterns(file.place, weight, file.within)
        if not patterns or not file.is_personal:
            return _Level(strip, base, patterns, file.place) if patterns else None
        tracked = self._tracked.get(file.base)
        if tracked is None or tracked.file != file.place:
            root = self.root if self.root.is_relative_to(file.base) else file.base
            tracked = self._tracked[file.base] = TrackedFiles(root, file.base, file.place)
        return _Level(strip, base, patterns, file.place, tracked)


def is_ignore_file(path: str) -> bool:
    """Whether a change of this file changes what belongs to the memory."""
    return path.rsplit("/", 1)[-1] in (GITIGNORE, CONTEXTLSIGNORE)


def _leaves_out_base(level: _Level) -> bool:
    parts = level.base.split("/")[:-1]
    return any(
        level.patterns.check("/".join(parts[:depth]), is_dir=True) for depth in range(1, len(parts) + 1)
    )

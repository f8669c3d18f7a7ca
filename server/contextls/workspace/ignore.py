"""Decides which files belong to the memory, by git's rules, ours, the settings and the built-in lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from contextls.workspace import builtin_rules
from contextls.workspace.ignore_levels import CONTEXTLSIGNORE, Level, LevelReader, Levels
from contextls.workspace.outer_ignore_files import GITIGNORE
from contextls.workspace.patterns import Patterns
from contextls.workspace.roots import SYSTEM_FOLDERS, relative
from contextls.workspace.state_folders import state_folders

IGNORE_FILES = frozenset({GITIGNORE, CONTEXTLSIGNORE})


class Folder(Struct, frozen=True):
    """An accepted folder and the ignore files in force there. ``path`` is relative to the root, itself ``""``."""

    rules: IgnoreRules
    path: str
    levels: Levels
    only_tracked: bool = False  # the user's own ignore file names it, and only what git tracks in it counts

    def reason(self, name: str, is_dir: bool) -> str | None:
        """The reason why the entry ``name`` of this folder is left out; None when it is accepted."""
        return self.rules.decide(self, self.child(name), name, is_dir)

    def find_ignore_file(self, name: str, is_dir: bool) -> str:
        """The ignore file that leaves out its entry ``name``, where ``reason`` says that one does; its absolute path."""
        path = self.child(name)
        levels = (*reversed(self.levels.own), *reversed(self.levels.git))
        speaking = (level for level in levels if level.check(path, is_dir) is not None)
        return next(speaking, self.levels.git[0] if self.only_tracked else levels[-1]).file

    def enter(self, name: str, *, has_rules: bool = True) -> Folder:
        """The accepted sub-folder ``name``; unless it ``has_rules``, no ignore file is looked for in it."""
        path = self.child(name)
        only_tracked = self.only_tracked or self.rules.is_personal(self, path)
        if not has_rules:
            return Folder(self.rules, path, self.levels, only_tracked)
        return self.rules.enter(path, self.levels, only_tracked=only_tracked)

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
        """Like ``IgnoreRules.reason``."""
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
        self._asked = patterns
        self._settings: Patterns | None = None
        self._state: frozenset[str] | None = None
        self._levels: LevelReader = LevelReader(root, None if before is None else before._levels)

    def reason(self, path: str, is_dir: bool = False) -> str | None:
        """The reason why ``path`` (relative, ``/`` between parts) is left out; None when it is accepted.

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
        """Whether ``path`` may be named, if not shown: it is accepted, or left out as noise by its own name alone.

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
        """The same rules for many paths of one moment; each folder is entered once."""
        return FrozenRules(self.top())

    def top(self) -> Folder:
        """The root itself, to walk down from."""
        return self.enter("", self._levels.read_above(), only_tracked=False)

    def enter(self, path: str, above: Levels, *, only_tracked: bool) -> Folder:
        """The folder at ``path``, with its own ignore files on top of what is in force ``above`` it."""
        if self._levels.is_repository(path):
            above, only_tracked = self._levels.enter_repository(path, above), False
        return Folder(self, path, self._levels.read_folder(path, above), only_tracked)

    def leave_out_root(self) -> bool:
        """Whether rules from outside of the root leave it out: the user opened an ignored folder on purpose."""
        return self._levels.leave_out_root()

    def warnings(self) -> tuple[str, ...]:
        """Warnings about rules that count for nothing, in words for a user."""
        found = [f"the setting `ignore`, {problem}" for problem in self._patterns_of_settings().problems]
        return (*found, *self._levels.warnings())

    def decide(self, folder: Folder, path: str, name: str, is_dir: bool) -> str | None:
        """As ``Folder.reason``, of the entry ``name`` of ``folder`` whose path is known."""
        is_ordinary = not is_dir and builtin_rules.is_ordinary(name)
        if not is_ordinary and builtin_rules.is_secret(path, is_dir):
            return "security"
        if builtin_rules.is_internal(name) or path in self._kept_state():
            return "noise"
        asked = self._patterns_of_settings().check(path, is_dir)
        if asked is not None:
            return "settings" if asked else None
        if (spoken := _find_last_word(folder.levels.own, path, is_dir)) is not None:
            return "contextlsignore" if spoken.leaves_out else None
        is_noise = not (is_ordinary or self.include_noise) and builtin_rules.is_noise(self.root, path, is_dir)
        if (spoken := _find_last_word(folder.levels.git, path, is_dir)) is not None:
            # What is noise need not be looked up among what git tracks.
            is_ignored = spoken.leaves_out and (is_noise or not spoken.level.tracks(path, is_dir))
        else:
            is_ignored = folder.only_tracked and not folder.levels.git[0].tracks(path, is_dir)
        if is_ignored:
            return "gitignore"
        return "noise" if is_noise else None

    def is_personal(self, folder: Folder, path: str) -> bool:
        """Whether the user's own ignore file has the last word on the folder ``path`` of ``folder``, and names it."""
        git = folder.levels.git
        if not git or git[0].tracked is None:
            return False
        others: tuple[Level | Patterns, ...] = (self._patterns_of_settings(), *git[1:], *folder.levels.own)
        spoken = any(each.check(path, is_dir=True) is not None for each in others)
        return not spoken and git[0].check(path, is_dir=True) is True

    def _patterns_of_settings(self) -> Patterns:
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


def is_ignore_file(path: str) -> bool:
    """Whether a change of this file changes what belongs to the memory."""
    return path.rsplit("/", 1)[-1] in IGNORE_FILES


class _LastWord(NamedTuple):
    level: Level
    leaves_out: bool


def _find_last_word(levels: Sequence[Level], path: str, is_dir: bool) -> _LastWord | None:
    """The last of ``levels`` with a pattern for ``path``, and what it says."""
    for level in reversed(levels):
        leaves_out = level.check(path, is_dir)
        if leaves_out is not None:
            return _LastWord(level, leaves_out)
    return None

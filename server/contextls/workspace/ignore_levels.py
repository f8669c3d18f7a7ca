"""The ignore files that are in force in a folder: each is a level, from outside of the root down to the folder itself."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from contextls.workspace.outer_ignore_files import (
    GITIGNORE,
    OuterFile,
    find_outer_files,
    find_repository_files,
)
from contextls.workspace.pattern_files import PatternFiles
from contextls.workspace.patterns import Patterns
from contextls.workspace.personal_ignore import TrackedFiles

CONTEXTLSIGNORE = ".contextlsignore"
# Characters of patterns with stars inside that may be in force in one folder, from all ignore files above it together.
_MAX_IN_FORCE = 64_000


class Level(Struct, frozen=True):
    """The patterns of one ignore file, and what makes a root-relative path relative to that file."""

    strip: int  # characters at the head of the path to leave out, for a file below the root
    base: str  # what to put before the path, for a file above the root
    patterns: Patterns
    file: str  # its absolute path
    tracked: TrackedFiles | None = None  # of the user's own file, what it does not concern

    def check(self, path: str, is_dir: bool) -> bool | None:
        """Whether the patterns leave ``path`` out, or include it again; ``None`` where none of them matches it."""
        return self.patterns.check(self.base + path[self.strip :], is_dir)

    def tracks(self, path: str, is_dir: bool) -> bool:
        """Whether the user's own patterns name ``path`` or a folder around it, but git tracks it or something in it."""
        path = self.base + path[self.strip :]
        return self.tracked is not None and self.tracked.holds(path, is_dir, self.patterns)

    def leaves_out_root(self) -> bool:
        """Whether the patterns of a file above the root leave out the root or a folder around it."""
        parts = self.base.split("/")[:-1]
        return any(
            self.patterns.check("/".join(parts[:depth]), is_dir=True) for depth in range(1, len(parts) + 1)
        )


class Levels(Struct, frozen=True):
    """The levels in force in a folder: those of git and our own, each with the one that has the last word last."""

    git: tuple[Level, ...] = ()
    own: tuple[Level, ...] = ()
    weight: int = 0  # characters of the patterns in force that have to be tried one by one

    def with_git(self, level: Level) -> Levels:
        """The same with one more level of git."""
        return Levels((*self.git, level), self.own, self.weight + level.patterns.glob_size)

    def with_own(self, level: Level) -> Levels:
        """The same with one more level of our own."""
        return Levels(self.git, (*self.own, level), self.weight + level.patterns.glob_size)


class LevelReader:
    """Reads the ignore files of one workspace, each again when it changes. Safe to use from several threads."""

    def __init__(self, root: Path, before: LevelReader | None = None) -> None:
        """``before`` has read files for the same root: those are not read again."""
        self._root = root
        self._prefix = f"{str(root).rstrip(os.sep)}{os.sep}"
        self._files: PatternFiles = PatternFiles(root) if before is None else before._files
        self._tracked: dict[Path, TrackedFiles] = {} if before is None else before._tracked

    def read_above(self) -> Levels:
        """The levels from outside of the root; none where they leave it out."""
        levels = self._read_outer()
        return Levels() if any(level.leaves_out_root() for level in levels.git) else levels

    def leave_out_root(self) -> bool:
        """Whether ignore files outside of the root leave it out."""
        return any(level.leaves_out_root() for level in self._read_outer().git)

    def read_folder(self, path: str, above: Levels) -> Levels:
        """The levels in the folder at ``path``: its own ignore files on top of those ``above``."""
        start, strip = self._start(path), len(path) + 1 if path else 0
        levels = above
        if patterns := self._read_patterns(start + GITIGNORE, levels.weight, self._root):
            levels = levels.with_git(Level(strip, "", patterns, start + GITIGNORE))
        if patterns := self._read_patterns(start + CONTEXTLSIGNORE, levels.weight, self._root):
            levels = levels.with_own(Level(strip, "", patterns, start + CONTEXTLSIGNORE))
        return levels

    def is_repository(self, path: str) -> bool:
        """Whether the folder at ``path``, below the root, is a repository of its own, such as a submodule."""
        return bool(path) and os.path.lexists(f"{self._start(path)}.git")

    def enter_repository(self, path: str, above: Levels) -> Levels:
        """The levels in a repository of its own at ``path``: it has its own ``.git/info/exclude``, and the user's file."""
        git, weight = [level for level in above.git if level.tracked is None], above.weight
        for file in find_repository_files(self._root / path):
            level = self._read_level(file, weight, len(path) + 1, "")
            if level is not None:
                weight += level.patterns.glob_size
                git.insert(0 if file.is_personal else len(git), level)
        return Levels(tuple(git), above.own, weight)

    def warnings(self) -> tuple[str, ...]:
        """Warnings about lines that count for nothing, in words for a user."""
        return self._files.warnings()

    def _start(self, path: str) -> str:
        """The absolute path of a folder, up to the names in it."""
        return f"{self._prefix}{path}/" if path else self._prefix

    def _read_outer(self) -> Levels:
        levels = Levels()
        for file in find_outer_files(self._root):
            relative = self._root.relative_to(file.base).as_posix()
            level = self._read_level(file, levels.weight, 0, "" if relative == "." else relative + "/")
            if level is not None:
                levels = levels.with_git(level)
        return levels

    def _read_level(self, file: OuterFile, weight: int, strip: int, base: str) -> Level | None:
        patterns = self._read_patterns(file.place, weight, file.within)
        if not patterns or not file.is_personal:
            return Level(strip, base, patterns, file.place) if patterns else None
        tracked = self._tracked.get(file.base)
        if tracked is None or tracked.file != file.place:
            root = self._root if self._root.is_relative_to(file.base) else file.base
            tracked = self._tracked[file.base] = TrackedFiles(root, file.base, file.place)
        return Level(strip, base, patterns, file.place, tracked)

    def _read_patterns(self, path: str, weight: int, within: Path | None) -> Patterns | None:
        """The patterns of one file, without those that would be too many with the ``weight`` of those in force."""
        patterns = self._files.read(path, within)
        if patterns and patterns.glob_size and weight + patterns.glob_size > _MAX_IN_FORCE:
            patterns = self._files.read(path, within, globs=False)
        return patterns

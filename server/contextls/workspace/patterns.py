"""One file's worth of gitignore patterns, asked for one path at a time in a time that does not grow with their number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NoReturn

from msgspec import Struct

from contextls.workspace.glob_syntax import BadPatternError, GlobPattern, by_bytes, is_simple, read_pattern

# Names and endings are looked up and cost nothing however many there are; what has to be tried one by one is bounded.
# The largest ignore files in public use have some 400 lines, of which 60 are of that kind.
MAX_PATTERNS = 50_000
MAX_GLOBS = 1_000
MAX_GLOB_CHARS = 32_000  # characters of all their expressions together
_NAMED_PROBLEMS = 5


class PatternProblem(Struct, frozen=True):
    """A problem of a line; ``line`` is 1 for the first. When ``skipped``, it counts for nothing."""

    line: int
    reason: str
    skipped: bool = True

    def __str__(self) -> str:
        """The line and the reason, for a sentence that names the file."""
        return f"line {self.line}: {self.reason}" + "; it counts for nothing" * self.skipped


class Patterns:
    """Patterns in the order of their file; the last one that matches decides.

    A pattern speaks of the entry itself; the folders above are asked before (as git does). What cannot be read, or is
    too much, is left out and named in ``problems``; ``doubtful`` is how many lines there
    is something to say of.
    """

    def __init__(self, lines: Iterable[str], *, globs: bool = True) -> None:
        """Never raises. ``globs`` false leaves out all that is neither a name nor an ending."""
        self._ignores: list[bool] = []
        self.problems: tuple[PatternProblem, ...] = ()
        self.doubtful = 0
        self._has_room = globs  # for patterns that have to be tried
        self.globs = 0
        self.glob_size = 0
        every, folders = _Builder(), _Builder()
        for number, line in enumerate(lines, 1):
            if len(self._ignores) >= MAX_PATTERNS:
                self._note(number, f"only the first {MAX_PATTERNS:,} patterns are read")
                break
            try:
                pattern = read_pattern(line) if self._has_room or is_simple(line) else _no_room()
                if pattern is not None:
                    self._take(pattern, folders if pattern.folders_only else every)
                    if pattern.doubt:
                        self._note(number, pattern.doubt, skipped=False)
            except BadPatternError as error:
                self._note(number, str(error))
        self._every, self._folders = _Index(every), _Index(folders)

    def __len__(self) -> int:
        return len(self._ignores)

    def __bool__(self) -> bool:
        """Whether any pattern could be read."""
        return bool(self._ignores)

    def check(self, path: str, is_dir: bool) -> bool | None:
        """True when ignored, False when re-included by ``!``, None when no pattern matches it.

        ``path`` is relative to the folder of the file.
        """
        if not self._ignores:
            return None
        best = self.last_match(path, is_dir)
        return None if best < 0 else self._ignores[best]

    def last_match(self, path: str, is_dir: bool) -> int:
        """The place of the last pattern that matches the entry; -1 when none does."""
        path = by_bytes(path)
        name = path[path.rfind("/") + 1 :]
        best = self._every.last_match(path, name)
        return max(best, self._folders.last_match(path, name)) if is_dir else best

    def ignores(self, place: int) -> bool:
        """Whether the pattern at that place ignores, or takes back."""
        return self._ignores[place]

    def _take(self, pattern: GlobPattern, to: _Builder) -> None:
        if pattern.expression is not None:
            size = self.glob_size + len(pattern.expression)
            if self.globs >= MAX_GLOBS or size > MAX_GLOB_CHARS:
                self._has_room = False
            if not self._has_room:
                _no_room()
            self.globs, self.glob_size = self.globs + 1, size
        to.add(pattern, len(self._ignores))
        self._ignores.append(pattern.ignores)

    def _note(self, number: int, reason: str, *, skipped: bool = True) -> None:
        self.doubtful += 1
        if self.doubtful <= _NAMED_PROBLEMS:
            self.problems += (PatternProblem(number, reason, skipped),)


class _Builder:
    """Patterns by what they can be looked up with."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.paths: dict[str, int] = {}
        self.endings: dict[str, int] = {}
        self.beginnings: dict[str, int] = {}
        self.name_globs: list[tuple[int, str]] = []
        self.path_globs: list[tuple[int, str]] = []

    def add(self, pattern: GlobPattern, place: int) -> None:
        if pattern.literal is not None:
            (self.names if pattern.is_name else self.paths)[pattern.literal] = place
        elif pattern.ending is not None:
            self.endings[pattern.ending] = place
        elif pattern.beginning is not None:
            self.beginnings[pattern.beginning] = place
        elif pattern.expression is not None:
            (self.name_globs if pattern.is_name else self.path_globs).append((place, pattern.expression))


class _Index:
    """Finds the last pattern that matches."""

    __slots__ = ("_beginnings", "_endings", "_is_empty", "_name_globs", "_names", "_path_globs", "_paths")

    def __init__(self, of: _Builder) -> None:
        self._names = of.names
        self._paths = of.paths
        self._endings = _by_length(of.endings)
        self._beginnings = _by_length(of.beginnings)
        self._name_globs = _Alternation(of.name_globs) if of.name_globs else None
        self._path_globs = _Alternation(of.path_globs) if of.path_globs else None
        self._is_empty = not any(vars(of).values())

    def last_match(self, path: str, name: str) -> int:
        if self._is_empty:
            return -1
        best = self._names.get(name, -1)
        if self._paths:
            best = max(best, self._paths.get(path, -1))
        size = len(name)
        for length, known in self._endings:
            if length > size:
                break
            best = max(best, known.get(name[size - length :], -1))
        for length, known in self._beginnings:
            if length > size:
                break
            best = max(best, known.get(name[:length], -1))
        if self._name_globs is not None:
            best = max(best, self._name_globs.last_match(name))
        if self._path_globs is not None:
            best = max(best, self._path_globs.last_match(path))
        return best


class _Alternation:
    """Regular expressions with their place in the file, as one."""

    def __init__(self, sources: Iterable[tuple[int, str]]) -> None:
        last_first = sorted(sources, reverse=True)
        self._places = [place for place, _ in last_first]
        # The empty group after each tells which it was; around it, it would hide how the expression begins.
        joined = "|".join(rf"{source}\Z()" for _, source in last_first)
        self._match = re.compile(joined, re.DOTALL).match

    def last_match(self, text: str) -> int:
        """The highest place whose expression matches all of ``text``; -1 when none does."""
        match = self._match(text)
        return -1 if match is None else self._places[(match.lastindex or 1) - 1]


def parse(text: str, *, globs: bool = True) -> Patterns:
    """The patterns of a ``.gitignore`` with this content."""
    lines = text.removeprefix("\ufeff").split("\n")
    return Patterns((line.removesuffix("\r") for line in lines), globs=globs)


def _no_room() -> NoReturn:
    raise BadPatternError("there are too many patterns with stars inside of them")


def _by_length(table: Mapping[str, int]) -> list[tuple[int, dict[str, int]]]:
    found: dict[int, dict[str, int]] = {}
    for text, place in table.items():
        found.setdefault(len(text), {})[text] = place
    return sorted(found.items())

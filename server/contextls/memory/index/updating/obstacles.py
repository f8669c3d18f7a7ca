"""Reasons that keep a path out of the index before it is read, and what people can do about them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.surrogates import is_encodable
from contextls.workspace import builtin_rules
from contextls.workspace.ignore import Folder, IgnoreRules
from contextls.workspace.ignore_levels import CONTEXTLSIGNORE
from contextls.workspace.patterns import parse
from contextls.workspace.roots import expand_user
from contextls.workspace.size_limit import is_too_large

# Nothing that people may write down takes these back, and nothing below such a folder is looked at.
_FINAL = frozenset({"security", "symlink", "special", "name"})
_LIFTED_BY_LINE = frozenset({"gitignore", "noise"})
_PATTERN_SIGNS = compile_late(r"[\\*?\[]|\s$")
_WORDS = {
    "security": "left out always, as files of such a name hold secrets or the name is one itself",
    "settings": "left out by the setting `ignore`",
    "gitignore": "left out by git's ignore rules",
    "noise": "left out as noise (dependencies, build output, binary, lock and generated files)",
    "size": "left out as larger than the setting `maxFileBytes` allows",
    "symlink": "left out as a symbolic link: what it leads to counts where it lies, if that is in the workspace",
    "special": "left out as no plain file",
    "name": "left out as its name is not valid UTF-8; another name lets it in",
}
_INTERNAL = "left out always, as it belongs to version control or to contextls itself"


class Obstacle(Struct, frozen=True):
    """A file, or a folder above it, that is left out.

    ``reason`` is a word of ``IgnoreRules.reason`` or of ``Scan.skipped``; ``source`` is the ignore file that says so, if
    one does, as people write its path: from the root, from their home folder, or absolute.
    """

    path: str
    folder: bool
    reason: str
    source: str = ""

    @property
    def is_internal(self) -> bool:
        """Whether it is a repository of version control or what contextls itself keeps."""
        return self.reason == "noise" and builtin_rules.is_internal(self.path.rsplit("/", 1)[-1])

    @property
    def is_final(self) -> bool:
        """Whether no rule can include the path again."""
        return self.reason in _FINAL or self.is_internal

    @property
    def words(self) -> str:
        """The reason why it is left out, as the rest of a sentence about the file."""
        if self.is_internal:
            why = _INTERNAL
        elif self.reason == "contextlsignore":
            why = f"left out by `{self.source}`"
        else:
            why = _WORDS[self.reason] + (f" ({self.source})" if self.source else "")
        return f"its folder `{self.path}/` is {why}" if self.folder else why


def find_obstacles(root: Path, rules: IgnoreRules, path: str, max_bytes: int) -> tuple[Obstacle, ...]:
    """All that keeps the file at ``path`` (relative, links not followed) out, from the root downwards.

    The first is what a scan meets. The file need not exist; no file but ignore files is read.
    """
    found: list[Obstacle] = []
    folder = rules.top()
    *parents, name = path.split("/")
    for parent in parents:
        if obstacle := _entry(root, folder, parent, is_dir=True):
            found.append(obstacle)
            if obstacle.is_final:
                return tuple(found)
        folder = folder.enter(parent)
    if obstacle := _entry(root, folder, name, is_dir=False):
        found.append(obstacle)
    elif is_too_large(path, _size(root / path), max_bytes):
        found.append(Obstacle(path, folder=False, reason="size"))
    return tuple(found)


def describe_obstacles(found: tuple[Obstacle, ...]) -> str:
    """One line for people: why the file is left out and, where that is in their hands, how to let it in."""
    first, last = found[0], found[-1]
    if last.is_final:
        return first.words if last is first else f"{first.words}; what is more, {last.words}"
    return f"{first.words}; to let it in, {' and '.join(_remedies(found))}"


def list_reincluding(found: Iterable[Obstacle]) -> tuple[str, ...]:
    """The lines for the end of the root's ``.contextlsignore`` that take back what one line each can take back."""
    lines = []
    for obstacle in found:
        if obstacle.reason in _LIFTED_BY_LINE and not obstacle.is_final:
            line = "!/" + _PATTERN_SIGNS.sub(r"\\\g<0>", obstacle.path) + "/" * obstacle.folder
            if line.isprintable() and parse(line).check(obstacle.path, obstacle.folder) is False:
                lines.append(line)
    return tuple(lines)


def _remedies(found: tuple[Obstacle, ...]) -> list[str]:
    said = []
    lines = list_reincluding(found)
    liftable = [obstacle for obstacle in found if obstacle.reason in _LIFTED_BY_LINE]
    if len(lines) < len(liftable):
        said.append(f"take it back in {CONTEXTLSIGNORE} with a pattern of your own")
    elif lines:
        noun = "the line" if len(lines) == 1 else "the lines"
        said.append(f"add {noun} {', '.join(f'`{line}`' for line in lines)} to {CONTEXTLSIGNORE}")
    for obstacle in found:
        what = f"`{obstacle.path}/`" if obstacle.folder else "it"
        if obstacle.reason == "contextlsignore":
            said.append(f"change the pattern in `{obstacle.source}` that names {what}")
        elif obstacle.reason == "settings":
            said.append(f"change the pattern in the setting `ignore` that names {what}")
        elif obstacle.reason == "size":
            said.append("raise the setting `maxFileBytes`")
    return said


def _entry(root: Path, folder: Folder, name: str, *, is_dir: bool) -> Obstacle | None:
    path = f"{folder.path}/{name}" if folder.path else name
    reason = _unfit(root / path, name, is_dir=is_dir) or folder.reason(name, is_dir)
    if reason is None:
        return None
    told = folder.find_ignore_file(name, is_dir) if reason in ("contextlsignore", "gitignore") else ""
    return Obstacle(path, is_dir, reason, _written(root, told))


def _unfit(entry: Path, name: str, *, is_dir: bool) -> str | None:
    """Find what is wrong with the entry whatever the rules say; the same order as that of a scan."""
    if not is_encodable(name):
        return "name"
    try:
        mode = entry.lstat().st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISLNK(mode):
        return "symlink"
    return None if is_dir or stat.S_ISREG(mode) else "special"


def _written(root: Path, file: str) -> str:
    """``file`` as people write it."""
    for folder, short in ((root, ""), (expand_user("~"), "~/")):
        if file.startswith(f"{folder}{os.sep}"):
            return short + Path(file).relative_to(folder).as_posix()
    return file


def _size(file: Path) -> int:
    try:
        return file.lstat().st_size
    except (OSError, ValueError):
        return 0

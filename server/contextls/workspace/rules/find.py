"""Finds the rules files of a workspace: those for all of it, those for some files, and those of nested folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from contextls.workspace.rules.rules_file import RulesFile, RulesScope, UnsentRules, read_rules_file

# In the order in which they are sent: the one that all tools share first.
FOLDER_FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
ROOT_FILES = (*FOLDER_FILES, ".github/copilot-instructions.md")
RULE_FOLDERS = ((".github/instructions", ".instructions.md"), (".cursor/rules", ".mdc"))
RULE_ENDINGS = tuple(ending for _, ending in RULE_FOLDERS)
# More than any workspace has, and few enough to read for every question.
MAX_LISTED = 200
_MAX_LEVELS = 4


class Rules(Struct, frozen=True):
    """The rules of a workspace as they are on disk. ``warnings`` name the file that they are about."""

    files: tuple[RulesFile, ...] = ()
    left_out: tuple[UnsentRules, ...] = ()
    warnings: tuple[str, ...] = ()

    def of_scope(self, scope: RulesScope) -> tuple[RulesFile, ...]:
        """The rules that are sent in this way."""
        return tuple(file for file in self.files if file.scope is scope)


def is_rules_file(path: str) -> bool:
    """Whether the file at this path instructs models, wherever it lies."""
    name = path.rpartition("/")[2]
    return name in FOLDER_FILES or path in ROOT_FILES or any(map(name.endswith, RULE_ENDINGS))


def find_rules(root: Path, shows: Callable[[str], bool]) -> Rules:
    """The rules that lie at the root of a workspace or in the folders for rules; ignored files are not opened."""
    return _read(root, _present(root), shows)


def find_nested_rules(root: Path, paths: Iterable[str], shows: Callable[[str], bool]) -> Rules:
    """The rules in the folders between the root and these files, the nearest to a file last."""
    folders = dict.fromkeys(folder for path in paths for folder in _folders_above(path))
    ordered = sorted(folders, key=lambda folder: (folder.count("/"), folder))
    names = (f"{folder}/{name}" for folder in ordered for name in FOLDER_FILES)
    return _read(root, (name for name in names if os.path.lexists(root / name)), shows)


def list_rules(root: Path) -> tuple[str, ...]:
    """The paths of the rules files at the root and in the folders for rules, without opening one."""
    return tuple(_present(root))


def _read(root: Path, paths: Iterable[str], shows: Callable[[str], bool]) -> Rules:
    files: list[RulesFile] = []
    left_out: list[UnsentRules] = []
    warnings: list[str] = []
    for path in paths:
        target = _follow(root, path)
        if target is None:
            left_out.append(UnsentRules(path, "a link that leads nowhere or out of the folder"))
            warnings.append(f"{path}: a link that leads nowhere or out of the folder; it was left out")
            continue
        if not shows(target):
            left_out.append(UnsentRules(path, "ignored or excluded"))
            continue
        try:
            found, problems = read_rules_file(root, path)
        except FileNotFoundError:
            continue
        warnings += problems
        if isinstance(found, UnsentRules):
            left_out.append(found)
        elif same := _find_same_text(found, files):
            left_out.append(UnsentRules(path, f"says what {same} says"))
        else:
            files.append(found)
    return Rules(tuple(files), tuple(left_out), tuple(warnings))


def _follow(root: Path, path: str) -> str | None:
    """The path within the workspace that a path leads to, itself unless it is a link; ``None`` for one that leads out."""
    if not (root / path).is_symlink():
        return path
    try:
        return (root / path).resolve(strict=True).relative_to(root.resolve()).as_posix()
    except (OSError, RuntimeError, ValueError):
        return None


def _find_same_text(file: RulesFile, before: Iterable[RulesFile]) -> str:
    """The file that says the same: a copy, or the one that this one only refers to (``@AGENTS.md``)."""
    referred = file.text.strip().removeprefix("@").removeprefix("./")
    folder = file.path.rpartition("/")[0]
    for other in before:
        name = other.path.removeprefix(f"{folder}/") if folder else other.path
        if other.text == file.text or (file.text.strip().startswith("@") and referred == name):
            return other.path
    return ""


def _present(root: Path) -> Iterator[str]:
    yield from (name for name in ROOT_FILES if os.path.lexists(root / name))
    for folder, ending in RULE_FOLDERS:
        yield from _list_folder(root, folder, ending)


def _list_folder(root: Path, folder: str, ending: str) -> list[str]:
    """The files with this ending in a folder and those below it, in the order of their names; no link is followed."""
    found: list[str] = []
    waiting = [(folder, 0)]
    while waiting and len(found) < MAX_LISTED:
        here, level = waiting.pop()
        if (root / here).is_symlink():
            continue
        try:
            with os.scandir(root / here) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        found += [f"{here}/{one.name}" for one in listed if one.name.endswith(ending) and not one.is_dir()]
        if level < _MAX_LEVELS:
            below = [one for one in listed if one.is_dir(follow_symlinks=False)]
            waiting += [(f"{here}/{one.name}", level + 1) for one in reversed(below)]
    return sorted(found)[:MAX_LISTED]


def _folders_above(path: str) -> Iterator[str]:
    """The folders that hold a file, but the root, the nearest first."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]

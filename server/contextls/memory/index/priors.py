"""How likely a file is what a question is about, before its text is read: by what kind of file its path says it is.

Ranking prefers source over tests, examples, legacy code, documents and data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from msgspec import Struct

from contextls.memory.index.file_rules import (
    CHANGELOGS,
    DATA,
    DOCUMENTS,
    EXAMPLES,
    LEGACY,
    LICENCES,
    PRODUCT,
    SETTINGS,
    TESTS,
    Rule,
)
from contextls.regex import compile_late


class FileKind(StrEnum):
    """The kind of a file, judged by its path alone. What no rule knows is source."""

    SOURCE = "source"
    TEST = "test"
    EXAMPLE = "example"
    DOCUMENT = "document"
    SETTINGS = "settings"
    DATA = "data"
    LEGACY = "legacy"
    LICENCE = "licence"
    CHANGELOG = "changelog"


# In this order: a document among the tests is a test.
_RULES: tuple[tuple[FileKind, tuple[Rule, ...]], ...] = (
    (FileKind.LICENCE, LICENCES),
    (FileKind.TEST, TESTS),
    (FileKind.EXAMPLE, EXAMPLES),
    (FileKind.LEGACY, LEGACY),
    (FileKind.CHANGELOG, CHANGELOGS),
    (FileKind.DOCUMENT, DOCUMENTS),
    (FileKind.SETTINGS, SETTINGS),
    (FileKind.DATA, DATA),
)
# A folder named after a version, and what lies right below it.
_VERSION = compile_late(r"(?P<folder>(?P<around>(?:[^/]+/)*?)v\d+/)(?P<name>.+)")
# A run of indexing asks for the kind of a file when its turn comes, and again when it is stored.
_REMEMBERED = 4096
# Drizzle's record of the migrations beside it.
_JOURNAL = "/meta/_journal.json"
# Fewer files with a namesake are a coincidence (doc.go, __init__.py).
MIN_NAMESAKES = 3
# What is not said of the product.
_BESIDE = frozenset({FileKind.TEST, FileKind.EXAMPLE})
# Of a template for a file, the name of that file counts.
_TEMPLATE = compile_late(r"(.+\.\w+)\.(?:in|dist|example|sample|template|orig|bak)", re.IGNORECASE)


@lru_cache(_REMEMBERED)
def file_kind(path: str) -> FileKind:
    """The kind of the file at ``path`` (relative to the root, ``/`` between parts)."""
    folder, name, extension = _parts(path)
    habits = _habits(extension)
    shipped = habits.product.search(folder) if habits.product else None
    for kind, paths, names in habits.kinds:
        if shipped and kind in _BESIDE:
            found = paths.search(folder[: shipped.start()])
        else:
            found = paths.search(folder + name) or names.fullmatch(name)
        if found:
            return kind
    return FileKind.SOURCE


def file_kinds(paths: Sequence[str]) -> list[FileKind]:
    """The kind of each of ``paths``, seen together: a version kept beside the current one is legacy.

    ``v1/`` alone says nothing, it is most often the version in use (``api/v1``). Where most of its files have a namesake
    in the folder around it, as in ``pydantic/v1``, the package was copied there before it changed. Of the steps that
    change a database, Drizzle keeps a journal beside those that it has written.
    """
    kinds = [file_kind(path) for path in paths]
    for number in find_legacy(paths):
        if kinds[number] is FileKind.SOURCE:
            kinds[number] = FileKind.LEGACY
    return kinds


def find_legacy(paths: Sequence[str]) -> list[int]:
    """Those of ``paths``, as positions, that only their neighbours show to be legacy."""
    return sorted({*_find_copies(paths), *_find_written_migrations(paths)})


def _find_copies(paths: Sequence[str]) -> list[int]:
    """Which of ``paths`` lie in a version kept beside the current one, as positions."""
    known = set(paths)
    names: dict[str, list[bool]] = {}
    members: dict[str, list[int]] = {}
    for number, path in enumerate(paths):
        found = _VERSION.fullmatch(path)
        if found:
            names.setdefault(found["folder"], []).append(found["around"] + found["name"] in known)
            members.setdefault(found["folder"], []).append(number)
    return [
        number
        for folder, same in names.items()
        if sum(same) >= MIN_NAMESAKES and 2 * sum(same) >= len(same)
        for number in members[folder]
    ]


def _find_written_migrations(paths: Sequence[str]) -> list[int]:
    """Which of ``paths`` are SQL beside the journal of the tool that wrote it, as positions."""
    folders = {path.removesuffix(_JOURNAL) for path in paths if path.endswith(_JOURNAL)}
    if not folders:
        return []
    return [
        number
        for number, path in enumerate(paths)
        if path.endswith(".sql") and path.rpartition("/")[0] in folders
    ]


def _parts(path: str) -> tuple[str, str, str]:
    """Folders with ``/`` behind each, the name without its extension, and that in lower case without its dot."""
    folder, slash, name = path.rpartition("/")
    template = _TEMPLATE.fullmatch(name)
    stem, _, extension = (template[1] if template else name).rpartition(".")
    return (folder + slash, stem, extension.lower()) if stem else (folder + slash, name, "")


class _Habits(Struct, frozen=True):
    """The rules about files with one extension: where the product lies; each kind by its paths and by its names."""

    product: re.Pattern[str] | None
    kinds: tuple[tuple[FileKind, re.Pattern[str], re.Pattern[str]], ...]


@cache
def _habits(extension: str) -> _Habits:
    product = PRODUCT.get(extension)
    kinds = []
    for kind, rules in _RULES:
        held = [rule for rule in rules if _is_about(rule, extension)]
        names = [rule.name or ".+" for rule in held if not rule.path]
        kinds.append(
            (kind, _any_of(rf"(?<![^/])(?:{rule.path})" for rule in held if rule.path), _any_of(names))
        )
    return _Habits(re.compile(f"(?<![^/]){product}") if product else None, tuple(kinds))


def _is_about(rule: Rule, extension: str) -> bool:
    if extension in rule.but.split():
        return False
    return not rule.of or any(fnmatchcase(extension, each) for each in rule.of.split())


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """One pattern for all; of none, one that nothing fits."""
    return re.compile("|".join(patterns) or r"(?!)")

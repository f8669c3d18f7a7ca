"""The kinds of files, by their paths: how likely a file is to be what a question is about, before its text is read.

Ranking prefers source over tests, examples, legacy code, documents and data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
from contextls.memory.index.translated_files import find_translations
from contextls.regex import compile_late


class FileKind(StrEnum):
    """The kind of a file, judged by its path, and what is legacy or a translation by its neighbours, too.

    What no rule knows is source.
    """

    SOURCE = "source"
    TEST = "test"
    EXAMPLE = "example"
    DOCUMENT = "document"
    SETTINGS = "settings"
    DATA = "data"
    LEGACY = "legacy"
    LICENCE = "licence"
    CHANGELOG = "changelog"
    TRANSLATION = "translation"


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
# Drizzle's record of the migrations next to it.
_JOURNAL = "/meta/_journal.json"
# Fewer files with a namesake are a coincidence (doc.go, __init__.py).
MIN_NAMESAKES = 3
# Their text is not what people read, or has to stay as it is.
_NEVER_TRANSLATED = frozenset({FileKind.TEST, FileKind.EXAMPLE, FileKind.LICENCE})
# What is not said of the product.
_BESIDE = frozenset({FileKind.TEST, FileKind.EXAMPLE})
# The template of a file, which is of the kind of that file.
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
    """The kind of each of ``paths``, seen together: an old version next to the current one is legacy.

    ``v1/`` alone says nothing, it is most often the version in use (``api/v1``). Where most of its files have a namesake
    in the folder around it, as in ``pydantic/v1``, the package was copied there before it changed. Of the steps that
    change a database, Drizzle keeps a journal next to those that it has written. A catalog of messages or a document in
    German is a translation where there is one in English.
    """
    kinds = [file_kind(path) for path in paths]
    for number, kind in find_kinds_by_neighbours(paths, kinds):
        kinds[number] = kind
    return kinds


def find_kinds_by_neighbours(
    paths: Sequence[str], kinds: Sequence[FileKind]
) -> Iterator[tuple[int, FileKind]]:
    """The positions of the ``paths`` whose kind only their neighbours show, and this kind."""
    for number in {*_find_copies(paths), *_find_written_migrations(paths)}:
        if kinds[number] is FileKind.SOURCE:
            yield number, FileKind.LEGACY
    for number in find_translations(paths):
        if kinds[number] not in _NEVER_TRANSLATED:
            yield number, FileKind.TRANSLATION


def _find_copies(paths: Sequence[str]) -> list[int]:
    """The positions of those ``paths`` that are in an old version next to the current one."""
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
    """The positions of those ``paths`` that are SQL next to the journal of the tool that wrote it."""
    folders = {path.removesuffix(_JOURNAL) for path in paths if path.endswith(_JOURNAL)}
    if not folders:
        return []
    return [
        number
        for number, path in enumerate(paths)
        if path.endswith(".sql") and path.rpartition("/")[0] in folders
    ]


def _parts(path: str) -> tuple[str, str, str]:
    """Folders with ``/`` after each, the name without its extension, and that in lower case without its dot."""
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

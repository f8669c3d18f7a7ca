"""Languages as data: reads ``grammars/<language>/`` and compiles what is asked for, when it is asked for.

A folder with a ``language.toml`` is a language, told by its grammar or, where it has none, by its lines; a folder without
one only holds queries that others inherit. The format is described in ``grammars/README.md``.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from contextls.code.language_facts import GrammarError, LanguageFacts, read_facts, read_table
from contextls.code.line_facts import LineFacts
from contextls.made_once import made_once
from contextls.package_data import read_packaged

if TYPE_CHECKING:
    from tree_sitter import Parser, Query

TEXT = "text"
_FIRST_LINE_CHARS = 200
# The beginning of a file that is read to tell two languages with one extension apart; a licence may come first.
_BEGINNING_CHARS = 8_000
QUERY_FILES = ("chunks.scm", "tags.scm", "imports.scm")


class Macros(Struct, frozen=True):
    """Macros that the grammar cannot parse: the first group of each of ``patterns`` is blanked.

    Applied to texts with syntax errors and to those that contain one of ``signs``.
    """

    patterns: tuple[re.Pattern[bytes], ...] = ()
    signs: tuple[bytes, ...] = ()


class Grammar(Struct, frozen=True):
    """A language ready for use: parser and the one query that reads everything in a single pass."""

    facts: LanguageFacts
    parser: Parser
    query: Query
    macros: Macros


def grammars_folder() -> Path:
    """The folder of the grammars: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "grammars", package.parents[1] / "grammars"):
        if folder.is_dir():
            return folder
    raise GrammarError(f"{package / 'grammars'}: no grammar folders found; reinstall contextls")


class _NameTables:
    """Which language a file or a word of a user means, by all that the languages say of themselves."""

    def __init__(self, languages: Iterable[LanguageFacts]) -> None:
        self.by_extension: dict[str, str] = {}
        self.by_filename: dict[str, str] = {}
        self.by_shebang: dict[str, str] = {}
        self.by_begin: list[tuple[str, str]] = []
        self.by_name: dict[str, str] = {}
        self.told_apart: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        names = []
        for facts in languages:
            names.append(facts.name)
            self.by_extension |= dict.fromkeys(facts.extensions, facts.name)
            self.by_filename |= dict.fromkeys(facts.filenames, facts.name)
            self.by_shebang |= dict.fromkeys(facts.shebangs, facts.name)
            self.by_begin += [(begin, facts.name) for begin in facts.begins]
            for extension, sign in facts.told_apart:
                self.told_apart.setdefault(extension, []).append((sign, facts.name))
            endings = (extension.removeprefix(".").lower() for extension in facts.extensions)
            self.by_name |= dict.fromkeys((*endings, *facts.shebangs, *facts.aliases), facts.name)
        # A name of its own wins: `tsx` is a language, and a program that runs another one.
        self.by_name |= {name: name for name in names}


class Languages:
    """All languages of one grammars folder. The facts of one are read when they are asked for, those of all for a path."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or grammars_folder()
        self._facts: dict[str, LanguageFacts] = {}
        self._grammars: dict[str, Grammar] = {}
        self._lines: dict[str, LineFacts] = {}
        self.on_compiled: Callable[[str], None] = lambda _language: None  # told of each grammar

    @made_once
    def names(self) -> tuple[str, ...]:
        """All languages, in alphabetical order; ``text`` is not among them."""
        return tuple(sorted(path.parent.name for path in self.folder.glob("*/language.toml")))

    @made_once
    def _tables(self) -> _NameTables:
        """Made of every ``language.toml``. Raises ``GrammarError`` where one is wrong."""
        return _NameTables(map(self._known, self.names))

    def language_of(self, path: str, text: str = "") -> str:
        """The language of a file by its name, then by how its first line begins; ``text`` when neither tells.

        ``text`` is what is known of the beginning of its content.
        That overrules the name where it is of another format, as Qt keeps its translations in XML as ``.ts``, or of another
        language with the same extension, as a header of Objective-C is.
        """
        name, tables = path.replace("\\", "/").rpartition("/")[2], self._tables
        if name in tables.by_filename:
            return tables.by_filename[name]
        first_line = text[:_FIRST_LINE_CHARS].partition("\n")[0].removeprefix("\ufeff")
        dot = name.find(".", 1)
        while dot != -1:
            found = tables.by_extension.get(name[dot:]) or tables.by_extension.get(name[dot:].lower())
            if found:
                told = self._tell_apart(found, name[dot:], text)
                is_other = told == found and first_line.startswith(self._known(found).others_begin)
                return TEXT if is_other else told
            dot = name.find(".", dot + 1)
        if first_line.startswith("#!"):
            return tables.by_shebang.get(_interpreter(first_line), TEXT)
        return next((name for begin, name in tables.by_begin if first_line.startswith(begin)), TEXT)

    def _tell_apart(self, language: str, extension: str, text: str) -> str:
        """The language of a file that has an extension of ``language``."""
        for sign, name in self._tables.told_apart.get(extension, ()):
            if sign.search(text, 0, _BEGINNING_CHARS):
                return name
        return language

    def find(self, name: str) -> str | None:
        """The language that people call ``name``, in any case: `Ruby`, `rb`, `.rb`, `C#`; ``None`` when there is none."""
        return self._tables.by_name.get(name.strip().lower().removeprefix("."))

    def is_parsed(self, language: str) -> bool:
        """Whether ``language`` has a grammar; others are told by their lines."""
        return bool(self._known(language).module)

    def facts(self, language: str) -> LanguageFacts | None:
        """The facts about ``language``; ``None`` for ``text`` and the unknown. Raises ``GrammarError``."""
        return self._known(language) if language in self._facts or language in self.names else None

    def _known(self, language: str) -> LanguageFacts:
        facts = self._facts.get(language)
        if facts is None:
            facts = self._facts[language] = read_facts(self.folder / language / "language.toml")
        return facts

    def grammar(self, language: str) -> Grammar:
        """Parser and compiled query of ``language``, made on first use.

        Raises ``GrammarError`` when the language is unknown, its package is missing or a query does not compile.
        """
        known = self._grammars.get(language)
        if known is None:
            known = self._grammars[language] = self._compile(language)
            self.on_compiled(language)
        return known

    def lines(self, language: str) -> LineFacts:
        """The patterns that tell the definitions of ``language``, which has no grammar. Raises ``GrammarError``."""
        known = self._lines.get(language)
        if known is None:
            facts, table = self._known(language), dict[str, Any]()
            marks = [*facts.comments.block, *((mark, "") for mark in facts.comments.line)]
            for name in facts.inherits:
                table |= read_table(self.folder / name / "lines.toml", lambda inherited: inherited)
            path = self.folder / language / "lines.toml"
            known = self._lines[language] = read_table(path, lambda own: LineFacts(table | own, marks))
        return known

    def query_source(self, language: str) -> str:
        """The text of all queries of ``language``: inherited folders first, its own last."""
        facts = self._known(language)
        folders = [self.folder / name for name in (*facts.inherits, language)]
        files = [folder / name for folder in folders for name in QUERY_FILES]
        return "\n".join(read_packaged(file) for file in files if file.is_file())

    def _compile(self, language: str) -> Grammar:
        from tree_sitter import Language, Parser, Query, QueryError  # workers only

        facts = self.facts(language)
        if facts is None:
            raise GrammarError(f"{language}: no such language; known are {', '.join(self.names)}")
        if not facts.module:
            raise GrammarError(f"{language}: has no grammar; it is told by its lines")
        try:
            pointer = getattr(importlib.import_module(facts.module), facts.function)()
            tree_sitter_language = Language(pointer)
        except (ImportError, AttributeError, ValueError) as error:
            raise GrammarError(f"{language}: cannot load {facts.module}.{facts.function}: {error}") from error
        try:
            query = Query(tree_sitter_language, self.query_source(language))
            macros = self._compile_macros(facts)
        except (QueryError, re.error) as error:
            raise GrammarError(f"{language}: its queries or macros do not compile: {error}") from error
        return Grammar(facts, Parser(tree_sitter_language), query, macros)

    def _compile_macros(self, facts: LanguageFacts) -> Macros:
        """The macros of a language and of those that it inherits from."""
        read = [*(self._known(name) for name in facts.inherits if name in self.names), facts]
        return Macros(
            tuple(re.compile(macro.encode(), re.MULTILINE) for each in read for macro in each.macros),
            tuple(sign.encode() for each in read for sign in each.macro_signs),
        )


@cache
def default_languages() -> Languages:
    """The languages that ship with contextls, each read once per process."""
    return Languages()


def _interpreter(first_line: str) -> str:
    """``#!/usr/bin/env -S python3.11 -u`` -> ``python``."""
    words = [word.rpartition("/")[2] for word in first_line[2:].split()]
    if words and words[0] == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0].rstrip("0123456789.") if words else ""

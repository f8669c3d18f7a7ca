"""Languages as data: reads ``grammars/<language>/`` and compiles what is asked for, when it is asked for.

A folder with a ``language.toml`` is a language, told by its grammar or, where it has none, by its lines; a folder without
one only holds queries that others inherit. The format is described in ``grammars/README.md``.
"""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field

from contextls.code.line_facts import LineFacts
from contextls.errors import ContextlsError
from contextls.package_data import read_packaged

if TYPE_CHECKING:
    from tree_sitter import Parser, Query

TEXT = "text"
Made = TypeVar("Made")
_FIRST_LINE_CHARS = 200
# So much of a file says which of two languages with one extension it is: a licence may come first.
_BEGINNING_CHARS = 8_000
QUERY_FILES = ("chunks.scm", "tags.scm", "imports.scm")


class GrammarError(ContextlsError):
    """A folder under ``grammars/`` is wrong, or the package that carries its parser is missing."""


class Comments(Struct, frozen=True):
    """How a language writes comments, and which lines right above a definition belong to it."""

    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()


class ImportFacts(Struct, frozen=True):
    """How import texts of a language lead to files. See ``contextls.code.imports`` for what each fact does."""

    separator: str = "/"
    candidates: tuple[str, ...] = ("{path}",)
    relative: str = ""  # "", "path", "dots": how a specifier says that it starts at the importing file
    bare_is_relative: bool = False  # `#include "x.h"` looks beside the importing file first
    anchors: Mapping[str, str] = field(default_factory=dict)  # leading part -> "here" | "up" | "root"
    roots: tuple[str, ...] = ("",)  # folders that a module path may start under
    strip: tuple[str, ...] = ()  # prefixes taken off before the look-up, as "@/"
    # A scheme, and the folder of a package in which its files lie: `package:shop/cart.dart` is `shop/lib/cart.dart`.
    packages: tuple[str, str] = ("", "")
    by_suffix: bool = True  # a module path may start anywhere in the workspace
    drop_tail: int = 0  # so many trailing parts may name things inside the file
    drop_head: int = 0  # so many leading parts may have no folder of their own
    domain_head: bool = False  # heads may be dropped only when the first part is a domain name
    # First parts of the standard library, which is nowhere but right below `src/`.
    standard: tuple[str, ...] = ()
    min_parts: int = 1  # fewer parts than these are too vague for a look-up by suffix
    whole_folder: bool = False  # an import names a folder: all its source files
    exclude: str = ""  # file names that an import never means
    snake_case: bool = False  # `MyApp.UserAuth` lives in `my_app/user_auth`, `my-app.auth` in `my_app/auth`
    braces: bool = False  # `a::{b, c}` imports two modules


class Macros(Struct, frozen=True):
    """Macros that the grammar cannot parse: the first group of each of ``patterns`` is blanked.

    Applied to texts with syntax errors and to those that contain one of ``signs``.
    """

    patterns: tuple[re.Pattern[bytes], ...] = ()
    signs: tuple[bytes, ...] = ()


class LanguageFacts(Struct, frozen=True):
    """The content of a ``language.toml``."""

    name: str
    module: str
    function: str
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]
    filenames: tuple[str, ...]
    shebangs: tuple[str, ...]
    begins: tuple[str, ...]  # files of no known extension that begin so are of this language
    others_begin: tuple[
        str, ...
    ]  # files of other formats that have one of the extensions begin with one of these
    # Extensions of another language, and what the files that have them hold where they are of this one.
    told_apart: tuple[tuple[str, re.Pattern[str]], ...]
    inherits: tuple[str, ...]
    comments: Comments
    imports: ImportFacts
    elision: str
    docstring: re.Pattern[str] | None
    test: re.Pattern[str] | None  # what stands right above a test that lies among source
    macros: tuple[str, ...]  # patterns, compiled with the grammar: only workers need them
    macro_signs: tuple[str, ...]
    clauses: (
        bool  # neighbouring definitions of one name are one definition (equations, pattern-matching heads)
    )
    definition_lists: bool  # a line above one that begins with a colon is a term
    forgiving: bool  # whatever reads such a file shows it all the same: nobody is told of an error


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


class Languages:
    """All languages of one grammars folder. Opening reads the small ``language.toml`` files and nothing else."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or grammars_folder()
        self._facts: dict[str, LanguageFacts] = {}
        self._grammars: dict[str, Grammar] = {}
        self._lines: dict[str, LineFacts] = {}
        self._by_extension: dict[str, str] = {}
        self._by_filename: dict[str, str] = {}
        self._by_shebang: dict[str, str] = {}
        self._by_begin: list[tuple[str, str]] = []
        self._by_name: dict[str, str] = {}
        self._told_apart: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        for path in sorted(self.folder.glob("*/language.toml")):
            facts = read_facts(path)
            self._facts[facts.name] = facts
            self._by_extension |= dict.fromkeys(facts.extensions, facts.name)
            self._by_filename |= dict.fromkeys(facts.filenames, facts.name)
            self._by_shebang |= dict.fromkeys(facts.shebangs, facts.name)
            self._by_begin += [(begin, facts.name) for begin in facts.begins]
            for extension, sign in facts.told_apart:
                self._told_apart.setdefault(extension, []).append((sign, facts.name))
        for facts in self._facts.values():
            endings = (extension.removeprefix(".").lower() for extension in facts.extensions)
            self._by_name |= dict.fromkeys((*endings, *facts.shebangs, *facts.aliases), facts.name)
        # A name of its own wins: `tsx` is a language, and a program that runs another one.
        self._by_name |= {name: name for name in self._facts}

    @property
    def names(self) -> tuple[str, ...]:
        """All languages, in alphabetical order; ``text`` is not among them."""
        return tuple(self._facts)

    def language_of(self, path: str, text: str = "") -> str:
        """The language of a file by its name, then by how its first line begins; ``text`` when neither tells.

        ``text`` is what is known of the beginning of its content.
        That overrules the name where it is of another format, as Qt keeps its translations in XML as ``.ts``, or of another
        language with the same extension, as a header of Objective-C is.
        """
        name = path.replace("\\", "/").rpartition("/")[2]
        if name in self._by_filename:
            return self._by_filename[name]
        first_line = text[:_FIRST_LINE_CHARS].partition("\n")[0].removeprefix("\ufeff")
        dot = name.find(".", 1)
        while dot != -1:
            found = self._by_extension.get(name[dot:]) or self._by_extension.get(name[dot:].lower())
            if found:
                told = self._tell_apart(found, name[dot:], text)
                is_other = told == found and first_line.startswith(self._facts[found].others_begin)
                return TEXT if is_other else told
            dot = name.find(".", dot + 1)
        if first_line.startswith("#!"):
            return self._by_shebang.get(_interpreter(first_line), TEXT)
        return next((name for begin, name in self._by_begin if first_line.startswith(begin)), TEXT)

    def _tell_apart(self, language: str, extension: str, text: str) -> str:
        """The language of a file that has an extension of ``language``."""
        for sign, name in self._told_apart.get(extension, ()):
            if sign.search(text, 0, _BEGINNING_CHARS):
                return name
        return language

    def find(self, name: str) -> str | None:
        """The language that people call ``name``, in any case: `Ruby`, `rb`, `.rb`, `C#`; ``None`` when there is none."""
        return self._by_name.get(name.strip().lower().removeprefix("."))

    def is_parsed(self, language: str) -> bool:
        """Whether ``language`` has a grammar; others are told by their lines."""
        return bool(self._facts[language].module)

    def facts(self, language: str) -> LanguageFacts | None:
        """The facts about ``language``; ``None`` for ``text`` and the unknown."""
        return self._facts.get(language)

    def grammar(self, language: str) -> Grammar:
        """Parser and compiled query of ``language``, made on first use.

        Raises ``GrammarError`` when the language is unknown, its package is missing or a query does not compile.
        """
        known = self._grammars.get(language)
        if known is None:
            known = self._grammars[language] = self._compile(language)
        return known

    def lines(self, language: str) -> LineFacts:
        """How the definitions of ``language`` are told, which has no grammar. Raises ``GrammarError``."""
        known = self._lines.get(language)
        if known is None:
            facts, table = self._facts[language], dict[str, Any]()
            marks = [*facts.comments.block, *((mark, "") for mark in facts.comments.line)]
            for name in facts.inherits:
                table |= _read(self.folder / name / "lines.toml", lambda inherited: inherited)
            path = self.folder / language / "lines.toml"
            known = self._lines[language] = _read(path, lambda own: LineFacts(table | own, marks))
        return known

    def query_source(self, language: str) -> str:
        """The text of all queries of ``language``: inherited folders first, its own last."""
        facts = self._facts[language]
        folders = [self.folder / name for name in (*facts.inherits, language)]
        files = [folder / name for folder in folders for name in QUERY_FILES]
        return "\n".join(read_packaged(file) for file in files if file.is_file())

    def _compile(self, language: str) -> Grammar:
        from tree_sitter import Language, Parser, Query, QueryError  # workers only

        facts = self._facts.get(language)
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
        read = [*(self._facts[name] for name in facts.inherits if name in self._facts), facts]
        return Macros(
            tuple(re.compile(macro.encode(), re.MULTILINE) for each in read for macro in each.macros),
            tuple(sign.encode() for each in read for sign in each.macro_signs),
        )


@cache
def default_languages() -> Languages:
    """The languages that ship with contextls, read once per process."""
    return Languages()


def read_facts(path: Path) -> LanguageFacts:
    """Read one ``language.toml``. Raises ``GrammarError`` that names the file and the key."""
    return _read(path, lambda table: _facts_of(path.parent.name, table))


def _read(path: Path, make: Callable[[dict[str, Any]], Made]) -> Made:
    try:
        return make(tomllib.loads(read_packaged(path)))
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, re.error) as error:
        raise GrammarError(f"{path}: {type(error).__name__}: {error}") from error


def _facts_of(name: str, data: dict[str, Any]) -> LanguageFacts:
    comments, macros = data.get("comments", {}), data.get("macros", {})
    imports: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in data.get("imports", {}).items()
    }
    docstring, test = data.get("docstring"), data.get("test")
    grammar = data.get("grammar", {})
    return LanguageFacts(
        name=name,
        module=grammar["module"] if grammar else "",  # none where its lines tell
        function=grammar.get("function", "language"),
        aliases=tuple(data.get("aliases", ())),
        extensions=tuple(data.get("extensions", ())),
        filenames=tuple(data.get("filenames", ())),
        shebangs=tuple(data.get("shebangs", ())),
        begins=tuple(data.get("begins", ())),
        others_begin=tuple(data.get("others_begin", ())),
        told_apart=tuple(
            (extension, re.compile(sign, re.MULTILINE))
            for extension, sign in data.get("told_apart", {}).items()
        ),
        inherits=tuple(data.get("inherits", ())),
        comments=Comments(
            tuple(comments.get("line", ())), tuple((start, end) for start, end in comments.get("block", ()))
        ),
        imports=ImportFacts(**imports),
        elision=data.get("elision", ""),
        docstring=re.compile(docstring, re.DOTALL) if docstring else None,
        test=re.compile(test) if test else None,
        macros=tuple(macros.get("patterns", ())),
        macro_signs=tuple(macros.get("signs", ())),
        clauses=bool(data.get("clauses", False)),
        definition_lists=bool(data.get("definition_lists", False)),
        forgiving=bool(data.get("forgiving", False)),
    )


def _interpreter(first_line: str) -> str:
    """``#!/usr/bin/env -S python3.11 -u`` -> ``python``."""
    words = [word.rpartition("/")[2] for word in first_line[2:].split()]
    if words and words[0] == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0].rstrip("0123456789.") if words else ""

"""The facts about a language, as its ``language.toml`` gives them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field

from contextls.errors import ContextlsError
from contextls.package_data import read_packaged
from contextls.toml_text import parse_toml

Made = TypeVar("Made")


class GrammarError(ContextlsError):
    """A folder under ``grammars/`` is wrong, or the package that carries its parser is missing."""


class Comments(Struct, frozen=True):
    """The marks of comments: lines of them right above a definition belong to it."""

    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()


class ImportFacts(Struct, frozen=True):
    """The rules by which imports lead to files; ``contextls.code.imports`` says what each does."""

    separator: str = "/"
    candidates: tuple[str, ...] = ("{path}",)
    relative: str = ""  # "", "path", "dots": how a specifier says that it starts at the importing file
    bare_is_relative: bool = False  # `#include "x.h"` looks next to the importing file first
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
    # Files of other formats that have one of the extensions begin with one of these.
    others_begin: tuple[str, ...]
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
    # Neighbouring definitions of one name are one definition (equations, pattern-matching heads).
    clauses: bool
    definition_lists: bool  # a line above one that begins with a colon is a term
    forgiving: bool  # whatever reads such a file shows it all the same: nobody is told of an error


def read_facts(path: Path) -> LanguageFacts:
    """Read one ``language.toml``. Raises ``GrammarError`` that names the file and the key."""
    return read_table(path, lambda table: _facts_of(path.parent.name, table))


def read_table(path: Path, make: Callable[[dict[str, Any]], Made]) -> Made:
    """Return what ``make`` makes of a file of TOML. Raises ``GrammarError`` that names the file and what is wrong."""
    try:
        return make(parse_toml(read_packaged(path)))
    except (OSError, KeyError, TypeError, ValueError, re.error) as error:
        raise GrammarError(f"{path}: {type(error).__name__}: {error}") from error


def _facts_of(name: str, table: dict[str, Any]) -> LanguageFacts:
    comments, macros = table.get("comments", {}), table.get("macros", {})
    imports: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in table.get("imports", {}).items()
    }
    docstring, test = table.get("docstring"), table.get("test")
    grammar = table.get("grammar", {})
    return LanguageFacts(
        name=name,
        module=grammar["module"] if grammar else "",  # none where its lines tell
        function=grammar.get("function", "language"),
        aliases=tuple(table.get("aliases", ())),
        extensions=tuple(table.get("extensions", ())),
        filenames=tuple(table.get("filenames", ())),
        shebangs=tuple(table.get("shebangs", ())),
        begins=tuple(table.get("begins", ())),
        others_begin=tuple(table.get("others_begin", ())),
        told_apart=tuple(
            (extension, re.compile(sign, re.MULTILINE))
            for extension, sign in table.get("told_apart", {}).items()
        ),
        inherits=tuple(table.get("inherits", ())),
        comments=Comments(
            tuple(comments.get("line", ())), tuple((start, end) for start, end in comments.get("block", ()))
        ),
        imports=ImportFacts(**imports),
        elision=table.get("elision", ""),
        docstring=re.compile(docstring, re.DOTALL) if docstring else None,
        test=re.compile(test) if test else None,
        macros=tuple(macros.get("patterns", ())),
        macro_signs=tuple(macros.get("signs", ())),
        clauses=bool(table.get("clauses", False)),
        definition_lists=bool(table.get("definition_lists", False)),
        forgiving=bool(table.get("forgiving", False)),
    )

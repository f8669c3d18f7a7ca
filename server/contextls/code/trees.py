"""Parsing a source, unless it is of the kind that parsers choke on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from contextls.code.language_facts import GrammarError
from contextls.code.languages import Grammar, Languages
from contextls.code.worker_process import may_parse
from contextls.regex import compile_late

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from contextls.code.source import SourceText

# Below a syntax error queries take time quadratic in the number of siblings: 20,000 cost half a second.
MAX_BROKEN_SIBLINGS = 20_000
# Such lines were written by programs; some parsers take minutes for them and find nothing to name.
MAX_LINE_CHARS = 50_000
_INK = compile_late(rb"\S")


def parse_source(languages: Languages, language: str, source: SourceText) -> tuple[Grammar, Tree]:
    """The grammar of ``language`` and the tree of ``source``.

    Raises ``GrammarError`` that says why there is none: no grammar, an endless line, hardly any valid syntax, or a
    process that must live on. Parsers crash (YAML: 263 nested sequences) and take minutes (Java: nested parentheses), and
    nothing but the end of their process stops them.
    """
    if not may_parse():
        raise GrammarError("parsers run in worker processes only; read as plain text")
    refuse_long_lines(source)
    grammar = languages.grammar(language)
    try:
        tree = _parse(grammar, source.data)
    except ValueError as error:
        raise GrammarError(f"{language}: {error}") from error
    if tree.root_node.has_error and _widest(tree.root_node) > MAX_BROKEN_SIBLINGS:
        raise GrammarError(f"too broken to be read as {language}; read as plain text")
    return grammar, tree


def refuse_long_lines(source: SourceText) -> None:
    """Raise ``GrammarError`` where a line of ``source`` is endless."""
    longest = max(map(len, source.lines), default=0)
    if longest > MAX_LINE_CHARS:
        raise GrammarError(f"a line of {longest} characters; read as plain text")


def _parse(grammar: Grammar, data: bytes) -> Tree:
    tree = grammar.parser.parse(data)
    macros = grammar.macros
    if macros.patterns and (tree.root_node.has_error or any(sign in data for sign in macros.signs)):
        hidden = data
        for pattern in macros.patterns:
            hidden = pattern.sub(_blank, hidden)
        if hidden != data:
            tree = grammar.parser.parse(hidden)
    return tree


def _blank(match: re.Match[bytes]) -> bytes:
    """A match with spaces for its first group: every place stays where it is."""
    whole, start = match[0], match.start()
    first, end = match.start(1) - start, match.end(1) - start
    return whole[:first] + _INK.sub(b" ", match[1]) + whole[end:]


def _widest(root: Node) -> int:
    return max([root.child_count, *(child.child_count for child in root.children[:100])])

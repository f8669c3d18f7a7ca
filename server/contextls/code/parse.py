"""Parses one file into all that the code layer knows about it. For worker processes: see ``contextls.code.worker_tasks``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.code.bodies import bodies_of
from contextls.code.chunks import chunk_outline, chunk_text
from contextls.code.comments import strip_comments
from contextls.code.headings import read_sections
from contextls.code.language_facts import GrammarError, LanguageFacts
from contextls.code.languages import TEXT, Languages, default_languages
from contextls.code.line_outline import read_line_outline
from contextls.code.model import ChunkLimits, ParsedFile
from contextls.code.outline import read_outline
from contextls.code.source import SourceText
from contextls.code.symbols import definitions_of, doc_of_file
from contextls.code.trees import parse_source, refuse_long_lines
from contextls.code.units import FileOutline, Unit

if TYPE_CHECKING:
    from tree_sitter import Tree


def parse_file(
    path: str, text: str, limits: ChunkLimits = ChunkLimits(), languages: Languages | None = None
) -> ParsedFile:
    """Read chunks, definitions, references and imports out of ``text``.

    ``path`` decides the language, together with a ``#!`` line. Never raises for any text: what could not be read is
    named in ``problems``, and a text without a grammar is cut at its headings, where it has some, else into windows.
    """
    known = languages or default_languages()
    source = SourceText(text)
    language = known.language_of(path, text)
    if language == TEXT:
        return parse_plain(text, limits, source=source, sections=read_sections(path, source))
    try:
        facts, outline, tree = _read(known, language, source)
    except GrammarError as error:
        return parse_plain(text, limits, language, (str(error),), source=source)
    is_faulty = tree is not None and tree.root_node.has_error and not facts.forgiving
    return ParsedFile(
        language=language,
        chunks=chunk_outline(source, tree, outline.roots, limits),
        definitions=definitions_of(source, outline, facts),
        references=outline.references,
        imports=outline.imports,
        problems=("syntax errors; read as far as possible",) if is_faulty else (),
        bodies=bodies_of(source, outline, facts),
        doc=doc_of_file(source, outline, facts),
    )


def _read(
    languages: Languages, language: str, source: SourceText
) -> tuple[LanguageFacts, FileOutline, Tree | None]:
    """The outline of ``source``, with its tree where ``language`` has a grammar. Raises ``GrammarError``."""
    facts = languages.facts(language)
    if facts is not None and not languages.is_parsed(language):
        refuse_long_lines(source)
        return facts, read_line_outline(source, facts, languages.lines(language)), None
    grammar, tree = parse_source(languages, language, source)
    return grammar.facts, read_outline(source, tree, grammar), tree


def parse_plain(
    text: str,
    limits: ChunkLimits = ChunkLimits(),
    language: str = TEXT,
    problems: tuple[str, ...] = (),
    *,
    source: SourceText | None = None,
    sections: list[Unit] | None = None,
) -> ParsedFile:
    """The ``sections`` of a text without a grammar; windows where there are none, or parsing failed or took too long."""
    source = source or SourceText(text)
    chunks = chunk_outline(source, None, sections, limits) if sections else chunk_text(source, limits)
    return ParsedFile(language, chunks, (), (), (), problems)


def parse_bodies(name: str, text: str) -> str:
    """The function bodies of ``text`` for ``skeleton``; "" where there are none. ``name`` is a path or a language."""
    known = default_languages()
    source = SourceText(text)
    language = name if known.facts(name) else known.language_of(name, text)
    try:
        facts, outline, _ = _read(known, language, source)
    except GrammarError:
        return ""
    return bodies_of(source, outline, facts)


def parse_without_comments(path: str, text: str) -> str:
    """``text`` without its comments; as it is where it has no grammar."""
    known = default_languages()
    source = SourceText(text)
    try:
        _, tree = parse_source(known, known.language_of(path, text), source)
    except GrammarError:
        return text
    return strip_comments(source, tree)

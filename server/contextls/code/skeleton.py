"""Shrinking code to its signatures: bodies give way to a marker, docstrings and declarations stay."""

from __future__ import annotations

import re

from contextls.code.kinds import Kind
from contextls.code.languages import TEXT, GrammarError, LanguageFacts, Languages, default_languages
from contextls.code.outline import Unit, read_outline
from contextls.code.source import Source
from contextls.code.trees import parse_source

_BODIES = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.MACRO, Kind.TEST})
_TAB_WIDTH = 4


def skeleton(path_or_language: str, text: str, languages: Languages | None = None) -> str:
    """``text`` with the bodies of its functions elided; never longer than ``text``, and never raises.

    ``text`` may be a fragment, such as a chunk. What no grammar understands is shortened by its layout: the least indented
    lines stay. Line ends become plain line feeds where something is elided.
    """
    known = languages or default_languages()
    name = path_or_language
    language = name if known.facts(name) else known.language_of(name, text[:200].partition("\n")[0])
    facts = known.facts(language)
    shrunk = None
    if language != TEXT:
        shrunk = _by_grammar(known, language, text)
    if shrunk is None:
        shrunk = _by_layout(text, facts)
    return shrunk if len(shrunk) < len(text) else text


def _by_grammar(languages: Languages, language: str, text: str) -> str | None:
    """The text without function bodies; ``None`` when the grammar finds no body in it."""
    source = Source(text)
    try:
        grammar, tree = parse_source(languages, language, source)
    except GrammarError:
        return None
    units = read_outline(source, tree, grammar).units
    data, facts = source.data, grammar.facts
    kept: list[bytes] = []
    at = 0
    for unit in units:
        if unit.body is None or unit.kind not in _BODIES or unit.body[0] < at or _holds_members(unit):
            continue
        start, end = _elided(unit.body, data, facts)
        marker = _marker(data[start:end], facts)
        if len(marker) < end - start:
            kept += [data[at:start], marker]
            at = end
    if not kept:
        return None
    kept.append(data[at:])
    return b"".join(kept).decode("utf-8", "replace")


def _holds_members(unit: Unit) -> bool:
    """Whether a test suite or a module-like function is better opened up than elided."""
    return unit.kind is Kind.TEST and any(child.kind is Kind.TEST for child in unit.children)


def _elided(body: tuple[int, int], data: bytes, facts: LanguageFacts) -> tuple[int, int]:
    """The bytes of ``body`` that go: all of it, less a docstring at its head and trailing white space."""
    start, end = body
    if facts.docstring is not None:
        found = facts.docstring.match(data[start:end].decode("utf-8", "replace"))
        if found:
            after = start + len(found.group().encode("utf-8"))
            rest = data[after:end]
            start = after + len(rest) - len(rest.lstrip()) if rest.strip() else end
    text = data[start:end]
    return start, end - (len(text) - len(text.rstrip()))


def _marker(body: bytes, facts: LanguageFacts) -> bytes:
    if facts.elision and not (facts.elision.startswith("{") and not body.startswith(b"{")):
        return facts.elision.encode("utf-8")
    return _comment("…", facts).encode("utf-8")


def _comment(words: str, facts: LanguageFacts | None) -> str:
    if facts is not None and facts.comments.block:
        opening, closing = facts.comments.block[0]
        return f"{opening} {words} {closing}"
    if facts is not None and facts.comments.line:
        return f"{facts.comments.line[0]} {words}"
    return words


def _by_layout(text: str, facts: LanguageFacts | None) -> str:
    """The least indented lines, with one marker for each run of deeper ones."""
    lines = text.split("\n")
    indents = [_indent(line) for line in lines if line.strip()]
    if not indents:
        return ""
    # A fragment may begin at its signature and go on deeper, or begin inside a class: the first line sets the level.
    level = max(indents[0], min(indents))
    kept: list[str] = []
    hidden = False
    for line in lines:
        if not line.strip():
            continue
        if _indent(line) <= level:
            kept.append(line)
            hidden = False
        elif not hidden:
            pad = re.match(r"\s*", line)
            kept.append((pad.group() if pad else "") + _comment("…", facts))
            hidden = True
    return "\n".join(kept) + ("\n" if text.endswith("\n") else "")


def _indent(line: str) -> int:
    head = line[:400]
    return len(head[: len(head) - len(head.lstrip())].expandtabs(_TAB_WIDTH))

"""Makes definitions of units: names, signatures and the first paragraph of their documentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from contextls.code.kinds import NOT_DEFINITIONS
from contextls.code.model import Definition
from contextls.code.units import FileOutline, Unit, signature_of
from contextls.regex import compile_late
from contextls.text.kept_ends import keep_beginning

if TYPE_CHECKING:
    from contextls.code.language_facts import LanguageFacts
    from contextls.code.source import SourceText

MAX_DOC_CHARS = 400
# What a file says of itself stands above its code.
MAX_TOP_LINES = 40

_COMMENT_ENDS = compile_late(r"\*/\s*$|\*\)\s*$|-->\s*$|-\}\s*$|\]\]\s*$|#>\s*$")
_COMMENT_STARTS = compile_late(
    r"^(///?!?|//!|/\*\*?!?|#+[!']?(?!\[)|%+|--\[\[|---?\|?|\{-\|?|\(\*+|;+|[Cc](?=\s{2})|!+[<>]?|'''|'(?=\s)|<!--|<#|\*(?!/)|@(?:module)?doc\b)\s?"
)
# .SYNOPSIS, .PARAMETER Name: what follows in the help of PowerShell is a paragraph of its own.
_HELP_HEAD = compile_late(r"\.[A-Z]{3,20}(?: \w{1,60})?")
_XML_DOC = compile_late(r"</?(?:summary|remarks|para|param|returns|c|code)\b[^<>]*>")
_PARAGRAPH = compile_late(r"\n\s*\n")
_LEGAL = compile_late(r"copyright|licen[cs]e|spdx|all rights reserved|warrant|redistribut", re.IGNORECASE)
_FOR_TOOLS = compile_late(
    r"#!|\W{0,9}(?:-\*-|vim?:|coding[:=]|frozen_string_literal|eslint|prettier|jshint|tslint|@ts-|@flow|noqa|pragma|pylint"
    r"|mypy:|ruff:|type:|shellcheck|swiftlint|rubocop|go:build|\+build|nolint)",
    re.IGNORECASE,
)


def definitions_of(source: SourceText, outline: FileOutline, facts: LanguageFacts) -> tuple[Definition, ...]:
    """The definitions of a file in the order of their lines."""
    return tuple(
        Definition(
            name=unit.name,
            qualified=unit.qualified,
            kind=unit.kind.value,
            start_line=unit.row + 1,
            end_line=unit.last + 1,
            signature=signature_of(unit, source.data),
            doc=doc_of(unit, source, facts),
        )
        for unit in outline.units
        if unit.name and unit.kind not in NOT_DEFINITIONS
    )


def doc_of(unit: Unit, source: SourceText, facts: LanguageFacts) -> str:
    """The first paragraph of the docstring, else of the comment right above, on one line; ``""`` without one."""
    if facts.docstring is not None and unit.body is not None:
        head = source.data[unit.body[0] : unit.body[0] + 4 * MAX_DOC_CHARS].decode("utf-8", "replace")
        found = facts.docstring.match(head)
        if found:
            return _paragraph(next(group for group in found.groups() if group is not None))
    if unit.first == unit.row:
        return ""
    return _paragraph(_without_marks(source.lines[unit.first : unit.row][:40], facts.comments.line))


def doc_of_file(source: SourceText, outline: FileOutline, facts: LanguageFacts) -> str:
    """The first paragraph that a file says of itself, in its docstring or in comments at its top; ``""`` without one.

    Licences say nothing of the file, and a comment right above the first definition is of that.
    """
    if facts.docstring is not None and (found := facts.docstring.match(source.text[: 4 * MAX_DOC_CHARS])):
        return _paragraph(next(group for group in found.groups() if group is not None))
    marks = facts.comments.line
    own = min((unit.first for unit in outline.units), default=len(source.lines))
    # A gap ends a paragraph, as an empty comment does.
    gap = (marks or ("",))[0]
    top = [
        line if line.strip() and not _FOR_TOOLS.match(line) else gap
        for line in source.lines[: min(own, MAX_TOP_LINES)]
    ]
    told = (part for part in _PARAGRAPH.split(_without_marks(top, marks)) if part.strip())
    return _paragraph(next((part for part in told if not _LEGAL.search(part)), ""))


def _without_marks(lines: list[str], line_marks: tuple[str, ...]) -> str:
    kept, inside = [], False
    for line in lines:
        stripped = line.strip()[:1000]
        opens = stripped.startswith(("/*", "(*", "{-", "--[[", "<!--", "<#", '"""', "@doc", "@moduledoc"))
        if opens or inside or (stripped.startswith(line_marks) if line_marks else False):
            ends = stripped.endswith('"""') and (inside or stripped.count('"""') > 1)
            inside = (inside or opens) and not _COMMENT_ENDS.search(stripped) and not ends
            bare = _COMMENT_ENDS.sub("", stripped)
            bare = "" if _HELP_HEAD.fullmatch(bare) else _COMMENT_STARTS.sub("", bare)
            kept.append(bare.strip().strip('"').strip("*=-#/ "))
    return "\n".join(kept)


def _paragraph(text: str) -> str:
    first = _PARAGRAPH.split(_XML_DOC.sub(" ", text).strip(), maxsplit=1)[0]
    return keep_beginning(" ".join(first.split()), MAX_DOC_CHARS)

"""The terms of definition lists in Markdown: a line or two, and below them lines that begin with a colon.

    `timeout`
    : How long to wait for an answer.

PHP Markdown Extra, Pandoc, kramdown, Goldmark (Hugo) and MkDocs read them so; the grammar takes each for a paragraph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from contextls.code.kinds import Kind
from contextls.code.node_text import last_row
from contextls.code.titles import MAX_NAME_CHARS, read_title
from contextls.code.units import Unit
from contextls.regex import compile_late

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from contextls.code.source import SourceText

# Several terms may share a meaning.
MAX_TERMS = 3
_MEANING = compile_late(r" {0,3}:[ \t]+\S")


def find_terms(source: SourceText, tree: Tree) -> list[Unit]:
    """A section for each term, with what it means as its body."""
    sections: dict[int, Node] = {}
    for row, line in enumerate(source.lines):
        if _MEANING.match(line) and (section := _section_around(tree.root_node, row, line)) is not None:
            sections[section.id] = section
    return [unit for section in sections.values() for unit in _terms_in(section, source)]


def _section_around(root: Node, row: int, line: str) -> Node | None:
    """The section in which a line is, or begins, a paragraph of text; ``None`` where it is in a list, a quote or code."""
    column = line.index(":")
    node = root.descendant_for_point_range((row, column), (row, column))
    while node is not None and node.type != "paragraph":
        node = node.parent
    around = node.parent if node is not None else None
    return around if around is not None and around.type == "section" else None


def _terms_in(section: Node, source: SourceText) -> Iterator[Unit]:
    term: Unit | None = None
    children = section.children
    for node, behind in zip(children, [*children[1:], None], strict=True):
        meaning = _meaning_of(node, behind, source)
        if meaning is not None:
            if term is not None:
                yield term
            term = _unit_of(node, meaning, source)
        elif term is not None and node.type != "section" and _goes_on(source.lines[node.start_point[0]]):
            term.last, term.end, term.body = last_row(node), node.end_byte, (node.start_byte, node.end_byte)
        elif term is not None:
            yield term
            term = None
    if term is not None:
        yield term


def _meaning_of(node: Node, behind: Node | None, source: SourceText) -> int | None:
    """The row in which the meaning of the terms begins that ``node`` consists of, or begins with; ``None`` if of none."""
    if node.type != "paragraph":
        return None
    first, last = node.start_point[0], last_row(node)
    rows = range(first + 1, min(last, first + MAX_TERMS) + 1)
    meaning = next((row for row in rows if _MEANING.match(source.lines[row])), None)
    # Between a term and what it means a line may be blank.
    if meaning is None and first == last and behind is not None and behind.type == "paragraph":
        meaning = behind.start_point[0]
    if meaning is None or not _MEANING.match(source.lines[meaning]):
        return None
    terms = source.lines[first : min(meaning, last + 1)]
    are_terms = all(not _goes_on(line) and len(line.strip()) <= MAX_NAME_CHARS for line in terms)
    return meaning if are_terms else None


def _goes_on(line: str) -> bool:
    """Whether a paragraph that begins so belongs to the term above it."""
    return line[:1].isspace() or _MEANING.match(line) is not None


def _unit_of(node: Node, meaning: int, source: SourceText) -> Unit:
    first, last = node.start_point[0], last_row(node)
    terms = source.lines[first : min(meaning, last + 1)]
    return Unit(
        kind=Kind.SECTION,
        name=", ".join(map(read_title, terms)),
        qualified="",
        first=first,
        row=first,
        last=last,
        start=node.start_byte,
        end=node.end_byte,
        body=(node.start_byte, node.end_byte),
    )

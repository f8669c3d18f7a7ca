"""One query pass over a parsed file: its definitions as a tree of units, its references and its imports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tree_sitter import Node, QueryCursor, Tree

from contextls.code.definition_lists import find_terms
from contextls.code.imports import expand_module
from contextls.code.kinds import Kind
from contextls.code.leading_comments import attach_comments
from contextls.code.model import ChunkLimits, Import
from contextls.code.node_text import QUOTES, decode, last_row, read_heading, read_name
from contextls.code.references import USES, References
from contextls.code.units import FileOutline, Unit, join_clauses, nest_units

if TYPE_CHECKING:
    from contextls.code.languages import Grammar
    from contextls.code.source import SourceText

_KINDS = {kind.value: kind for kind in Kind}


def read_outline(source: SourceText, tree: Tree, grammar: Grammar) -> FileOutline:
    """Run the language's query once over ``tree`` and sort what it captured."""
    data = source.data
    units: dict[tuple[int, int], tuple[int, Unit, str]] = {}
    attached: dict[int, int] = {}  # last row -> first row
    references = References(data)
    modules: dict[int, tuple[Node, str, list[str]]] = {}
    for pattern, captures in QueryCursor(grammar.query).matches(tree.root_node):
        if not USES.isdisjoint(captures):
            references.note(captures)
        elif "attach" in captures:
            for node in captures["attach"]:
                attached[last_row(node)] = node.start_point[0]
        else:
            settings = grammar.query.pattern_settings(pattern)
            if "from" in captures:
                _note_import(modules, captures, data, settings.get("prefix") or "")
            captures |= _fields(captures, (settings.get("fields") or "").split())
            _note_unit(units, pattern, captures, data)
    terms = find_terms(source, tree) if grammar.facts.definition_lists else []
    ordered = nest_units(
        [*((unit, scope) for _, unit, scope in units.values()), *((unit, "") for unit in terms)]
    )
    if grammar.facts.clauses:
        ordered = join_clauses(ordered, source, ChunkLimits().max_chars)
    attach_comments(ordered, source, attached, grammar.facts.comments)
    if grammar.facts.test is not None:
        _mark_tests(ordered, source, grammar.facts.test)
    return FileOutline(
        ordered,
        [unit for unit in ordered if unit.parent is None],
        references.read(ordered),
        _imports(modules, grammar),
    )


def _mark_tests(ordered: list[Unit], source: SourceText, above: re.Pattern[str]) -> None:
    """Mark the units that ``above`` says are tests, and all inside of them."""
    for unit in ordered:
        within = unit.parent is not None and unit.parent.tests
        unit.tests = within or bool(above.search(source.slice(unit.first, unit.row)))


def _fields(captures: dict[str, list[Node]], names: list[str]) -> dict[str, list[Node]]:
    """Fields of the one node that a pattern captured."""
    return {name: node.children_by_field_name(name) for name in names for (node,) in captures.values()}


def _note_unit(
    units: dict[tuple[int, int], tuple[int, Unit, str]],
    pattern: int,
    captures: dict[str, list[Node]],
    data: bytes,
) -> None:
    key = next(filter(_KINDS.__contains__, captures), None)
    if key is None:
        return
    kind, node = _KINDS[key], captures[key][0]
    place = node.byte_range
    known = units.get(place)
    names, bodies = captures.get("name"), captures.get("body")
    if known is not None and (known[0] <= pattern or not (names or kind is Kind.IMPORT)):
        return
    scope = ".".join([read_name(data, part) for part in captures["scope"]]) if "scope" in captures else ""
    row = node.start_point[0]
    name = ""
    if names:
        name = read_heading(data, names[0]) if kind is Kind.SECTION else read_name(data, names[0])
    last = node
    for body in bodies or ():  # which may stand after the definition, as in Dart
        last = body if body.end_byte > last.end_byte else last
    unit = Unit(
        kind=kind,
        name=name,
        qualified="",
        first=row,
        row=row,
        last=last_row(last),
        start=place[0],
        end=last.end_byte,
        body=(bodies[0].start_byte, bodies[-1].end_byte) if bodies else None,
        named=names[0].byte_range if names else (0, 0),
    )
    units[place] = (pattern, unit, scope)


def _note_import(
    modules: dict[int, tuple[Node, str, list[str]]], captures: dict[str, list[Node]], data: bytes, prefix: str
) -> None:
    node = captures["from"][0]
    names = modules.setdefault(node.start_byte, (node, prefix, []))[2]
    names.extend(read_name(data, name) for name in captures.get("imported", ()))


def _imports(modules: dict[int, tuple[Node, str, list[str]]], grammar: Grammar) -> tuple[Import, ...]:
    found = []
    for _, (node, prefix, names) in sorted(modules.items()):
        written = prefix + " ".join(decode(node.text or b"").split()).strip(QUOTES)
        unique = tuple(dict.fromkeys(names))
        found += [
            Import(module, unique, node.start_point[0] + 1)
            for module in expand_module(written, braces=grammar.facts.imports.braces)
        ]
    return tuple(found)

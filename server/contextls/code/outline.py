"""One query pass over a parsed file: its definitions as a tree of units, its references and its imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tree_sitter import Node, QueryCursor, Tree

from contextls.code.imports import expand_module
from contextls.code.kinds import CALLABLE, TYPE_LIKE, Kind
from contextls.code.model import Import, Reference

if TYPE_CHECKING:
    from contextls.code.languages import Grammar
    from contextls.code.source import Source

# Nesting beyond this says nothing to a reader, and bounds every recursion over units.
MAX_DEPTH = 24
MAX_SIGNATURE_CHARS = 200
MAX_NAME_CHARS = 120

_KINDS = {kind.value: kind for kind in Kind}
_LOCAL = frozenset({Kind.CONSTANT, Kind.IMPORT})  # inside a function they are details of it
_ARGUMENTS = re.compile(r"[<\[(][^<>\[\]()]*[>\])]")
_SCOPES = re.compile(r"::|->|[.:\\/#]")
_COMMENT = re.compile(r"\s*(?:#(?!\[)|//|/\*|\*(?:\s|/|$)|--\s)")
_WORDS_BEFORE = re.compile(rb"(?:\A|\n)[ \t]*((?:[a-z]+ )+)\Z")
_QUOTES = "'\"`<>"
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?(?:a|b|br|code|em|i|img|kbd|picture|source|span|strong|sub|sup)\b[^<>]*>")


@dataclass(slots=True, eq=False)
class Unit:
    """A definition, section or import statement with its place in the file. Rows are 0-based and inclusive.

    ``first`` includes the comments, decorators and attributes right above the definition, ``row`` does not.
    """

    kind: Kind
    name: str
    qualified: str
    first: int
    row: int
    last: int
    start: int  # bytes of the node
    end: int
    body: tuple[int, int] | None  # bytes of the body
    parent: Unit | None = None
    children: list[Unit] = field(default_factory=list)
    named: tuple[int, int] = (0, 0)
    signature: str | None = None  # once it was asked for

    def ancestors(self) -> Iterator[Unit]:
        """The units around this one, innermost first."""
        unit = self.parent
        while unit is not None:
            yield unit
            unit = unit.parent


@dataclass(slots=True)
class Outline:
    """The result of one pass over a tree. ``units`` are all units in the order of the file, ``roots`` the outermost."""

    units: list[Unit]
    roots: list[Unit]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]


def read_outline(source: Source, tree: Tree, grammar: Grammar) -> Outline:
    """Run the language's query once over ``tree`` and sort what it captured."""
    data = source.data
    units: dict[tuple[int, int], tuple[int, Unit, str]] = {}
    attached: dict[int, int] = {}  # last row -> first row
    references: dict[tuple[bytes, int], bool] = {}  # name and row -> whether it is called there
    modules: dict[int, tuple[Node, str, list[str]]] = {}
    for pattern, captures in QueryCursor(grammar.query).matches(tree.root_node):
        if "ref" in captures or "call" in captures:
            for node in captures.get("ref", ()):
                start, end = node.byte_range
                references.setdefault((data[start:end], node.start_point[0]), False)
            for node in captures.get("call", ()):
                start, end = node.byte_range
                references[data[start:end], node.start_point[0]] = True
        elif "attach" in captures:
            for node in captures["attach"]:
                attached[last_row(node)] = node.start_point[0]
        else:
            if "from" in captures:
                prefix = grammar.query.pattern_settings(pattern).get("prefix")
                _note_import(modules, captures, data, prefix or "")
            _note_unit(units, pattern, captures, data)
    names = {name: _text(name) for name in {name for name, _ in references}}
    ordered = _nest([(unit, scope) for _, unit, scope in units.values()])
    if grammar.facts.clauses:
        ordered = _join_clauses(ordered, source)
    _attach(ordered, source, attached, grammar)
    return Outline(
        ordered,
        [unit for unit in ordered if unit.parent is None],
        tuple(Reference._make((names[name], row + 1, called)) for (name, row), called in references.items()),
        _imports(modules, grammar),
    )


def signature_of(unit: Unit, data: bytes) -> str:
    """From the definition's start up to its body, without lines of comment, on one line of at most 200 characters.

    Words before it on its line belong to it: ``export``, or the ``type`` that Go says once for many.
    """
    if unit.signature is None:
        unit.signature = _read_signature(unit, data)
    return unit.signature


def _read_signature(unit: Unit, data: bytes) -> str:
    end = unit.body[0] if unit.body else unit.end
    before = None
    if data[unit.start - 1 : unit.start] == b" ":
        before = _WORDS_BEFORE.search(data, max(0, unit.start - MAX_SIGNATURE_CHARS), unit.start)
    start = before.start(1) if before else unit.start
    text = data[start : min(end, start + 4 * MAX_SIGNATURE_CHARS)]
    if not unit.body or unit.body[0] - unit.start < 2:
        text = text.partition(b"\n")[0]
    first, *rest = _text(text).split("\n")
    told = [first, *(line for line in rest if not _COMMENT.match(line))]
    collapsed = " ".join(" ".join(told).split())
    return collapsed if len(collapsed) <= MAX_SIGNATURE_CHARS else collapsed[: MAX_SIGNATURE_CHARS - 1] + "…"


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
    if known is not None and (known[0] <= pattern or not names):
        return
    scope = ".".join([_plain(data, part) for part in captures["scope"]]) if "scope" in captures else ""
    row = node.start_point[0]
    name = ""
    if names:
        name = _heading(data, names[0]) if kind is Kind.SECTION else _plain(data, names[0])
    unit = Unit(
        kind=kind,
        name=name,
        qualified="",
        first=row,
        row=row,
        last=last_row(node),
        start=place[0],
        end=place[1],
        body=bodies[0].byte_range if bodies else None,
        named=names[0].byte_range if names else (0, 0),
    )
    units[place] = (pattern, unit, scope)


def _nest(found: list[tuple[Unit, str]]) -> list[Unit]:
    """Order units, link each to the one around it and qualify its name."""
    found.sort(key=lambda pair: (pair[0].start, -pair[0].end))
    stack: list[Unit] = []
    ordered: list[Unit] = []
    for unit, written_scope in found:
        while stack and stack[-1].end <= unit.start:
            stack.pop()
        if len(stack) >= MAX_DEPTH or (stack and stack[-1].end < unit.end):
            continue
        if stack and (_same_thing(unit, stack[-1]) or (unit.kind in _LOCAL and stack[-1].kind in CALLABLE)):
            continue
        if stack:
            unit.parent = stack[-1]
            stack[-1].children.append(unit)
        if unit.kind is Kind.FUNCTION and unit.parent is not None and unit.parent.kind in TYPE_LIKE:
            unit.kind = Kind.METHOD
        _qualify(unit, written_scope)
        ordered.append(unit)
        stack.append(unit)
    return ordered


def _same_thing(unit: Unit, around: Unit) -> bool:
    """Two nested nodes for one definition: a declaration and its assignment, a typedef and its struct."""
    return (unit.named == around.named and unit.name == around.name) or (
        unit.body is not None and unit.body == around.body
    )


def _join_clauses(units: list[Unit], source: Source) -> list[Unit]:
    """One unit for neighbouring ones of the same name: the equations of a function, the heads that match patterns."""
    kept: list[Unit] = []
    last: dict[int, Unit] = {}  # by the identity of the unit around
    for unit in units:
        around = id(unit.parent)
        before = last.get(around)
        joins = (
            before is not None
            and before.kind is unit.kind
            and before.qualified == unit.qualified
            and unit.kind in CALLABLE
            and not source.slice(before.last + 1, max(unit.row, before.last + 1)).strip()
        )
        if before is not None and joins:
            before.last, before.end = unit.last, unit.end
            before.body = None if before.body is None or unit.body is None else (before.body[0], unit.body[1])
            before.children += unit.children
            for child in unit.children:
                child.parent = before
            if unit.parent is not None:
                unit.parent.children.remove(unit)
            continue
        last[around] = unit
        kept.append(unit)
    return kept


def _qualify(unit: Unit, written_scope: str) -> None:
    """``A::b`` written as the name splits into scope and name; enclosing names come first."""
    if unit.kind is Kind.SECTION:
        outer = _named_around(unit)
        unit.qualified = f"{outer} > {unit.name}" if outer and unit.name else unit.name or outer
        return
    if unit.kind not in (Kind.TEST, Kind.IMPORT):
        path = _split_scope(unit.name)
        if len(path) > 1:
            unit.name = path[-1]
            written_scope = ".".join((*_split_scope(written_scope), *path[:-1]))
            if unit.kind is Kind.FUNCTION:
                unit.kind = Kind.METHOD
        elif written_scope:
            written_scope = ".".join(_split_scope(written_scope))
    outer = _named_around(unit)
    unit.qualified = ".".join([part for part in (outer, written_scope, unit.name) if part])


def _named_around(unit: Unit) -> str:
    """The qualified name of the innermost unit around that has a name."""
    around = unit.parent
    while around is not None and not around.name:
        around = around.parent
    return "" if around is None else around.qualified


def _split_scope(name: str) -> tuple[str, ...]:
    """``std::vector<T>::push`` -> ``("std", "vector", "push")``; a name without scope stays as it is."""
    if not name:
        return ()
    if name.isidentifier():  # as nearly all are
        return (name,)
    if not _SCOPES.search(name) or "operator" in name:
        return (name,)
    bare = name
    while (shorter := _ARGUMENTS.sub("", bare)) != bare:
        bare = shorter
    parts = tuple(part.strip() for part in _SCOPES.split(bare) if part.strip(" *&"))
    return parts or (name,)


def _attach(units: list[Unit], source: Source, attached: dict[int, int], grammar: Grammar) -> None:
    """Move ``first`` of each unit up over the comments and attributes right above it."""
    comments = grammar.facts.comments
    taken = 0  # rows below this belong to an earlier unit
    for unit in units:
        parent = unit.parent
        if parent is not None and parent.row == unit.row:
            unit.first = parent.first
            continue
        floor = parent.row + 1 if parent is not None else 0
        floor = max(floor, taken)
        row = unit.row
        while row > floor:
            above = attached.get(row - 1)
            if above is None:
                above = _comment_start(source.lines, row - 1, floor, comments.line, comments.block)
            if above is None or above < floor:
                break
            row = above
        unit.first = row
        taken = max(taken, unit.last + 1) if not unit.children else max(taken, unit.row + 1)


def _comment_start(
    lines: list[str], row: int, floor: int, line_marks: tuple[str, ...], blocks: tuple[tuple[str, str], ...]
) -> int | None:
    """The first row of the comment that ends in ``row`` and has its lines to itself; ``None`` when there is none."""
    if len(lines[row]) > 1000:
        return None
    line = lines[row].strip()
    if line_marks and line.startswith(line_marks):
        return row
    for opening, closing in blocks:
        if not line.endswith(closing):
            continue
        for start in range(row, max(floor, row - 400) - 1, -1):
            at = lines[start].find(opening)
            if at != -1:
                return start if not lines[start][:at].strip() else None
    return None


def _note_import(
    modules: dict[int, tuple[Node, str, list[str]]], captures: dict[str, list[Node]], data: bytes, prefix: str
) -> None:
    node = captures["from"][0]
    names = modules.setdefault(node.start_byte, (node, prefix, []))[2]
    names.extend(_plain(data, name) for name in captures.get("imported", ()))


def _imports(modules: dict[int, tuple[Node, str, list[str]]], grammar: Grammar) -> tuple[Import, ...]:
    found = []
    for _, (node, prefix, names) in sorted(modules.items()):
        written = prefix + " ".join(_text(node.text or b"").split()).strip(_QUOTES)
        unique = tuple(dict.fromkeys(names))
        found += [
            Import(module, unique, node.start_point[0] + 1)
            for module in expand_module(written, braces=grammar.facts.imports.braces)
        ]
    return tuple(found)


def last_row(node: Node) -> int:
    """The last row of ``node``; a line break at its end does not reach into the next one."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def _plain(data: bytes, node: Node) -> str:
    start, end = node.byte_range
    if end - start <= MAX_NAME_CHARS and (name := _text(data[start:end])).isidentifier():
        return name
    return _on_one_line(data, node).strip(_QUOTES)[:MAX_NAME_CHARS]


def _heading(data: bytes, node: Node) -> str:
    """A heading as it is read: without the addresses of links and pictures; as it is where nothing else is left."""
    written = _on_one_line(data, node)
    # A badge is a picture in a link.
    bare = _LINK.sub(r"\1", _LINK.sub(r"\1", _TAG.sub("", written)))
    return (" ".join(bare.split()) or written).strip(_QUOTES)[:MAX_NAME_CHARS]


def _on_one_line(data: bytes, node: Node) -> str:
    end = min(node.end_byte, node.start_byte + 4 * MAX_NAME_CHARS)
    return " ".join(_text(data[node.start_byte : end]).split())


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")

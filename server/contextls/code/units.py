"""The definitions of a file as a tree: which is inside which, what each is called in full, and its signature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct, field

from contextls.code.kinds import CALLABLE, TYPE_LIKE, Kind
from contextls.code.node_text import decode
from contextls.regex import compile_late
from contextls.text.kept_ends import keep_beginning

if TYPE_CHECKING:
    from contextls.code.model import Import, Reference
    from contextls.code.source import SourceText

# Nesting beyond this says nothing to a reader, and bounds every recursion over units.
MAX_DEPTH = 24
MAX_SIGNATURE_CHARS = 200

_LOCAL = frozenset({Kind.CONSTANT, Kind.IMPORT})  # inside a function they are details of it
_ARGUMENTS = compile_late(r"[<\[(][^<>\[\]()]*[>\])]")
_SCOPES = compile_late(r"::|->|[.:\\/#]")
_COMMENT = compile_late(r"\s*(?:#(?!\[)|//|/\*|\*(?:\s|/|$)|--\s)")
_WORDS_BEFORE = compile_late(rb"[ \t]*+((?:[a-z]+ )+)")


class Unit(Struct, eq=False):
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
    body: tuple[int, int] | None  # bytes of the body; of sections, only terms of a definition list have one
    parent: Unit | None = None
    children: list[Unit] = field(default_factory=list)
    named: tuple[int, int] = (0, 0)
    signature: str | None = None  # once it was asked for
    tests: bool = False  # it is a test, or lies in one

    def ancestors(self) -> Iterator[Unit]:
        """The units around this one, innermost first."""
        unit = self.parent
        while unit is not None:
            yield unit
            unit = unit.parent


class FileOutline(Struct):
    """The units of a file in their order, the outermost of them as ``roots``, and its references and imports."""

    units: list[Unit]
    roots: list[Unit]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]


def signature_of(unit: Unit, data: bytes) -> str:
    """From the definition's start up to its body, without lines of comment, on one line of at most 200 characters.

    Words before it on its line belong to it: ``export``, or the ``type`` that Go says once for many.
    """
    if unit.signature is None:
        unit.signature = _read_signature(unit, data)
    return unit.signature


def _read_signature(unit: Unit, data: bytes) -> str:
    end = unit.body[0] if unit.body else unit.end
    start = _start_of_words(unit.start, data)
    text = data[start : min(end, start + 4 * MAX_SIGNATURE_CHARS)]
    if not unit.body or unit.body[0] - unit.start < 2:
        text = text.partition(b"\n")[0]
    first, *rest = decode(text).split("\n")
    told = [first, *(line for line in rest if not _COMMENT.match(line))]
    return keep_beginning(" ".join(" ".join(told).split()), MAX_SIGNATURE_CHARS)


def _start_of_words(start: int, data: bytes) -> int:
    """Where the words begin that alone stand before ``start`` on its line; ``start`` where there are none."""
    line = data.rfind(b"\n", max(0, start - MAX_SIGNATURE_CHARS), start) + 1
    if not line and start > MAX_SIGNATURE_CHARS:
        return start
    words = _WORDS_BEFORE.fullmatch(data, line, start)
    return words.start(1) if words else start


def nest_units(found: list[tuple[Unit, str]], *, whole_names: bool = False) -> list[Unit]:
    """Order units, link each to the one around it and qualify its name.

    With ``whole_names`` a sign within a name, as the dot in R, says nothing of what the name belongs to.
    """
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
        _qualify(unit, written_scope, whole=whole_names)
        ordered.append(unit)
        stack.append(unit)
    return ordered


def _same_thing(unit: Unit, around: Unit) -> bool:
    """Two nested nodes for one definition: a declaration and its assignment, a typedef and its struct."""
    return (unit.named == around.named and unit.name == around.name) or (
        unit.body is not None and unit.body == around.body
    )


def join_clauses(units: list[Unit], source: SourceText, max_chars: int) -> list[Unit]:
    """One unit for neighbouring ones of the same name: the equations of a function, the heads that match patterns.

    Clauses that together have more than ``max_chars`` are several units: of a hundred messages that a server handles, each
    clause is about another.
    """
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
            and source.size(before.first, unit.last + 1) <= max_chars
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


def _qualify(unit: Unit, written_scope: str, *, whole: bool) -> None:
    """``A::b`` written as the name splits into scope and name; enclosing names come first."""
    if unit.kind is Kind.SECTION:
        outer = _named_around(unit)
        unit.qualified = f"{outer} > {unit.name}" if outer and unit.name else unit.name or outer
        return
    if not whole and unit.kind not in (Kind.TEST, Kind.IMPORT):
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

"""Finds the chunks of headers that only declare functions: what these do stands elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from contextls.code.kinds import CALLABLE
from contextls.memory.index.file_rules import C_HEADERS
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.regex import compile_late

Named = TypeVar("Named", bound=Hashable)
_COMMENT = compile_late(r"//[^\n]*|/\*(?>(?:[^*]|\*(?!/))*)(?:\*/)?")
# What ends a prototype before its semicolon.
_PROTOTYPE = compile_late(
    r"\)\s*+(?:(?:const|noexcept|override|final)\b\s*+)*(?:=\s*+(?:0|default|delete)\s*+)?$"
)
_BODY = compile_late(r"\)\s*+(?:(?:const|noexcept|override|final)\b\s*+)*\{")
# A chunk only declares if it has at least this many statements and this share of them are prototypes.
MIN_STATEMENTS, MIN_SHARE = 3, 0.6


def only_declares(ref: ChunkRef, view: IndexView) -> bool:
    """Whether a chunk is a list of prototypes in a header of C or C++, without a body of any."""
    if not view.path(ref).endswith(C_HEADERS):
        return False
    text = _COMMENT.sub("", view.row(ref).text)
    *statements, _ = text.split(";")
    if len(statements) < MIN_STATEMENTS or _BODY.search(text):
        return False
    return sum(_PROTOTYPE.search(each) is not None for each in statements) >= MIN_SHARE * len(statements)


def declares_alone(ref: ChunkRef, name: str, snapshot: Snapshot) -> bool:
    """Whether a chunk of a header declares a function ``name``, and defines nothing that is called so."""
    lines = snapshot.view.lines(ref)
    outline = snapshot.outlines.get(lines.path)
    if outline is None or not lines.path.endswith(C_HEADERS):
        return False
    named = [one for one in outline.beginning_in(lines.start_line, lines.end_line) if one.name == name]
    text = snapshot.view.row(ref).text.splitlines()
    first = lines.start_line
    bodies = ["\n".join(text[one.start_line - first : one.end_line - first + 1]) for one in named]
    return (
        bool(named) and all(one.kind in CALLABLE for one in named) and not any("{" in body for body in bodies)
    )


def leave_out_declarations(names: Mapping[Named, str], declares: Callable[[Named], bool]) -> set[Named]:
    """The chunks that have ``names``, without those that only ``declares`` one whose body is in another of them."""
    declaring = set(filter(declares, names))
    with_body = {name for one, name in names.items() if one not in declaring}
    return {one for one, name in names.items() if one not in declaring or name not in with_body}

"""The tables of docs/protocol.md: what each method takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextls.requests.methods import COMMANDS, METHODS
from contextls.schema.types import (
    Choice,
    Either,
    Flag,
    Json,
    ListOf,
    Number,
    Record,
    Text,
    Type,
    fields_of,
)

TABLE = re.compile(r"(<!-- fields: (?P<method>\S+) -->\n).*?(\n\n)", re.DOTALL)
AS_IN_LSP = {"Position", "Range", "TextDocument", "Diagnostic"}


def with_tables(text: str) -> str:
    """The document with the table behind each ``<!-- fields: METHOD -->``. Raises ``KeyError`` for an unknown one."""
    return TABLE.sub(
        lambda found: found[1] + table((METHODS | COMMANDS)[found["method"]].params) + found[3], text
    )


def table(params: type) -> str:
    """The fields of one class, those of objects within it included."""
    return "\n".join(["| field | type | meaning |", "| --- | --- | --- |", *_rows(params, "")])


def _rows(params: type, at: str) -> Iterator[str]:
    taken = {method.params for method in METHODS.values()}
    for field in fields_of(params):
        kind = type_words(field.type) + (", required" if field.required else "")
        yield f"| `{at}{field.wire}` | {kind} | {field.doc} |"
        inner = field.type.kind if isinstance(field.type, Record) else None
        if inner is not None and inner.__name__ not in AS_IN_LSP and inner not in taken:
            yield from _rows(inner, f"{at}{field.wire}.")


def type_words(kind: Type) -> str:
    """A type as a table says it."""
    match kind:
        case Text(form=form):
            return form.name if form else "string"
        case Number(whole=whole):
            return "whole number" if whole else "number"
        case Flag():
            return "true or false"
        case Choice():
            *most, last = (f"`{value}`" for value in kind.kind)
            return f"{', '.join(most)} or {last}"
        case ListOf(item=Record(kind=item)):
            return "as in LSP" if item.__name__ in AS_IN_LSP else "list of objects"
        case ListOf(item=Json()):
            return "list of objects"
        case ListOf():
            return "list of strings"
        case Record(kind=item) if item.__name__ in AS_IN_LSP:
            return "as in LSP"
        case Either(members=members):
            return " or ".join(map(type_words, members))
        case _:
            return "object"

"""The protocol as types for TypeScript: ``editors/vscode/src/protocol.ts``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from contextls.model import Section
from contextls.requests.methods import COMMANDS, METHODS, NOTIFICATIONS
from contextls.schema.types import (
    Choice,
    Either,
    Field,
    Flag,
    Json,
    ListOf,
    Null,
    Number,
    Record,
    TableOf,
    Text,
    Type,
    fields_of,
    read_hint,
)

HEAD = """\
/**
 * Requests, answers and notifications of the server as types: see docs/protocol.md of the project.
 *
 * Made of the server's own structs by tools/update_protocol.py: change those, not this file.
 */
/* eslint-disable max-lines -- nobody reads it as a whole */
"""
WIDTH = 120
# Enums whose values the extension goes through.
LISTED = {Section: "SECTIONS"}


def typescript() -> str:
    """The text of the module."""
    types = _Types()
    return HEAD + "\n" + "\n\n".join(types.declarations()) + "\n"


class _Types:
    """The classes and enums that were met, in the order of the methods that take or answer them."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}
        for method in (*METHODS.values(), *COMMANDS.values()):
            self._type(Record(method.params), asked=True)
            if method.answer is not None:
                self._type(read_hint(method.answer)[0], asked=False)
        for kind in NOTIFICATIONS.values():
            self._type(Record(kind), asked=False)

    def declarations(self) -> Iterator[str]:
        """Each type with its comment."""
        yield from self._found.values()

    def _type(self, kind: Type, asked: bool) -> str:
        match kind:
            case Text(words=words):
                return _union(words) if words else "string"
            case Number():
                return "number"
            case Null():
                return "null"
            case Flag():
                return "boolean"
            case Choice(kind=enum):
                words = "".join(f'  "{word}",\n' for word in enum)
                listed = LISTED.get(enum)
                values = (
                    f"\nexport const {listed}: readonly {enum.__name__}[] = [\n{words}];" if listed else ""
                )
                self._declare(enum, f"export type {enum.__name__} = {_union(map(str, enum))};{values}")
                return enum.__name__
            case ListOf(item=item):
                inner = self._type(item, asked)
                return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
            case TableOf(key=key, value=value):
                table = f"Record<{self._type(key, asked)}, {self._type(value, asked)}>"
                return f"Readonly<Partial<{table}>>" if isinstance(key, Choice) else f"Readonly<{table}>"
            case Record(kind=inner):
                self._interface(inner, asked)
                return inner.__name__
            case Either(members=members):
                return " | ".join(self._type(member, asked) for member in members)
            case Json(checked=checked):
                return "Readonly<Record<string, unknown>>" if checked else "unknown"

    def _interface(self, kind: type, asked: bool) -> None:
        if kind.__name__ in self._found:
            return
        self._found[kind.__name__] = ""  # keeps the place before those that it needs
        lines = [line for field in fields_of(kind) for line in self._member(field, asked)]
        body = "\n".join([f"export interface {kind.__name__} {{", *lines, "}"])
        if not lines:
            body = f"export type {kind.__name__} = Readonly<Record<string, never>>;"
        self._declare(kind, body)

    def _member(self, field: Field, asked: bool) -> Iterator[str]:
        kind = self._type(field.type, asked)
        if field.doc:
            yield from _comment(_sentence(field.doc), "  ")
        if asked:
            yield f"  readonly {field.wire}{'' if field.required else '?'}: {kind};"
        else:
            yield f"  readonly {field.wire}: {kind}{' | null' if field.nullable else ''};"

    def _declare(self, kind: type, text: str) -> None:
        doc = (kind.__doc__ or "").strip()
        self._found[kind.__name__] = "\n".join(
            [*_comment(" ".join(doc.split()).replace("``", "`"), ""), text]
        )


def _sentence(doc: str) -> str:
    """The meaning of a field as a sentence; links of the document lead nowhere from here."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", doc)
    return text[0].upper() + text[1:] + "."


def _union(words: Any) -> str:  # noqa: ANN401 - strings
    return " | ".join(f'"{word}"' for word in words)


def _comment(text: str, indent: str) -> Iterator[str]:
    if len(indent) + len(text) + 7 <= WIDTH:
        yield f"{indent}/** {text} */"
        return
    yield f"{indent}/**"
    line = f"{indent} *"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = f"{indent} *"
        line += f" {word}"
    yield line
    yield f"{indent} */"

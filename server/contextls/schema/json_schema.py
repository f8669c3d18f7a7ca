"""Structs as JSON schema (draft 2020-12), by the same rules that the reader holds values to."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

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


class Definitions:
    """The classes and enums that were met, each described once and referred to by name."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}

    def method(self, params: type, answer: Any) -> dict[str, Any]:  # noqa: ANN401 - an annotation
        """The parameters and the result of a method."""
        result: dict[str, Any] = {"type": "null"}
        if answer is not None:
            kind, nullable = read_hint(answer)
            result = _or_null(self._type(kind, asked=False), nullable)
        return {"params": self.reference(params, asked=True), "result": result}

    def reference(self, kind: type, *, asked: bool) -> dict[str, Any]:
        """A reference to a class, which is described when it is met first."""
        if kind.__name__ not in self.found:
            self.found[kind.__name__] = {}
            self.found[kind.__name__] = self._describe(kind, asked)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def _describe(self, kind: type, asked: bool) -> dict[str, Any]:
        known = fields_of(kind)
        described = {
            "description": _first_line(kind),
            "type": "object",
            "properties": {field.wire: self._property(field, asked) for field in known},
            "required": [field.wire for field in known if field.required or not asked],
        }
        return described | ({"additionalProperties": False} if asked else {})

    def _property(self, field: Field, asked: bool) -> dict[str, Any]:
        found = self._type(field.type, asked)
        if not asked:
            found = _or_null(found, field.nullable)
        elif isinstance(field.default, str | int | float):
            found = {**found, "default": field.default}
        return {**found, "description": field.doc} if field.doc else found

    def _type(self, kind: Type, asked: bool) -> dict[str, Any]:
        match kind:
            case Text(words=words, filled=filled):
                found: dict[str, Any] = {"type": "string"}
                if words:
                    found["enum"] = list(words)
                return found | ({"pattern": r"\S"} if filled else {})
            case Number(whole=whole, least=least, most=most):
                bounds = {"minimum": least if asked else None, "maximum": most if asked else None}
                found = {"type": "integer" if whole else "number"}
                return found | {name: bound for name, bound in bounds.items() if bound is not None}
            case Null():
                return {"type": "null"}
            case Flag():
                return {"type": "boolean"}
            case Choice(kind=enum):
                return self._choice(enum)
            case ListOf(item=item):
                return {"type": "array", "items": self._type(item, asked)}
            case TableOf(key=key, value=value):
                found = {"type": "object", "additionalProperties": self._type(value, asked)}
                return found | ({"propertyNames": self._type(key, asked)} if isinstance(key, Choice) else {})
            case Record(kind=inner):
                return self.reference(inner, asked=asked)
            case Either(members=members):
                return {"anyOf": [self._type(member, asked) for member in members]}
            case Json(checked=checked):
                return {"type": "object"} if checked else {}

    def _choice(self, enum: type[StrEnum]) -> dict[str, Any]:
        self.found[enum.__name__] = {"description": _first_line(enum), "enum": list(map(str, enum))}
        return {"$ref": f"#/$defs/{enum.__name__}"}


class InlineSchemas(Definitions):
    """Every class and enum described in full where it is met: not every client follows references."""

    def reference(self, kind: type, *, asked: bool) -> dict[str, Any]:
        """The description of a class."""
        return self._describe(kind, asked)

    def _choice(self, enum: type[StrEnum]) -> dict[str, Any]:
        return {"type": "string", "enum": list(map(str, enum))}


def _or_null(found: dict[str, Any], nullable: bool) -> dict[str, Any]:
    return {"anyOf": [found, {"type": "null"}]} if nullable else found


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").partition("\n")[0].replace("``", "`")

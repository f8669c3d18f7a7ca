"""JSON in, frozen structs out: every value is checked, and every complaint names its field.

Nothing is coerced: ``"5"``, ``5.0`` and ``true`` are not whole numbers. ``null`` counts as absent, as many clients send it
for a field that they leave out. An empty list counts as an empty object, as Lua and PHP write one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.schema.rules import MAX_WHOLE
from contextls.schema.types import (
    Choice,
    Either,
    Field,
    Flag,
    Json,
    ListOf,
    Number,
    Record,
    TableOf,
    Text,
    Type,
    fields_of,
)
from contextls.text.surrogates import is_encodable, repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T", bound=Struct)
_MAX_LEVELS = 32


def read(kind: type[T], value: object, at: str = "") -> T:
    """Build ``kind`` from JSON; ``at`` is the path of ``value`` in what the client sent.

    Where no field is required, no value at all stands for an empty object. What ``kind`` refuses when it is built counts
    as refused here. Raises ``InvalidRequestError`` with the path of the field (``filters.since``).
    """
    known = fields_of(kind)
    if value is None and not at and not any(field.required for field in known):
        value = {}
    given = _object(value, at or "params")
    names = {field.wire for field in known}
    for name in given:
        if name not in names:
            expected = "one of the fields " + ", ".join(field.wire for field in known)
            raise InvalidRequestError(_join(at, name or '""'), expected)
    present = {name for name, item in given.items() if item is not None}
    for field in known:
        if field.required and field.wire not in present:
            _refuse_missing(field, _join(at, field.wire))
    found = {
        field.name: _value(field.type, given[field.wire], _join(at, field.wire), field.expected)
        for field in known
        if field.wire in present
    }
    try:
        return kind(**found)
    except InvalidRequestError as error:
        raise InvalidRequestError(_join(at, error.field), error.expected, error.got) from None


def expected_of(kind: Type) -> str:
    """In words, what is valid where the type is wrong."""
    match kind:
        case Text():
            return "a string"
        case Number(least=least):
            noun = "a whole number" if kind.whole else "a number"
            return noun if least is None else f"{noun}, {least} or more"
        case Flag():
            return "true or false"
        case Choice():
            return "one of " + ", ".join(kind.kind)
        case ListOf(item=Text() | Choice()):
            return "a list of strings"
        case ListOf():
            return "a list"
        case Either(members=members):
            return " or ".join(map(expected_of, members))
        case _:
            return "an object"


def _value(kind: Type, value: object, at: str, expected: str = "") -> Any:  # noqa: ANN401 - as the type says
    words = expected or expected_of(kind)
    match kind:
        case Text():
            return _text(kind, value, at)
        case Number():
            return _number(kind, value, at, words)
        case Flag() if isinstance(value, bool):
            return value
        case Choice():
            return _choice(kind, value, at)
        case ListOf() if isinstance(value, list):
            read_ones = value if kind.first is None else value[: kind.first]
            return tuple(_value(kind.item, item, f"{at}[{index}]") for index, item in enumerate(read_ones))
        case TableOf():
            return _table(kind, _object(value, at), at)
        case Record():
            return read(kind.kind, value, at)
        case Json():
            return _json_object(value, at) if kind.checked else value
        case Either():
            for member in kind.members:
                if _has_form(member, value):
                    return _value(member, value, at)
    raise InvalidRequestError(at, words, value)


def _text(kind: Text, value: object, at: str) -> str:
    if kind.lenient and isinstance(value, str):
        return repair_surrogates(value)
    text = _check_text(value, at)
    if kind.filled and not text.strip():
        raise InvalidRequestError(at, "a string that is not empty", text)
    if kind.form is not None and not kind.form.accepts(text):
        raise InvalidRequestError(at, kind.form.expected, text)
    return text


def _number(kind: Number, value: object, at: str, expected: str) -> int | float:
    right = type(value) is int or (type(value) is float and not kind.whole and math.isfinite(value))
    if not right or not isinstance(value, int | float):
        raise InvalidRequestError(at, expected, value)
    if (kind.whole and abs(value) > MAX_WHOLE) or (kind.least is not None and value < kind.least):
        raise InvalidRequestError(at, expected, value)
    if kind.most is not None and value > kind.most:
        noun = "a whole number" if kind.whole else "a number"
        raise InvalidRequestError(at, f"{noun} from {kind.least} to {kind.most}", value)
    return value


def _choice(kind: Choice, value: object, at: str) -> object:
    text = _check_text(value, at)
    if text not in tuple(kind.kind):
        raise InvalidRequestError(at, expected_of(kind), text)
    return kind.kind(text)


def _table(kind: TableOf, given: Mapping[str, Any], at: str) -> dict[Any, Any]:
    values = {key: _value(kind.value, item, f"{at}.{key}") for key, item in given.items() if item is not None}
    if isinstance(kind.key, Text):
        return values
    for key in values:
        if key not in tuple(kind.key.kind):
            raise InvalidRequestError(f"{at}.{key}", expected_of(kind.key))
    return {kind.key.kind(key): item for key, item in values.items()}


def _object(value: object, at: str) -> dict[str, Any]:
    if value == []:
        return {}
    if not isinstance(value, dict):
        raise InvalidRequestError(at, "an object", value)
    return value


def _json_object(value: object, at: str) -> dict[str, Any]:
    given = _object(value, at)
    _check_json(given, at, 0)
    return given


def _check_json(value: object, at: str, level: int) -> None:
    """Raise unless all strings within are well-formed and nothing is nested absurdly deep."""
    if level > _MAX_LEVELS:
        raise InvalidRequestError(at, f"no more than {_MAX_LEVELS} levels")
    if isinstance(value, str):
        _check_text(value, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check_json(item, f"{at}[{index}]", level + 1)
    elif isinstance(value, dict):
        for name, item in value.items():
            _check_text(name, at)
            _check_json(item, f"{at}.{name}", level + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidRequestError(at, "a finite number", value)


def _check_text(value: object, at: str) -> str:
    if not isinstance(value, str):
        raise InvalidRequestError(at, "a string", value)
    if not is_encodable(value):
        expected = "well-formed Unicode, without lone surrogates"
        raise InvalidRequestError(at, expected, repair_surrogates(value))
    return value


def _has_form(kind: Type, value: object) -> bool:
    match kind:
        case Text() | Choice():
            return isinstance(value, str)
        case Number():
            return type(value) in ((int,) if kind.whole else (int, float))
        case ListOf():
            return isinstance(value, list)
        case _:
            return isinstance(value, dict) or value == []


def _refuse_missing(field: Field, at: str) -> None:
    """Raise; of an object without words of its own, the first field that it needs is named."""
    if isinstance(field.type, Record) and not field.expected:
        read(field.type.kind, {}, at)
    raise InvalidRequestError(at, f"{field.expected or expected_of(field.type)}; it is missing")


def _join(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name

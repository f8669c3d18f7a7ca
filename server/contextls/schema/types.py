"""The closed set of types that a field may have, and how the annotations of a struct are read as these."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from contextls.schema.names import wire_name
from contextls.schema.rules import Bounds, Doc, Expected, Filled, First, Lenient, Rule, StringForm, Words


class Text(Struct, frozen=True):
    """A string."""

    filled: bool = False
    lenient: bool = False
    form: StringForm | None = None
    words: tuple[str, ...] = ()


class Number(Struct, frozen=True):
    """A number within bounds; with ``whole`` one without a fraction."""

    whole: bool
    least: int | None
    most: int | None


class Flag(Struct, frozen=True):
    """True or false."""


class Choice(Struct, frozen=True):
    """One of the values of an enum."""

    kind: type[StrEnum]


class ListOf(Struct, frozen=True):
    """A list; only the ``first`` items are read where that is given."""

    item: Type
    first: int | None = None


class TableOf(Struct, frozen=True):
    """An object with keys of any name, or with those of an enum."""

    key: Text | Choice
    value: Type


class Record(Struct, frozen=True):
    """An object with the fields of a struct."""

    kind: type


class Json(Struct, frozen=True):
    """Any object; without ``checked`` any value."""

    checked: bool


class Null(Struct, frozen=True):
    """Null alone; only in answers."""


class Either(Struct, frozen=True):
    """A value of one of several types, no two of which have the same form in JSON."""

    members: tuple[Type, ...]


Type = Text | Number | Flag | Choice | ListOf | TableOf | Record | Json | Null | Either


class Field(Struct, frozen=True):
    """One field of a struct: its names here and on the wire, what it may hold, and what it means."""

    name: str
    wire: str
    type: Type
    required: bool
    nullable: bool
    default: Any
    doc: str
    expected: str


@cache
def fields_of(kind: type[Struct]) -> tuple[Field, ...]:
    """The fields of a struct in the order of their declaration. Raises ``TypeError`` for a type of no known form."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(each, hints[each.name]) for each in fields(kind))


def read_hint(hint: Any) -> tuple[Type, bool]:  # noqa: ANN401 - an annotation
    """The type that an annotation stands for, and whether it may be null. Raises ``TypeError``."""
    kind, nullable, _ = _parse(hint)
    return kind, nullable


def _field(each: FieldInfo, hint: Any) -> Field:  # noqa: ANN401 - an annotation
    parsed, nullable, rules = _parse(hint)
    doc = next((rule.text for rule in rules if isinstance(rule, Doc)), "")
    expected = next((rule.words for rule in rules if isinstance(rule, Expected)), "")
    required = each.required
    return Field(each.name, wire_name(each.name), parsed, required, nullable, each.default, doc, expected)


def _parse(hint: Any, outer: tuple[Rule, ...] = ()) -> tuple[Type, bool, tuple[Rule, ...]]:  # noqa: ANN401
    """The type, whether it may be null, and the rules around it; those farthest outside come first."""
    if get_origin(hint) is Annotated:
        inner, *own = get_args(hint)
        return _parse(inner, (*outer, *own))
    if get_origin(hint) in (Union, UnionType):
        members = [member for member in get_args(hint) if member is not NoneType]
        nullable = len(members) < len(get_args(hint))
        if len(members) == 1:
            parsed, _, rules = _parse(members[0], outer)
            return parsed, nullable, rules
        return Either(tuple(_parse(member, outer)[0] for member in members)), nullable, outer
    return _plain(hint, outer), False, outer


def _plain(hint: Any, rules: tuple[Rule, ...]) -> Type:  # noqa: ANN401 - an annotation
    given = {type(rule): rule for rule in reversed(rules)}
    if hint is str:
        form, words = given.get(StringForm), given.get(Words)
        return Text(
            Filled in given,
            Lenient in given,
            form if isinstance(form, StringForm) else None,
            words.words if isinstance(words, Words) else (),
        )
    if hint is bool:
        return Flag()
    if hint in (int, float):
        bounds = given.get(Bounds)
        least, most = (bounds.least, bounds.most) if isinstance(bounds, Bounds) else (0, None)
        return Number(hint is int, least, most)
    if hint is Any:
        return Json(checked=False)
    if hint is NoneType:
        return Null()
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Choice(hint)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return Record(hint)
    return _container(hint, rules, given.get(First))


def _container(hint: Any, rules: tuple[Rule, ...], first: Rule | None) -> Type:  # noqa: ANN401
    arguments = get_args(hint)
    if get_origin(hint) is tuple and arguments[1:] == (...,):
        return ListOf(_parse(arguments[0], rules)[0], first.count if isinstance(first, First) else None)
    if get_origin(hint) is Mapping:
        key, value = (_parse(argument, rules)[0] for argument in arguments)
        if isinstance(value, Json):
            return Json(checked=True)
        if isinstance(key, Text | Choice):
            return TableOf(key, value)
    raise TypeError(f"a field of a message cannot be {hint}")

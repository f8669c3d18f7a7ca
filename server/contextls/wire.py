"""Plain data as JSON: the one conversion that every face shares, so that all of them use the same names."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any

from msgspec import Struct

from contextls.schema.names import wire_name

# What most of an answer is made of, and what needs no second look.
_PLAIN = frozenset((str, int, bool, float, NoneType))


def to_wire(value: Any) -> Any:  # noqa: ANN401 - any plain value goes in and JSON comes out
    """Turn ``value`` into JSON-ready data.

    Fields of structs become camelCase keys in the order of declaration. The keys of mappings are data
    (paths, languages, step names) and stay as they are. Enums become their values, sequences and sets become
    lists (sets sorted). Raises ``TypeError`` for anything that has no JSON form.
    """
    if value.__class__ in _PLAIN:
        return value
    names = _field_names(value.__class__)
    if names:
        return {
            wire: item if (item := getattr(value, name)).__class__ in _PLAIN else to_wire(item)
            for name, wire in names
        }
    if isinstance(value, Enum):
        return to_wire(value.value)
    if isinstance(value, (bool, int, float, str)):
        return value
    # What is built in comes first: under load, Python 3.11 was seen to take a tuple for a Mapping.
    if isinstance(value, (list, tuple)):
        return [to_wire(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [to_wire(item) for item in sorted(value)]
    if isinstance(value, Mapping):
        return {str(to_wire(key)): to_wire(item) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} has no JSON form")


@cache
def _field_names(kind: type) -> tuple[tuple[str, str], ...]:
    """The fields of a struct, each with its name on the wire; none for any other class."""
    if not issubclass(kind, Struct):
        return ()
    return tuple((name, wire_name(name)) for name in kind.__struct_fields__)

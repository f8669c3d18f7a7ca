"""The converter that gives messages their types: pygls's own, made strict where that takes anything for an id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from pygls.protocol import default_converter

if TYPE_CHECKING:
    from cattrs import Converter

# In the spelling that lsprotocol uses: these are the keys of its hooks.
_IDS = (Union[int, str], Union[str, int])  # noqa: UP007
_OPTIONAL_IDS = (Union[int, str, None], Union[str, int, None])  # noqa: UP007


class PlainObject(dict[str, Any]):
    """An object of JSON through and through, which no converter has to walk through."""


def as_plain(value: Any) -> Any:  # noqa: ANN401 - JSON
    """JSON, marked as such where that is worth it."""
    return PlainObject(value) if isinstance(value, dict) else value


def strict_converter() -> Converter:
    """A converter that refuses ids and progress tokens that are neither strings nor whole numbers."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in _IDS:
        converter.register_structure_hook(kind, lambda value, _kind: _id(value))
    for kind in _OPTIONAL_IDS:
        converter.register_structure_hook(kind, lambda value, _kind: None if value is None else _id(value))
    converter.register_unstructure_hook(PlainObject, lambda value: value)
    return converter


def _id(value: object) -> str | int:
    if isinstance(value, str) or type(value) is int:
        return value
    raise ValueError("expected a string or a whole number")

"""Reading one JSON object strictly: every value is checked, and every complaint names its field."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.uris import to_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_DEEPEST = 32


class Fields:
    """The fields of one JSON object, taken one by one.

    Nothing is coerced: ``"5"``, ``5.0`` and ``true`` are not whole numbers. ``null`` counts as absent, as
    many clients send it for a field that they leave out. Every method raises ``InvalidRequestError`` with the
    path of the field (``filters.since``).
    """

    def __init__(self, value: object, known: Iterable[str], at: str = "") -> None:
        """Raises unless ``value`` is an object that has no other fields than ``known``."""
        self._at = at
        names = tuple(known)
        self._values: dict[str, Any] = _object(value, at or "params")
        for name in self._values:
            if name not in names:
                raise InvalidRequestError(self.path(name or '""'), "one of the fields " + ", ".join(names))

    def path(self, name: str) -> str:
        """The field's name as the client sees it."""
        return f"{self._at}.{name}" if self._at else name

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._values.get(name) is not None

    def text(self, name: str) -> str | None:
        """A string."""
        value = self._values.get(name)
        return None if value is None else checked_text(value, self.path(name))

    def needed_text(self, name: str) -> str:
        """A string that must be there and say something."""
        value = self.text(name)
        if value is None:
            raise InvalidRequestError(self.path(name), "a string; it is missing")
        if not value.strip():
            raise InvalidRequestError(self.path(name), "a string that is not empty", value)
        return value

    def whole(self, name: str, least: int = 0) -> int | None:
        """A whole number, at least ``least``."""
        value = self._values.get(name)
        if value is None:
            return None
        if type(value) is not int or value < least or value > 2**53:
            raise InvalidRequestError(self.path(name), f"a whole number, {least} or more", value)
        return value

    def signed(self, name: str) -> int | None:
        """A whole number of either sign."""
        return self.whole(name, -(2**53))

    def flag(self, name: str) -> bool:
        """True or false; false when absent."""
        value = self._values.get(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise InvalidRequestError(self.path(name), "true or false", value)
        return value

    def number(self, name: str) -> float | None:
        """A number that is not negative."""
        value = self._values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
            raise InvalidRequestError(self.path(name), "a number, 0 or more", value)
        return value

    def texts(self, name: str) -> tuple[str, ...] | None:
        """A list of strings."""
        value = self._values.get(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise InvalidRequestError(self.path(name), "a list of strings", value)
        return tuple(checked_text(item, f"{self.path(name)}[{index}]") for index, item in enumerate(value))

    def choice(self, name: str, allowed: Iterable[str]) -> str | None:
        """One of a few words."""
        value = self.text(name)
        words = tuple(allowed)
        if value is not None and value not in words:
            raise InvalidRequestError(self.path(name), "one of " + ", ".join(words), value)
        return value

    def file_uri(self, name: str) -> str | None:
        """A ``file:`` URI."""
        value = self.text(name)
        if value is not None and to_path(value) is None:
            raise InvalidRequestError(self.path(name), "an absolute file: URI", value)
        return value

    def token(self, name: str) -> str | int | None:
        """A progress token: a string or a whole number."""
        value = self._values.get(name)
        if value is None or isinstance(value, str) or type(value) is int:
            return value
        raise InvalidRequestError(self.path(name), "a string or a whole number", value)

    def raw(self, name: str) -> Any:  # noqa: ANN401 - JSON of any form
        """The value as it came."""
        return self._values.get(name)

    def record(self, name: str) -> Mapping[str, Any] | None:
        """An object with fields of any name."""
        value = self._values.get(name)
        return None if value is None else _object(value, self.path(name))

    def nested(self, name: str, known: Iterable[str]) -> Fields | None:
        """An object with fields of its own."""
        value = self._values.get(name)
        return None if value is None else Fields(value, known, self.path(name))


def _object(value: object, path: str) -> dict[str, Any]:
    if value == []:  # what Lua and PHP clients send for an empty object
        return {}
    if not isinstance(value, dict):
        raise InvalidRequestError(path, "an object", value)
    return value


def checked_text(value: object, path: str) -> str:
    """``value`` if it is a string of whole characters. Raises ``InvalidRequestError`` naming ``path``."""
    if not isinstance(value, str):
        raise InvalidRequestError(path, "a string", value)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidRequestError(
            path, "well-formed Unicode, without lone surrogates", ascii(value)
        ) from None
    return value


def checked_json(value: object, path: str, depth: int = 0) -> None:
    """Raise ``InvalidRequestError`` unless all strings within are well-formed and nothing is nested absurdly deep."""
    if depth > _DEEPEST:
        raise InvalidRequestError(path, f"no more than {_DEEPEST} levels")
    if isinstance(value, str):
        checked_text(value, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            checked_json(item, f"{path}[{index}]", depth + 1)
    elif isinstance(value, dict):
        for name, item in value.items():
            checked_text(name, path)
            checked_json(item, f"{path}.{name}", depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidRequestError(path, "a finite number", value)

"""The values that settings may have, and the errors for a key or a value that will not do."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.regex import compile_late

# Says why a string is no value of the setting of this name, by raising ``InvalidRequestError``.
Check = Callable[[str, str], None]

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    tuple[str, ...]: "a list of strings",
}
_MODEL_LIMIT = compile_late(r"\s*(\S+)\s*=\s*(\d[\d_]*)\s*")
# Keys that share less than this have nothing to do with each other.
_ALIKE = 0.7


class PermissionKind(StrEnum):
    """The kinds of things that a row of permissions can grant."""

    CODE = "code"
    CHANGES = "changes"
    ACTIVITY = "activity"
    KNOWLEDGE = "knowledge"
    TASKS = "tasks"
    PACKAGES = "packages"
    RULES = "rules"
    PERSONA = "persona"
    IDENTITY = "identity"
    CAPABILITIES = "capabilities"
    HOST = "host"
    HISTORY = "history"
    TOOLS = "tools"


class Setting(Struct, frozen=True):
    """The purpose of a setting, and which values of its type it may have.

    A ``live`` one is taken over by an open workspace; another value of any other opens it again. ``check`` raises
    ``InvalidRequestError`` for a string, or for one in a list, that says nothing. ``safe`` makes a value out of a faulty
    one, for a setting whose default may record, show, believe or delete what the user does not want.
    """

    doc: str
    choices: tuple[str, ...] = ()
    live: bool = False
    bounds: tuple[float, float | None] = (0, None)
    check: Check | None = None
    safe: Callable[[object], Any] | None = None


def check_value(key: str, kind: Any, setting: Setting, value: object) -> None:  # noqa: ANN401 - a type
    """Raise ``InvalidRequestError`` unless the setting ``key``, which is a ``kind``, may have this value."""
    if not _is_a(kind, value):
        raise InvalidRequestError(key, _KINDS[kind], value)
    if setting.choices and value not in setting.choices:
        raise InvalidRequestError(key, "one of " + ", ".join(setting.choices), value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        _check_number(key, value, *setting.bounds)
    if setting.check is not None:
        for text in [value] if isinstance(value, str) else value:  # type: ignore[attr-defined]
            setting.check(key, text)


def describe_unknown(key: str, known: Iterable[str]) -> str:
    """The text of the error for a setting that does not exist: the nearest of the ``known`` names."""
    nearest = nearest_setting(key, known)
    if nearest:
        return f"the name of a setting (did you mean {nearest}?)"
    return "the name of a setting, as docs/settings.md lists them"


def nearest_setting(key: str, known: Iterable[str]) -> str | None:
    """The one of the ``known`` names that a setting which does not exist is most like; ``None`` where none is near."""
    from difflib import get_close_matches

    names = {_fold(name): name for name in known}
    near = get_close_matches(_fold(key.removeprefix("contextls.")), names, n=1, cutoff=_ALIKE)
    return names[near[0]] if near else None


def anything_but_false(value: object) -> bool:
    """Whether a faulty value may mean yes. A plain false, which stood under a misspelt name, does not."""
    return value is not False


def no_bound(_value: object) -> int:
    """The number that deletes nothing in place of a faulty bound."""
    return 0


def no_strings(_value: object) -> tuple[str, ...]:
    """An empty list in place of a faulty one."""
    return ()


def every_string(_value: object) -> tuple[str, ...]:
    """The list that stands for everything in place of a faulty one."""
    return ("*",)


def strings_in(value: object) -> tuple[str, ...]:
    """The strings in a faulty list. One alone stands for a list of it."""
    items = value if isinstance(value, (list, tuple)) else [value]
    return tuple(item for item in items if isinstance(item, str))


def strings_or_text(value: object) -> tuple[str, ...]:
    """The strings in a faulty list; where it has none, all of it as one entry that cannot be read."""
    return strings_in(value) or (str(value),)


def check_tokenizer(key: str, name: str) -> None:
    """Raise ``InvalidRequestError`` for what is no encoding and no name of a model."""
    if name == "o200k_base":  # as nearly always: nothing has to be loaded
        return
    from contextls.text.tokenizer_names import check_known

    try:
        check_known(name)
    except InvalidRequestError as error:
        raise InvalidRequestError(key, error.expected, name) from None


def check_model_limit(key: str, entry: str) -> None:
    """Raise ``InvalidRequestError`` unless an entry says a model and its tokens."""
    read_model_limit(key, entry)


def read_model_limit(key: str, entry: str) -> tuple[str, int]:
    """The model and the tokens that an entry says. Raises ``InvalidRequestError``."""
    found = _MODEL_LIMIT.fullmatch(entry)
    tokens = int(found[2].replace("_", "")) if found else 0
    if found is None or not tokens:
        raise InvalidRequestError(key, "entries such as my-model=32000", entry)
    return found[1], tokens


def check_identity_permission(key: str, entry: str) -> None:
    """Raise ``InvalidRequestError`` unless an entry says a name and a row of what may be shown."""
    from contextls.workspace.globs import Globs

    name, _, row = entry.partition("=")
    granted = read_permission_row(row.strip())
    if not name.strip() or granted is None:
        expected = f"entries such as reviewer=code:src/**, with one of the kinds {', '.join(PermissionKind)}"
        raise InvalidRequestError(key, expected, entry)
    _, pattern = granted
    if pattern is not None:
        Globs([pattern], key)


def read_permission_row(row: str) -> tuple[PermissionKind, str | None] | None:
    """The kind that a row grants, and the pattern of paths where it has one; ``None`` for text that is no row."""
    kind, colon, pattern = row.partition(":")
    if kind not in tuple(PermissionKind) or (colon and not pattern):
        return None
    return PermissionKind(kind), pattern if colon else None


def _check_number(key: str, value: float, least: float, most: float | None) -> None:
    if math.isfinite(value) and least <= value and (most is None or value <= most):
        return
    raise InvalidRequestError(key, f"{least:,} or more" if most is None else f"{least:,} to {most:,}", value)


def _is_a(kind: Any, value: object) -> bool:  # noqa: ANN401 - a type from get_type_hints
    if kind == tuple[str, ...]:
        return isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    return type(value) is kind or (kind is float and type(value) is int)


def _fold(name: str) -> str:
    return re.sub(r"[_-]", "", name).lower()

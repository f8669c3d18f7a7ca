"""Puts given settings on top of others: all or none, or those that are right, with the faults of the rest in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from contextls import settings_rules
from contextls.errors import InvalidRequestError
from contextls.schema.names import wire_name
from contextls.settings import Settings, check_identity_permissions, described_settings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_SECTION = "contextls."
_PERMISSIONS = "identity_permissions"


def merge_settings(base: Settings, given: Mapping[str, Any]) -> Settings:
    """``base`` with the camelCase values of ``given`` on top.

    Raises ``InvalidRequestError`` that names the setting when it is unknown or of the wrong type.
    """
    known = _known()
    for key in given:
        if key not in known:
            raise InvalidRequestError(f"{_SECTION}{key}", settings_rules.describe_unknown(key, known))
    changes: dict[str, Any] = {known[key]: _from_json(value) for key, value in given.items()}
    try:
        return replace(base, **changes)
    except InvalidRequestError as error:
        got = list(error.got) if isinstance(error.got, tuple) else error.got
        raise InvalidRequestError(f"{_SECTION}{error.field}", error.expected, got) from None


def merge_valid(base: Settings, given: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """``base`` with what is right in ``given`` on top, and each fault in one line, which begins with ``contextls.``.

    In place of a faulty value that of ``base`` stays in force, or one on the safe side: see ``Setting.safe``.
    """
    settings, faults = base, []
    for key, value in given.items():
        try:
            settings = merge_settings(settings, {key: value})
            if key == wire_name(_PERMISSIONS):
                check_identity_permissions(settings)
        except InvalidRequestError as error:
            settings, used_instead = _replace_faulty(settings, key, value, given)
            faults.append(f"{error}{used_instead}")
    return settings, faults


def _replace_faulty(
    settings: Settings, key: str, value: object, given: Collection[str]
) -> tuple[Settings, str]:
    """The settings without the fault at ``key``, and the words for what is used instead; none for an unknown key."""
    known = _known()
    meant = key if key in known else settings_rules.nearest_setting(key, known)
    is_misspelt = meant != key
    if meant is None or (is_misspelt and meant in given):
        return settings, ""
    name = known[meant]
    safe = described_settings()[name][1].safe
    if safe is None:
        return settings, "" if is_misspelt else f"; {json.dumps(getattr(settings, name))} is used"
    used = safe(value)
    settings = replace(settings, **{name: used})
    if name == _PERMISSIONS and not _are_readable(settings):
        return settings, "; questions are refused until it is put right"
    # What stood in the value is not written again: the error names it, with no sign that hides a secret from the gate.
    is_ours = used in (True, False, (), ("*",))
    words = f"{json.dumps(used)} is used" if is_ours else "what can be read of it is used"
    return settings, f"; {words} for {meant}" if is_misspelt else f"; {words}"


def _known() -> dict[str, str]:
    """The fields of the settings by their names on the wire."""
    return {wire_name(name): name for name in Settings.__struct_fields__}


def _are_readable(settings: Settings) -> bool:
    """Whether the rules of who may see what can be read. They stay in force: anything else would show more."""
    try:
        check_identity_permissions(settings)
    except InvalidRequestError:
        return False
    return True


def _from_json(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value

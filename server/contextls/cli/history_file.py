"""A history in a file: OpenAI-style messages as JSON, as ``contextls assemble --history`` takes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contextls.cli.session import readable
from contextls.errors import InvalidRequestError

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.model import GivenMessage

_BYTES = 64_000_000
_OPTION = "--history"


def read_history(file: Path) -> tuple[GivenMessage, ...]:
    """The messages of a file (``-`` is standard input): a list, or an object with ``messages``.

    Messages of the role ``system`` are left out: the system layer is made anew. Raises ``InvalidRequestError``.
    """
    with readable(file, _OPTION) as source:
        raw = source.read(_BYTES + 1)
    if len(raw) > _BYTES:
        raise InvalidRequestError(_OPTION, f"a file of at most {_BYTES:,} bytes", str(file))
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        raise InvalidRequestError(_OPTION, "a file of JSON", str(file)) from None
    listed = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(listed, list):
        raise InvalidRequestError(_OPTION, "a list of messages, or an object with messages", str(file))
    found = (_read_message(one, number) for number, one in enumerate(listed))
    return tuple(message for message in found if message is not None)


def _read_message(value: object, number: int) -> GivenMessage | None:
    from contextls.model import GivenMessage, MessageRole

    place = f"{_OPTION}[{number}]"
    if not isinstance(value, dict) or not isinstance(value.get("content"), str):
        raise InvalidRequestError(place, "an object with role and content, which is a string", value)
    role = value.get("role")
    if role == "system":
        return None
    if role not in tuple(MessageRole):
        raise InvalidRequestError(f"{place}.role", f"one of {', '.join(MessageRole)}", role)
    return GivenMessage(role=MessageRole(role), content=value["content"])

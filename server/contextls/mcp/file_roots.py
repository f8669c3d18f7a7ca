"""The roots of a client, one by one: the SDK refuses a whole list for one root that is no ``file:`` URI."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
from pydantic import ValidationError

from contextls.text.gate import clean

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage

_MAX_SHOWN_CHARS = 200
log = logging.getLogger(__name__)


def keep_file_roots(item: SessionMessage) -> SessionMessage:
    """The message without roots that are no folder of a file system."""
    for holder in _root_lists(item.message):
        holder["roots"] = [root for root in holder["roots"] if _is_root(root)]
    return item


def _root_lists(message: types.JSONRPCMessage) -> list[dict[str, Any]]:
    """The objects with ``roots``: an answer, or the answers that a newer client sends along with a request."""
    if isinstance(message, types.JSONRPCResponse):
        given: list[Any] = [message.result]
    elif isinstance(message, types.JSONRPCRequest):
        answers = (message.params or {}).get("inputResponses")
        given = list(answers.values()) if isinstance(answers, dict) else []
    else:
        given = []
    return [each for each in given if isinstance(each, dict) and isinstance(each.get("roots"), list)]


def _is_root(given: object) -> bool:
    try:
        types.Root.model_validate(given, by_name=False)
    except ValidationError:
        shown = given.get("uri") if isinstance(given, dict) else given
        log.warning(
            "a root of the client is no folder of this machine: %s", clean(str(shown))[:_MAX_SHOWN_CHARS]
        )
        return False
    return True

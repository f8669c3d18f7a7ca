"""Lines that are no message of the protocol: what can still be read of them, and what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from pydantic import ValidationError

from contextls.mcp.gate import describe_faults
from contextls.text.gate import clean

_NOTIFICATIONS = "notifications/"  # begins the method of every message that nobody answers
_BYTE_ORDER_MARK = "\ufeff"


def read_leniently(error: ValidationError) -> types.JSONRPCMessage:
    """Read once more what has a mark of its byte order before it, or half a character in it. Raises ``ValidationError``.

    JavaScript writes half a character where it has cut an emoji in two.
    """
    first = error.errors(include_url=False)[0]
    if first["type"] != "json_invalid":
        raise error
    try:
        given = json.loads(str(first["input"]).removeprefix(_BYTE_ORDER_MARK))
        text = json.dumps(given, ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        raise error from None
    return types.jsonrpc_message_adapter.validate_json(text, by_name=False)


def refuse_unreadable(error: ValidationError) -> types.JSONRPCError | None:
    """The answer to a line that is no message; ``None`` where none is expected."""
    faults = error.errors(include_url=False)
    given: Any = faults[0]["input"]
    if faults[0]["type"] == "json_invalid":
        if not str(given).strip():
            return None
        reason = faults[0]["msg"].removeprefix("Invalid JSON: ")
        return refuse(None, types.PARSE_ERROR, f"not JSON that can be read: {reason}")
    if isinstance(given, list) and faults[0]["type"] == "model_type":
        return refuse(None, types.INVALID_REQUEST, "a batch is not served; send each message by itself")
    whole = next((each["input"] for each in faults if each["type"] == "missing"), None)
    if not isinstance(whole, dict) or not whole:
        return refuse(None, types.INVALID_REQUEST, "not a JSON-RPC 2.0 message")
    if "method" not in whole and ("result" in whole or "error" in whole):
        return None  # an answer that is wrong
    if "id" not in whole and str(whole.get("method")).startswith(_NOTIFICATIONS):
        return None
    of_request = [each for each in faults if each["loc"][0] == types.JSONRPCRequest.__name__]
    only_params = all(each["loc"][1:2] == ("params",) for each in of_request)
    code = types.INVALID_PARAMS if only_params else types.INVALID_REQUEST
    return refuse(whole.get("id"), code, describe_faults(of_request))


def refuse_call_without_id(message: types.JSONRPCMessage) -> types.JSONRPCError | None:
    """The answer to a call that the SDK takes for a notification, as its id is missing or can be none."""
    if not isinstance(message, types.JSONRPCNotification) or message.method.startswith(_NOTIFICATIONS):
        return None
    return refuse(None, types.INVALID_REQUEST, f"{message.method}: id: expected a string or a whole number")


def refuse(given: object, code: int, message: str) -> types.JSONRPCError:
    """The answer with ``message`` to a request whose id was ``given``."""
    message_id = given if isinstance(given, (str, int)) and not isinstance(given, bool) else None
    error = types.ErrorData(code=code, message=clean(message))
    return types.JSONRPCError(jsonrpc="2.0", id=message_id, error=error)

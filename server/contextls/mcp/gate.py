"""The gate for secrets around every request: no answer and no error leaves without passing it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from contextls.text.gate import clean, clean_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

log = logging.getLogger(__name__)
# What the SDK says to a client that asks before the handshake, and to none that gets here for another reason.
_SAID_BEFORE_HANDSHAKE = "Invalid request parameters"
_INITIALIZE_FIRST = "initialize comes first"
_MAX_FAULTS = 3
_OBJECTS = ("dict_type", "model_type", "mapping_type")


async def pass_gate(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Answer as the handler does, without secrets; details of unexpected errors are in the log alone."""
    try:
        result = await call_next(ctx)
    except MCPError as error:
        message = _INITIALIZE_FIRST if error.error.message == _SAID_BEFORE_HANDSHAKE else error.error.message
        raise MCPError(error.error.code, clean(message), clean_json(error.error.data)) from None
    except ValidationError as error:  # of what a client sent; the SDK would say no more than that
        faults = describe_faults(error.errors(include_input=False, include_url=False))
        raise MCPError(types.INVALID_PARAMS, clean(faults)) from None
    except Exception as error:
        log.exception("%s failed", ctx.method)
        message = f"internal error: {type(error).__name__}; the server's log has the details"
        raise MCPError(types.INTERNAL_ERROR, message) from None
    return clean_json(result) if isinstance(result, dict) else result


def describe_faults(faults: Sequence[Mapping[str, Any]]) -> str:
    """The fields that are wrong and what was expected of each, as the other doors say it; no value that was sent."""
    return "; ".join(_describe_fault(each) for each in faults[:_MAX_FAULTS])


def _describe_fault(fault: Mapping[str, Any]) -> str:
    field = ".".join(map(str, fault["loc"][1:])) or "params"
    if fault["type"] == "missing":
        return f"{field}: it is missing"
    if fault["type"] in _OBJECTS:
        return f"{field}: expected an object"
    return f"{field}: {fault['msg'].replace('Input should be ', 'expected ', 1)}"

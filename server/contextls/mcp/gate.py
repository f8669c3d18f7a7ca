"""The gate for secrets around every request: no answer and no error leaves without passing it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from contextls.text.gate import clean, clean_json

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

log = logging.getLogger(__name__)


async def pass_gate(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Answer as the handler does, without secrets; what nobody foresaw is in the log alone."""
    try:
        result = await call_next(ctx)
    except MCPError as error:
        raise MCPError(error.error.code, clean(error.error.message), clean_json(error.error.data)) from None
    except ValidationError:  # of what a client sent; the SDK says no more than that
        raise
    except Exception as error:
        log.exception("%s failed", ctx.method)
        message = f"internal error: {type(error).__name__}; the server's log has the details"
        raise MCPError(types.INTERNAL_ERROR, message) from None
    return clean_json(result) if isinstance(result, dict) else result

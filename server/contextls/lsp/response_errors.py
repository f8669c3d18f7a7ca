"""Errors as the protocol answers them: their codes, and their words without detail that is for the log alone."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import CancelledError as FutureCancelledError

from cattrs import transform_error
from cattrs.errors import BaseValidationError
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from contextls.errors import ContextlsError, InvalidRequestError
from contextls.schema.names import wire_name
from contextls.text.gate import clean

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
CANCELLED = -32800

_PLAINLY = {"required field missing": "it is missing"}

log = logging.getLogger(__name__)


def response_error(error: BaseException) -> types.ResponseError:
    """Turn an exception into an answer. Unexpected ones are logged here and answered without detail."""
    if isinstance(error, InvalidRequestError):
        data = {"field": error.field, "expected": error.expected}
        return types.ResponseError(error.jsonrpc_code, str(error), data)
    if isinstance(error, ContextlsError):
        return types.ResponseError(error.jsonrpc_code, str(error))
    if isinstance(error, JsonRpcException):
        return types.ResponseError(error.code, error.message)
    if isinstance(error, (asyncio.CancelledError, FutureCancelledError)):
        return types.ResponseError(CANCELLED, "the request was cancelled")
    log.error("a request failed unexpectedly", exc_info=error)
    name = type(error).__name__
    return types.ResponseError(
        INTERNAL_ERROR, f"contextls failed unexpectedly ({name}); see the server's log"
    )


def reason_of(error: Exception) -> str:
    """The reason why a message could not be read, in one short line without secrets."""
    if isinstance(error, InvalidRequestError):
        said = str(error)
    elif isinstance(error, BaseValidationError):
        said = "; ".join(_name_as_sent(each) for each in transform_error(error, path="params"))
    else:
        said = f"{type(error).__name__}: {error}"
    return clean(said)[:500]  # in this order: half a secret is not recognised as one


def _name_as_sent(fault: str) -> str:
    """The complaint of cattrs about one field, after the field's name as a client wrote it (``textDocument``)."""
    what, at, path = fault.rpartition(" @ ")
    if not at:
        return fault
    sent = ".".join(map(wire_name, path.split("."))).replace("params.params", "params")
    return f"{sent}: {_PLAINLY.get(what, what.removeprefix('invalid value for type, '))}"

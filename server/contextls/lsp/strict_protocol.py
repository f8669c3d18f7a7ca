"""The wire: every request gets exactly one answer, bad input costs an error response and nothing else.

Differences from pygls's own protocol, each for a reason found in use:

- Messages are structured after their id is known, so a request with bad parameters gets -32602 with the reason, not a
  popup and no answer. Custom methods get their parameters as the plain JSON that was sent.
- Requests before ``initialize`` and after ``shutdown`` are refused, not ignored.
- Errors carry no traceback; the log does.
- Futures of notification handlers are forgotten when done.
"""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage
from pygls.protocol.language_server import LanguageServerProtocol

from contextls.errors import BusyError, ContextlsError, InvalidRequestError
from contextls.live.executors import TOO_MANY
from contextls.lsp.client import read_client
from contextls.lsp.response_errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    NOT_INITIALIZED,
    reason_of,
    response_error,
)
from contextls.text.gate import clean, clean_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from cattrs import Converter

    from contextls.lsp.server import ContextServer

_NOTIFICATIONS = frozenset(
    method for method, (_, response, *_) in types.METHOD_TO_TYPES.items() if response is None
)
log = logging.getLogger(__name__)


class StrictProtocol(LanguageServerProtocol):
    """Reads and writes the messages of one connection; what they ask for is up to its subclass."""

    _server: ContextServer

    def __init__(self, server: ContextServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._asked: set[str | int] = set()  # the ids of our own requests that wait for an answer

    @property
    def was_shut_down(self) -> bool:
        """Whether ``shutdown`` was answered."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """Leave JSON as it is: called for every object within a message, whatever keys that has."""
        return data

    def handle_message(self, message: Any) -> None:  # noqa: ANN401 - JSON
        """Check, structure and dispatch one message as read from the wire."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self.refuse(_id_of(message), INVALID_REQUEST, "not a JSON-RPC 2.0 message")
        elif "method" in message:
            self._handle_call(message)
        elif "id" in message:
            self._handle_answer(message)
        else:
            self.refuse(None, INVALID_REQUEST, "a message needs a method or an id")

    def refuse(self, msg_id: str | int | None, code: int, message: str) -> None:
        """Answer with an error. ``msg_id`` is ``None`` where the request could not be read."""
        error = {"code": code, "message": clean(message)}  # a refusal that is repeated is looked through once
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": error})

    def _handle_call(self, message: dict[str, Any]) -> None:
        method = message["method"]
        is_request = "id" in message
        msg_id = _id_of(message)
        if not isinstance(method, str) or (is_request and msg_id is None):
            self.refuse(msg_id, INVALID_REQUEST, "method must be a string and id a string or a number")
            return
        refusal = self._refusal(method, is_request)
        if refusal is not None:
            if is_request:
                self.refuse(msg_id, *refusal)
            else:
                log.warning("ignored %s: %s", method, refusal[1])
            return
        try:
            call = self._structure(message, method, is_request)
        except Exception as error:
            reason = reason_of(error)
            if is_request:
                self.refuse(msg_id, INVALID_PARAMS, f"{method}: {reason}")
            else:
                log.warning("ignored %s with bad parameters: %s", method, reason)
            return
        super().handle_message(call)

    def _refusal(self, method: str, is_request: bool) -> tuple[int, str] | None:
        """The code and the reason for which a call of this method is refused in this state; ``None`` if it is served."""
        if method == types.EXIT:
            return None
        if self._shutdown:
            return INVALID_REQUEST, "the server was shut down"
        if self._workspace is None and method != types.INITIALIZE:
            return NOT_INITIALIZED, "initialize comes first"
        if self._workspace is not None and method == types.INITIALIZE:
            return INVALID_REQUEST, "the server is initialized already"
        if is_request and method in _NOTIFICATIONS:
            # It would be handled as what it is, and nobody would answer.
            return INVALID_REQUEST, f"{method} is a notification; send it without an id"
        if is_request and method in self._server.questions and self._server.live.executors.is_full:
            return BusyError.jsonrpc_code, TOO_MANY  # before anything is made of it
        return None

    def _structure(self, message: dict[str, Any], method: str, is_request: bool) -> Any:  # noqa: ANN401
        if method == types.INITIALIZE:
            if not is_request:
                raise InvalidRequestError("id", "a string or a whole number")
            client = read_client(message.get("params"))
            return JsonRPCRequestMessage(message["id"], method, self.VERSION, client)
        kind = self.get_message_type(method)
        if kind is None:
            if is_request:
                return JsonRPCRequestMessage(message["id"], method, self.VERSION, message.get("params"))
            return JsonRPCNotification(method, self.VERSION, message.get("params"))
        # pygls would note the type of the result by id here, and take it for another request with the same id.
        return self._converter.structure(message, kind)

    def _handle_answer(self, message: dict[str, Any]) -> None:
        """Hand an answer to its request; one without a request, or whose form is wrong, costs a line in the log.

        Requests of the client wait in the same table under ids of its choice, so ours are told apart by ``_asked``.
        """
        msg_id = message["id"]
        if not isinstance(msg_id, str) or msg_id not in self._asked:
            log.warning("ignored an answer to a request that was not made")
            return
        self._asked.discard(msg_id)
        future = self._request_futures.pop(msg_id)
        kind = types.ResponseErrorMessage if "error" in message else self._result_types.pop(msg_id, None)
        if not future.set_running_or_notify_cancel():
            return
        try:
            answer = self._converter.structure(message, kind or JsonRPCResponseMessage)
            if "error" in message:
                future.set_exception(JsonRpcException.from_error(answer.error))
            else:
                future.set_result(answer.result)
        except Exception as error:
            future.set_exception(JsonRpcException(f"a wrong answer: {reason_of(error)}", INVALID_REQUEST))

    def send_request(
        self,
        method: str,
        params: Any | None = None,  # noqa: ANN401 - of the method
        callback: Callable[[Any], None] | None = None,
        msg_id: str | int | None = None,
    ) -> Future[Any]:
        """Ask the client, and remember that it was asked."""
        own_id = str(uuid.uuid4()) if msg_id is None else msg_id
        self._asked.add(own_id)
        return super().send_request(method, params, callback, own_id)

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        # pygls keeps the future of a notification's handler in its table for good.
        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        self._request_futures.pop(msg_id, None)
        error: BaseException | None
        error = asyncio.CancelledError() if future.cancelled() else future.exception()
        if error is None:
            self._send_response(msg_id, result=future.result())
        else:
            self._send_response(msg_id, error=response_error(error))

    def _check_handler_result(self, future: Future[Any]) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            if isinstance(error, ContextlsError):
                log.warning("%s", error)
            else:
                log.error("a notification could not be handled", exc_info=error)

    def _send_data(self, data: Any) -> None:  # noqa: ANN401 - any message
        if self.writer is None:
            return
        try:
            body = json.dumps(self._clean(data), allow_nan=False)
        except (TypeError, ValueError, AttributeError, RecursionError) as error:
            log.error("a message has no JSON form", exc_info=error)
            msg_id = getattr(data, "id", None)
            if msg_id is not None and not hasattr(data, "method"):
                self.refuse(msg_id, INTERNAL_ERROR, "the answer has no JSON form; see the server's log")
            return
        raw = body.encode("utf-8")
        try:
            self.writer.write(b"Content-Length: %d\r\n\r\n" % len(raw) + raw)
        except (OSError, ValueError):
            log.info("the client is gone")
            self._server.stop()

    def _clean(self, data: Any) -> Any:  # noqa: ANN401 - any message
        """The message as plain JSON with secrets redacted, except its id: the client matches answers by it."""
        plain = self._plain(data)
        msg_id = plain.pop("id", None)
        gated = clean_json(plain)
        return gated if msg_id is None and "error" not in plain else {**gated, "id": msg_id}

    def _plain(self, data: Any) -> Any:  # noqa: ANN401 - any message
        plain = data if isinstance(data, dict) else self._converter.unstructure(data)
        return dict(plain)


def _id_of(message: object) -> str | int | None:
    value = message.get("id") if isinstance(message, dict) else None
    return value if isinstance(value, str) or type(value) is int else None

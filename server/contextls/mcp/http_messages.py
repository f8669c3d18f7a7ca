"""Answers requests over HTTP that are no message of the protocol with their fault, as over standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from pydantic import ValidationError

from contextls.mcp.unreadable import read_leniently, refuse, refuse_call_without_id, refuse_unreadable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]


class ReadableMessages:
    """Hands on the requests at ``path`` whose body is a message, and all that are larger than ``most`` bytes."""

    def __init__(self, app: App, path: str, most: int) -> None:
        self._app = app
        self._path = path
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, as ASGI defines it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"].rstrip("/") != self._path:
            await answer_json(send, 404, b'{"error":"this server answers at %s"}' % self._path.encode())
        elif scope["method"] != "POST":
            await self._app(scope, receive, send)
        else:
            await self._hand_on_message(scope, receive, send)

    async def _hand_on_message(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, last = b"", await receive()
        while last.get("more_body") and len(body) <= self._most:
            body += last["body"]
            last = await receive()
        if last["type"] == "http.request":
            body += last["body"]
            message = body if len(body) > self._most else _read(body)
            if isinstance(message, types.JSONRPCError):
                await answer_json(send, 400, message.model_dump_json(by_alias=True).encode())
                return
            last = {**last, "body": message}
        again = [last]

        async def receive_again() -> MutableMapping[str, Any]:
            return again.pop() if again else await receive()

        await self._app(scope, receive_again, send)


def _read(body: bytes) -> bytes | types.JSONRPCError:
    """The body as the SDK can read it, or what is wrong with it."""
    try:
        message = types.jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValidationError:
        text = body.decode("utf-8", "replace")
        try:
            message = _read_text(text)
        except ValidationError as error:
            return refuse_unreadable(error) or refuse(
                None, types.INVALID_REQUEST, "not a JSON-RPC 2.0 message"
            )
        body = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    return refuse_call_without_id(message) or body


def _read_text(text: str) -> types.JSONRPCMessage:
    try:
        return types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as error:
        return read_leniently(error)


async def answer_json(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Answer a request with ``body``, which is JSON."""
    described = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": described})
    await send({"type": "http.response.body", "body": body})

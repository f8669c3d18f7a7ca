"""Several clients over streamable HTTP, on this machine, behind a token."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from contextls.access import is_loopback
from contextls.errors import ContextlsError
from contextls.live.process_end import leave
from contextls.mcp.http_messages import ReadableMessages, answer_json
from contextls.mcp.server import ContextMcp
from contextls.mcp.stdio import CLOSE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
    from pathlib import Path

    from contextls.access import AccessToken
    from contextls.settings import Settings

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
_MAX_SESSIONS = 64
_MAX_BODY_BYTES = 4_000_000
_SECONDS_TO_FINISH = 2
_SECONDS_TO_END = 1


def serve_http(
    host: str, port: int, token: AccessToken, settings: Settings, roots: Sequence[Path], max_tokens: int
) -> int:
    """Serve every client that knows ``token`` until the process is told to end; the exit status.

    Port 0 takes a free one; the address is written to standard error. Raises ``ContextlsError`` when the address cannot be
    listened on.
    """
    listener = _listen(host, port)
    server = asyncio.run(_serve(listener, host, token, settings, roots, max_tokens))
    if not server.live.executors.stop():
        leave(0)
    return 0


async def _serve(
    listener: socket.socket,
    host: str,
    token: AccessToken,
    settings: Settings,
    roots: Sequence[Path],
    max_tokens: int,
) -> ContextMcp:
    server = ContextMcp(settings, roots, max_tokens, asks_client=False)
    app = server.protocol.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=_MAX_BODY_BYTES,
        max_sessions=_MAX_SESSIONS,
        transport_security=_security(host, listener.getsockname()[1]),
        host=host,
    )
    streams = OpenStreams(ReadableMessages(app, PATH, _MAX_BODY_BYTES))
    web = _WebServer(
        uvicorn.Config(
            TokenDoor(streams, token),
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_SECONDS_TO_FINISH + _SECONDS_TO_END,
        ),
        streams,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, web.end)
    server.start()
    token.announce()
    sys.stderr.write(f"contextls: listening on http://{_name(host)}:{listener.getsockname()[1]}{PATH}\n")
    sys.stderr.flush()
    try:
        await web.serve(sockets=[listener])
    finally:
        await server.close(CLOSE_SECONDS)
    return server


class _WebServer(uvicorn.Server):
    """Leaves signals to us: it would raise them once more when it is done, before the workspaces are closed."""

    def __init__(self, config: uvicorn.Config, streams: OpenStreams) -> None:
        super().__init__(config)
        self._streams = streams

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield

    def end(self) -> None:
        """Finish what is being answered, and serve no more."""
        self.should_exit = True
        self._streams.end()


class OpenStreams:
    """Ends the streams that clients keep open when the server ends, which would break them off and log a failure."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._ends = asyncio.Event()

    def end(self) -> None:
        """Let all streams end: those that clients listen to now, answers after a while."""
        self._ends.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, as ASGI defines it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # A stream that a client listens to has no end of its own; an answer gets the time to be finished.
        grace = 0 if scope["method"] == "GET" else _SECONDS_TO_FINISH
        is_open = False

        async def send_on(message: MutableMapping[str, Any]) -> None:
            nonlocal is_open
            is_open = message["type"] == "http.response.start" or bool(message.get("more_body"))
            await send(message)

        await self._app(scope, lambda: _receive_until(self._ends, grace, receive), send_on)
        if is_open and self._ends.is_set():
            await send({"type": "http.response.body", "body": b""})


async def _receive_until(ends: asyncio.Event, grace: float, receive: Receive) -> MutableMapping[str, Any]:
    """The next message of the client, or a disconnect ``grace`` seconds after ``ends`` was set."""
    heard, ended = asyncio.ensure_future(receive()), asyncio.ensure_future(ends.wait())
    try:
        await asyncio.wait({heard, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not heard.done():
            await asyncio.wait({heard}, timeout=grace)
        return heard.result() if heard.done() else {"type": "http.disconnect"}
    finally:
        heard.cancel()
        ended.cancel()


class TokenDoor:
    """Lets in who sends the token as a bearer; all others get 401 before anything of theirs is read."""

    def __init__(self, app: App, token: AccessToken) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, as ASGI defines it."""
        if scope["type"] == "http" and not self._knows(scope):
            await _refuse(send)
            return
        await self._app(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        kind, _, token = (given[0] if len(given) == 1 else b"").decode("latin-1").partition(" ")
        return kind.lower() == "bearer" and self._token.matches(token.strip())


async def _refuse(send: Send) -> None:
    body = b'{"error":"send the token of this server as Authorization: Bearer TOKEN"}'
    await answer_json(send, 401, body, (b"www-authenticate", b"Bearer"))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ContextlsError(f"cannot listen on {host}:{port}: {error}; choose another port") from error


def _security(host: str, port: int) -> TransportSecuritySettings:
    """Requests that name another host come from a page that a browser was led to, and are refused."""
    names = ["127.0.0.1", "localhost", "[::1]"] if is_loopback(host) else [_name(host)]
    hosts = [f"{name}:{port}" for name in names]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"http://{name}" for name in hosts],
    )


def _name(host: str) -> str:
    return f"[{host}]" if ":" in host else host

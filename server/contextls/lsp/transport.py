"""Bytes in and out: standard streams, or one TCP connection.

Standard output belongs to the protocol: it is taken away from everything else in the process, prints of
libraries and of child processes included.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, BinaryIO

from contextls.errors import ContextlsError
from contextls.live.executors import join_threads
from contextls.lsp.doorkeeper import Doorkeeper
from contextls.lsp.framing import MAX_BYTES, Frames, FramingError, TooLargeError
from contextls.lsp.output import QueuedWriter
from contextls.lsp.oversized import pass_over
from contextls.lsp.protocol import PARSE_ERROR

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from contextls.access import AccessToken
    from contextls.lsp.server import ContextServer

_CLOSE_SECONDS = 5.0
_SWITCH_SECONDS = 0.0005
_THREAD_SECONDS = 1.0
_READER = "contextls-lsp-stdin"
log = logging.getLogger(__name__)


def run_stdio(build: Callable[[], ContextServer]) -> int:
    """Serve the standard streams until the client leaves; the exit status."""
    stdin, stdout = _claim_streams()
    reading = ThreadPoolExecutor(1, _READER)

    async def serve(server: ContextServer) -> None:
        async def read(most: int) -> bytes:
            return await server.loop.run_in_executor(reading, os.read, stdin, most)

        def gone() -> None:
            with contextlib.suppress(RuntimeError):
                server.loop.call_soon_threadsafe(server.stop)

        writer = QueuedWriter(stdout, gone)
        try:
            server.protocol.set_writer(writer)
            await _converse(server, Frames(read))
        finally:
            writer.close()
            reading.shutdown(wait=False)

    return _run(build, serve)


def run_tcp(build: Callable[[], ContextServer], host: str, port: int, token: AccessToken) -> int:
    """Serve the first client that connects and knows ``token`` until it leaves; the exit status.

    Raises ``ContextlsError`` when the address cannot be listened on.
    """

    async def serve(server: ContextServer) -> None:
        door = Doorkeeper(token)
        try:
            listener = await asyncio.start_server(door.accept, host, port)
        except (OSError, OverflowError) as error:
            raise ContextlsError(
                f"cannot listen on {host}:{port}: {error}; choose another --host or --port"
            ) from error
        token.announce()
        address = listener.sockets[0].getsockname()
        sys.stderr.write(f"contextls: listening on {address[0]}:{address[1]}\n")
        sys.stderr.flush()
        ended = asyncio.ensure_future(server.ended.wait())
        either: set[asyncio.Future[Any]] = {door.guest, ended}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        listener.close()
        door.close()
        ended.cancel()
        if door.guest.done():
            guest = door.guest.result()
            guest.frames.most_bytes = MAX_BYTES
            server.protocol.set_writer(guest.writer)
            server.receive_message(guest.message)
            await _converse(server, guest.frames)
            guest.writer.close()

    return _run(build, serve)


async def _converse(server: ContextServer, frames: Frames) -> None:
    """Handle messages until the client leaves or the server is told to end."""
    messages = asyncio.ensure_future(_receive_all(server, frames))
    ended = asyncio.ensure_future(server.ended.wait())
    await asyncio.wait({messages, ended}, return_when=asyncio.FIRST_COMPLETED)
    if messages.done() and not messages.cancelled() and messages.exception() is not None:
        log.warning("the connection broke: %r", messages.exception())
    messages.cancel()
    ended.cancel()


async def _receive_all(server: ContextServer, frames: Frames) -> None:
    while not server.ended.is_set():
        try:
            body = await frames.next()
        except TooLargeError as error:
            pass_over(server, error)
            continue
        except FramingError as error:
            log.warning("the stream holds what is no message: %s", error)
            server.protocol.refuse(None, PARSE_ERROR, f"not a message: {error}")
            continue
        if body is None:
            return
        await server.receive(body)


def _run(build: Callable[[], ContextServer], serve: Callable[[ContextServer], Awaitable[None]]) -> int:
    async def main() -> ContextServer:
        # The event loop waits so long for the interpreter behind each thread that computes, at every message.
        sys.setswitchinterval(_SWITCH_SECONDS)
        server = build()
        server.attach(asyncio.get_running_loop())
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                server.loop.add_signal_handler(number, server.stop)
        try:
            await serve(server)
        finally:
            await server.live.close(_CLOSE_SECONDS)
        return server

    server = asyncio.run(main())
    status = server.exit_status
    if not (server.live.executors.stop(_THREAD_SECONDS) and join_threads(_READER, _THREAD_SECONDS)):
        _leave(status)
    return status


def _claim_streams() -> tuple[int, BinaryIO]:
    """Take input and output for the protocol alone; all others get no input and write to standard error."""
    stdin = os.dup(0)
    stdout = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stdin, stdout


def _leave(status: int) -> None:
    """End the process although a thread still waits for input, or works on what nobody waits for any more."""
    logging.shutdown()
    sys.stderr.flush()
    os._exit(status)

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
from contextls.lsp import editor_process
from contextls.lsp.framing import MAX_BYTES, Frames, FramingError
from contextls.lsp.opening import read_opening

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from contextls.access import AccessToken
    from contextls.lsp.server import ContextServer

    Build = Callable[[], ContextServer]
    First = asyncio.Future[bytes | None]

_CLOSE_SECONDS = 5.0
_SWITCH_SECONDS = 0.0005
_READER = "contextls-lsp-stdin"
log = logging.getLogger(__name__)


def run_stdio(build: Build) -> int:
    """Serve the standard streams until the client leaves; the exit status.

    ``build`` loads and makes the server. It is called once the first message is there, after its answer if that is
    ``initialize``: an editor waits for that one only.
    """
    stdin, stdout = _claim_streams()
    reading = ThreadPoolExecutor(1, _READER)

    async def read(most: int) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(reading, os.read, stdin, most)

    async def main() -> ContextServer | None:
        frames = Frames(read)
        try:
            first = await _first_message(frames)
            if first is None:
                return None
            opening = None if first.exception() else read_opening(first.result() or b"")
            # Once it is answered, the client may end at any moment and could not be seen any more.
            process = None if opening is None else editor_process.find(opening.client.process_id)
            if opening is not None:
                _write(opening.answer, stdout)
            server = _attach(build)
            with _written_to(server, stdout):
                if opening is not None:
                    server.begin(opening.client, process)
                await _handle_messages(server, frames, first if opening is None else None)
        finally:
            reading.shutdown(wait=False)
        await server.live.close(_CLOSE_SECONDS)
        return server

    return _run(main)


async def _first_message(frames: Frames) -> First | None:
    """The first message, or what was wrong with it; ``None`` where the client leaves, or the user, before there is one."""
    stopped = asyncio.Event()
    _on_signals(stopped.set)
    first = asyncio.ensure_future(frames.next())
    end = asyncio.ensure_future(stopped.wait())
    await asyncio.wait({first, end}, return_when=asyncio.FIRST_COMPLETED)
    left = not first.done() or (first.exception() is None and first.result() is None)
    end.cancel()
    if left:
        first.cancel()
    return None if left else first


def _write(message: bytes, output: BinaryIO) -> None:
    with contextlib.suppress(OSError):  # nobody reads any more: the end of the input follows
        output.write(message)
        output.flush()


@contextlib.contextmanager
def _written_to(server: ContextServer, output: BinaryIO) -> Iterator[None]:
    """Let the server write to ``output``; what waits at the end is written still."""
    from contextls.lsp.output import QueuedWriter

    def gone() -> None:
        with contextlib.suppress(RuntimeError):
            server.loop.call_soon_threadsafe(server.stop)

    writer = QueuedWriter(output, gone)
    try:
        server.protocol.set_writer(writer)
        yield
    finally:
        writer.close()


def run_tcp(build: Build, host: str, port: int, token: AccessToken) -> int:
    """Serve the first client that connects and knows ``token`` until it leaves; the exit status.

    Raises ``ContextlsError`` when the address cannot be listened on.
    """
    from contextls.lsp.doorkeeper import Doorkeeper

    async def serve(server: ContextServer) -> None:
        door = Doorkeeper(token)
        try:
            listener = await asyncio.start_server(door.accept, host, port)
        except (OSError, OverflowError) as error:
            raise ContextlsError(
                f"cannot listen on {host}:{port}: {error}; give --tcp another address"
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
            await _handle_messages(server, guest.frames)
            guest.writer.close()

    async def main() -> ContextServer:
        server = _attach(build)
        try:
            await serve(server)
        finally:
            await server.live.close(_CLOSE_SECONDS)
        return server

    return _run(main)


async def _handle_messages(server: ContextServer, frames: Frames, first: First | None = None) -> None:
    """Handle messages, from ``first`` on, until the client leaves or the server is told to end."""
    messages = asyncio.ensure_future(_receive_all(server, frames, first))
    ended = asyncio.ensure_future(server.ended.wait())
    await asyncio.wait({messages, ended}, return_when=asyncio.FIRST_COMPLETED)
    if messages.done() and not messages.cancelled() and messages.exception() is not None:
        log.warning("the connection broke: %r", messages.exception())
    messages.cancel()
    ended.cancel()


async def _receive_all(server: ContextServer, frames: Frames, first: First | None) -> None:
    while not server.ended.is_set():
        coming, first = first or frames.next(), None
        try:
            body = await coming
        except FramingError as error:
            server.refuse(error)
            continue
        if body is None:
            return
        await server.receive(body)


def _attach(build: Build) -> ContextServer:
    """A server on the running loop."""
    server = build()
    server.attach(asyncio.get_running_loop())
    _on_signals(server.stop)
    return server


def _on_signals(stop: Callable[[], None]) -> None:
    """Call ``stop`` when the process is told to end; what was called before is not called any more."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, stop)


def _run(main: Callable[[], Coroutine[Any, Any, ContextServer | None]]) -> int:
    # The event loop waits so long for the interpreter behind each thread that computes, at every message.
    sys.setswitchinterval(_SWITCH_SECONDS)
    server = asyncio.run(main())
    from contextls.live.process_end import leave  # a first answer loads none of it

    if server is None:  # nobody said a word; a thread may still wait for input
        leave(1)
    status = server.exit_status
    from contextls.live.executors import SECONDS_TO_END, join_threads

    if not (server.live.executors.stop() and join_threads(_READER, SECONDS_TO_END)):
        leave(status)
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

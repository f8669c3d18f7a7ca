"""One client over standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from typing import TYPE_CHECKING

from mcp.server.stdio import stdio_server

from contextls.live.process_end import leave
from contextls.mcp.incoming import IncomingMessages
from contextls.mcp.server import ContextMcp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from contextls.settings import Settings

CLOSE_SECONDS = 5.0
log = logging.getLogger(__name__)


def serve_stdio(settings: Settings, roots: Sequence[Path], max_tokens: int) -> int:
    """Serve one client until it closes its end or the process is told to end; the exit status."""
    server = asyncio.run(_serve(settings, roots, max_tokens))
    if not server.live.executors.stop():
        leave(0)
    return 0


async def _serve(settings: Settings, roots: Sequence[Path], max_tokens: int) -> ContextMcp:
    server = ContextMcp(settings, roots, max_tokens, asks_client=True)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    server.start()
    conversation = asyncio.ensure_future(_handle_messages(server))
    told = asyncio.ensure_future(ended.wait())
    await asyncio.wait({conversation, told}, return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    await server.close(CLOSE_SECONDS)
    if not conversation.done():
        server.live.executors.stop()
        leave(0)  # the thread that reads input cannot be cancelled
    return server


async def _handle_messages(server: ContextMcp) -> None:
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.protocol.run(IncomingMessages(incoming, outgoing), outgoing, server.options)
    except Exception as error:
        log.info("the client is gone: %r", error)

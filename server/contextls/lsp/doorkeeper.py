"""Lets one client in at a port: the first that begins with ``initialize`` and knows the token.

Before that almost nothing is read of a connection: one message of bounded size within a few seconds. Everything else
(a browser, a port scanner, a wrong token) is closed, and the next one may try.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from contextls.lsp.configuration import SECTION, TOKEN
from contextls.lsp.framing import Frames, FramingError
from contextls.lsp.opening import is_initialize

if TYPE_CHECKING:
    from contextls.access import AccessToken

NOT_AUTHENTICATED = -32001
SECONDS_TO_BEGIN = 10.0
# An editor's ``initialize`` takes some 20 kB.
MAX_FIRST_BYTES = 1_000_000
_MAX_FIRST_HEADER_BYTES = 1_024
# The number of connections that may wait for their token to be checked; with one more, the oldest is closed.
MAX_WAITING = 16
# Each wrong token within the last minute delays the next refusal by this much.
_PENALTY_SECONDS = 0.25
_MAX_PENALTY_SECONDS = 5.0
_REMEMBERED_SECONDS = 60.0
_START = b"content-"
log = logging.getLogger(__name__)


class Guest(Struct, frozen=True):
    """A client that may come in: its connection, what it sent first (without the token), and what follows that."""

    message: dict[str, Any]
    frames: Frames
    writer: asyncio.StreamWriter


class Doorkeeper:
    """Belongs to the event loop."""

    def __init__(self, token: AccessToken) -> None:
        self._token = token
        self._waiting: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._failures: list[float] = []
        self.guest: asyncio.Future[Guest] = asyncio.get_running_loop().create_future()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Look at a new connection: it becomes the guest, or it is closed."""
        task = asyncio.current_task()
        if self.guest.done() or task is None:
            writer.close()
            return
        if len(self._waiting) >= MAX_WAITING:
            next(iter(self._waiting)).cancel()
        self._waiting[task] = writer
        try:
            guest = await self._look(reader, writer)
        except (TimeoutError, OSError, FramingError, asyncio.CancelledError) as error:
            log.info("a connection was closed: %s", _reason(error))
            guest = None
        finally:
            del self._waiting[task]
        if guest is None or self.guest.done():
            writer.close()
        else:
            self.guest.set_result(guest)

    def close(self) -> None:
        """Close every connection that waits at the door."""
        for task in tuple(self._waiting):
            task.cancel()

    async def _look(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Guest | None:
        async with asyncio.timeout(SECONDS_TO_BEGIN):
            frames = Frames(_read_checked(reader), MAX_FIRST_BYTES, _MAX_FIRST_HEADER_BYTES)
            body = await frames.next()
        if body is None:
            return None
        message = _initialize_in(body)
        if message is None:
            log.info("a connection was closed: it did not begin with initialize")
            return None
        if self._token.matches(_take_token(message)):
            return Guest(message, frames, writer)
        await self._refuse(message["id"], writer)
        return None

    async def _refuse(self, msg_id: str | int, writer: asyncio.StreamWriter) -> None:
        now = asyncio.get_running_loop().time()
        recent = [at for at in self._failures if now - at < _REMEMBERED_SECONDS]
        self._failures = [*recent[-100:], now]
        log.warning("a connection was closed: its initialize had no token, or a wrong one")
        await asyncio.sleep(min(_MAX_PENALTY_SECONDS, _PENALTY_SECONDS * len(self._failures)))
        error = {
            "code": NOT_AUTHENTICATED,
            "message": "not authenticated: send the token that the server printed, or wrote to its token file, as "
            f"initializationOptions.{TOKEN}",
        }
        answer = json.dumps({"jsonrpc": "2.0", "id": msg_id, "error": error}).encode()
        writer.write(b"Content-Length: %d\r\n\r\n" % len(answer) + answer)
        await asyncio.wait_for(writer.drain(), 1.0)


def _read_checked(reader: asyncio.StreamReader) -> Any:  # noqa: ANN401 - a reading function
    """Read from a connection, as long as its first bytes are those of the protocol: no HTTP, no TLS."""
    head = b""

    async def read(most: int) -> bytes:
        nonlocal head
        data = await reader.read(most)
        if len(head) < len(_START):
            head = (head + data)[: len(_START)].lower()
            if not _START.startswith(head):
                raise FramingError("it does not speak the language server protocol")
        return data

    return read


def _initialize_in(body: bytes) -> dict[str, Any] | None:
    """The request ``initialize`` in the body of a message; ``None`` where there is something else."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return message if is_initialize(message) else None


def _take_token(message: dict[str, Any]) -> object:
    """The token in the options of ``initialize``, which is taken out of the message."""
    params = message.get("params")
    options = params.get("initializationOptions") if isinstance(params, dict) else None
    if not isinstance(options, dict):
        return None
    section = options.get(SECTION)
    inner = section.pop(TOKEN, None) if isinstance(section, dict) else None
    outer = options.pop(TOKEN, None)
    return inner if outer is None else outer


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"it sent no message within {SECONDS_TO_BEGIN:.0f} s"
    if isinstance(error, asyncio.CancelledError):
        return "others came after it"
    return str(error)

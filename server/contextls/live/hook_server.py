"""Answers hooks of coding agents, and commands, for the workspaces that are open: each costs a message then, no engine."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextls.agents.sockets import MAX_BYTES, own_socket
from contextls.errors import InvalidRequestError
from contextls.text.gate import clean

if TYPE_CHECKING:
    from contextls.agents.call import HookCall
    from contextls.live.clock import Clock
    from contextls.live.executors import Executors
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces

log = logging.getLogger(__name__)
_BLOCK = 65_536
# For a hook to send its message, and to take the answer.
_MS_TO_SEND = 10_000
_NOT_MINE = {"mine": False}


class HookServer:
    """Listens at a socket that only the user can reach. Belongs to the event loop."""

    def __init__(self, workspaces: Workspaces, executors: Executors, clock: Clock) -> None:
        self._workspaces = workspaces
        self._executors = executors
        self._clock = clock

    async def run(self) -> None:
        """Listen until cancelled. Where that is not possible, hooks do the work by themselves."""
        try:
            path = own_socket()
        except InvalidRequestError:  # a ``CONTEXTLS_HOME`` that no workspace opens with, either
            return
        if path is None:
            return
        try:
            server = await asyncio.start_unix_server(self._serve, sock=_bind(path))
        except OSError as error:
            log.debug("no socket for hooks: %s", error)
            return
        try:
            async with server:
                await server.serve_forever()
        finally:
            with suppress(OSError):
                path.unlink()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        late = self._clock.call_later(_MS_TO_SEND, writer.close)
        try:
            message = await _read_all(reader)
            late.cancel()
            if message is not None:
                writer.write(json.dumps(await self._answer(message)).encode())
                late = self._clock.call_later(_MS_TO_SEND, writer.transport.abort)
                writer.close()
                await writer.wait_closed()
        except (OSError, ValueError) as error:
            log.debug("a hook was not answered: %s", error)
        finally:
            late.cancel()
            writer.close()

    async def _answer(self, message: bytes) -> dict[str, Any]:
        """The answer to one hook. What goes wrong is said to it; nothing that it sends fails this process."""
        try:
            first, _, given = message.partition(b"\n")
            header = _read_header(first)
            if "asks" in header:
                return await self._answer_command(header, given)
            call = await self._executors.quick(lambda: _read_call(header, given))
            workspace = self._find(header.get("root"), call)
            if workspace is None:
                return _NOT_MINE
            return {"mine": True, "answer": await _respond(workspace, header, call)}
        except Exception as error:
            return {"mine": True, "said": clean(f"{type(error).__name__}: {error}")}

    async def _answer_command(self, header: dict[str, Any], given: bytes) -> dict[str, Any]:
        from contextls.live.command_answers import answer_command

        root = Path(str(header.get("root")))
        for workspace in self._workspaces:
            if root.is_absolute() and workspace.depth_of(root) == len(root.parts):
                answer = await answer_command(workspace, self._workspaces.settings, header, given)
                return _NOT_MINE if answer is None else {"mine": True} | answer
        return _NOT_MINE

    def _find(self, root: object, call: HookCall) -> Workspace | None:
        if isinstance(root, str):
            return self._workspaces.get(Path(root))
        return self._workspaces.containing(Path(call.folder)) if call.folder else None


def _bind(path: Path) -> socket.socket:
    """A socket at ``path`` that accepts no connection before it is the user's alone."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.parent.chmod(0o700)
    path.unlink(missing_ok=True)  # of a process that is gone and had the same number
    bound = socket.socket(socket.AF_UNIX)
    try:
        bound.bind(str(path))
        path.chmod(0o600)
    except OSError:
        bound.close()
        raise
    return bound


async def _read_all(reader: asyncio.StreamReader) -> bytes | None:
    """Everything up to the end; ``None`` when that is too much."""
    parts, size = [], 0
    while block := await reader.read(_BLOCK):
        size += len(block)
        if size > MAX_BYTES:
            return None
        parts.append(block)
    return b"".join(parts)


def _read_header(line: bytes) -> dict[str, Any]:
    header = json.loads(line)
    if not isinstance(header, dict):
        raise ValueError("the first line holds no JSON object")
    return header


def _read_call(header: dict[str, Any], given: bytes) -> HookCall:
    from contextls.agents.respond import read_call

    return read_call(str(header.get("agent", "")), str(header.get("event", "")), given)


async def _respond(workspace: Workspace, header: dict[str, Any], call: HookCall) -> str:
    from contextls.agents.respond import find_context, record_events, wants_context, write_answer

    if call.events:
        key = header.get("key")
        key = key if isinstance(key, str) else ""  # a hook of an older version sends none
        await workspace.change(lambda engine: record_events(engine, call, key))
    if not wants_context(call):
        return ""
    budget = header.get("budget")
    limit = budget if isinstance(budget, int) and budget > 0 else None
    context = await workspace.ask(lambda engine: find_context(engine, call, limit))
    return write_answer(str(header.get("agent", "")), call, context)

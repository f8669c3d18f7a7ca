"""The official SDK's client in front of a real server process, for tests that are no coroutines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import mcp.client.stdio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

Json = Any  # what the SDK's models and JSON can hold
SECONDS = 60.0
COMMAND = (sys.executable, "-m", "contextls.cli.main", "mcp")
# The SDK kills a server that has not ended two seconds after its input; on a busy machine one that is at it takes longer.
mcp.client.stdio.PROCESS_TERMINATION_TIMEOUT = SECONDS
HANDSHAKE, STATELESS = "legacy", "2026-07-28"  # the two eras of the protocol, as the SDK calls them


class Session:
    """One client and its server."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self.client = client

    def run(self, function: Callable[..., Any], *arguments: Json, **options: Json) -> Json:
        """Call one of the client's methods."""
        return self._portal.call(partial(function, *arguments, **options))

    def start(self, function: Callable[..., Any], *arguments: Json) -> Json:
        """The same without waiting; a future."""
        return self._portal.start_task_soon(partial(function, *arguments))

    def tool(self, name: str, arguments: dict[str, Json], **options: Json) -> Json:
        """The result of a tool as it came."""
        return self.run(self.client.call_tool, name, arguments, SECONDS, **options)

    def call(self, name: str, /, **arguments: Json) -> dict[str, Json]:
        """The structured answer of a tool that did not fail."""
        result = self.tool(name, arguments)
        assert not result.is_error, result.content
        answer: dict[str, Json] = result.structured_content
        return answer

    def text(self, name: str, /, **arguments: Json) -> str:
        """What a tool says, answer or error."""
        return str(self.tool(name, arguments).content[0].text)

    def fail(self, name: str, /, **arguments: Json) -> str:
        """What a tool says that could not answer."""
        result = self.tool(name, arguments)
        assert result.is_error, result.structured_content
        return str(result.content[0].text)


@contextmanager
def connect(
    *options: str | Path,
    command: Sequence[str] = COMMAND,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    log: Path | None = None,
    **client: Json,
) -> Iterator[Session]:
    """A client of a server of its own over standard streams; both are gone afterwards."""
    parameters = StdioServerParameters(
        command=command[0],
        args=[*command[1:], *map(str, options)],
        env={**os.environ, **(env or {})},
        cwd=cwd,
    )
    with (
        (log or Path(os.devnull)).open("a") as errors,
        join(stdio_client(parameters, errlog=errors), **client) as session,
    ):
        yield session


@contextmanager
def join(transport: Json, **client: Json) -> Iterator[Session]:
    """A client at one end of a transport, or at an address."""
    with start_blocking_portal() as portal:
        made = Client(transport, **{"mode": HANDSHAKE, **client})
        with portal.wrap_async_context_manager(made):
            yield Session(portal, made)

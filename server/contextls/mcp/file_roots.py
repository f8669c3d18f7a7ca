"""The roots of a client, one by one: the SDK refuses a whole list for one root that is no ``file:`` URI."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self

import mcp_types as types
from pydantic import ValidationError

from contextls.text.gate import clean

if TYPE_CHECKING:
    from types import TracebackType

    from mcp.shared._stream_protocols import ReadStream
    from mcp.shared.message import SessionMessage

_MAX_SHOWN_CHARS = 200
log = logging.getLogger(__name__)


class FileRootsStream:
    """The messages of a client, without roots that are no folder of a file system."""

    def __init__(self, stream: ReadStream[SessionMessage | Exception]) -> None:
        self._stream = stream

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        return _keep_file_roots(await self._stream.receive())

    async def aclose(self) -> None:
        """Read no more."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return _keep_file_roots(await self._stream.__anext__())

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(kind, error, trace)


def _keep_file_roots(item: SessionMessage | Exception) -> SessionMessage | Exception:
    if isinstance(item, Exception):
        return item
    for holder in _root_lists(item.message):
        holder["roots"] = [root for root in holder["roots"] if _is_root(root)]
    return item


def _root_lists(message: types.JSONRPCMessage) -> list[dict[str, Any]]:
    """The objects with ``roots``: an answer, or the answers that a newer client sends along with a request."""
    if isinstance(message, types.JSONRPCResponse):
        given: list[Any] = [message.result]
    elif isinstance(message, types.JSONRPCRequest):
        answers = (message.params or {}).get("inputResponses")
        given = list(answers.values()) if isinstance(answers, dict) else []
    else:
        given = []
    return [each for each in given if isinstance(each, dict) and isinstance(each.get("roots"), list)]


def _is_root(given: object) -> bool:
    try:
        types.Root.model_validate(given, by_name=False)
    except ValidationError:
        shown = given.get("uri") if isinstance(given, dict) else given
        log.warning(
            "a root of the client is no folder of this machine: %s", clean(str(shown))[:_MAX_SHOWN_CHARS]
        )
        return False
    return True

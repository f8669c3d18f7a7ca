"""The messages of a client: what cannot be read is answered, where the SDK says nothing and lets the client wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from contextls.mcp.file_roots import keep_file_roots
from contextls.mcp.unreadable import read_leniently, refuse_call_without_id, refuse_unreadable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from types import TracebackType

    from mcp.shared._stream_protocols import ReadStream, WriteStream


class IncomingMessages:
    """The messages that can be read, without roots that are no folder of a file system."""

    def __init__(
        self, incoming: ReadStream[SessionMessage | Exception], answers: WriteStream[SessionMessage]
    ) -> None:
        self._incoming = incoming
        self._answers = answers

    async def receive(self) -> SessionMessage | Exception:
        """The next message; whatever is refused before it has been answered."""
        return await self._take(self._incoming.receive)

    async def aclose(self) -> None:
        """Read no more."""
        await self._incoming.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return await self._take(self._incoming.__anext__)

    async def __aenter__(self) -> Self:
        await self._incoming.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._incoming.__aexit__(kind, error, trace)

    async def _take(
        self, receive: Callable[[], Awaitable[SessionMessage | Exception]]
    ) -> SessionMessage | Exception:
        while (message := await self._check(await receive())) is None:
            pass
        return message

    async def _check(self, item: SessionMessage | Exception) -> SessionMessage | Exception | None:
        """The item as it is to be handled; ``None`` where it was refused."""
        try:
            if isinstance(item, ValidationError):
                item = SessionMessage(read_leniently(item))
        except ValidationError as error:
            refusal = refuse_unreadable(error)
        else:
            refusal = None if isinstance(item, Exception) else refuse_call_without_id(item.message)
        if refusal is not None:
            await self._answers.send(SessionMessage(refusal))
            return None
        return item if isinstance(item, Exception) else keep_file_roots(item)

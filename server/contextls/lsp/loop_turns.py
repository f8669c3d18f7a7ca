"""Bounds how long messages are handled in one go before other work gets a turn on the event loop.

At each turn the loop lets go of the interpreter, and waits for it behind every thread that computes: with a turn for each
message, thousands of them would be read at a few hundred a second.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# A tenth of what a cheap request may wait for.
_MAX_SECONDS = 0.01


class LoopTurns:
    """Handles requests that come together in one go; before and after a notification, all that was begun goes on.

    Requests begin in the order in which they came, at the next turn. A notification takes effect at once, so it may not
    overtake them.
    """

    def __init__(self, busy: Callable[[], None]) -> None:
        """``busy`` is called whenever messages came faster than they were handled."""
        self._busy = busy
        # When the first message after the last turn was handled. Who waits for the next message gives a turn, too.
        self._since: float | None = None

    async def before(self, message: Any) -> None:  # noqa: ANN401 - JSON
        """Call this before a message is handled."""
        if self._since is not None and not _is_request(message):
            await self.give()

    async def after(self, message: Any) -> None:  # noqa: ANN401 - JSON
        """Call this when a message was handled."""
        now = time.monotonic()
        if self._since is None:
            self._since = now
            asyncio.get_running_loop().call_soon(self._end)
        if now - self._since > _MAX_SECONDS:
            self._busy()
            await self.give()
        elif not _is_request(message):
            await self.give()

    async def give(self) -> None:
        """Let everything else go on."""
        self._end()
        await asyncio.sleep(0)

    def _end(self) -> None:
        self._since = None


def _is_request(message: object) -> bool:
    return isinstance(message, dict) and "id" in message and "method" in message

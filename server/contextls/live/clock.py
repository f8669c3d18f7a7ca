"""Time as live workspaces see it, so that a test can turn it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Timer(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """Let it not come after all; does nothing when it came."""


class Clock(Protocol):
    """Milliseconds that never go back, and a way to wait for some of them."""

    def now_ms(self) -> int:
        """Milliseconds since some moment. Safe to call from any thread."""

    def call_later(self, ms: int, action: Callable[[], None]) -> Timer:
        """Call ``action`` on the event loop after ``ms``. To be called on the event loop."""

    async def sleep(self, ms: int) -> None:
        """Let ``ms`` pass."""


class SystemClock:
    """The time that passes."""

    def now_ms(self) -> int:
        """Milliseconds since the machine started."""
        return time.monotonic_ns() // 1_000_000

    def call_later(self, ms: int, action: Callable[[], None]) -> Timer:
        """Call ``action`` on the running event loop after ``ms``."""
        return asyncio.get_running_loop().call_later(ms / 1000, action)

    async def sleep(self, ms: int) -> None:
        """Let ``ms`` pass."""
        await asyncio.sleep(ms / 1000)


class Countdown:
    """One timer that can be set again: what counts is the last time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._timer: Timer | None = None

    def restart(self, ms: int, action: Callable[[], None]) -> None:
        """Call ``action`` after ``ms``, instead of what was to come."""
        self.cancel()
        self._timer = self._clock.call_later(ms, action)

    def cancel(self) -> None:
        """Call nothing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def to_ms(seconds: float) -> int:
    """A setting in seconds as whole milliseconds."""
    return round(seconds * 1000)

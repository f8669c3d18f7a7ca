"""Time that a test turns."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable


class TurnedTimer:
    """A call that comes when the clock is turned far enough."""

    def __init__(self, action: Callable[[], None]) -> None:
        self.action = action
        self.is_cancelled = False

    def cancel(self) -> None:
        """Let it not come."""
        self.is_cancelled = True


class TurnedClock:
    """A ``Clock`` that stands still between two calls of ``advance``."""

    def __init__(self) -> None:
        self._now = 0
        self._numbers = itertools.count()
        self._timers: list[tuple[int, int, TurnedTimer]] = []
        self.sleepers = 0

    @property
    def pending(self) -> int:
        """How many calls are still to come."""
        return sum(not timer.is_cancelled for _, _, timer in self._timers)

    def now_ms(self) -> int:
        return self._now

    def call_later(self, ms: int, action: Callable[[], None]) -> TurnedTimer:
        timer = TurnedTimer(action)
        heapq.heappush(self._timers, (self._now + ms, next(self._numbers), timer))
        return timer

    async def sleep(self, ms: int) -> None:
        awake = asyncio.Event()
        self.call_later(ms, awake.set)
        self.sleepers += 1
        try:
            await awake.wait()
        finally:
            self.sleepers -= 1

    async def advance(self, ms: int) -> None:
        """Let ``ms`` pass: each timer is called at its own time, and what it wakes goes on before the next one.

        Tasks that were made but did not run yet start before time passes.
        """
        await asyncio.sleep(0)
        end = self._now + ms
        while self._timers and self._timers[0][0] <= end:
            due, _, timer = heapq.heappop(self._timers)
            self._now = due
            if not timer.is_cancelled:
                timer.action()
                for _ in range(3):
                    await asyncio.sleep(0)
        self._now = end

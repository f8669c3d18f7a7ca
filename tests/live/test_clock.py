"""The clock that passes by itself, and the one that a test turns."""

from __future__ import annotations

import asyncio

from contextls.live.clock import Clock, Countdown, SystemClock

from .clock import TurnedClock


async def test_the_system_clock_waits_and_calls() -> None:
    clock: Clock = SystemClock()
    began, rang = clock.now_ms(), asyncio.Event()
    clock.call_later(20, rang.set)
    clock.call_later(30, rang.clear).cancel()
    await rang.wait()
    await clock.sleep(20)
    assert clock.now_ms() - began >= 39


async def test_a_countdown_counts_from_its_last_start() -> None:
    clock = TurnedClock()
    countdown, rung = Countdown(clock), list[int]()
    for _ in range(3):
        countdown.restart(100, lambda: rung.append(clock.now_ms()))
        await clock.advance(99)
    assert rung == []
    await clock.advance(1)
    assert rung == [298]
    countdown.restart(100, lambda: rung.append(clock.now_ms()))
    countdown.cancel()
    await clock.advance(1_000)
    assert rung == [298]


async def test_timers_are_called_in_order_at_their_own_time() -> None:
    clock, rung = TurnedClock(), list[tuple[str, int]]()

    async def snore() -> None:
        for _ in range(3):
            await clock.sleep(400)
            rung.append(("sleeper", clock.now_ms()))

    sleeping = asyncio.create_task(snore())
    await asyncio.sleep(0)
    clock.call_later(500, lambda: rung.append(("timer", clock.now_ms())))
    await clock.advance(1_199)
    assert rung == [("sleeper", 400), ("timer", 500), ("sleeper", 800)]
    await clock.advance(1)
    assert rung[-1] == ("sleeper", 1_200)
    await sleeping

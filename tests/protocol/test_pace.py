"""How messages that come in one go are told from those that come one after the other."""

from __future__ import annotations

import asyncio

import pytest

from contextls.lsp import loop_turns
from contextls.lsp.loop_turns import LoopTurns

QUESTION = {"id": 1, "method": "context/assemble"}


async def handle(given: LoopTurns) -> None:
    await given.before(QUESTION)
    await given.after(QUESTION)


async def test_questions_behind_a_pause_are_no_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_turns, "_MAX_SECONDS", 0.0)
    busy: list[str] = []
    given = LoopTurns(lambda: busy.append("busy"))
    for _ in range(5):
        await handle(given)
        await asyncio.sleep(0.001)  # as while the next message is awaited
    assert busy == []


async def test_messages_in_one_go_let_go_of_the_loop_once_they_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop_turns, "_MAX_SECONDS", 0.0)
    busy: list[str] = []
    begun = asyncio.Event()
    asyncio.get_running_loop().call_soon(begun.set)
    given = LoopTurns(lambda: busy.append("busy"))
    for _ in range(5):
        await handle(given)
    assert busy
    assert begun.is_set()

"""Sixty turns of one conversation: what a provider finds in its cache, and what breaks that."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.model import (
    AssembledTurn,
    AssembleRequest,
    Circumstances,
    GivenMessage,
    Injection,
    InjectionPosition,
    MessageRole,
    NewEvent,
    TurnOptions,
    TurnRequest,
)

from ..memory.workspaces import SHOP, age, opened, write

NOW = 1_800_000_000_000
TURNS = 60
QUESTIONS = (
    "how is the discount computed?",
    "who sends the receipt?",
    "where are routes registered?",
    "what is in the cart?",
    "fix the failing test",
    "which returns are accepted?",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    rules = {"AGENTS.md": "Be brief.\n", "Makefile": "test:\n\tpytest\n"}
    place = write(tmp_path / "shop", {**SHOP, **rules})
    age(place)
    return place


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with opened(root) as engine:
        engine.set_trust(True)
        yield engine


def exchange(question: str, number: int) -> tuple[GivenMessage, GivenMessage]:
    """What a client keeps of a turn: what was asked and the answer to it."""
    answer = f"Answer {number}: " + " ".join(f"step {step} of {question}" for step in range(12))
    return (
        GivenMessage(role=MessageRole.USER, content=question),
        GivenMessage(role=MessageRole.ASSISTANT, content=answer),
    )


def converse(
    engine: Engine, turns: int, position: InjectionPosition | None = None, *, as_sent: bool = False
) -> Iterator[AssembledTurn]:
    """A conversation in which code changes, commands fail and time passes between the questions.

    The client keeps the questions, or the messages ``as_sent``.
    """
    history: list[GivenMessage] = []
    for number in range(turns):
        question = QUESTIONS[number % len(QUESTIONS)]
        now = NOW + number * 60_000
        engine.record(
            NewEvent("shell_exec", {"command": f"pytest -k {number}", "exitCode": number % 2}, timestamp=now)
        )
        cart = engine.root / "shop/cart.py"
        cart.write_text(f"{SHOP['shop/cart.py']}\n\ndef step_{number}():\n    return {number}\n")
        os.utime(cart, (number, number))
        engine.update_files(["shop/cart.py"])
        options = TurnOptions(
            model="gpt-4o",
            history=tuple(history),
            circumstances=Circumstances(hook_data={"turn": number}),
            injection=Injection(position=position),
        )
        turn = engine.assemble_turn(TurnRequest(AssembleRequest(question, max_tokens=600), options), now=now)
        yield turn
        history += exchange(turn.current_message.content if as_sent else question, number)


def sent(turn: AssembledTurn) -> list[str]:
    """A turn as a provider reads it, without its last message."""
    return [turn.system_prompt, *(f"{one.role}: {one.content}" for one in turn.history)]


def common(before: str, after: str) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )


def test_over_sixty_turns_all_that_was_said_stays_a_prefix(
    engine: Engine, record_property: Callable[[str, object], None]
) -> None:
    turns = list(converse(engine, TURNS))
    assert len({turn.system_prompt for turn in turns}) == 1
    assert len({turn.current_message.content for turn in turns}) == TURNS
    shares, of_all = [], []
    for before, after in pairwise(turns):
        kept, now = "\0".join(sent(before)), "\0".join([*sent(after), after.current_message.content])
        shares.append(common(kept, now) / len(kept))
        of_all.append(common(kept, now) / len(now))
    record_property("cacheable share of what was sent before", min(shares))
    record_property("cacheable share of the last prompt", of_all[-1])
    assert min(shares) >= 0.95
    # The longer a conversation, the more of each prompt is cached: what moves stays as large as it is.
    assert of_all[-1] > of_all[9] > of_all[0]
    for before, after in pairwise(turns):
        used = before.token_budget.used
        assert after.cache.cached_tokens == used.system_prompt + used.history
        assert after.cache.broken_by == "history"
    assert turns[0].cache.broken_by == "first turn"


def test_a_client_that_keeps_messages_as_they_were_sent_breaks_nothing(engine: Engine) -> None:
    turns = list(converse(engine, 6, as_sent=True))
    assert [turn.cache.broken_by for turn in turns] == ["first turn", "", "", "", "", ""]
    for before, after in pairwise(turns):
        assert after.cache.cached_tokens == before.token_budget.used.total


def test_going_back_to_the_beginning_of_what_was_sent_breaks_nothing(engine: Engine) -> None:
    def ask(model: str, *history: GivenMessage) -> AssembledTurn:
        request = AssembleRequest("how is the discount computed?", max_tokens=600)
        options = TurnOptions(model=model, history=history)
        return engine.assemble_turn(TurnRequest(request, options), now=NOW)

    asked = ask("gpt-4").current_message.content
    answered = GivenMessage(role=MessageRole.ASSISTANT, content="By its price.")
    ask("gpt-4o", GivenMessage(role=MessageRole.USER, content=asked), answered)
    back = ask("gpt-4o")
    assert (back.cache.broken_by, back.cache.share) == ("", 1.0)


def test_pieces_in_the_system_prompt_break_the_prefix_and_the_report_says_so(engine: Engine) -> None:
    turns = list(converse(engine, 4, InjectionPosition.SYSTEM))
    assert [turn.cache.broken_by for turn in turns[1:]] == ["system"] * 3
    assert all(turn.cache.cached_tokens == 0 for turn in turns)


def test_a_rule_that_changes_breaks_the_prefix_once(engine: Engine, root: Path) -> None:
    broken = []
    for number, turn in enumerate(converse(engine, 6)):
        broken.append(turn.cache.broken_by)
        if number == 2:
            (root / "AGENTS.md").write_text("Be thorough.\n")
    assert broken == ["first turn", "history", "history", "system", "history", "history"]


@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=8))
def test_history_only_extends(texts: list[str]) -> None:
    with opened(_plain_root(), index=False) as engine:
        before: list[str] = []
        history: list[GivenMessage] = []
        for number, text in enumerate(texts):
            options = TurnOptions(model="gpt-4o", history=tuple(history), injection=Injection(max_tokens=0))
            turn = engine.assemble_turn(TurnRequest(AssembleRequest("go on"), options), now=NOW)
            now = sent(turn)
            assert now[: len(before)] == before
            before = now
            history += exchange(text, number)


def _plain_root() -> Path:
    home = Path(os.environ["CONTEXTLS_HOME"])
    return write(home / "plain", {"a.py": "x = 1\n"})

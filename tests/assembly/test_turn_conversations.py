"""Turns of stored conversations: the path as history, a summary when it no longer fits, and what stays as it was said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.errors import ContextLimitError, InvalidRequestError
from contextls.model import (
    AssembledTurn,
    AssembleRequest,
    Author,
    Injection,
    Layer,
    NewNode,
    Preferences,
    Shape,
    Truncation,
    TurnOptions,
    TurnRequest,
)

from ..memory.workspaces import SHOP, opened, write

NOW = 1_800_000_000_000
QUERY = "how is the discount computed?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("talk") / "shop", {**SHOP, "AGENTS.md": "Be brief.\n"})
    with opened(root) as engine:
        engine.set_trust(True)
        yield engine


def talk(engine: Engine, *texts: str, conversation: str = "", **options: Any) -> str:  # noqa: ANN401
    """A conversation in which a person and a model take turns."""
    name = conversation or engine.conversations.create("talk", **options).id
    for number, text in enumerate(texts):
        author = (Author.HUMAN, Author.MODEL)[number % 2]
        engine.conversations.append(name, NewNode(author, text))
    return name


def ask(engine: Engine, conversation: str, **options: Any) -> AssembledTurn:  # noqa: ANN401
    question = AssembleRequest(QUERY, max_tokens=options.pop("pieces", 400))
    given = TurnOptions(**{"model": "gpt-4o", "conversation_id": conversation, **options})
    return engine.assemble_turn(TurnRequest(question, given), now=NOW)


def said(turn: AssembledTurn) -> list[tuple[str, str]]:
    return [(str(one.role), one.content) for one in turn.history]


def long_talk(engine: Engine, turns: int, **options: Any) -> str:  # noqa: ANN401
    texts = []
    for number in range(turns):
        texts += [
            f"question {number}: " + "why is that so? " * 12,
            f"answer {number}: " + "because of that. " * 12,
        ]
    return talk(engine, *texts, **options)


def test_the_path_to_a_node_is_the_history(engine: Engine) -> None:
    name = talk(engine, "hello", "Hello!", "where is the cart?", "In shop/cart.py.")
    assert said(ask(engine, name)) == [
        ("user", "hello"),
        ("assistant", "Hello!"),
        ("user", "where is the cart?"),
        ("assistant", "In shop/cart.py."),
    ]
    second = engine.conversations.path(name).ancestry[1]
    assert said(ask(engine, name, node_id=second)) == [("user", "hello"), ("assistant", "Hello!")]
    assert all(message.nodes for message in ask(engine, name).history)


def test_the_system_context_of_agent_and_tree_ends_the_system_prompt(engine: Engine) -> None:
    name = talk(
        engine, "hello", agent_context="You are a careful clerk.", system_context="This is about returns."
    )
    prompt = ask(engine, name).system_prompt
    assert prompt.index("Be brief.") < prompt.index("careful clerk") < prompt.index("about returns")


def test_an_overflow_becomes_a_summary_and_the_newest_turns_stay(engine: Engine) -> None:
    name = long_talk(engine, 20)
    before = ask(engine, name)
    available = before.token_budget.used.total - 600
    turn = ask(engine, name, max_tokens=available)
    contents = [text for _, text in said(turn)]
    assert turn.history[0].role == "user"
    assert contents[0].startswith("[Previous conversation summary]\n")
    assert contents[-6:] == [text for _, text in said(before)][-6:]
    assert turn.system_prompt == before.system_prompt
    assert turn.token_budget.used.total <= available
    assert turn.token_budget.used.system_prompt + turn.token_budget.used.history <= 0.65 * available
    assert any(warning.startswith("the conversation was compacted: ") for warning in turn.report.warnings)
    (session,) = (use for use in turn.report.layers if use.layer is Layer.SESSION)
    assert any(item.reason == "in the summary" for item in session.items)
    again = ask(engine, name, max_tokens=available)
    assert said(again) == said(turn)


def test_a_strategy_that_was_chosen_goes_before_a_summary(engine: Engine) -> None:
    chosen = Preferences(Truncation.ROLLING_WINDOW)
    name = long_talk(engine, 20, preferences=chosen)
    turn = ask(engine, name, max_tokens=1_200)
    assert "[Previous conversation summary]" not in turn.history[0].content
    assert any("(rollingWindow)" in warning for warning in turn.report.warnings)
    asked = ask(engine, name, max_tokens=1_200, truncation_strategy=Truncation.TRUNCATE_MIDDLE)
    assert asked.history[0].content.startswith("question 0")
    with pytest.raises(ContextLimitError, match="stopAtLimit"):
        ask(engine, name, max_tokens=1_200, truncation_strategy=Truncation.STOP_AT_LIMIT)


def test_the_newest_turns_alone_may_be_too_many(engine: Engine) -> None:
    name = talk(engine, "a " * 900, "b " * 900)
    with pytest.raises(
        ContextLimitError, match=r"never cut takes .*newest turns [\d,]+, all beside"
    ) as raised:
        ask(engine, name, max_tokens=1_000)
    assert raised.value.needed > raised.value.available == 1_000


def test_a_document_of_a_conversation_is_its_text(engine: Engine) -> None:
    wants_system = Preferences(buffer_mode_system_context=True)
    name = talk(engine, "Once upon ", "a time", preferences=wants_system)
    turn = ask(engine, name, shape=Shape.DOCUMENT, buffer=" there was", injection=Injection(max_tokens=0))
    assert turn.content.startswith("## Rules: `AGENTS.md`")
    assert turn.content.endswith("\n\nOnce upon a time there was")


@given(st.sets(st.integers(min_value=0, max_value=7)))
def test_what_is_excluded_never_appears(engine: Engine, gone: set[int]) -> None:
    texts = [f"the {number}th thing" for number in range(8)]
    name = talk(engine, *texts)
    nodes = engine.conversations.path(name).ancestry
    for number in gone:
        engine.conversations.mark(name, nodes[number], excluded=True)
    turn = ask(engine, name, injection=Injection(max_tokens=0))
    whole = "\n".join(text for _, text in said(turn))
    assert {number for number, text in enumerate(texts) if text in whole} == set(range(8)) - gone
    (session,) = (use for use in turn.report.layers if use.layer is Layer.SESSION)
    assert {item.name for item in session.items if item.state == "excluded"} == {
        nodes[number] for number in gone
    }


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"conversation_id": "conversation-999999"}, "conversationId"),
        ({"conversation_id": "nonsense"}, "conversationId"),
        ({"node_id": "node-999999"}, "nodeId"),
    ],
)
def test_an_id_of_nothing_is_named(engine: Engine, options: dict[str, str], complaint: str) -> None:
    name = talk(engine, "hello")
    with pytest.raises(InvalidRequestError, match=complaint):
        ask(engine, **{"conversation": name, **options})


def test_a_conversation_of_sixty_turns_breaks_its_prefix_only_where_it_was_compacted(tmp_path: Path) -> None:
    with opened(write(tmp_path / "shop", SHOP)) as engine:
        name = talk(engine)
        compactions, stable = 0, 0
        for number in range(60):
            turn = ask(engine, name, max_tokens=3_000, pieces=200)
            used = turn.token_budget.used
            assert used.total <= 3_000
            if any("was compacted" in warning for warning in turn.report.warnings):
                compactions += 1
                assert turn.cache.cached_tokens == used.system_prompt
            elif number:
                assert turn.cache.cached_tokens == stable
            stable = used.system_prompt + used.history
            long_talk(engine, 1, conversation=name)
    assert 2 <= compactions <= 15

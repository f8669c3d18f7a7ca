"""What the server does to the working set of a conversation: quiet, seen in the list, and never to what a person pinned."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import (
    AssembleRequest,
    Author,
    Component,
    NewEvent,
    NewNode,
    ServerEntry,
    SetUpdate,
    Shape,
    TurnOptions,
    TurnRequest,
    UpdateAction,
    Updater,
)

from ..memory.workspaces import ONE_WORKER, SHOP, opened, write

QUERY = "how are receipts mailed?"
TURNS = 3


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(write(tmp_path / "shop", SHOP), replace(ONE_WORKER, working_set_turns=TURNS)) as engine:
        yield engine


def later() -> None:
    """Let the clock go on, so that what happens next is no longer in the same millisecond."""
    time.sleep(0.002)


def talk(engine: Engine, *texts: str, conversation: str = "") -> str:
    name = conversation or engine.conversations.create("talk").id
    for number, text in enumerate(texts):
        later()
        author = (Author.HUMAN, Author.MODEL)[number % 2]
        engine.conversations.append(name, NewNode(author, text))
    later()
    return name


def run(engine: Engine, command: str, code: int, output: str) -> str:
    later()
    content = {"command": command, "exitCode": code, "stdout": output}
    event = engine.record(NewEvent("shell_exec", content))
    assert event is not None
    return event.id


def add(engine: Engine, path: str, priority: float = 0.5) -> None:
    later()
    assert engine.working_set.update([SetUpdate(UpdateAction.ADD, path, "it is at hand", priority)]).applied


def entries(engine: Engine, conversation: str | None = None) -> dict[str, ServerEntry]:
    return {each.id: each for each in engine.working_set.view(conversation).server}


def pieces(engine: Engine, conversation: str, query: str = QUERY) -> dict[str, Component]:
    options = TurnOptions(shape=Shape.MESSAGES, conversation_id=conversation)
    turn = engine.assemble_turn(TurnRequest(AssembleRequest(query, max_tokens=2000), options))
    return {one.source: one for one in turn.components}


def test_a_failure_stays_at_hand_until_it_is_settled_or_stale(engine: Engine) -> None:
    name = talk(engine, "let us begin", "Gladly.")
    failed = run(engine, "pytest -q", 1, "E   assert 4 == 5\n1 failed")
    talk(engine, "and now?", "We shall see.", conversation=name)
    (kept,) = entries(engine).values()
    assert (kept.id, kept.kind, kept.text, kept.by) == (failed, "output", "pytest -q", "server")
    assert kept.why == "its newest output, 1 turn ago; it failed and was not run again"
    found = pieces(engine, name)
    assert found[failed].why == kept.why
    assert failed not in {one.source for one in engine.assemble(AssembleRequest(QUERY)).components}

    talk(engine, *["go on", "Yes."] * TURNS, conversation=name)
    assert entries(engine) == {}
    failed = run(engine, "pytest -q", 1, "E   assert 4 == 5\n1 failed")
    assert list(entries(engine)) == [failed]
    passed = run(engine, "pytest -q", 0, "1 passed")
    assert list(entries(engine)) == [passed]
    talk(engine, "good", "Indeed.", conversation=name)
    assert entries(engine) == {}


def test_only_work_is_kept_the_newest_of_each_command_and_not_much(engine: Engine) -> None:
    talk(engine, "let us begin", "Gladly.")
    run(engine, "ls -l", 0, "total 4")
    run(engine, "make quiet", 0, "")
    run(engine, "make a", 1, "old")
    ids = [run(engine, f"make {each}", 1, "broken") for each in "abcd"]
    assert list(entries(engine)) == ids[:0:-1]


def test_a_models_pin_goes_up_with_use_and_down_without(engine: Engine) -> None:
    engine.working_set.pin(engine.working_set.target("README.md"), priority=0.2)
    add(engine, "shop/prices.py")
    add(engine, "shop/cart.py#Cart.total")
    name = talk(engine, "look at prices.py", "It computes discounts.")
    moved = entries(engine)
    assert list(moved) == ["raised:shop/prices.py"]
    assert (moved["raised:shop/prices.py"].priority, moved["raised:shop/prices.py"].why) == (
        0.7,
        "named in the last turn",
    )
    talk(engine, *["go on", "Yes."] * TURNS, conversation=name)
    moved = entries(engine, name)
    assert {each.kind for each in moved.values()} == {"lowered"}
    assert moved["lowered:shop/prices.py"].priority == 0.25
    assert moved["lowered:shop/prices.py"].why == f"not mentioned for {TURNS} turns"
    found = [
        one for one in pieces(engine, name, "what does total cost?").values() if one.type == "working_set"
    ]
    assert [one.source for one in found] == ["README.md", "shop/cart.py#Cart.total", "shop/prices.py"]
    assert found[1].why == "a model added it: it is at hand; named in this question"
    assert [each.priority for each in engine.working_set.view().files] == [0.2, 0.5, 0.5]


def test_what_a_person_pinned_stays_as_they_left_it(engine: Engine) -> None:
    engine.working_set.pin(engine.working_set.target("shop/prices.py"), priority=0.1)
    file = engine.root / ".context" / "working-set.yml"
    before = file.read_bytes()
    name = talk(engine, "look at prices.py", "Yes.", *["go on", "Yes."] * (2 * TURNS))
    assert entries(engine, name) == {}
    pieces(engine, name, "what is in prices.py?")
    assert file.read_bytes() == before


def test_a_pin_is_not_lowered_before_it_had_its_turns(engine: Engine) -> None:
    name = talk(engine, *["go on", "Yes."] * TURNS)
    add(engine, "shop/prices.py")
    assert entries(engine) == {}
    talk(engine, *["go on", "Yes."] * TURNS, conversation=name)
    assert list(entries(engine)) == ["lowered:shop/prices.py"]


@pytest.mark.parametrize("what", ["output", "lowered"])
def test_the_server_leaves_alone_what_it_is_told_to(engine: Engine, what: str) -> None:
    add(engine, "shop/prices.py")
    name = talk(engine, *["go on", "Yes."] * TURNS)
    failed = run(engine, "pytest -q", 1, "1 failed")
    assert set(entries(engine)) == {failed, "lowered:shop/prices.py"}
    entry = failed if what == "output" else "lowered:shop/prices.py"
    answer = engine.working_set.undo(entry)
    assert (answer.id, answer.steps) == (entry, ())
    assert entry not in entries(engine)
    assert len(entries(engine)) == 1
    assert (failed in pieces(engine, name)) is (what != "output")


def no_conversation(engine: Engine) -> str | None:  # noqa: ARG001
    return None


def switched_off(engine: Engine) -> str | None:
    engine.adopt(replace(ONE_WORKER, working_set_turns=0))
    return talk(engine, "look at prices.py", "Yes.")


@pytest.mark.parametrize("place", [no_conversation, switched_off])
def test_nothing_is_done_outside_of_a_conversation_or_when_it_is_switched_off(
    engine: Engine, place: Callable[[Engine], str | None]
) -> None:
    add(engine, "shop/prices.py")
    run(engine, "pytest -q", 1, "1 failed")
    assert entries(engine, place(engine)) == {}


def test_a_conversation_that_is_not_there_is_named(engine: Engine) -> None:
    with pytest.raises(InvalidRequestError, match="conversationId"):
        engine.working_set.view("chat-99")


def test_nothing_of_ignored_or_excluded_files_is_kept_at_hand(engine: Engine) -> None:
    talk(engine, "let us begin", "Gladly.")
    run(engine, "pytest shop/mail.py", 1, "THE_BODY")
    assert len(entries(engine)) == 1
    engine.working_set.exclude(engine.working_set.target("shop/mail.py"))
    assert "THE_BODY" not in str(entries(engine))
    assert "mail" not in str(entries(engine))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("any") / "shop", SHOP)
    with opened(root, replace(ONE_WORKER, working_set_turns=2)) as engine:
        yield engine


_PATHS = st.sampled_from(["shop/cart.py", "shop/prices.py", "README.md", "shop"])
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pin"), _PATHS, st.sampled_from([0, 0.2, 1])),
        st.tuples(st.sampled_from(["unpin", "exclude", "include"]), _PATHS),
        st.tuples(
            st.just("model"), _PATHS, st.sampled_from(list(UpdateAction)), st.sampled_from([0, 0.5, 1])
        ),
        st.tuples(st.just("say"), st.sampled_from(["look at cart.py", "and README.md?", "go on"])),
        st.tuples(st.just("run"), st.sampled_from(["pytest shop/cart.py", "make"])),
        st.tuples(st.just("undo"), st.sampled_from([None, "raised:shop/cart.py", "lowered:README.md"])),
    ),
    max_size=8,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(_STEPS)
def test_whoever_updates_it_people_come_first_as_they_left_it(shared: Engine, steps: list[Any]) -> None:
    engine, pins = shared, shared.working_set
    file = engine.root / ".context" / "working-set.yml"
    file.unlink(missing_ok=True)
    name = talk(engine, "let us begin", "Gladly.")
    theirs: dict[str, float] = {}
    excluded: set[str] = set()
    for kind, *given_ in steps:
        before = file.read_bytes() if file.exists() else None
        if kind == "pin":
            pins.pin(pins.target(given_[0]), priority=given_[1])
            theirs[given_[0]] = given_[1]
            excluded.discard(given_[0])
        elif kind in ("unpin", "exclude", "include"):
            getattr(pins, kind)(pins.target(given_[0]))
            if kind == "exclude":
                excluded.add(given_[0])
            elif kind == "include":
                excluded.discard(given_[0])
            if kind != "include":
                theirs.pop(given_[0], None)
        elif kind == "model":
            path, action, priority = given_
            weight = None if action is UpdateAction.REMOVE else priority
            answer = pins.update([SetUpdate(action, path, "why", weight)])
            if answer.id is not None:
                made = file.read_bytes()
                assert pins.undo(answer.id).kept == ()
                assert (file.read_bytes() if file.exists() else None) == before
                assert pins.update([SetUpdate(action, path, "why", weight)]).id is not None
                assert file.read_bytes() == made
        elif kind == "say":
            talk(engine, given_[0], "Yes.", conversation=name)
        elif kind == "run":
            run(engine, given_[0], 1, "1 failed")
        else:
            pins.undo(given_[0])
        if kind in ("say", "run"):
            pieces(engine, name, "what is in cart.py?")
            assert (file.read_bytes() if file.exists() else None) == before
        view = pins.view(name)
        people = [each for each in view.files if each.by is Updater.PERSON]
        assert {each.path: each.priority for each in people} == theirs
        assert list(view.files[: len(people)]) == people
        assert {each.path for each in view.excluded} == excluded
        shown = [
            one for one in pieces(engine, name, "what is in cart.py?").values() if one.type == "working_set"
        ]
        by_model = [not is_of_person(one.source, theirs) for one in shown]
        assert by_model == sorted(by_model)
        assert not [one.source for one in shown if is_of_person(one.source, dict.fromkeys(excluded, 0.0))]


def is_of_person(path: str, pinned: dict[str, float]) -> bool:
    return path in pinned or (path.startswith("shop/") and "shop" in pinned)

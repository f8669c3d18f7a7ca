"""The memory of habits: counted piece by piece through the log, kept, matched to questions and told in prompts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.memory.events import EventLog
from contextls.memory.feedback import Feedback
from contextls.memory.patterns.match import Occasion
from contextls.memory.patterns.memory import FILE_NAME, SAVED_AFTER, PatternMemory
from contextls.memory.patterns.pattern import wilson
from contextls.model import AssembleRequest, Pattern, Section

from ..workspaces import SHOP, opened, write
from .steps import NONE, START, Step, happened, mined, numbers


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[tuple[EventLog, Feedback, Path]]:
    for name in ("a.py", "b.py", "x.rs", "build.mk", *(f"m{n}.py" for n in range(6))):
        (tmp_path / name).write_text("")
    log, feedback = EventLog(tmp_path / "events.sqlite"), Feedback(tmp_path)
    yield log, feedback, tmp_path
    feedback.close()
    log.close()


def memory_of(parts: tuple[EventLog, Feedback, Path], hidden: str = "") -> PatternMemory:
    log, feedback, folder = parts
    return PatternMemory(folder, log, feedback, folder, lambda path: path != hidden)


def told(memory: PatternMemory) -> dict[str, Pattern]:
    return {pattern.description: pattern for pattern in memory.about(None, START, 1000)}


def fill(log: EventLog, *steps: Step | int) -> None:
    log.append_many(happened(*steps))


PAIR = (("edit", "a.py"), ("edit", "b.py"), 20)


def test_counting_piece_by_piece_gives_what_counting_at_once_gives(
    parts: tuple[EventLog, Feedback, Path],
) -> None:
    rng = random.Random(7)  # noqa: S311 - a course of events, not a secret
    steps: list[Step | int] = []
    for _ in range(700):
        which = rng.random()
        if which < 0.5:
            steps.append(("edit", f"m{rng.randrange(6)}.py"))
        elif which < 0.8:
            steps.append(("run", rng.choice(["pytest", "make", "git commit -m x"]), rng.random() < 0.6))
        elif which < 0.9:
            steps.append(("error", f"KeyError: 'k{rng.randrange(3)}'", "pytest"))
        else:
            steps.append(rng.choice([5, 20]))
    events = happened(*steps)
    whole = mined(*steps)
    assert len(whole) > 10
    log = parts[0]
    assert len(events) > SAVED_AFTER
    memory = memory_of(parts)
    at = 0
    while at < len(events):
        size = rng.randrange(1, 200)
        log.append_many(events[at : at + size])
        at += size
        memory.catch_up(rng.randrange(1, 50))
        if rng.random() < 0.5:
            memory.close()
            memory = memory_of(parts)
    assert told(memory) == whole
    memory.close()
    again = memory_of(parts)
    assert again.catch_up() < SAVED_AFTER, "what was counted is kept between runs"
    assert told(again) == whole
    again.close()


def test_a_question_counts_only_so_many_new_events(parts: tuple[EventLog, Feedback, Path]) -> None:
    fill(parts[0], *PAIR * 20)
    memory = memory_of(parts)
    assert memory.catch_up(7) == 7
    assert memory.catch_up() == 33
    assert memory.catch_up() == 0
    before = memory.version()
    fill(parts[0], *PAIR)
    assert memory.version() == before + 2, "what is new is counted first"
    memory.close()


def test_deleted_events_leave_no_habit(parts: tuple[EventLog, Feedback, Path]) -> None:
    log = parts[0]
    fill(log, *PAIR * 300)
    memory, other = memory_of(parts), memory_of(parts)
    assert told(memory)
    assert told(other)
    memory.save()
    log.wipe()
    memory.wipe()
    assert told(memory) == {}
    assert told(other) == {}, "another process notices"
    memory.close()
    other.close()
    fresh = memory_of(parts)
    assert told(fresh) == {}
    fresh.close()


@pytest.mark.parametrize(
    "damage", ["[]", "{", '{"form": 1}', '{"form": 1, "miner": {"tables": {}}}', '{"form": 99}']
)
def test_a_state_that_cannot_be_read_is_counted_anew(
    parts: tuple[EventLog, Feedback, Path], damage: str
) -> None:
    import sqlite3

    fill(parts[0], *PAIR * 300)
    memory = memory_of(parts)
    whole = told(memory)
    memory.close()
    with sqlite3.connect(parts[2] / FILE_NAME) as connection:
        assert connection.execute("UPDATE mined SET state = ?", (damage,)).rowcount == 1
    connection.close()
    again = memory_of(parts)
    assert told(again) == whole
    again.close()


def test_a_file_that_is_gone_appears_in_no_pattern(parts: tuple[EventLog, Feedback, Path]) -> None:
    fill(parts[0], *PAIR * 3)
    memory = memory_of(parts)
    assert len(told(memory)) == 2
    (parts[2] / "b.py").unlink()
    assert told(memory) == {}
    memory.close()


def test_an_ignored_file_appears_in_no_pattern(parts: tuple[EventLog, Feedback, Path]) -> None:
    (parts[2] / "b.py").write_text("SECRET = 1\n")
    fill(parts[0], *(*PAIR, ("run", "python b.py", True), ("edit", "a.py"), ("run", "make", True), 20) * 4)
    memory = memory_of(parts, hidden="b.py")
    texts = told(memory)
    assert "After editing `a.py`, run `make`" in texts
    assert not [text for text in texts if "b.py" in text]
    asked = memory.matching(
        Occasion(files=(("a.py", 1.0),), words=frozenset({"python"}), changing=True), NONE, START, 50
    )
    assert asked
    assert not [match for match in asked if "b.py" in match.pattern.description]
    memory.close()


def test_a_question_gets_the_habits_that_concern_it(parts: tuple[EventLog, Feedback, Path]) -> None:
    fill(
        parts[0],
        *(*PAIR, ("edit", "x.rs"), ("run", "cargo test", True), 20) * 3,
        ("run", "pytest", False),
        ("error", "KeyError: 'tide' in harbour", "pytest"),
        ("edit", "a.py"),
        ("run", "pytest", True),
        *(20, ("run", "cargo fmt", True), ("run", "cargo clippy", True)) * 3,
    )
    memory = memory_of(parts)

    def asked(**fields: object) -> list[str]:
        found = memory.matching(Occasion(**fields), NONE, START, 50)  # type: ignore[arg-type]
        return [match.pattern.description for match in found]

    assert "When `a.py` changes, `b.py` changes too" in asked(files=(("a.py", 1.0),), changing=True)
    assert not [text for text in asked(files=(("other.py", 1.0),), changing=True) if "b.py" in text]
    assert not [text for text in asked(files=(("a.py", 1.0),)) if "b.py" in text], "nothing is to be changed"
    for wants in ("changing", "running"):
        assert "After editing `x.rs`, run `cargo test`" in asked(files=(("x.rs", 1.0),), **{wants: True})
    assert asked(files=(("x.rs", 1.0),), words=frozenset({"pytest", "harbour"})) == [], (
        "who only wants to know"
    )
    by_error = asked(
        text="fix this\nwhen I start the server after my last change I get KeyError: 'moon' in harbour",
        fixing=True,
    )
    assert by_error[0] == "After the error `KeyError: … in harbour`, a change to `a.py` made `pytest` pass"
    assert asked(text="where does the server raise KeyError: 'moon' in harbour?") == by_error
    assert by_error == asked(words=frozenset({"keyerror", "harbour", "moon"}), fixing=True)
    assert "After `cargo fmt`, `cargo clippy` comes next" in asked(words=frozenset({"clippy"}), running=True)
    memory.close()


def test_a_failure_of_now_brings_what_helped_before(parts: tuple[EventLog, Feedback, Path]) -> None:
    fill(
        parts[0],
        ("run", "make", False),
        ("edit", "build.mk"),
        ("run", "make", True),
        60,
        ("run", "make", False),
    )
    memory = memory_of(parts)
    (match, *_) = memory.matching(Occasion(failing=True), NONE, START, 5)
    assert match.pattern.description == "After `make` failed, a change to `build.mk` made it pass"
    assert match.strength == 1
    assert memory.matching(Occasion(fixing=True), NONE, START, 5) == [], "another failure is meant"
    memory.close()


def test_feedback_counts_like_further_occasions(parts: tuple[EventLog, Feedback, Path]) -> None:
    fill(parts[0], *PAIR * 3)
    memory = memory_of(parts)
    before = told(memory)["When `a.py` changes, `b.py` changes too"]
    parts[1].give(before.id, helpful=True)
    better = told(memory)[before.description]
    assert (better.helpful, better.unhelpful, numbers(better)) == (1, 0, numbers(before))
    assert better.confidence == wilson(before.successes + 1, before.applications + 1) > before.confidence
    for _ in range(3):
        parts[1].give(before.id, helpful=False)
    assert told(memory)[before.description].confidence < before.confidence
    memory.close()


# -- through the engine


def test_commits_and_events_speak_for_the_same_habit() -> None:
    from contextls.memory.patterns.describe import describe_history
    from contextls.memory.vcs.view import CoChange

    strong = describe_history("a.py", CoChange("b.py", 12, 14, 0.8))
    assert strong is not None
    seen = mined(*PAIR * 3)["When `a.py` changes, `b.py` changes too"]
    assert strong.id == seen.id, "one habit, whoever saw it"
    assert describe_history("a.py", CoChange("b.py", 2, 14, 0.1)) is None


def test_the_prompt_tells_habits_with_numbers_and_leaves_out_ignored_ones(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {**SHOP, "tests/test_cart.py": "def test_total(): ...\n"})
    with opened(root) as engine:
        steps = (
            ("edit", "shop/cart.py"),
            ("edit", "shop/mail.py"),
            ("run", "pytest tests/test_cart.py -q", True),
            30,
        )
        for event in happened(*steps * 4):
            engine.record(event)
        request = AssembleRequest("change the total of the cart in shop/cart.py", max_tokens=4000)
        context = engine.assemble(request, now=START)
        assert (
            "- After editing `shop/cart.py`, run `pytest tests/test_cart.py -q` (4 of 4 times; 4 passed)"
            in context.content
        )
        assert "shop/mail.py` changes too" in context.content
        ids = {part.source for part in context.components if part.type is Section.PATTERN}
        assert ids <= {pattern.id for pattern in engine.patterns(1000)}
        assert engine.assemble(request, now=START).content == context.content
        (root / ".contextlsignore").write_text("shop/mail.py\n")
        engine.index()
        assert "`shop/mail.py`" not in engine.assemble(request, now=START).content
        assert not [pattern for pattern in engine.patterns(1000) if "mail" in pattern.description]
        engine.clear(index=False, events=True)
        assert engine.patterns(1000) == ()


def test_what_people_call_unhelpful_sinks(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", dict(SHOP))
    with opened(root) as engine:
        request = AssembleRequest("price of the cart", max_tokens=4000)

        def score(source: str) -> float:
            parts = engine.assemble(request, now=START).components
            return next(part.relevance_score for part in parts if part.source == source)

        source = next(
            p.source for p in engine.assemble(request, now=START).components if p.type is Section.SEMANTIC
        )
        before = score(source)
        engine.feedback(source, helpful=False)
        lower = score(source)
        assert lower < before
        for _ in range(2):
            engine.feedback(source, helpful=True)
        assert score(source) > lower

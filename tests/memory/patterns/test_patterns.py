"""Habits: counted in what happened, told with their numbers, never trusted beyond their evidence."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.memory.events import EventLog
from contextls.memory.feedback import Feedback
from contextls.memory.patterns.describe import MAX_OF_ONE, describe_all
from contextls.memory.patterns.match import Occasion
from contextls.memory.patterns.memory import FILE_NAME, SAVED_AFTER, PatternMemory
from contextls.memory.patterns.miner import Miner
from contextls.memory.patterns.pattern import wilson
from contextls.memory.patterns.tables import MAX_CAUSES, MAX_EFFECTS, Table
from contextls.memory.patterns.wording import alike, habit_command, head, signature
from contextls.memory.vcs.view import CommitView
from contextls.model import AssembleRequest, Event, NewEvent, Outcome, Pattern, PatternKind, Section

from ..workspaces import SHOP, opened, write

MINUTE = 60_000
START = 1_800_000_000_000
NONE = CommitView.empty()
Step = tuple[str | bool, ...]


def happened(*steps: Step | int, session: str = "s", task: str | None = None) -> list[NewEvent]:
    """One event a minute; a number is a pause of so many minutes. ``edit``, ``run``, ``error`` and ``commit``."""
    events = []
    at = START
    for step in steps:
        if isinstance(step, int):
            at += step * MINUTE
            continue
        at += MINUTE
        kind, subject, *rest = step
        assert isinstance(subject, str)
        if kind == "edit":
            event = NewEvent("file_write", {"path": subject})
        elif kind == "run":
            event = NewEvent("shell_exec", {"command": subject, "exitCode": 0 if rest[0] else 1})
        elif kind == "error":
            content = {"message": subject, **({"command": str(rest[0])} if rest else {})}
            event = NewEvent("error", content, Outcome.FAILURE)
        else:
            event = NewEvent("git_commit", {"commit": "c0ffee", "subject": subject, "paths": []})
        outcome = event.outcome
        if kind == "run":
            outcome = Outcome.SUCCESS if rest[0] else Outcome.FAILURE
        events.append(NewEvent(event.type, event.content, outcome, at, session, task))
    return events


def numbered(events: list[NewEvent]) -> list[Event]:
    return [
        Event(
            f"event-{n}",
            each.type,
            each.session_id or "",
            each.timestamp or 0,
            each.content,
            each.outcome,
            each.task_id,
        )
        for n, each in enumerate(events, 1)
    ]


def mined(*steps: Step | int, **fields: str) -> dict[str, Pattern]:
    miner = Miner()
    for event in numbered(happened(*steps, **fields)):
        miner.take(event)
    return {pattern.description: pattern for pattern in describe_all(miner.tables)}


def numbers(pattern: Pattern) -> tuple[int, int]:
    return pattern.successes, pattern.applications


def test_files_changed_together_twice_are_a_habit() -> None:
    once: tuple[Step, ...] = (("edit", "a.py"), ("edit", "b.py"))
    assert mined(*once) == {}
    found = mined(*once, 20, *once, 20, ("edit", "a.py"))
    assert {text: numbers(pattern) for text, pattern in found.items()} == {
        "When `a.py` changes, `b.py` changes too": (2, 3),
        "When `b.py` changes, `a.py` changes too": (2, 2),
    }


def test_a_test_is_called_a_test() -> None:
    steps: tuple[Step, ...] = (("edit", "src/cart.py"), ("edit", "tests/test_cart.py"))
    found = mined(*steps, 20, *steps)
    pattern = found["When `src/cart.py` changes, its test `tests/test_cart.py` changes too"]
    assert pattern.kind is PatternKind.TEST
    assert found["When `tests/test_cart.py` changes, `src/cart.py` changes too"].kind is PatternKind.TOGETHER


def test_a_pause_or_a_commit_ends_a_piece_of_work() -> None:
    pauses: list[Step | int] = [("edit", "a.py"), 20, ("edit", "b.py"), 20]
    assert mined(*pauses * 5) == {}
    assert mined(*[("edit", "a.py"), ("commit", "one"), ("edit", "b.py"), ("commit", "two")] * 5) == {}


def test_a_mass_change_makes_no_pairs() -> None:
    everywhere = [("edit", f"m{n}.py") for n in range(200)]
    pairs = [p for p in mined(*everywhere, 20, *everywhere).values() if p.kind is PatternKind.TOGETHER]
    assert len(pairs) <= 30 * MAX_OF_ONE


def test_the_usual_command_after_an_edit_is_told_with_its_results() -> None:
    steps: list[Step | int] = []
    for n in range(11):
        steps += [
            ("edit", "src/a.py"),
            *([("run", "pytest -q", n != 3)] if n < 9 else [("run", "make docs", True)]),
            20,
        ]
    found = mined(*steps)
    pattern = found["After editing `src/a.py`, run `pytest -q`"]
    assert (pattern.kind, numbers(pattern), pattern.passed) == (PatternKind.COMMAND, (9, 11), 8)
    assert numbers(found["After editing a file in `src/`, run `pytest -q`"]) == (9, 11)
    assert not [text for text in found if "make docs" in text and "editing" in text], "2 of 11 is no habit"


def test_looking_around_is_no_habit() -> None:
    looks = ("ls -la", "git status", "cat a.py", "cd src", "FOO=1 less x", "/usr/bin/tail -f log", "x" * 300)
    assert [habit_command(look) for look in looks] == [None] * len(looks)
    assert habit_command("  make   -j4 ") == "make -j4"
    steps: list[Step | int] = [("edit", "a.py"), ("run", "git diff", True), 20]
    assert mined(*steps * 5) == {}


def test_what_made_a_command_pass_is_told() -> None:
    found = mined(
        ("run", "pytest", False),
        ("edit", "a.py"),
        ("run", "pytest", True),
        ("run", "pytest", True),
        ("run", "pytest", False),
        ("edit", "b.py"),
        ("run", "pip install -e .", True),
        ("run", "pytest", True),
    )
    fixes = {text: numbers(pattern) for text, pattern in found.items() if pattern.kind is PatternKind.FIX}
    assert fixes == {
        "After `pytest` failed, a change to `a.py` made it pass": (1, 2),
        "After `pytest` failed, a change to `b.py` made it pass": (1, 2),
        "After `pytest` failed, running `pip install -e .` made it pass": (1, 2),
    }


def test_what_resolved_an_error_is_told_whatever_varies_in_its_message() -> None:
    steps: list[Step | int] = []
    for value in ("'tide'", "'moon'"):
        steps += [
            ("run", "pytest", False),
            ("error", f"KeyError: {value} in line {len(steps)}", "pytest"),
            ("edit", "a.py"),
            ("run", "pytest", True),
            30,
        ]
    found = mined(*steps)
    pattern = found["After the error `KeyError: … in line …`, a change to `a.py` made `pytest` pass"]
    assert numbers(pattern) == (2, 2)
    assert {"keyerror", "pytest"} <= set(pattern.words)


def test_a_repair_that_does_not_help_again_is_trusted_less() -> None:
    helped = [("run", "make", False), ("edit", "a.c"), ("run", "make", True)]
    did_not = [("run", "make", False), ("edit", "b.c"), ("run", "make", True)]
    text = "After `make` failed, a change to `a.c` made it pass"
    assert mined(*helped, *did_not)[text].confidence < mined(*helped)[text].confidence


def test_an_editor_and_a_terminal_are_one_piece_of_work() -> None:
    miner = Miner()
    failed, wrote, passed = happened(("run", "pytest", False), ("edit", "a.py"), ("run", "pytest", True))
    in_editor = NewEvent(wrote.type, wrote.content, None, wrote.timestamp, "editor")
    for event in numbered([failed, in_editor, passed]):
        miner.take(event)
    assert "After `pytest` failed, a change to `a.py` made it pass" in {
        p.description for p in describe_all(miner.tables)
    }


def test_sequences_that_repeat_are_told_once_they_happened_three_times() -> None:
    round_ = (
        ("run", "ruff format .", True),
        ("run", "pytest -q", True),
        ("run", "git commit -m 'x y'", True),
        20,
    )
    assert not [p for p in mined(*round_ * 2).values() if p.kind is PatternKind.SEQUENCE]
    found = mined(*round_ * 3)
    assert numbers(found["After `ruff format` and then `pytest`, `git commit` comes next"]) == (3, 3)
    assert numbers(found["After `pytest`, `git commit` comes next"]) == (3, 3)


def test_what_is_run_for_a_task_is_told() -> None:
    found = mined(*[("run", "cargo bench", True)] * 3, ("run", "cargo fmt", True), task="task-7")
    pattern = found["While working on this task (task-7), run `cargo bench`"]
    assert (numbers(pattern), pattern.passed) == ((3, 4), 3)


def test_one_of_one_does_not_beat_forty_of_forty_five() -> None:
    assert wilson(1, 1) < wilson(3, 3) < wilson(40, 45)
    assert wilson(0, 0) == wilson(0, 5) == 0.0


@given(st.integers(0, 500), st.integers(0, 500))
def test_confidence_is_a_share_that_grows_with_evidence(successes: int, failures: int) -> None:
    trust = wilson(successes, successes + failures)
    assert 0 <= trust <= 1
    assert trust <= (successes / (successes + failures) if successes + failures else 0) + 1e-9
    assert wilson(successes + 1, successes + failures + 1) >= trust
    assert wilson(successes, successes + failures + 1) <= trust + 1e-9
    assert wilson(2 * successes, 2 * (successes + failures)) >= trust - 1e-9


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("git commit -m 'a b'", "git commit"),
        ("python -m pytest -q", "python -m pytest"),
        ("CI=1 ./node_modules/.bin/jest --watch", "jest"),
        ("npm test", "npm test"),
        ("make -j4", "make"),
        ("pytest tests/x.py", "pytest"),
    ],
)
def test_the_head_of_a_command_names_what_it_does(command: str, name: str) -> None:
    assert head(command) == name


def test_errors_are_the_same_up_to_what_varies() -> None:
    one, other = "ValueError: expected 3 rows, got 17", "ValueError: expected 4 rows, got 2"
    assert signature(one) == signature(other)
    assert alike(signature(one), signature("TypeError: no such thing")) < 0.3
    assert alike("segfault", "segfault") == 1
    assert signature("") == ""
    assert len(signature("word " * 1000)) <= 160


def test_tables_stay_bounded_and_keep_what_was_seen_often() -> None:
    table = Table()
    for n in range(3 * MAX_CAUSES):
        table.count_occasion(f"cause {n}", n)
        table.count_occasion("always", n)
        table.count_effect("always", f"effect {n}", n)
        table.count_effect("always", "usual", n)
    assert len(table) <= MAX_CAUSES
    kept = table.get("always")
    assert kept is not None
    assert kept.applications == 3 * MAX_CAUSES
    assert len(kept.effects) <= MAX_EFFECTS
    assert kept.effects["usual"].successes == 3 * MAX_CAUSES


# -- through the log


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[tuple[EventLog, Feedback, Path]]:
    for name in ("a.py", "b.py", "x.rs", "build.mk", *(f"m{n}.py" for n in range(6))):
        (tmp_path / name).write_text("")
    log, feedback = EventLog(tmp_path / "events.sqlite", session_id="s"), Feedback(tmp_path)
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
    asked = memory.matching(Occasion(files=(("a.py", 1.0),), words=frozenset({"python"})), NONE, START, 50)
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
    )
    memory = memory_of(parts)

    def asked(**fields: object) -> list[str]:
        found = memory.matching(Occasion(**fields), NONE, START, 50)  # type: ignore[arg-type]
        return [match.pattern.description for match in found]

    assert "When `a.py` changes, `b.py` changes too" in asked(files=(("a.py", 1.0),))
    assert not [text for text in asked(files=(("other.py", 1.0),)) if "b.py" in text]
    assert "After editing `x.rs`, run `cargo test`" in asked(files=(("x.rs", 1.0),))
    by_error = asked(
        text="fix this\nwhen I start the server after my last change I get KeyError: 'moon' in harbour",
        fixing=True,
    )
    assert by_error[0] == "After the error `KeyError: … in harbour`, a change to `a.py` made `pytest` pass"
    assert any("pytest" in text for text in asked(words=frozenset({"pytest"})))
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
    (match, *_) = memory.matching(Occasion(fixing=True), NONE, START, 5)
    assert match.pattern.description == "After `make` failed, a change to `build.mk` made it pass"
    assert match.strength == 1
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


@settings(max_examples=30)
@given(
    st.lists(
        st.one_of(
            st.integers(1, 40),
            st.tuples(
                st.just("edit"), st.sampled_from(["a.py", "d/b.py", "d/test_b.py", "", "x" * 300, "`.py"])
            ),
            st.tuples(
                st.just("run"),
                st.sampled_from(["pytest", "make x", "", " ", "`ls`", "\0", "A=1", "git"]),
                st.booleans(),
            ),
            st.tuples(st.just("error"), st.text(max_size=30), st.sampled_from(["pytest", "make x", ""])),
            st.tuples(st.just("commit"), st.just("x")),
        ),
        max_size=60,
    )
)
def test_any_course_of_events_can_be_counted_and_kept(steps: list[Step | int]) -> None:
    miner = Miner()
    for event in numbered(happened(*steps)):
        miner.take(event)
    found = list(describe_all(miner.tables))
    for pattern in found:
        assert 1 <= pattern.successes <= pattern.applications
        assert pattern.passed is None or pattern.passed <= pattern.successes
        assert 0 < pattern.confidence < 1
        assert "\n" not in pattern.description
        assert pattern.description.count("`") % 2 == 0
    assert len({pattern.id for pattern in found}) == len(found)
    copy = Miner()
    copy.load_json(json.loads(json.dumps(miner.as_json())))
    assert list(describe_all(copy.tables)) == found
    assert copy.as_json() == miner.as_json()

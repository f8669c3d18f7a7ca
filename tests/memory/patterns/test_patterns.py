"""Habits: counted in what happened, told with their numbers, never trusted beyond their evidence."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.memory.patterns.describe import MAX_OF_ONE, describe_all
from contextls.memory.patterns.miner import Miner
from contextls.memory.patterns.pattern import wilson
from contextls.memory.patterns.tables import MAX_CAUSES, MAX_EFFECTS, Table
from contextls.memory.patterns.wording import alike, habit_command, head, signature
from contextls.model import NewEvent, PatternKind

from .steps import Step, happened, mined, numbered, numbers


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

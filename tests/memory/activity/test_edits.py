"""An edit is told in one line: which symbols changed, and by how much."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.code import trees
from contextls.code.pool import WorkerPool
from contextls.memory.activity.edits import Edit, EditTask, describe_edit, edit_event

BUDGET = '''\
"""Budgets."""

LIMIT = 3


class Budget:
    """Tokens."""

    def allocate(self, wanted: int) -> int:
        """Take tokens."""
        self.left -= wanted
        return wanted

    def refund(self, tokens: int) -> None:
        self.left += tokens


def main():
    print(Budget())
'''


MAX_CHARS = 1_000_000


def describe(path: str, before: str, after: str, max_chars: int = MAX_CHARS) -> Edit:
    return describe_edit(EditTask(path, before, after, max_chars))


@pytest.fixture(autouse=True)
def parsing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of these tests compare texts without a worker process."""
    monkeypatch.setattr(trees, "may_parse", lambda: True)


@pytest.mark.parametrize(
    ("old", "new", "summary"),
    [
        (
            "        self.left -= wanted\n        return wanted\n",
            "        given = min(self.left, wanted)\n        self.left -= given\n        return given\n",
            "edited `Budget.allocate` (+3 −2)",
        ),
        (
            "self.left += tokens\n",
            "self.left += tokens\n        self.log()\n",
            "edited `Budget.refund` (+1 −0)",
        ),
        ("LIMIT = 3", "LIMIT = 4", "edited `LIMIT` (+1 −1)"),
        ("Budgets.", "The budgets.", "edited line 1 (+1 −1)"),
        ("\n\ndef main():\n    print(Budget())\n", "\n", "removed `main` (+0 −3)"),
        (
            "def main():",
            "class Purse:\n    def open(self):\n        pass\n\n\ndef main():",
            "added `Purse` (+5 −0)",
        ),
        ("def main():\n    print(", "def start():\n    print(", "added `start`; removed `main` (+1 −1)"),
    ],
)
def test_a_change_is_named_by_the_innermost_symbol(old: str, new: str, summary: str) -> None:
    assert old in BUDGET
    assert describe("budget.py", BUDGET, BUDGET.replace(old, new)).summary == summary


def test_an_edit_of_two_functions_names_both() -> None:
    after = BUDGET.replace("-= wanted", "-= wanted + 1").replace("+= tokens", "+= tokens - 1")
    edit = describe("budget.py", BUDGET, after)
    assert edit.symbols == ("Budget.allocate", "Budget.refund")
    assert (edit.added, edit.removed) == (2, 2)


def test_many_symbols_are_counted_not_listed() -> None:
    before = "".join(f"def step_{n}():\n    return {n}\n\n\n" for n in range(30))
    edit = describe("steps.py", before, before.replace("return", "return 1 +"))
    assert edit.summary == "edited `step_0`, `step_1`, `step_2` and 27 more (+30 −30)"
    assert len(edit.symbols) == 20


def test_text_without_symbols_is_told_by_its_lines() -> None:
    assert describe("notes.txt", "a\nb\nc\n", "a\nx\ny\nc\n").summary == "edited lines 2-3 (+2 −1)"


def test_text_too_long_for_the_index_is_told_by_its_lines() -> None:
    short = "def f():\n    return 1\n"
    dump = short + "x = 2\n" * 10
    for before, after, summary in (
        (dump, short, "edited line 3 (+0 −10)"),
        (short, dump, "edited lines 3-12 (+10 −0)"),
    ):
        assert describe("dump.py", before, after, max_chars=len(dump) - 1).summary == summary


def test_two_unlike_huge_texts_are_compared_in_time() -> None:
    before = "".join(f"old {n}\n" for n in range(50_000))
    edit = describe("data.txt", before, "".join(f"new {n}\n" for n in range(60_000)))
    assert (edit.added, edit.removed) == (60_000, 50_000)


LINES = st.lists(st.sampled_from(["def a():", "    x", "class B:", "", "\x0c", "é", "`"]), max_size=12)


@given(LINES, LINES)
def test_what_was_added_less_what_was_removed_is_the_difference_in_lines(
    old: list[str], new: list[str]
) -> None:
    before, after = "\n".join(old), "\n".join(new)
    edit = describe("some.py", before, after)
    assert edit.added - edit.removed == len(after.splitlines()) - len(before.splitlines())
    assert "\n" not in edit.summary


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1, 10.0, preload=("contextls.memory.activity.edits",)) as pool:
        yield pool


def test_an_edit_that_changes_nothing_is_no_event(pool: WorkerPool) -> None:
    assert edit_event(pool, "a.py", "x = 1\n", "x = 1\n", MAX_CHARS) is None


def test_an_edit_becomes_an_event_with_its_symbols(pool: WorkerPool) -> None:
    event = edit_event(pool, "a.py", "def f():\n    return 1\n", "def f():\n    return 2\n", MAX_CHARS)
    assert event is not None
    assert event.content == {
        "path": "a.py",
        "summary": "edited `f` (+1 −1)",
        "symbols": ["f"],
        "added": 1,
        "removed": 1,
    }

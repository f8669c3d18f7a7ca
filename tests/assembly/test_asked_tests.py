"""A question for tests is answered with the helpers that they call, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.asked_tests import (
    weigh_test_helpers,
    weigh_tests_beside,
    weigh_tests_named_for,
)
from contextls.assembly.usefulness.calls import CallFinder
from contextls.memory.index.query.asked_kinds import looks_up_tests
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

FILES = {
    "press/fold.go": "package press\n\nfunc Fold(sheet Sheet) Sheet {\n\treturn halve(sheet)\n}\n",
    "press/fold_test.go": (
        "package press\n\nfunc TestFold(t *testing.T) {\n\tsheet := newTestSheet(t)\n\tequal(t, Fold(sheet), sheet)\n}\n"
    ),
    "press/helpers_test.go": "package press\n\nfunc newTestSheet(t *testing.T) Sheet {\n\treturn Sheet{}\n}\n",
}


def test_a_helper_counts_that_one_leading_test_calls_in_its_folder(tmp_path: Path) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        memories = take_snapshot(engine._memories, 0)
        view, finder = memories.snapshot.view, CallFinder(memories.snapshot, memories.graph)
        test, helper = view.chunk_at("press/fold_test.go", 3), view.chunk_at("press/helpers_test.go", 3)
        assert test is not None
        leading, behind = (
            weigh_test_helpers(finder.follow([(test, worth)]).called, memories.snapshot)
            for worth in (1.0, 0.5)
        )
    assert leading.keys() == {helper}
    assert behind == {}


def test_the_tests_whose_file_and_name_say_what_is_asked_are_meant(tmp_path: Path) -> None:
    body = "".join(f"    assert box.note({number}, 'box of {number}')\n" for number in range(40))
    names = ("fold", "fold_twice", "cut")
    files = {
        "press/sheet.py": "def fold(sheet):\n    return sheet.halve()\n",
        "tests/test_sheet.py": "\n\n".join(f"def test_{name}(box):\n{body}" for name in names),
        "tests/test_cards.py": f"def test_fold(box):\n{body}",
    }
    with opened(write(tmp_path, files)) as engine:
        snapshot = take_snapshot(engine._memories, 0).snapshot
        likely = [ref for path in files for ref in snapshot.view.chunks_of(path)]
        meant = weigh_tests_named_for("which tests cover the folding of sheets?", likely, snapshot)
        assert {(snapshot.view.path(ref), snapshot.view.row(ref).symbol) for ref in meant} == {
            ("tests/test_sheet.py", "test_fold"),
            ("tests/test_sheet.py", "test_fold_twice"),
        }


@pytest.mark.parametrize(
    ("source", "tests"),
    [
        ("press/sheet.py", "tests/test_sheet.py"),
        ("src/main/java/SheetPress.java", "src/test/java/SheetPressTest.java"),
        ("src/sheet-press.ts", "src/__tests__/sheetPress.test.ts"),
    ],
)
def test_the_tests_called_after_the_code_in_question_are_meant(
    tmp_path: Path, source: str, tests: str
) -> None:
    notes = "\n".join(f"note {number}" for number in range(60))
    files = {
        source: "fold the sheet in half, so that it fits the envelope\n",
        tests: f"the sheet is folded once\n{notes}\nnothing else\n",
        "tests/test_cards.py": "def test_cards():\n    assert shuffle(cards)\n",
    }
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        view = memories.snapshot.view
        query = memories.content.read_query("which tests cover that a sheet fits the envelope?")
        ranking = memories.content.ranking(memories.snapshot, query)
        (code,) = view.chunks_of(source)
        meant = weigh_tests_beside(ranking, {code: 0.9}, memories.snapshot)
        assert list(meant) == [view.chunk_at(tests, 1)]
        assert weigh_tests_beside(ranking, {code: 0.1}, memories.snapshot) == {}


def test_of_a_file_with_a_general_name_only_tests_about_the_question_are_meant(tmp_path: Path) -> None:
    files = {
        "shop/utils.py": "def discount(price, coupon):\n    return price - coupon.amount\n",
        "tests/test_utils.py": "def test_slug():\n    assert slug('A B') == 'a-b'\n",
        "tests/test_coupons.py": "def test_coupon():\n    assert discount(5, coupon(amount=1)) == 4\n",
    }
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        query = memories.content.read_query("write a test that a coupon takes its amount off the price")
        ranking = memories.content.ranking(memories.snapshot, query)
        (code,) = memories.snapshot.view.chunks_of("shop/utils.py")
        assert weigh_tests_beside(ranking, {code: 0.9}, memories.snapshot) == {}


@pytest.mark.parametrize(
    "question",
    [
        "which tests cover the folding of sheets?",
        "what unit tests check that a sheet is folded?",
        "are there any tests for folding?",
        "where are the tests of the folder?",
        "list all tests that fold a sheet",
        "Tests for folding a sheet",
        "specs that a sheet is folded twice",
    ],
)
def test_who_asks_which_tests_there_are_looks_them_up(question: str) -> None:
    assert looks_up_tests(question)


@pytest.mark.parametrize(
    "question",
    [
        "write a test that a sheet is folded",
        "test that a sheet is folded twice",
        "how are tests for folding run?",
        "fold a sheet, and tests for it",
        "which test runner is used?",
        "testing of sheets",
    ],
)
def test_who_writes_tests_or_asks_about_them_looks_none_up(question: str) -> None:
    assert not looks_up_tests(question)


def test_who_looks_up_tests_gets_these_before_what_they_test(tmp_path: Path) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        found, written = (
            {one.path: one.relevance_score for one in engine.assemble(AssembleRequest(question)).components}
            for question in (
                "which tests cover that a sheet is folded?",
                "write a test that a sheet is folded",
            )
        )
    assert found["press/fold.go"] < found["press/fold_test.go"]
    assert found["press/fold.go"] < written["press/fold.go"]

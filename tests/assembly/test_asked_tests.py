"""A question for tests is answered with the helpers that they call, too."""

from __future__ import annotations

from pathlib import Path

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.asked_tests import weigh_test_helpers, weigh_tests_named_for
from contextls.assembly.usefulness.calls import CallFinder

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

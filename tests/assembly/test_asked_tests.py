"""A question for tests is answered with the helpers that they call, too."""

from __future__ import annotations

from pathlib import Path

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.asked_tests import weigh_test_helpers
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

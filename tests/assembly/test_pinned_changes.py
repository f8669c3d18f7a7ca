"""Files that are pinned and not committed yet: their lines stand once in a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.model import AssembleRequest, Changes

from ..memory.workspaces import opened
from ..repositories import git

OLD = "def tusk_length():\n    return 1\n"
EDITED = "def tusk_length():\n    return 2\n"
ADDED = "".join(f"def walrus_{number}():\n    return 'whisker {number}'\n\n\n" for number in range(3))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository in which one file was edited and another added since the last commit."""
    place = tmp_path / "project"
    place.mkdir()
    (place / "old.py").write_text(OLD)
    git(place, "init", "-q", "-b", "main")
    git(place, "add", ".")
    git(place, "commit", "-qm", "Start")
    (place / "old.py").write_text(EDITED)
    (place / "new.py").write_text(ADDED)
    (place / ".context").mkdir()
    return place


@pytest.mark.parametrize("changes", [None, Changes.ALL], ids=["uncommitted", "asked for"])
def test_a_new_file_that_is_pinned_stands_once(root: Path, changes: Changes | None) -> None:
    (root / ".context/working-set.yml").write_text("files:\n  - path: new.py\n")
    with opened(root) as engine:
        prompt = engine.assemble(AssembleRequest("review my changes", changes=changes)).content
    assert [prompt.count(f"whisker {number}") for number in range(3)] == [1, 1, 1]
    assert "shown in the working set (+" in prompt


def test_what_a_pin_leaves_out_is_still_shown_as_a_change(root: Path) -> None:
    (root / ".context/working-set.yml").write_text("files:\n  - path: new.py\n    max_lines: 4\n")
    with opened(root) as engine:
        prompt = engine.assemble(AssembleRequest("review my changes")).content
    assert "whisker 2" in prompt


def test_what_an_edit_took_away_is_told_beside_a_pin(root: Path) -> None:
    (root / ".context/working-set.yml").write_text("files:\n  - path: old.py\n")
    with opened(root) as engine:
        prompt = engine.assemble(AssembleRequest("review my changes")).content
    assert "-    return 1\n+    return 2\n" in prompt

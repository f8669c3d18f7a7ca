"""What is being worked on, found without running anything that a repository names."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.vcs.hunks import find_hunks
from contextls.memory.vcs.working_changes import Hunk, WorkingTree
from contextls.model import AssembleRequest

from ...repositories import disown, git
from ..workspaces import opened
from .changes import asked, edit

CODE = """class Budget:
    def allocate(self, share):
        return self.total * share

    def spend(self, tokens):
        self.used += tokens


def count(text):
    return len(text)
"""


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("working") / "project"
    (place / "src").mkdir(parents=True)
    (place / "src" / "budget.py").write_text(CODE)
    (place / "src" / "other.py").write_text("VALUE = 1\n")
    (place / ".gitignore").write_text("secret.txt\n")
    git(place, "init", "-q", "-b", "main")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "Start")
    return place


@pytest.fixture
def engine(committed: Path, tmp_path: Path) -> Iterator[Engine]:
    place = tmp_path / "project"
    shutil.copytree(committed, place)
    with opened(place) as engine:
        yield engine


def changes(engine: Engine) -> tuple[Hunk, ...]:
    """The uncommitted changes as a question at this moment sees them."""
    return engine._memories.working.hunks(engine._memories.current().outlines)


def test_an_edit_is_told_by_symbol(engine: Engine) -> None:
    assert changes(engine) == ()
    edit(engine, "src/budget.py", "self.total * share", "int(self.total * share)")
    assert changes(engine) == (
        Hunk(
            "src/budget.py", "Budget.allocate", 3, 3, 1, 1,
            " class Budget:\n     def allocate(self, share):\n"
            "-        return self.total * share\n+        return int(self.total * share)\n"
            " \n     def spend(self, tokens):",
        ),
    )  # fmt: skip
    edit(engine, "src/budget.py", "len(text)", "len(text) // 4")
    assert [hunk.symbol for hunk in changes(engine)] == ["Budget.allocate", "count"]
    git(engine.root, "commit", "-qam", "Done")
    assert changes(engine) == ()


def test_staged_new_deleted_and_restored_files(engine: Engine) -> None:
    edit(engine, "src/other.py", "1", "2")
    git(engine.root, "add", "-A")
    assert [hunk.path for hunk in changes(engine)] == ["src/other.py"]
    (engine.root / "src" / "fresh.py").write_text("def born():\n    pass\n")
    (engine.root / "src" / "budget.py").unlink()
    engine.update_files(["src/fresh.py", "src/budget.py"])
    gone, fresh, _ = changes(engine)
    assert (gone.path, gone.start_line, gone.end_line, gone.removed) == ("src/budget.py", 0, 0, 10)
    assert (fresh.path, fresh.symbol, fresh.added) == ("src/fresh.py", "born", 2)
    git(engine.root, "reset", "-q", "--hard")
    engine.update_files(["src/budget.py", "src/other.py"])
    assert [hunk.path for hunk in changes(engine)] == ["src/fresh.py"]
    shutil.rmtree(engine.root / "src")
    engine.update_files(["src"])
    assert [hunk.path for hunk in changes(engine)] == ["src/budget.py", "src/other.py"]


@pytest.mark.parametrize("tool", ["git", "mv"])
def test_a_renamed_file_is_one_change(engine: Engine, tool: str) -> None:
    git(engine.root, "mv", "src/budget.py", "src/plan.py")
    if tool == "mv":
        git(engine.root, "reset", "-q")
    engine.update_files(["src"])
    (moved,) = changes(engine)
    assert (moved.path, moved.came_from) == ("src/plan.py", "src/budget.py")
    assert (moved.added, moved.removed, moved.gone) == (0, 0, False)
    assert changes(engine) == (moved,)
    edit(engine, "src/plan.py", "len(text)", "len(text) // 4")
    (moved,) = changes(engine)
    assert (moved.came_from, moved.symbol, moved.added, moved.removed) == ("src/budget.py", "count", 1, 1)
    assert moved.text.startswith("rename from src/budget.py\nrename to src/plan.py\n")
    (engine.root / "src" / "plan.py").unlink()
    engine.update_files(["src/plan.py"])
    (gone,) = changes(engine)
    assert (gone.path, gone.gone) == ("src/budget.py", True)


@pytest.mark.parametrize("query", ["what did I change?", "review my changes", "write a commit message"])
def test_a_prompt_tells_a_renamed_file_once(engine: Engine, query: str) -> None:
    git(engine.root, "mv", "src/budget.py", "src/plan.py")
    engine.update_files(["src/budget.py", "src/plan.py"])
    content = engine.assemble(AssembleRequest(query, 2000)).content
    assert ", renamed from `src/budget.py` (+0 −0)" in content
    assert "deleted" not in content
    assert "2 uncommitted changes" not in content


def test_unsaved_text_wins_over_the_disk(engine: Engine) -> None:
    edit(engine, "src/other.py", "1", "2")
    engine.set_overlay("src/other.py", "VALUE = 3\n")
    (hunk,) = changes(engine)
    assert hunk.text == "-VALUE = 1\n+VALUE = 3"
    engine.set_overlay("src/other.py", "VALUE = 1\n")
    assert changes(engine) == ()
    engine.set_overlay("src/other.py", None)
    (hunk,) = changes(engine)
    assert hunk.text == "-VALUE = 1\n+VALUE = 2"


def test_line_endings_and_touched_files_are_no_change(engine: Engine) -> None:
    file = engine.root / "src" / "budget.py"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    os.utime(engine.root / "src" / "other.py")
    engine.update_files(["src/budget.py", "src/other.py"])
    assert changes(engine) == ()
    engine.set_overlay("src/other.py", "VALUE = 1\r\n")
    assert changes(engine) == ()


def test_ignored_files_and_secrets_stay_out(engine: Engine) -> None:
    (engine.root / "secret.txt").write_text("hidden")
    git(engine.root, "add", "-f", "secret.txt")
    key = "AKIA" + "QWERTYUIOPASDFGH"
    (engine.root / "src" / "other.py").write_text(f"aws_access_key_id = '{key}'\n")
    engine.update_files(["secret.txt", "src/other.py"])
    (hunk,) = changes(engine)
    assert hunk.path == "src/other.py"
    assert key not in hunk.text
    assert "[redacted:" in hunk.text


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(engine: Engine) -> None:
    git(engine.root, "update-index", "--skip-worktree", "src/other.py")
    (engine.root / "src" / "other.py").unlink()
    engine.update_files(["src/other.py"])
    assert changes(engine) == ()


def test_a_worktree_a_subfolder_an_unborn_branch_and_no_repository(engine: Engine, tmp_path: Path) -> None:
    side = tmp_path / "side"
    git(engine.root, "worktree", "add", "-q", str(side))
    (side / "src" / "other.py").write_text("VALUE = 5\n")
    assert [hunk.path for hunk in WorkingTree(side, lambda _: True).hunks({})] == ["src/other.py"]
    assert [hunk.path for hunk in WorkingTree(side / "src", lambda _: True).hunks({})] == ["other.py"]
    unborn = tmp_path / "unborn"
    unborn.mkdir()
    git(unborn, "init", "-q")
    (unborn / "a.txt").write_text("a\n")
    git(unborn, "add", "-A")
    assert [hunk.added for hunk in WorkingTree(unborn, lambda _: True).hunks({})] == [1]
    plain = tmp_path / "plain"
    plain.mkdir()
    assert WorkingTree(plain, lambda _: True).hunks({}) == ()


def test_in_a_folder_that_its_repository_ignores_only_what_it_tracks_has_changes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    place = home / "projects" / "shop"
    place.mkdir(parents=True)
    (home / ".gitignore").write_text("*\n")
    (place / "kept.py").write_text("VALUE = 1\n")
    (place / "cart.py").write_text("def total(cart):\n    return sum(cart)\n")
    git(home, "init", "-q")
    git(home, "add", "--force", str(place / "kept.py"))
    git(home, "commit", "-qm", "Start")
    (place / "kept.py").write_text("VALUE = 2\n")
    with opened(place) as engine:
        assert {hunk.path for hunk in changes(engine)} == {"kept.py"}
        assert {hunk.path for hunk in asked(engine, "all").hunks} == {"kept.py"}
        engine.set_overlay("cart.py", "def total(cart):\n    return 0\n")
        assert {hunk.path for hunk in changes(engine)} == {"kept.py"}
        assert (
            "uncommitted" not in engine.assemble(AssembleRequest("how is the total of a cart made?")).content
        )


def test_a_repository_whose_objects_are_damaged_has_no_changes_to_tell(engine: Engine) -> None:
    edit(engine, "src/other.py", "1", "2")
    for stored in (engine.root / ".git" / "objects").rglob("*"):
        if stored.is_file():
            stored.chmod(0o644)
            stored.write_bytes(b"broken")
    engine.index()
    assert changes(engine) == ()
    assert "git fsck" in asked(engine, "all").warnings[0]


def test_a_repository_of_another_user_has_no_changes_to_tell_but_what_to_do(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disown(monkeypatch, tmp_path / "bin")
    assert changes(engine) == ()
    for context in (
        engine.assemble(AssembleRequest("what did I change?")),
        engine.assemble(AssembleRequest("review my changes", changes="all")),
    ):
        assert "uncommitted (" not in context.content
        assert any("safe.directory" in warning for warning in context.report.warnings)
    assert any("safe.directory" in warning for warning in engine.status().warnings)


def test_a_repository_is_trusted_in_whatever_file_the_user_has_for_that(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disown(monkeypatch, tmp_path / "bin")
    (tmp_path / "settings").write_text(f"[safe]\n\tdirectory = {engine.root}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    edit(engine, "src/budget.py", "self.total * share", "int(self.total * share)")
    assert [hunk.symbol for hunk in changes(engine)] == ["Budget.allocate"]


def test_nothing_a_hostile_repository_names_is_run(engine: Engine, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    program = engine.root / "evil.sh"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {marker}\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (engine.root / ".gitattributes").write_text("* diff=evil filter=evil text=auto\n")
    for key in (
        "core.fsmonitor", "core.pager", "diff.external", "diff.evil.command", "diff.evil.textconv",
        "filter.evil.clean", "filter.evil.smudge", "filter.evil.process",
    ):  # fmt: skip
        git(engine.root, "config", key, str(program))
    edit(engine, "src/other.py", "1", "7")
    os.utime(engine.root / "src" / "budget.py")
    engine.update_files(["src/budget.py", ".gitattributes", "evil.sh"])
    assert "src/other.py" in {hunk.path for hunk in changes(engine)}
    assert not marker.exists(), marker.read_text()
    git(engine.root, "status", check=False)
    assert marker.exists(), "the trap must be armed"


def test_a_question_costs_next_to_nothing_when_nothing_changed(engine: Engine) -> None:
    for number in range(30):
        (engine.root / f"file{number}.py").write_text(f"value = {number}\n")
    engine.update_files([f"file{number}.py" for number in range(30)])
    assert len(changes(engine)) == 30
    best = float("inf")
    for _ in range(300):  # a busy machine may spoil most of them
        if best < 0.01:
            break
        started = time.perf_counter()
        changes(engine)
        best = min(best, time.perf_counter() - started)
    assert best < 0.01


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12)


def test_of_thousands_of_new_files_those_written_last_are_told_and_few_are_judged(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for number in range(2_000):
        (tmp_path / f"new{number}.py").write_text("NEW = 1\n")
        os.utime(tmp_path / f"new{number}.py", (number, number))
    judged: list[str] = []

    def accept(path: str) -> bool:
        judged.append(path)
        return True

    outlines = {path: Outline(path, "python", (), (), ()) for path in map("new{}.py".format, range(2_000))}
    told = {hunk.path for hunk in WorkingTree(tmp_path, accept).hunks(outlines)}
    assert told == {f"new{number}.py" for number in range(1_940, 2_000)}
    assert len(set(judged)) < 200


@given(LINES, LINES)
def test_hunks_always_count_what_they_show(old: list[str], new: list[str]) -> None:
    for hunk in find_hunks("a.py", "\n".join(old), "\n".join(new), ()):
        marks = [line[:1] for line in hunk.text.split("\n")]
        assert (marks.count("+"), marks.count("-")) == (hunk.added, hunk.removed)
        assert 0 <= hunk.start_line <= hunk.end_line


def test_a_changed_picture_is_told_without_its_data() -> None:
    before, after = "iVBORw0KGgo" * 700, "iVBORw0KGgo" * 800
    (hunk,) = find_hunks("otter.txt", f"{before}\n", f"{after}\n", ())
    assert hunk.text == ("-… (7,700 characters of encoded data)\n+… (8,800 characters of encoded data)")

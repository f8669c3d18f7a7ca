"""The work on a branch: its commits since it left the trunk, and what they change."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.memory.vcs.asked_changes import AskedChanges
from contextls.memory.vcs.branch_work import BranchWork, read_branch
from contextls.model import AssembleRequest

from ...repositories import git
from ..workspaces import opened, write


def commit(root: Path, name: str, subject: str) -> None:
    (root / name).write_text(f"{subject}\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", subject)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "--initial-branch", "main")
    commit(tmp_path, "a.txt", "Begin")
    return tmp_path


def read(root: Path) -> BranchWork | None:
    return read_branch(root, lambda since: AskedChanges((), (since,)))


def test_the_commits_of_a_branch_are_those_since_it_left_the_trunk(root: Path) -> None:
    start = git(root, "rev-parse", "HEAD").strip()
    git(root, "switch", "-qc", "sale")
    commit(root, "b.txt", "Sell in winter")
    commit(root, "c.txt", "Sell in spring")
    git(root, "switch", "-q", "main")
    commit(root, "d.txt", "Go on meanwhile")
    git(root, "switch", "-q", "sale")
    work = read(root)
    assert work is not None
    assert (work.name, work.trunk) == ("sale", "main")
    assert [each.subject for each in work.commits] == ["Sell in spring", "Sell in winter"]
    assert work.changes().warnings == (start,)


def test_the_trunk_itself_grew_from_what_its_remote_has(root: Path) -> None:
    assert read(root) is None
    git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    commit(root, "b.txt", "Not pushed yet")
    work = read(root)
    assert work is not None
    assert work.trunk == "origin/main"
    assert [each.subject for each in work.commits] == ["Not pushed yet"]


def test_a_remote_says_which_branch_is_the_trunk(root: Path) -> None:
    git(root, "update-ref", "refs/remotes/origin/stable", "HEAD")
    git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/stable")
    git(root, "switch", "-qc", "sale")
    commit(root, "b.txt", "Sell in winter")
    work = read(root)
    assert work is not None
    assert work.trunk == "origin/stable"


def test_a_folder_without_history_has_no_branch(tmp_path: Path) -> None:
    assert read(tmp_path) is None
    git(tmp_path, "init", "-q")
    assert read(tmp_path) is None


def test_a_description_tells_what_is_committed_from_what_is_not(root: Path) -> None:
    apart = "".join(f"LINE_{number} = {number}\n" for number in range(20))
    write(root, {"both.py": apart, "mixed.py": "A = 1\nB = 2\n", "moved.py": apart.replace("LINE", "ROW")})
    git(root, "add", ".")
    git(root, "commit", "-qm", "Lay the ground")
    git(root, "switch", "-qc", "sale")
    write(root, {"both.py": apart.replace("LINE_2 = 2", "LINE_2 = 20"), "mixed.py": "A = 10\nB = 2\n"})
    commit(root, "b.txt", "Sell in winter")
    edited = apart.replace("LINE_2 = 2", "LINE_2 = 20").replace("LINE_17 = 17", "LINE_17 = 170")
    write(root, {"both.py": edited, "mixed.py": "A = 10\nB = 20\n", "new.py": "NEW = 1\n"})
    git(root, "mv", "moved.py", "away.py")
    with opened(root) as engine:
        content = engine.assemble(AssembleRequest("write a PR description", 3000)).content
    heads = [line.removeprefix("### ") for line in content.splitlines() if line.startswith("### `")]
    assert heads == [
        "`away.py:1-1` uncommitted, renamed from `moved.py` (+0 −0)",
        "`b.txt:1-1` on the branch (+1 −0)",
        "`both.py:3-3` `LINE_2` on the branch (+1 −1)",
        "`both.py:18-18` `LINE_17` uncommitted (+1 −1)",
        "`mixed.py:1-2` `A` on the branch, in part uncommitted (+2 −2)",
        "`new.py:1-1` `NEW` uncommitted (+1 −0)",
    ]

"""The work on a branch: its commits since it left the trunk, and what they change."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.memory.vcs.asked_changes import AskedChanges
from contextls.memory.vcs.branch_work import BranchWork, read_branch

from ..repositories import git


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

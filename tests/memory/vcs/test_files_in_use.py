"""What git knows to be in use is indexed first."""

from __future__ import annotations

from pathlib import Path

from contextls.memory.vcs.files_in_use import find_files_in_use
from contextls.model import IndexProgress
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import scan

from ...repositories import git
from ..workspaces import opened, write

CROWD = {f"more/module_{number:03}.py": f"value_{number} = {number}\n" for number in range(300)}


def commit(root: Path, subject: str) -> None:
    git(root, "add", "--all")
    git(root, "commit", "-m", subject)


def repository(root: Path) -> Path:
    """A large first commit, a small one after it, a change that is not committed, and a file that git does not know."""
    write(
        root, {**CROWD, "zoo/zebra.py": "stripes = 1\n", "zoo/yak.py": "wool = 1\n", ".gitignore": "*.log\n"}
    )
    git(root, "init")
    commit(root, "begin")
    write(root, {"zoo/zebra.py": "stripes = 22\n"})
    commit(root, "count stripes")
    write(root, {"zoo/yak.py": "wool = 333\n", "zoo/new.py": "import zoo.yak\n", "zoo/run.log": "x\n"})
    return root


def test_changed_and_unknown_files_come_before_committed_ones(tmp_path: Path) -> None:
    root = repository(tmp_path)
    use = find_files_in_use(root, scan(root, IgnoreRules(root), 1_000_000).files)
    assert set(use.changed) == {"zoo/yak.py", "zoo/new.py"}
    assert use.committed == ("zoo/zebra.py",)
    assert set(use.paths[:2]) == set(use.changed)


def test_without_a_repository_nothing_is_in_use(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n"})
    assert find_files_in_use(tmp_path, scan(tmp_path, IgnoreRules(tmp_path), 1_000_000).files).paths == ()


def test_they_are_indexed_before_all_others(tmp_path: Path) -> None:
    root = repository(tmp_path)
    seen: list[IndexProgress] = []
    with opened(root, index=False) as engine:
        engine.set_overlay("more/module_299.py", "value_299 = 'open'\n")
        engine.index(seen.append)
    order = [step.path for step in seen if step.path]
    assert order[0] == "more/module_299.py"
    assert set(order[1:3]) == {"zoo/yak.py", "zoo/new.py"}
    assert order[3] == "zoo/zebra.py"

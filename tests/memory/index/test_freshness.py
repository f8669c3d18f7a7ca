"""What is known of changes that no answer shows yet."""

from __future__ import annotations

import os
import time
from pathlib import Path

from contextls.memory.index.updating import freshness
from contextls.memory.index.updating.affected import find_affected_files
from contextls.memory.index.updating.freshness import Freshness
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.stamps import UNSURE_NS, Stamp, is_settled, stamp_at

from ...repositories import git


class Known(set[str]):
    """Paths that are known, as ``find_affected_files`` asks for them."""

    def below(self, folder: str) -> list[str]:
        return [path for path in self if path.startswith(f"{folder}/")]


def test_updates_and_what_the_owner_knows_count(tmp_path: Path) -> None:
    state = {"waits": False, "indexes": False}
    known = Freshness(tmp_path)
    assert known.is_fresh()
    with known.updating(), known.updating():
        assert not known.is_fresh()
    known.listen(lambda: state["waits"], lambda: state["indexes"])
    for name in state:
        state[name] = True
        assert not known.is_fresh()
        state[name] = False
    assert known.is_fresh()


def test_git_counts_until_its_files_were_surely_reported(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("a = 1\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    known = Freshness(tmp_path)
    assert not known.is_fresh(), "it moved just now"
    with known.looking_at_all():
        pass
    assert known.is_fresh(), "a full run has seen what it did"
    lock = tmp_path / ".git" / "index.lock"
    lock.touch()
    assert not known.is_fresh(), "it is at work"
    lock.unlink()
    (tmp_path / "b.py").write_text("b = 1\n")
    git(tmp_path, "add", "-A")
    moved = time.time_ns()
    assert not known.is_fresh()
    time.sleep((freshness.SETTLE_NS - (time.time_ns() - moved)) / 1e9 + 0.2)
    assert known.is_fresh()


def test_a_path_stands_for_what_was_and_is_there(tmp_path: Path) -> None:
    rules = IgnoreRules(tmp_path)
    (tmp_path / "a.py").mkdir()
    (tmp_path / "a.py" / "inner.py").write_text("x = 1\n")
    (tmp_path / "folder").write_text("a file by now\n")
    known = {"a.py", "folder/one.py", "folder/deep/two.py", "gone/three.py", "other.py"}

    def affected(*paths: str) -> set[str]:
        return find_affected_files(tmp_path, paths, rules, 1_000_000, Known(known))

    assert affected("a.py") == {"a.py", "a.py/inner.py"}
    assert affected("a.py/inner.py") == {"a.py", "a.py/inner.py"}
    assert affected("folder") == {"folder", "folder/one.py", "folder/deep/two.py"}
    assert affected("gone") == {"gone", "gone/three.py"}
    assert affected("other.py") == {"other.py"}


def test_a_stamp_differs_behind_the_time_of_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("a = 1\n")
    before = stamp_at(path)
    assert before is not None
    time.sleep(0.05)
    path.write_text("a = 2\n")
    os.utime(path, ns=(before.modified, before.modified))
    after = stamp_at(path)
    assert after is not None
    assert (after.modified, after.size) == (before.modified, before.size)
    assert after != before


def test_a_stamp_is_trusted_once_the_clock_has_moved_on() -> None:
    fine = Stamp(0o100644, 1, 10_000_000_123, 5, 7)
    assert not is_settled(fine, 10_000_000_123)
    assert is_settled(fine, 10_000_000_123 + 100_000_000)
    coarse = Stamp(0o100644, 1, 10_000_000_000, 5, 7)
    assert not is_settled(coarse, 10_000_000_000 + 100_000_000)
    assert is_settled(coarse, 10_000_000_000 + UNSURE_NS + 1)
    assert fine.distrust_recent(10_000_000_123) != fine
    assert fine.distrust_recent(20_000_000_000) == fine

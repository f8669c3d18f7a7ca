import os
import socket
import threading
from pathlib import Path

import pytest

from contextls.errors import CancelledError, WorkspaceError
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.roots import open_root, relative
from contextls.workspace.scan import scan

from ..repositories import git


def paths(root: Path, max_bytes: int = 1_000) -> list[str]:
    return [file.path for file in scan(root, IgnoreRules(root), max_bytes).files]


def test_files_sorted_with_size_and_time(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.py").write_bytes(b"1234")
    (tmp_path / "a.py").write_bytes(b"")
    (tmp_path / "b.txt").write_bytes(b"x")
    found = scan(tmp_path, IgnoreRules(tmp_path), 1_000)
    assert [file.path for file in found.files] == ["a.py", "b.txt", "b/c.py"]
    assert found.files[2].size == 4
    assert found.files[2].stamp.modified == (tmp_path / "b" / "c.py").stat().st_mtime_ns
    assert found.folders == ("", "b")
    assert [f.path for f in scan(tmp_path, IgnoreRules(tmp_path), 1_000, below="b").files] == ["b/c.py"]


def test_counts_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("out\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "big.txt").write_text("x" * 2_000)
    (tmp_path / ".env").write_text("A=1")
    (tmp_path / "a.png").write_bytes(b"x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / ".gitignore")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
    (tmp_path / os.fsdecode(b"bad\xff.py")).write_text("x")
    found = scan(tmp_path, IgnoreRules(tmp_path), 1_000)
    assert [file.path for file in found.files] == [".gitignore"]
    assert found.skipped == {
        "gitignore": 1, "size": 1, "security": 1, "noise": 1, "special": 2, "symlink": 1, "name": 1,
    }  # fmt: skip


def test_links_neither_leave_the_root_nor_loop(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("x")
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "a" / "x.py").write_text("x")
    (root / "a" / "up").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "file.py").symlink_to(outside / "secret.py")
    assert paths(root) == ["a/x.py"]
    assert relative(root, root / "out" / "secret.py") is None
    assert relative(root, root / "file.py") is None
    assert relative(root, root / "a" / "up" / "a" / "x.py") == "a/x.py"


def test_a_scan_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CancelledError):
        scan(tmp_path, IgnoreRules(tmp_path), 1, cancel)


def test_survives_deep_and_vanishing_trees(tmp_path: Path) -> None:
    place = tmp_path
    for _ in range(300):
        place = place / "d"
        place.mkdir()
    (place / "end.py").write_text("x")
    assert paths(tmp_path) == ["d/" * 300 + "end.py"]
    assert scan(tmp_path / "gone", IgnoreRules(tmp_path / "gone"), 1).unreadable == (".",)


def test_paths_are_relative_to_a_root_that_can_be_opened(tmp_path: Path) -> None:
    root = open_root(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path)
    assert open_root(tmp_path / "link") == root
    assert relative(root, "a/../b.py") == "b.py"
    assert relative(root, root / "new" / "x.py") == "new/x.py"
    for outside in ("../x", "/etc/passwd", "", ".", "a/../../x", "bad\0name", root):
        assert relative(root, outside) is None
    for wrong, words in (
        ("missing", "no such folder"),
        ("file", "not a folder"),
        ("bad\0", "cannot be opened"),
    ):
        with pytest.raises(WorkspaceError, match=words) as raised:
            open_root(tmp_path / wrong)
        assert str(tmp_path / wrong) in str(raised.value)


def test_ignore_files_deep_down_hold_for_what_lies_below_them(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "a" / ".gitignore").write_text("*.txt\n")
    (deep / ".contextlsignore").write_text("own.py\n!kept.txt\n")
    for name in ("own.py", "kept.txt", "left.txt", "x.py"):
        (deep / name).write_text("x")
    (tmp_path / "left.txt").write_text("x")
    assert paths(tmp_path) == ["a/.gitignore", "a/b/.contextlsignore", "a/b/kept.txt", "a/b/x.py", "left.txt"]
    rules = IgnoreRules(tmp_path)
    scan(tmp_path, rules, 1_000)
    (deep / ".contextlsignore").unlink()
    assert [file.path for file in scan(tmp_path, rules, 1_000).files] == [
        "a/.gitignore",
        "a/b/own.py",
        "a/b/x.py",
        "left.txt",
    ]


def test_what_git_keeps_in_a_bare_repository_is_no_content(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare")
    (tmp_path / "main/hooks").mkdir(parents=True)  # a working tree beside what git keeps
    (tmp_path / "main/hooks/use.py").write_text("")
    (tmp_path / "main/config").write_text("")
    git(tmp_path, "init", "-q", "--bare", "others/team.git")
    assert paths(tmp_path) == ["main/config", "main/hooks/use.py"]
    (tmp_path / ".contextlsignore").write_text("!/hooks/\n")
    assert "hooks/update.sample" in paths(tmp_path, 10_000)

"""The real file system, the real notifier."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from watchfiles._rust_notify import RustNotify

from contextls.workspace import watch
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.roots import open_root
from contextls.workspace.watch import Watcher


class Recorder:
    """Keeps what was reported and waits for it."""

    def __init__(self) -> None:
        self.changed: set[str] = set()
        self.deleted: set[str] = set()
        self.batches = 0
        self.news = threading.Condition()

    def __call__(self, changed: frozenset[str], deleted: frozenset[str]) -> None:
        with self.news:
            self.changed |= changed
            self.deleted |= deleted
            self.batches += 1
            self.news.notify_all()

    def wait(self, until: Callable[[], bool], seconds: float = 60) -> None:
        with self.news:
            assert self.news.wait_for(until, seconds), f"changed {self.changed}, deleted {self.deleted}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = open_root(tmp_path) / "work"
    (place / "src" / "deep").mkdir(parents=True)
    (place / "node_modules" / "x").mkdir(parents=True)
    (place / ".gitignore").write_text("*.tmp\nout/\n")
    (place / "src" / "a.py").write_text("a = 1\n")
    (place / "src" / "deep" / "b.py").write_text("b = 1\n")
    return place


@pytest.fixture
def seen(root: Path) -> Iterator[Recorder]:
    recorder = Recorder()
    watcher = Watcher(root, IgnoreRules(root), recorder)
    watcher.start()
    assert watcher.ready.wait(60)
    yield recorder
    watcher.stop()


def test_reports_writes_and_deletions(root: Path, seen: Recorder) -> None:
    (root / "src" / "a.py").write_text("a = 2\n")
    (root / "src" / "deep" / "b.py").unlink()
    seen.wait(lambda: "src/a.py" in seen.changed and "src/deep/b.py" in seen.deleted)


def test_reports_nothing_that_is_ignored(root: Path, seen: Recorder) -> None:
    (root / ".env").write_text("TOKEN=1\n")
    (root / "src" / "x.tmp").write_text("x")
    (root / "out").mkdir()
    (root / "out" / "y.py").write_text("y")
    (root / "node_modules" / "x" / "i.js").write_text("i")
    (root / "src" / "end.py").write_text("end")
    seen.wait(lambda: "src/end.py" in seen.changed)
    time.sleep(0.3)
    assert seen.changed == {"src/end.py"}
    # The rule is for folders: a file of that name may have stood there.
    assert seen.deleted <= {"out"}


def test_new_and_renamed_folders_bring_their_files(root: Path, seen: Recorder) -> None:
    (root / "new" / "inner").mkdir(parents=True)
    (root / "new" / "inner" / "c.py").write_text("c")
    seen.wait(lambda: "new/inner/c.py" in seen.changed)
    (root / "src").rename(root / "lib")
    seen.wait(lambda: {"lib/a.py", "lib/deep/b.py"} <= seen.changed and "src" in seen.deleted)
    with seen.news:
        seen.changed.clear()
    (root / "lib" / "deep" / "b.py").write_text("again")
    (root / "lib" / "deep" / "fresh.py").write_text("f")
    (root / "new" / "inner" / "late.py").write_text("d")
    seen.wait(lambda: {"lib/deep/b.py", "lib/deep/fresh.py", "new/inner/late.py"} <= seen.changed)
    assert "src/a.py" not in seen.changed


def test_a_burst_is_few_batches(root: Path, seen: Recorder) -> None:
    names = {f"src/f{i}.py" for i in range(300)}
    for name in names:
        (root / name).write_text("x")
    seen.wait(lambda: names <= seen.changed)
    assert seen.batches < 30


def test_follows_changed_ignore_rules(root: Path, seen: Recorder) -> None:
    (root / ".gitignore").write_text("src/\n")
    seen.wait(lambda: ".gitignore" in seen.changed)
    (root / "src" / "a.py").write_text("a = 3\n")
    (root / "free.tmp").write_text("x")
    seen.wait(lambda: "free.tmp" in seen.changed)
    time.sleep(0.3)
    assert "src/a.py" not in seen.changed


def test_survives_the_loss_of_the_root(root: Path, seen: Recorder) -> None:
    shutil.rmtree(root)
    seen.wait(lambda: "src" in seen.deleted or "src/a.py" in seen.deleted)
    (root / "src").mkdir(parents=True)
    (root / "src" / "back.py").write_text("back")
    seen.wait(lambda: "src/back.py" in seen.changed)
    (root / "src" / "more.py").write_text("more")
    seen.wait(lambda: "src/more.py" in seen.changed)


def test_a_root_that_is_replaced_before_its_loss_was_looked_into_is_followed(root: Path) -> None:
    recorder = Recorder()

    def replace(changed: frozenset[str], deleted: frozenset[str]) -> None:
        if "src" in deleted:
            (root / "src").mkdir(parents=True)
        recorder(changed, deleted)

    watcher = Watcher(root, IgnoreRules(root), replace)
    watcher.start()
    assert watcher.ready.wait(60)
    shutil.rmtree(root)
    recorder.wait(lambda: "src" in recorder.deleted)
    (root / "src" / "back.py").write_text("back")
    recorder.wait(lambda: "src/back.py" in recorder.changed)
    watcher.stop()


def test_a_folder_that_comes_while_a_watch_is_being_set_up_is_watched_too(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder()
    set_up = Watcher._notifier

    def slowly(watcher: Watcher, folders: frozenset[str]) -> object:
        (root / f"late{len(folders)}" / "inner").mkdir(parents=True, exist_ok=True)
        if len(folders) > 6:
            monkeypatch.setattr(Watcher, "_notifier", set_up)
        return set_up(watcher, folders)

    monkeypatch.setattr(Watcher, "_notifier", slowly)
    watcher = Watcher(root, IgnoreRules(root), recorder)
    watcher.start()
    assert watcher.ready.wait(60)
    late = sorted(place.name for place in root.glob("late*"))
    assert len(late) > 1
    for name in late:
        (root / name / "inner" / "c.py").write_text("c")
    recorder.wait(lambda: {f"{name}/inner/c.py" for name in late} <= recorder.changed)
    watcher.stop()


def test_a_failing_receiver_does_not_end_the_watch(root: Path) -> None:
    recorder = Recorder()

    def fail_first(changed: frozenset[str], deleted: frozenset[str]) -> None:
        recorder(changed, deleted)
        if "src/bad.py" in changed:
            raise RuntimeError("receiver")

    watcher = Watcher(root, IgnoreRules(root), fail_first)
    watcher.start()
    assert watcher.ready.wait(60)
    (root / "src" / "bad.py").write_text("x")
    recorder.wait(lambda: "src/bad.py" in recorder.changed)
    (root / "src" / "good.py").write_text("x")
    recorder.wait(lambda: "src/good.py" in recorder.changed)
    watcher.stop()
    watcher.stop()
    (root / "src" / "unseen.py").write_text("x")
    assert "src/unseen.py" not in recorder.changed


def test_where_the_system_has_no_handles_left_files_are_looked_at_and_that_is_said(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_handles(places: list[str], **options: Any) -> RustNotify:  # noqa: ANN401
        # Asked to bear folders that it may not watch, the real one is silent about its limit and watches some of them.
        if not options["force_polling"]:
            assert not options["ignore_permission_denied"]
            raise OSError("OS file watch limit reached.")
        return RustNotify(places, **options)

    monkeypatch.setattr(watch, "RustNotify", without_handles)
    recorder, said = Recorder(), list[str]()
    watcher = Watcher(root, IgnoreRules(root), recorder, said.append)
    watcher.start()
    assert watcher.ready.wait(60)
    time.sleep(1.1)  # it knows times by the second
    (root / "src" / "deep" / "b.py").write_text("b = 'longer'\n")
    (root / "new").mkdir()
    (root / "new" / "c.py").write_text("c = 1\n")
    recorder.wait(lambda: {"src/deep/b.py", "new/c.py"} <= recorder.changed)
    watcher.stop()
    assert len(said) == 1
    assert "max_user_watches" in said[0]


def test_a_folder_that_may_not_be_read_keeps_nothing_else_from_being_watched(root: Path) -> None:
    closed = root / "closed"
    closed.mkdir()
    closed.chmod(0)
    recorder, said = Recorder(), list[str]()
    watcher = Watcher(root, IgnoreRules(root), recorder, said.append)
    watcher.start()
    assert watcher.ready.wait(60)
    (root / "src" / "a.py").write_text("a = 2\n")
    recorder.wait(lambda: "src/a.py" in recorder.changed)
    watcher.stop()
    closed.chmod(0o755)
    assert said == []


@pytest.mark.skipif(sys.platform == "darwin", reason="its disks keep no other names")
def test_a_name_that_is_not_utf8_does_not_end_the_watch(root: Path) -> None:
    recorder, said, gaps = Recorder(), list[str](), threading.Semaphore(0)
    watcher = Watcher(root, IgnoreRules(root), recorder, said.append, gaps.release)
    watcher.start()
    assert watcher.ready.wait(60)
    for _ in range(2):
        Path(os.fsdecode(os.fsencode(root) + b"/src/caf\xe9.py")).write_text("badly = 'named'\n")
        assert gaps.acquire(timeout=60)
    (root / "src" / "a.py").write_text("a = 2\n")
    recorder.wait(lambda: "src/a.py" in recorder.changed)
    watcher.stop()
    assert said == []


@pytest.mark.skipif(sys.platform == "darwin", reason="its disks keep no other names")
def test_a_root_whose_name_is_not_utf8_is_not_watched_and_that_is_said(tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(open_root(tmp_path)) + b"/caf\xe9"))
    root.mkdir()
    said = list[str]()
    watcher = Watcher(root, IgnoreRules(root), Recorder(), said.append)
    watcher.start()
    assert watcher.ready.wait(60)
    watcher.stop()
    assert len(said) == 1
    assert "cannot watch for changes" in said[0]


def test_folders_deeper_than_the_system_can_name_keep_nothing_else_from_being_watched(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.chdir(root)
        for _ in range(25):
            Path("d" * 200).mkdir()
            patch.chdir("d" * 200)
    recorder, said = Recorder(), list[str]()
    watcher = Watcher(root, IgnoreRules(root), recorder, said.append)
    watcher.start()
    assert watcher.ready.wait(60)
    (root / "src" / "a.py").write_text("a = 2\n")
    recorder.wait(lambda: "src/a.py" in recorder.changed)
    watcher.stop()
    assert said == []

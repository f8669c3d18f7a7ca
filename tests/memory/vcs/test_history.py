"""What the git history of a workspace tells, also when it is rewritten, broken or not there."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.errors import CancelledError
from contextls.memory.vcs.commit_history import CommitHistory
from contextls.memory.vcs.view import CoChange
from contextls.workspace.ignore import IgnoreRules

from ...repositories import START, git

DAY = 86_400


def commit(where: Path, subject: str, *names: str, date: int = START, author: str = "Ann") -> None:
    for name in names:
        file = where / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as text:
            text.write(f"{subject}\n")
    git(where, "add", "-A", "-f")
    git(where, "commit", "-qm", subject, date=date, author=author)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``a.py`` and ``test_a.py`` changed together five times of six, ``a.py`` and ``rare.py`` once; ``lone.py`` alone."""
    place = tmp_path_factory.mktemp("template") / "project"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    for number in range(5):
        commit(place, f"Change {number}", "a.py", "test_a.py", date=START + number * DAY)
    commit(place, "Odd one", "a.py", "rare.py", date=START + 5 * DAY, author="Bob")
    commit(place, "Alone", "lone.py", date=START + 6 * DAY)
    return place


@pytest.fixture
def project(template: Path, tmp_path: Path) -> Path:
    place = tmp_path / "project"
    shutil.copytree(template, place)
    return place


@pytest.fixture
def history(project: Path, tmp_path: Path) -> CommitHistory:
    return opened(project, tmp_path)


def opened(project: Path, place: Path, limit: int = 1_000) -> CommitHistory:
    rules = IgnoreRules(project)
    return CommitHistory(project, place / "history.sqlite", limit, lambda: rules)


def test_files_that_change_together_are_known_with_their_numbers(history: CommitHistory) -> None:
    assert len(history.snapshot()) == 0
    view = history.catch_up()
    first, second = view.co_changes("a.py")
    assert (first.path, first.support, first.applications) == ("test_a.py", 5, 6)
    assert (second.path, second.support, second.applications) == ("rare.py", 1, 6)
    assert 0 < second.confidence < first.confidence < 1
    assert view.co_changes("a.py", 1) == (first,)
    assert view.co_changes("lone.py") == ()
    assert view.co_changes("never.py") == ()
    assert view.co_changes("a.py", 0) == ()
    assert [found.path for found in view.predict(["test_a.py", "rare.py"])] == ["a.py"]
    assert view.churn("a.py") == 1.0
    assert 0 < view.churn("lone.py") < view.churn("test_a.py") < 1
    assert view.churn("never.py") == 0.0
    (ann, most), (bob, rest) = view.authors("a.py")
    assert (ann, bob) == ("Ann", "Bob")
    assert most > rest
    assert most + rest == pytest.approx(1.0, abs=0.001)
    newest = view.recent("a.py", 1)[0]
    assert (newest.subject, newest.author, newest.timestamp) == ("Odd one", "Bob", (START + 5 * DAY) * 1000)
    assert [found.subject for found in view.recent(limit=2)] == ["Alone", "Odd one"]
    assert history.warnings() == ()


def test_forty_of_forty_five_beat_one_of_one(project: Path, history: CommitHistory) -> None:
    for number in range(45):
        names = ("often.py", "partner.py") if number < 40 else ("often.py",)
        commit(project, f"Often {number}", *names)
    commit(project, "Once", "once.py", "only.py")
    view = history.catch_up()
    (often,) = view.co_changes("often.py")
    (once,) = view.co_changes("once.py")
    assert (often.support, often.applications, once.support, once.applications) == (40, 45, 1, 1)
    assert often.confidence > once.confidence


def test_only_new_commits_are_read_the_next_time(
    project: Path, history: CommitHistory, tmp_path: Path
) -> None:
    before = history.catch_up()
    assert history.catch_up() is before
    commit(project, "One more", "a.py", "test_a.py", date=START + 9 * DAY)
    after = history.catch_up()
    assert after.co_changes("a.py", 1)[0].support == 6
    assert len(after) == len(before) + 1
    assert before.co_changes("a.py", 1)[0].support == 5
    history.close()
    # Another process answers from what was stored, and reads no git for it.
    shutil.rmtree(project / ".git")
    again = opened(project, tmp_path)
    assert again.snapshot().co_changes("a.py") == after.co_changes("a.py")
    again.close()


def test_rewritten_history_and_other_branches_are_followed(project: Path, history: CommitHistory) -> None:
    full = history.catch_up()
    git(project, "reset", "-q", "--hard", "HEAD~2")
    cut = history.catch_up()
    assert [found.subject for found in cut.recent(limit=1)] == ["Change 4"]
    assert [found.path for found in cut.co_changes("a.py")] == ["test_a.py"]
    commit(project, "Another way", "a.py", "rare.py", date=START + 7 * DAY)
    assert [found.subject for found in history.catch_up().recent(limit=2)] == ["Another way", "Change 4"]
    git(project, "checkout", "-q", "--orphan", "fresh")
    commit(project, "Fresh", "a.py", date=START + 8 * DAY)
    assert len(history.catch_up()) == 1
    git(project, "checkout", "-q", "main")
    assert len(history.catch_up()) == 6
    git(project, "reset", "-q", "--hard", full.head)
    assert history.catch_up().co_changes("a.py") == full.co_changes("a.py")
    git(project, "reset", "-q", "--hard", "HEAD~2")
    git(project, "-c", "gc.reflogExpire=now", "reflog", "expire", "--expire=now", "--all")
    git(project, "gc", "-q", "--prune=now")
    assert history.catch_up().co_changes("a.py") == cut.co_changes("a.py")


def test_a_renamed_file_keeps_its_history(project: Path, history: CommitHistory) -> None:
    history.catch_up()
    (project / "deep").mkdir()
    git(project, "mv", "a.py", "deep/b.py")
    git(project, "commit", "-qm", "Move", date=START + 7 * DAY)
    git(project, "mv", "deep/b.py", "c.py")
    git(project, "commit", "-qm", "Move again", date=START + 8 * DAY)
    commit(project, "A new a", "a.py", "lone.py", date=START + 9 * DAY)
    view = history.catch_up()
    first = view.co_changes("c.py")[0]
    assert (first.path, first.support, first.applications) == ("test_a.py", 5, 8)
    assert [found.path for found in view.co_changes("a.py")] == ["lone.py"]
    assert view.co_changes("deep/b.py") == ()
    assert [found.subject for found in view.recent("c.py", 3)] == ["Move again", "Move", "Odd one"]


def test_mass_commits_and_merges_say_nothing_about_what_belongs_together(
    project: Path, history: CommitHistory
) -> None:
    commit(project, "Reformat", *(f"f{number}.py" for number in range(31)))
    git(project, "checkout", "-q", "-b", "side")
    commit(project, "Side", "lone.py")
    git(project, "checkout", "-q", "main")
    commit(project, "Main", "rare.py")
    git(project, "merge", "-q", "--no-ff", "-m", "Merge side", "side", date=START)
    view = history.catch_up()
    assert view.co_changes("f1.py") == ()
    assert view.churn("f1.py") > 0
    assert view.co_changes("lone.py") == ()
    assert "Merge side" not in {found.subject for found in view.recent(limit=100)}


def test_deleted_and_ignored_files_never_come_out(project: Path, tmp_path: Path) -> None:
    commit(project, "Hide", "a.py", "hidden/key.txt", ".env", "gone.py")
    git(project, "rm", "-q", "gone.py")
    git(project, "commit", "-qm", "Remove", date=START)
    rules = [IgnoreRules(project)]
    history = CommitHistory(project, tmp_path / "history.sqlite", 1_000, lambda: rules[0])
    view = history.catch_up()
    assert "hidden/key.txt" in {found.path for found in view.co_changes("a.py")}
    assert {".env", "gone.py"}.isdisjoint(view.paths)
    (project / ".gitignore").write_text("hidden/\n")
    rules[0] = IgnoreRules(project)
    view = history.snapshot()
    assert "hidden/key.txt" not in view.paths
    assert "hidden/key.txt" not in {found.path for found in view.co_changes("a.py")}
    assert view.co_changes("a.py")[0].path == "test_a.py"
    assert view.recent("hidden/key.txt") == ()
    history.close()


def test_secrets_in_subjects_are_redacted_before_they_are_stored(project: Path, tmp_path: Path) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    commit(project, f"Use {key} for now", "a.py")
    history = opened(project, tmp_path)
    assert "[redacted:" in history.catch_up().recent("a.py", 1)[0].subject
    history.close()
    for file in tmp_path.glob("history.sqlite*"):
        assert key.encode() not in file.read_bytes()


def test_only_the_newest_commits_are_remembered(project: Path, tmp_path: Path) -> None:
    history = opened(project, tmp_path, limit=3)
    assert [found.subject for found in history.catch_up().recent(limit=9)] == ["Alone", "Odd one", "Change 4"]
    commit(project, "Newer", "lone.py", date=START + 9 * DAY)
    assert [found.subject for found in history.catch_up().recent(limit=9)] == ["Newer", "Alone", "Odd one"]
    nothing = opened(project, tmp_path, limit=0)
    assert len(nothing.catch_up()) == len(nothing.snapshot()) == 0
    history.close()
    nothing.close()


def plain(project: Path) -> Path:
    shutil.rmtree(project / ".git")
    return project


def unborn(project: Path) -> Path:
    git(plain(project), "init", "-q")
    return project


def bare(project: Path) -> Path:
    git(project.parent, "clone", "-q", "--bare", str(project), "bare")
    return project.parent / "bare"


def shallow(project: Path) -> Path:
    git(project.parent, "clone", "-q", "--depth=2", f"file://{project}", "shallow")
    return project.parent / "shallow"


def corrupt(project: Path) -> Path:
    for stored in (project / ".git" / "objects").rglob("*"):
        if stored.is_file():
            stored.chmod(0o644)
            stored.write_bytes(b"broken")
    return project


def cut_off(project: Path) -> Path:
    sha = git(project, "rev-parse", "HEAD~3")
    (project / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    return project


def submodule(project: Path) -> Path:
    outer = project.parent / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(project), "inner")
    git(outer, "commit", "-qm", "Add inner", date=START)
    return outer / "inner"


def worktree(project: Path) -> Path:
    git(project, "worktree", "add", "-q", "../side")
    return project.parent / "side"


def detached(project: Path) -> Path:
    git(project, "checkout", "-q", "--detach")
    return project


@pytest.mark.parametrize(
    ("change", "commits", "warning"),
    [
        (plain, 0, ""), (unborn, 0, ""), (bare, 0, "bare repository"), (shallow, 2, "shallow"),
        (corrupt, 0, "cannot be read"), (cut_off, 2, "git fsck"), (submodule, 7, ""), (worktree, 7, ""),
        (detached, 7, ""),
    ],
)  # fmt: skip
def test_every_kind_of_repository_is_read_as_far_as_it_goes(
    change: Callable[[Path], Path], commits: int, warning: str, project: Path, tmp_path: Path
) -> None:
    place = change(project)
    with_engine = Engine.open(place)
    try:
        assert len(with_engine._memories.history.catch_up()) == commits
        said = "\n".join(with_engine.status().warnings)
        assert warning in said
        assert ("git" in said or "bare" in said) == bool(warning)
        assert with_engine.search("anything").hits is not None
    finally:
        with_engine.close()
    history = opened(place, tmp_path)
    assert len(history.catch_up()) == commits
    assert len(history.catch_up()) == commits
    history.close()


def test_without_git_what_was_read_before_is_not_lost_for_good(
    history: CommitHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.catch_up()
    with monkeypatch.context() as without:
        without.setenv("PATH", str(tmp_path / "nowhere"))
        history.catch_up()
        assert "git is not installed" in history.warnings()[0]
    assert len(history.catch_up()) == 7
    assert history.warnings() == ()


def test_a_deepened_clone_is_read_anew(project: Path, tmp_path: Path) -> None:
    place = shallow(project)
    history = opened(place, tmp_path)
    assert len(history.catch_up()) == 2
    git(place, "fetch", "-q", "--unshallow")
    assert len(history.catch_up()) == 7
    assert history.warnings() == ()
    history.close()


def test_a_partial_clone_asks_no_remote_and_still_counts(project: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    git(project, "mv", "lone.py", "moved.py")
    with (project / "moved.py").open("a") as file:
        file.write("changed\n")
    git(project, "commit", "-qam", "Move and change", date=START)
    for line in (
        git(project, "ls-tree", "-r", "HEAD~1").splitlines()
        + git(project, "ls-tree", "-r", "HEAD").splitlines()
    ):
        blob = line.split()[2]
        (project / ".git" / "objects" / blob[:2] / blob[2:]).unlink(missing_ok=True)
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::touch {marker}",
        "protocol.ext.allow": "always",
    }.items():
        git(project, "config", key, value)
    history = opened(project, tmp_path)
    assert history.catch_up().co_changes("a.py", 1)[0].support == 5
    assert not marker.exists()
    assert history.warnings() == ()
    history.close()


def test_a_damaged_cache_is_built_anew(project: Path, tmp_path: Path) -> None:
    (tmp_path / "history.sqlite").write_bytes(b"this is no database, and long enough to be read as one" * 100)
    history = opened(project, tmp_path)
    assert len(history.catch_up()) == 7
    history.close()
    with sqlite3.connect(tmp_path / "history.sqlite") as connection:
        assert connection.execute("SELECT COUNT(*) FROM commits").fetchone() == (7,)


def test_reading_stops_when_asked_and_goes_on_later(history: CommitHistory) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CancelledError):
        history.catch_up(cancel)
    assert len(history.catch_up()) == 7


def test_two_processes_share_what_one_of_them_reads(project: Path, tmp_path: Path) -> None:
    histories = [opened(project, tmp_path) for _ in range(4)]
    threads = [threading.Thread(target=history.catch_up) for history in histories]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = {history.snapshot().co_changes("a.py") for history in histories}
    assert len(answers) == 1
    assert next(iter(answers))[0].support == 5
    for history in histories:
        history.close()


def test_a_session_learns_in_the_background_and_follows_new_commits(project: Path) -> None:
    engine = Engine.open(project)
    try:
        engine.index()
        engine.prepare()
        assert engine._memories.history.wait(60)
        assert engine._memories.history.snapshot().co_changes("a.py", 1)[0].support == 5
        commit(project, "Again", "a.py", "test_a.py")
        engine._memories.history.follow()
        deadline = time.monotonic() + 60
        while engine._memories.history.snapshot().co_changes("a.py", 1)[0].support != 6:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        engine.clear(index=True)
        assert len(engine._memories.history.snapshot()) == 0
    finally:
        engine.close()
    engine._memories.history.follow()
    assert engine._memories.history.wait(0)


def test_a_subfolder_of_a_repository_has_its_own_paths(project: Path, tmp_path: Path) -> None:
    commit(project, "Two", "pkg/x.py", "pkg/y.py", "a.py")
    history = opened(project / "pkg", tmp_path)
    assert history.catch_up().co_changes("x.py")[0] == CoChange(
        "y.py", 1, 1, history.snapshot().co_changes("x.py")[0].confidence
    )
    assert history.snapshot().paths == ("x.py", "y.py")
    history.close()


def test_closing_while_a_run_is_about_to_start_is_quiet(project: Path, tmp_path: Path) -> None:
    for number in range(40):
        history = CommitHistory(project, tmp_path / f"{number}.sqlite", 10, lambda: IgnoreRules(project))
        follower = threading.Thread(target=history.follow)
        follower.start()
        history.close()
        follower.join()
        assert history.wait(60)

"""Commits, checkouts, stashes and rebases become events, read from git's own notes of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.activity.git_moves import GitMoves
from contextls.model import Event, NewEvent
from contextls.workspace import reflog

from ...repositories import git

Told = tuple[str, dict[str, Any]]


def commit(root: Path, name: str, subject: str) -> str:
    (root / name).write_text(subject)
    git(root, "add", name)
    git(root, "commit", "-q", "-m", subject)
    return git(root, "rev-parse", "HEAD")


def git_empty_commit(root: Path) -> str:
    """A commit behind HEAD that git notes nowhere."""
    return git(root, "commit-tree", "-p", "HEAD", "-m", "Mine", "HEAD^{tree}")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    git(root, "init", "-q")
    commit(root, "a.txt", "Begin")
    return root


class Follower:
    """One process that follows a working tree, and what it recorded."""

    def __init__(self, root: Path, state: Path) -> None:
        self.told: list[NewEvent] = []
        state.mkdir(exist_ok=True)
        self.moves = GitMoves(root, state, self._record)

    def _record(self, event: NewEvent) -> Event:
        self.told.append(event)
        return Event("event-1", event.type, "s", 0, event.content, event.outcome)

    def news(self) -> list[Told]:
        self.told.clear()
        self.moves.catch_up()
        return [(str(event.type), dict(event.content)) for event in self.told]


@pytest.fixture
def follower(repository: Path, tmp_path: Path) -> Follower:
    follower = Follower(repository, tmp_path / "state")
    assert follower.news() == [], "what happened before the workspace was opened is history"
    return follower


def test_a_commit_is_told_with_its_subject_branch_and_files(repository: Path, follower: Follower) -> None:
    sha = commit(repository, "b.txt", "Add bread")
    content = {"commit": sha, "subject": "Add bread", "branch": "main", "paths": ["b.txt"]}
    assert follower.news() == [("git_commit", content)]
    assert follower.news() == []


def test_a_checkout_tells_from_and_to(repository: Path, follower: Follower) -> None:
    git(repository, "checkout", "-q", "-b", "topic")
    assert follower.news() == [("git_checkout", {"from": "main", "to": "topic", "branch": "topic"})]
    git(repository, "checkout", "-q", "--detach")
    assert follower.news() == [("git_checkout", {"from": "topic", "to": "HEAD"})]


def test_stashing_and_taking_back_are_told(repository: Path, follower: Follower) -> None:
    (repository / "a.txt").write_text("changed")
    git(repository, "stash", "push", "-q", "-m", "half an idea")
    assert follower.news() == [("git_stash", {"action": "push", "subject": "On main: half an idea"})]
    git(repository, "stash", "pop", "-q")
    assert follower.news() == [("git_stash", {"action": "pop"})]


def test_a_rebase_is_one_event(repository: Path, follower: Follower) -> None:
    git(repository, "checkout", "-q", "-b", "topic")
    for number in range(3):
        commit(repository, f"t{number}.txt", f"Topic {number}")
    git(repository, "checkout", "-q", "main")
    commit(repository, "m.txt", "Main goes on")
    git(repository, "checkout", "-q", "topic")
    follower.news()
    git(repository, "rebase", "-q", "main")
    assert follower.news() == [("git_rebase", {"onto": "main", "branch": "topic"})]


def test_a_pull_with_rebase_is_one_pull(tmp_path: Path, repository: Path, follower: Follower) -> None:
    origin = tmp_path / "origin"
    git(tmp_path, "clone", "-q", str(repository), str(origin))
    git(repository, "remote", "add", "origin", str(origin))
    git(repository, "fetch", "-q", "origin")
    git(repository, "branch", "-q", "--set-upstream-to", "origin/main")
    commit(origin, "o.txt", "Theirs")
    before = [commit(repository, f"{name}.txt", f"Mine: {name}") for name in "bc"][-1]
    assert [content["subject"] for _, content in follower.news()] == ["Mine: b", "Mine: c"]
    git(repository, "pull", "-q", "--rebase")
    after = git(repository, "rev-parse", "HEAD")
    assert after != before
    pulled = {"from": before[:12], "to": after[:12], "branch": "main", "action": "pull"}
    assert follower.news() == [("git_checkout", pulled)]


@pytest.fixture
def in_conflict(repository: Path, follower: Follower) -> Callable[[], None]:
    """Begin a rebase of ``topic`` that stops at a conflict."""

    def stop() -> None:
        git(repository, "checkout", "-q", "-b", "topic")
        commit(repository, "t.txt", "Topic")
        commit(repository, "a.txt", "Ours")
        git(repository, "checkout", "-q", "main")
        commit(repository, "a.txt", "Main goes on")
        git(repository, "checkout", "-q", "topic")
        follower.news()
        git(repository, "rebase", "-q", "main", check=False)

    return stop


def test_a_rebase_that_stops_at_a_conflict_is_one_event(
    repository: Path, follower: Follower, in_conflict: Callable[[], None]
) -> None:
    in_conflict()
    assert follower.news() == []
    commit(repository, "a.txt", "Ours")
    assert follower.news() == [], "the commit that was put right was told of when it was made"
    git(repository, "rebase", "--continue")
    assert follower.news() == [("git_rebase", {"onto": "main", "branch": "topic"})]
    commit(repository, "b.txt", "And on")
    assert [content["subject"] for _, content in follower.news()] == ["And on"]


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize("way", ["--abort", "--quit"])
def test_a_rebase_that_was_given_up_is_no_event_and_work_goes_on(
    repository: Path, follower: Follower, in_conflict: Callable[[], None], way: str, *, seen: bool
) -> None:
    in_conflict()
    assert not seen or follower.news() == []
    git(repository, "rebase", way)
    git(repository, "reset", "-q", "--hard")
    commit(repository, "b.txt", "And on")
    assert [content["subject"] for _, content in follower.news()] == ["And on"]


def test_commits_that_are_reordered_joined_and_split_are_one_rebase(
    repository: Path, follower: Follower
) -> None:
    for number in range(4):
        commit(repository, f"t{number}.txt", f"Topic {number}")
    follower.news()
    todo = "sed -i -e '1s/pick/reword/' -e '2s/pick/squash/' -e '3s/pick/edit/'"
    git(repository, "-c", f"sequence.editor={todo}", "-c", "core.editor=true", "rebase", "-i", "HEAD~4")
    git(repository, "reset", "-q", "HEAD~1")
    commit(repository, "t2.txt", "One half")
    git(repository, "rebase", "--continue")
    assert git(repository, "log", "--format=%s", "-2").splitlines() == ["Topic 3", "One half"]
    assert [kind for kind, _ in follower.news()] == ["git_rebase"]


@pytest.mark.parametrize(
    ("kind", "start", "step", "end"),
    [
        ("git_checkout", "pull --rebase: checkout {}", "pull --rebase: Mine", "rebase finished:"),
        ("git_rebase", "rebase -i (start): checkout {}", "rebase -i (pick): Mine", "rebase -i (finish):"),
        ("git_rebase", "rebase: checkout {}", "rebase: Mine", "rebase finished:"),
    ],
)
def test_older_versions_of_git_are_understood(
    repository: Path, follower: Follower, kind: str, start: str, step: str, end: str
) -> None:
    head = git(repository, "rev-parse", "HEAD")
    for line in (start.format(head), step, f"{end} returning to refs/heads/main"):
        git(repository, "update-ref", "-m", line, "HEAD", git_empty_commit(repository))
    ((told, content),) = follower.news()
    assert (told, content["branch"]) == (kind, "main")


def test_a_reset_is_told_and_a_merge_is_a_commit(repository: Path, follower: Follower) -> None:
    first = git(repository, "rev-parse", "HEAD")
    second = commit(repository, "b.txt", "Two")
    git(repository, "checkout", "-q", "-b", "side", first)
    commit(repository, "c.txt", "Three")
    follower.news()
    git(repository, "merge", "-q", "--no-edit", "main")
    ((kind, content),) = follower.news()
    assert kind == "git_commit"
    assert content["branch"] == "side"
    git(repository, "reset", "-q", "--hard", second)
    ((kind, content),) = follower.news()
    assert (kind, content["action"], content["to"]) == ("git_checkout", "reset", second[:12])


def test_two_servers_tell_of_a_commit_once(repository: Path, follower: Follower, tmp_path: Path) -> None:
    other = Follower(repository, tmp_path / "state")
    commit(repository, "b.txt", "Add bread")
    assert len(follower.news()) + len(other.news()) == 1


@pytest.mark.usefixtures("follower")
def test_what_happened_while_no_server_ran_is_caught_up(repository: Path, tmp_path: Path) -> None:
    commit(repository, "b.txt", "One")
    commit(repository, "c.txt", "Two")
    later = Follower(repository, tmp_path / "state")
    assert [content["subject"] for _, content in later.news()] == ["One", "Two"]


@pytest.mark.usefixtures("follower")
def test_a_commit_made_while_no_server_ran_is_told_on_its_own_branch(
    repository: Path, tmp_path: Path
) -> None:
    commit(repository, "a.txt", "On main")
    git(repository, "checkout", "-q", "-b", "topic")
    commit(repository, "b.txt", "On topic")
    git(repository, "checkout", "-q", "--detach")
    commit(repository, "c.txt", "On no branch")
    git(repository, "checkout", "-q", "topic")
    git(repository, "rebase", "-q", "main~1")
    commit(repository, "d.txt", "On topic again")
    git(repository, "checkout", "-q", "main")
    git(repository, "branch", "-q", "-D", "topic")
    told = Follower(repository, tmp_path / "state").news()
    branches = {content["subject"]: content.get("branch") for kind, content in told if kind == "git_commit"}
    assert branches == {
        "On main": "main",
        "On topic": "topic",
        "On no branch": None,
        "On topic again": "topic",
    }
    assert [content["paths"] for kind, content in told if kind == "git_commit"] == [
        [f"{name}.txt"] for name in "abcd"
    ]
    checkouts = [content for kind, content in told if kind == "git_checkout"]
    assert [each.get("branch") for each in checkouts] == ["topic", None, "topic", "main"]


def test_a_commit_before_a_rebase_that_goes_on_is_told_on_its_branch(
    repository: Path, follower: Follower, in_conflict: Callable[[], None]
) -> None:
    in_conflict()
    git(repository, "rebase", "--abort")
    commit(repository, "d.txt", "On topic")
    git(repository, "rebase", "-q", "main", check=False)
    assert [(content["subject"], content["branch"]) for _, content in follower.news()] == [
        ("On topic", "topic")
    ]


def test_a_worktree_has_moves_of_its_own(repository: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git(repository, "worktree", "add", "-q", "-b", "side", str(tree))
    follower = Follower(tree, tmp_path / "state of the tree")
    assert follower.news() == []
    commit(repository, "b.txt", "Elsewhere")
    assert follower.news() == []
    commit(tree, "c.txt", "Here")
    assert [content["subject"] for _, content in follower.news()] == ["Here"]


def test_a_rewritten_log_is_followed_from_the_line_last_seen(repository: Path, follower: Follower) -> None:
    commit(repository, "b.txt", "One")
    assert len(follower.news()) == 1
    log = repository / ".git/logs/HEAD"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[1:]))  # as `git reflog expire` does
    commit(repository, "c.txt", "Two")
    assert [content["subject"] for _, content in follower.news()] == ["Two"]
    log.write_text("")
    assert follower.news() == []
    commit(repository, "d.txt", "Three")
    assert [content["subject"] for _, content in follower.news()] == ["Three"]


@pytest.mark.parametrize("damage", ["no repository", "empty .git", "a pipe for a log", "a link to nowhere"])
def test_a_broken_repository_is_silent(tmp_path: Path, damage: str) -> None:
    root = tmp_path / "work"
    root.mkdir()
    if damage == "empty .git":
        (root / ".git").mkdir()
    elif damage == "a pipe for a log":
        git(root, "init", "-q")
        (root / ".git/logs").mkdir(exist_ok=True)
        os.mkfifo(root / ".git/logs/HEAD")
    elif damage == "a link to nowhere":
        (root / ".git").write_text("gitdir: ../nowhere\n")
    follower = Follower(root, tmp_path / "state")
    assert follower.news() == []
    assert follower.news() == []


@given(st.binary(max_size=300), st.integers(0, 400), st.text(max_size=20))
def test_no_log_is_too_odd(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, start: int, after: str
) -> None:
    log = tmp_path_factory.getbasetemp() / "log"
    log.write_bytes(data)
    tail = reflog.tail(log, start, after.encode("utf-8", "replace").decode())
    assert 0 <= tail.end <= max(len(data), start)
    assert tail.moves == ()

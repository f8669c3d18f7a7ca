"""The task stack: what one process pushes, every other one sees, and there is one answer to what is being done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from contextls.errors import InvalidRequestError
from contextls.memory.tasks.stack import DEEPEST, FILE_NAME, MAX_CHARS, SET_ASIDE, TaskStack
from contextls.model import TaskStatus

from ..workspaces import python

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[TaskStack]:
    stack = TaskStack(tmp_path)
    yield stack
    stack.close()


def test_pushing_goes_deeper_and_popping_comes_back_with_a_result(stack: TaskStack) -> None:
    assert stack.peek() is None
    assert stack.path() == ()
    root = stack.push("ship the importer")
    child = stack.push("  read the header ")
    assert (root.depth, root.parent, child.depth, child.parent) == (0, None, 1, root.id)
    assert child.goal == "read the header"
    assert [frame.goal for frame in stack.path()] == ["ship the importer", "read the header"]
    done = stack.pop("columns come in any order")
    assert (done.id, done.status, done.result) == (child.id, TaskStatus.COMPLETE, "columns come in any order")
    assert done.completed_at is not None
    assert done.completed_at >= done.created_at
    current = stack.peek()
    assert current is not None
    assert (current.id, current.children) == (root.id, (child.id,))
    assert stack.pop().result is None, "a task may end without a word"
    assert stack.peek() is None
    assert [frame.status for frame in stack.list()] == [TaskStatus.COMPLETE] * 2


def test_a_blocked_task_waits_until_it_is_resumed(stack: TaskStack) -> None:
    stack.push("release")
    blocked = stack.push("sign the packages")
    blocked = stack.block("waiting for the key")
    assert (blocked.status, blocked.reason) == (TaskStatus.BLOCKED, "waiting for the key")
    other = stack.push("write the notes")
    assert other.parent == blocked.parent, "work goes on beside it"
    resumed = stack.resume(blocked.id)
    assert (resumed.status, resumed.reason) == (TaskStatus.ACTIVE, None)
    assert stack.current_id() == blocked.id
    aside = {frame.id: frame for frame in stack.list()}[other.id]
    assert (aside.status, aside.reason) == (TaskStatus.BLOCKED, SET_ASIDE)


def test_a_blocked_root_takes_its_blocked_tasks_along_when_resumed(stack: TaskStack) -> None:
    root = stack.push("one")
    leaf = stack.push("below one")
    stack.block()
    stack.block()
    assert stack.peek() is None
    other = stack.push("two")
    assert other.parent is None
    stack.resume(leaf.id)
    assert [frame.id for frame in stack.path()] == [root.id, leaf.id]
    assert all(frame.status is TaskStatus.ACTIVE for frame in stack.path())


def test_a_task_may_outlive_its_parent(stack: TaskStack) -> None:
    parent = stack.push("parent")
    child = stack.push("child")
    stack.block("later")
    stack.pop("parent is done")
    stack.resume(child.id)
    assert [(frame.id, frame.result) for frame in stack.path()] == [
        (parent.id, "parent is done"),
        (child.id, None),
    ]
    stack.pop()
    assert stack.peek() is None


def test_what_cannot_be_done_says_what_to_do(stack: TaskStack) -> None:
    for act in (stack.pop, stack.block):
        with pytest.raises(InvalidRequestError, match="push one first"):
            act()
    with pytest.raises(InvalidRequestError, match=r"^goal"):
        stack.push(" \n ")
    done = stack.push("x")
    stack.pop()
    with pytest.raises(InvalidRequestError, match="push a new one"):
        stack.resume(done.id)
    for unknown in ("task-99", "99", "", "task--1", "task-1; DROP TABLE tasks"):
        with pytest.raises(InvalidRequestError, match=r"^id"):
            stack.resume(unknown)
    for _ in range(DEEPEST):
        stack.push("deeper")
    with pytest.raises(InvalidRequestError, match="pop one first"):
        stack.push("too deep")


def test_goals_and_results_are_redacted_and_bounded(stack: TaskStack) -> None:
    frame = stack.push(f"use the token {KEY} " + "x" * 3 * MAX_CHARS)
    assert KEY not in frame.goal
    assert "[redacted:" in frame.goal
    assert len(frame.goal) == MAX_CHARS
    done = stack.pop(f"the token was {KEY} \ud800")
    assert KEY not in str(done.result)
    assert "\ufffd" in str(done.result)


def test_another_process_sees_and_changes_the_same_stack(stack: TaskStack, tmp_path: Path) -> None:
    stack.push("here")
    code = (
        "import sys; from pathlib import Path; from contextls.memory.tasks.stack import TaskStack\n"
        "stack = TaskStack(Path(sys.argv[1])); print(stack.peek().goal); stack.push('there')"
    )
    out, err = python(code, tmp_path).communicate(timeout=180)
    assert out.strip() == "here", err
    assert [frame.goal for frame in stack.path()] == ["here", "there"]


def test_many_writers_at_once_lose_nothing(stack: TaskStack, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from contextls.memory.tasks.stack import TaskStack\n"
        "stack = TaskStack(Path(sys.argv[1]))\n"
        "for n in range(15): stack.push(f'{sys.argv[2]} {n}'); stack.pop('done')"
    )
    writers = [python(code, tmp_path, name) for name in ("a", "b", "c")]
    for writer in writers:
        _, err = writer.communicate(timeout=180)
        assert writer.returncode == 0, err
    frames = stack.list()
    assert sorted(frame.goal for frame in frames) == sorted(f"{w} {n}" for w in "abc" for n in range(15))
    assert all(frame.status is TaskStatus.COMPLETE for frame in frames)
    assert stack.peek() is None


def test_the_stack_outlives_the_process(tmp_path: Path) -> None:
    first = TaskStack(tmp_path)
    first.push("still here tomorrow")
    first.close()
    second = TaskStack(tmp_path)
    assert [frame.goal for frame in second.path()] == ["still here tomorrow"]
    second.close()


def test_a_damaged_file_is_kept_and_said(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all" * 100)
    stack = TaskStack(tmp_path)
    stack.push("goes on")
    assert len(stack.warnings()) == 1
    assert (tmp_path / f"{FILE_NAME}.damaged").read_bytes().startswith(b"not a database")
    stack.close()


def test_wiping_leaves_no_task_and_no_trace(stack: TaskStack, tmp_path: Path) -> None:
    stack.push("a peculiar goal")
    stack.wipe()
    assert stack.list() == ()
    assert stack.view() is None
    assert b"peculiar" not in (tmp_path / FILE_NAME).read_bytes()


def test_the_view_knows_siblings_and_what_was_released(stack: TaskStack) -> None:
    root = stack.push("root")
    first = stack.push("first")
    inner = stack.push("inner of first")
    stack.pop("inner result")
    stack.pop("first result")
    second = stack.push("second")
    stack.pop()
    third = stack.push("third")
    view = stack.view()
    assert view is not None
    assert [frame.id for frame in view.path] == [root.id, third.id]
    assert [frame.id for frame in view.siblings] == [second.id, first.id], "the newest first"
    assert view.released == {first.id, inner.id, second.id}
    assert stack.view() is view, "nothing changed, nothing is read again"
    version = stack.version()
    stack.block()
    assert stack.version() > version
    assert stack.view() is not view


class AnyStack(RuleBasedStateMachine):
    """Whatever is pushed, popped, blocked and resumed, in any order."""

    frames = Bundle("frames")

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.stack = TaskStack(Path(self.folder.name))
        self.known = 0

    def teardown(self) -> None:
        self.stack.close()
        self.folder.cleanup()

    @rule(target=frames, goal=st.text(min_size=1, max_size=20).filter(str.strip))
    def push(self, goal: str) -> str:
        self.known += 1
        return self.stack.push(goal).id

    @precondition(lambda self: self.stack.peek() is not None)
    @rule(result=st.none() | st.text(max_size=20))
    def pop(self, result: str | None) -> None:
        current = self.stack.current_id()
        assert self.stack.pop(result).id == current

    @precondition(lambda self: self.stack.peek() is not None)
    @rule()
    def block(self) -> None:
        self.stack.block("why")

    @rule(frame=frames)
    def resume(self, frame: str) -> None:
        status = {each.id: each.status for each in self.stack.list()}[frame]
        if status is TaskStatus.COMPLETE:
            with pytest.raises(InvalidRequestError):
                self.stack.resume(frame)
        else:
            assert self.stack.resume(frame).id == self.stack.current_id()

    @invariant()
    def every_active_frame_is_on_the_path(self) -> None:
        frames = self.stack.list()
        path = self.stack.path()
        by_id = {frame.id: frame for frame in frames}
        assert len(frames) == self.known
        assert [by_id[frame.id] for frame in path] == list(path)
        active = {frame.id for frame in frames if frame.status is TaskStatus.ACTIVE}
        assert active <= {frame.id for frame in path}
        assert bool(path) == bool(active)
        if path:
            assert path[-1].id == self.stack.current_id()
            assert path[-1].status is TaskStatus.ACTIVE
            assert all(frame.status is not TaskStatus.BLOCKED for frame in path)
        for depth, (above, below) in enumerate(zip((None, *path), path, strict=False)):
            assert (below.depth, below.parent) == (depth, above.id if above else None)
        for frame in frames:
            assert all(by_id[child].parent == frame.id for child in frame.children)
        json.dumps([frame.goal for frame in frames])


TestAnyStack = AnyStack.TestCase
TestAnyStack.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)

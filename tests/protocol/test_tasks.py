"""Tasks, patterns and feedback over the wire: one stack for everyone, errors that name the field."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from .conftest import build_workspace, visit
from .wire import Json, Wire, WireError


@pytest.fixture
def wire(shared: Wire) -> Wire:
    """The shared server, with an empty stack."""
    while shared.request("context/task/peek")["current"] is not None:
        shared.request("context/task/pop")
    return shared


@pytest.fixture(scope="module")
def shared(open_session: Wire, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with visit(open_session, build_workspace(tmp_path_factory.mktemp("tasks") / "shop")):
        yield open_session


def goals(frames: Json) -> list[str]:
    return [frame["goal"] for frame in frames]


def record(wire: Wire, kind: str, **content: Json) -> str:
    answer: dict[str, str] = wire.request("context/recordEvent", {"type": kind, "content": content})
    return answer["id"]


def recent(wire: Wire, query: str = "what happened?") -> str:
    params = {"query": query, "maxTokens": 6000, "strategy": "debug"}
    parts = wire.request("context/assemble", params)["components"]
    return "\n".join(part["content"] for part in parts if part["type"] == "recent")


def test_push_pop_block_resume_peek_path_list(wire: Wire) -> None:
    root = wire.request("context/task/push", {"goal": "ship"})
    assert root["task"] == root["current"]
    assert (root["task"]["depth"], root["task"]["parent"], root["task"]["status"]) == (0, None, "active")
    child = wire.request("context/task/push", {"goal": "test"})["task"]
    assert goals(wire.request("context/task/path")["tasks"]) == ["ship", "test"]
    blocked = wire.request("context/task/block", {"reason": "no machine"})
    assert (blocked["task"]["status"], blocked["task"]["reason"]) == ("blocked", "no machine")
    assert blocked["current"]["goal"] == "ship"
    wire.request("context/task/resume", {"id": child["id"]})
    assert wire.request("context/task/peek")["current"]["id"] == child["id"]
    popped = wire.request("context/task/pop", {"result": "all green"})
    assert (popped["task"]["result"], popped["current"]["goal"]) == ("all green", "ship")
    everything = wire.request("context/task/list")
    assert everything["current"] == root["task"]["id"]
    assert goals(everything["tasks"])[-2:] == ["ship", "test"]


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("context/task/push", {}, "goal"),
        ("context/task/push", None, "params"),
        ("context/task/push", {"goal": " "}, "goal"),
        ("context/task/push", {"goal": 1}, "goal"),
        ("context/task/push", {"goal": "x", "colour": 1}, "colour"),
        ("context/task/pop", {}, "task"),
        ("context/task/pop", {"result": 3}, "result"),
        ("context/task/block", {"reason": []}, "reason"),
        ("context/task/resume", {}, "id"),
        ("context/task/resume", {"id": "task-99999"}, "id"),
        ("context/task/resume", {"id": "first"}, "id"),
        ("context/task/peek", {"rootUri": "file:///nowhere"}, "rootUri"),
        ("context/task/list", {"goal": "x"}, "goal"),
        ("context/feedback", {"helpful": True}, "source"),
        ("context/feedback", {"source": "a"}, "helpful"),
        ("context/feedback", {"source": "a", "id": "b", "helpful": True}, "id"),
        ("context/feedback", {"id": "pattern-none", "helpful": True}, "id"),
        ("context/feedback", {"source": "x" * 2000, "helpful": True}, "source"),
        ("context/feedback", {"source": "a", "helpful": "yes"}, "helpful"),
        ("context/patterns", {"limit": 0}, "limit"),
        ("context/patterns", {"limit": 10_000_000}, "limit"),
    ],
)
def test_bad_input_is_named_and_the_server_lives_on(
    wire: Wire, method: str, params: Json, field: str
) -> None:
    with pytest.raises(WireError) as caught:
        wire.request(method, params)
    assert (caught.value.code, caught.value.data["field"]) == (-32602, field)
    assert wire.request("context/task/peek") == {"current": None}


def test_the_prompt_begins_with_the_task_and_ends_it_when_it_is_done(wire: Wire) -> None:
    params = {"query": "how is the discount computed?", "maxTokens": 2000}
    before = wire.request("context/assemble", params)["content"]
    asked = "how is the discount computed?\n\n"
    assert before.startswith(f"{asked}## Relevant Content")
    wire.request("context/task/push", {"goal": "sell more"})
    wire.request("context/task/push", {"goal": "larger discounts"})
    with_task = wire.request("context/assemble", params)
    assert with_task["content"].startswith(
        f"{asked}## Task\n\n- Goal: sell more\n- Now: larger discounts\n\n## "
    )
    assert with_task["report"]["sectionTokens"]["task"] > 0
    assert sorted(part["type"] for part in with_task["components"]).count("task") == 2
    wire.request("context/task/pop", {"result": "10 % above 500"})
    wire.request("context/task/pop")
    assert wire.request("context/assemble", params)["content"] == before


def test_a_completed_task_leaves_its_result_and_lets_its_detail_go(wire: Wire) -> None:
    wire.request("context/task/push", {"goal": "release"})
    record(wire, "shell_exec", command="outer step", exitCode=0)
    wire.request("context/task/push", {"goal": "find the leak"})
    record(wire, "shell_exec", command="valgrind shop", exitCode=1)
    assert "valgrind shop" in recent(wire)
    wire.request("context/task/pop", {"result": "the cache was never emptied"})
    record(wire, "shell_exec", command="next step", exitCode=0)
    wire.request("context/task/push", {"goal": "write the notes"})
    now = recent(wire)
    assert "valgrind shop" not in now
    assert "outer step" in now
    assert "next step" in now
    content = wire.request("context/assemble", {"query": "notes", "maxTokens": 3000})["content"]
    assert "- Done: find the leak → the cache was never emptied" in content


def test_a_short_question_is_about_the_task(wire: Wire) -> None:
    wire.request("context/task/push", {"goal": "explain discount_for"})
    answer = wire.request("context/assemble", {"query": "continue", "maxTokens": 2000})
    assert "def discount_for" in answer["content"]


def test_a_secret_in_a_goal_is_redacted(wire: Wire) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    frame = wire.request("context/task/push", {"goal": f"log in with {key}"})["task"]
    assert key not in str(frame)
    assert key not in str(wire.request("context/task/list"))


def test_feedback_changes_what_patterns_and_pieces_count(wire: Wire) -> None:
    for _ in range(3):
        record(wire, "file_write", path="shop/cart.py")
        record(wire, "shell_exec", command="make check", exitCode=0)

    def habit() -> Json:
        found = wire.request("context/patterns", {"path": "shop/cart.py"})["patterns"]
        return next(
            each for each in found if each["description"] == "After editing `shop/cart.py`, run `make check`"
        )

    before = habit()
    answer = wire.request("context/feedback", {"id": before["id"], "helpful": True, "contextId": "c1"})
    assert answer == {"source": before["id"], "helpful": True}
    after = habit()
    assert (after["helpful"], after["successes"]) == (1, before["successes"])
    assert after["confidence"] > before["confidence"]


def test_two_servers_share_one_stack(wire: Wire, start: Callable[..., Wire]) -> None:
    other = start()
    other.initialize(wire.root)
    wire.request("context/task/push", {"goal": "from the first"})
    assert other.request("context/task/peek")["current"]["goal"] == "from the first"
    other.request("context/task/pop", {"result": "done by the second"})
    assert wire.request("context/task/peek")["current"] is None
    assert wire.request("context/task/list")["tasks"][-1]["result"] == "done by the second"
    other.end()

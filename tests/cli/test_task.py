"""``task``, ``patterns`` and ``feedback``: what one command writes, every other face shows."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from contextls.cli.client import start_client

from .conftest import Run


def tasks(inline: Run, root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(inline("task", "list", "--root", root, "--json", check=0).stdout)
    return found


def test_a_stack_of_tasks_over_several_commands(contextls: Run, inline: Run, workspace: Path) -> None:
    first = contextls("task", "push", "ship the importer", "--root", workspace, check=0)
    assert first.stdout.strip() == "task-1"
    assert "now: ship the importer" in first.stderr
    inline("task", "push", "read quoted\nfields", "--root", workspace, check=0)
    done = inline("task", "pop", "csv.reader does it", "--root", workspace, "--json", check=0)
    answer = json.loads(done.stdout)
    assert (answer["task"]["status"], answer["task"]["result"]) == ("complete", "csv.reader does it")
    assert answer["current"]["id"] == "task-1"
    inline("task", "push", "sign", cwd=workspace, check=0)
    inline("task", "block", "no key yet", "--root", workspace, check=0)
    shown = inline("task", "list", "--root", workspace, check=0).stdout.splitlines()
    assert [line.split("\t") for line in shown] == [
        ["task-1", "active", "0", "ship the importer", ""],
        ["task-2", "complete", "1", "read quoted fields", "csv.reader does it"],
        ["task-3", "blocked", "1", "sign", "no key yet"],
    ]
    inline("task", "resume", "task-3", "--root", workspace, check=0)
    path = inline("task", "show", "--root", workspace, check=0).stdout.splitlines()
    assert [line.split("\t")[0] for line in path] == ["task-1", "task-3"]
    assert tasks(inline, workspace)["current"] == "task-3"
    shown_json = json.loads(inline("task", "show", "--root", workspace, "--json", check=0).stdout)
    assert [frame["goal"] for frame in shown_json["tasks"]] == ["ship the importer", "sign"]


def test_nothing_to_pop_is_said_in_one_line(inline: Run, workspace: Path) -> None:
    done = inline("task", "pop", "--root", workspace)
    assert done.returncode == 2
    assert "push one first" in done.stderr
    assert done.stderr.count("\n") == 1
    assert inline("task", "show", "--root", workspace, check=0).stdout == ""
    assert inline("task", "push", "  ", "--root", workspace).returncode == 2
    assert inline("task", "resume", "nonsense", "--root", workspace).returncode == 2


def test_clearing_asks_first(contextls: Run, inline: Run, workspace: Path) -> None:
    inline("task", "push", "x", "--root", workspace, check=0)
    assert contextls("task", "clear", "--root", workspace, stdin="n\n").returncode != 0
    assert len(tasks(inline, workspace)["tasks"]) == 1
    inline("task", "clear", "--yes", "--root", workspace, check=0)
    assert tasks(inline, workspace) == {"tasks": [], "current": None}
    inline("task", "push", "x", "--root", workspace, check=0)
    inline("task", "clear", "-y", "--root", workspace, check=0)
    assert tasks(inline, workspace) == {"tasks": [], "current": None}


def test_a_server_sees_the_task_of_a_shell(inline: Run, workspace: Path) -> None:
    with start_client([sys.executable, "-m", "contextls.cli.main", "serve"]) as server:
        folder = {"uri": workspace.as_uri(), "name": "workspace"}
        server.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": [folder]})
        server.notify("initialized", {})
        assert server.request("context/task/peek", {})["current"] is None
        inline("task", "push", "measure the tide", "--root", workspace, check=0)
        assert server.request("context/task/peek", {})["current"]["goal"] == "measure the tide"
        answer = server.request("context/assemble", {"query": "continue", "maxTokens": 2000})
        assert answer["content"].startswith("continue\n\n## Task\n\n- Now: measure the tide")
        server.request("context/task/push", {"goal": "read the gauge"})
    assert [frame["goal"] for frame in tasks(inline, workspace)["tasks"]] == [
        "measure the tide",
        "read the gauge",
    ]


def test_habits_are_listed_with_their_numbers_and_feedback_counts(inline: Run, workspace: Path) -> None:
    assert "no habits yet" in inline("patterns", workspace, check=0).stderr
    missing = inline("patterns", workspace, "--file", "app/nowhere.py")
    assert "--file: expected a file of the workspace (no such file)" in missing.stderr
    for _ in range(3):
        inline("record", "file_write", "--path", "app/mail.py", "--root", workspace, check=0)
        inline(
            *("record", "shell_exec", "--root", workspace, "--command", "pytest -q", "--exit-code", "0"),
            check=0,
        )
    found = json.loads(inline("patterns", workspace, "--json", check=0).stdout)
    (habit,) = [
        each for each in found if each["description"] == "After editing `app/mail.py`, run `pytest -q`"
    ]
    assert (habit["kind"], habit["successes"], habit["applications"], habit["passed"]) == ("command", 3, 3, 3)
    assert habit["commands"] == ["pytest -q"]
    inline("feedback", habit["id"], "--helpful", "--root", workspace, check=0)
    (again,) = json.loads(inline("patterns", workspace, "--file", "app/mail.py", "--json", check=0).stdout)
    assert again["helpful"] == 1
    assert again["confidence"] > habit["confidence"]
    line = inline("patterns", workspace, "--file", "app/mail.py", check=0).stdout
    assert "3 of 3 times, 3 passed, said +1 −0" in line
    assert inline("feedback", habit["id"], "--root", workspace).returncode == 2
    assert inline("feedback", " ", "--helpful", "--root", workspace).returncode == 2


@pytest.mark.parametrize(
    "name", ["NOSUCH", "app/nowhere.py:1-3", "event-99", "app/mail.py#Nowhere", "person:Nobody"]
)
def test_nothing_is_noted_of_what_no_prompt_can_have_held(inline: Run, workspace: Path, name: str) -> None:
    done = inline("feedback", name, "--helpful", "--root", workspace)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("contextls: ID: expected the source of a component of a prompt")


def test_every_piece_of_a_prompt_can_be_judged_by_its_source(inline: Run, workspace: Path) -> None:
    inline("record", "shell_exec", "--root", workspace, "--command", "make mail", "--exit-code", "1", check=0)
    ask = ("assemble", "what does Mailbox.deliver do, and why did make mail fail?", workspace)
    context = json.loads(inline(*ask, "--json", check=0).stdout)
    assert {each["type"] for each in context["components"]} >= {"recent", "semantic"}
    sources = [each["source"] for each in context["components"]]
    graph = json.loads(inline("graph", "app/mail.py", workspace, "--json", check=0).stdout)
    sources += [each["id"] for each in (graph["start"], *graph["entities"])]
    sources += [f"{each['source']} {each['type']} {each['target']}" for each in graph["relations"]]
    assert len(sources) > 5
    for source in sources:
        inline("feedback", source, "--helpful", "--root", workspace, check=0)

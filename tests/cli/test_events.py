"""``events`` and ``record``: what one command writes, the other shows."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from contextls.cli.client import start_client
from contextls.engine import Engine
from contextls.model import NewEvent

from .conftest import TIME, Run, record_run


def recorded(inline: Run, root: Path) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads(inline("events", root, "--json", check=0).stdout)
    return events


def test_a_shell_command_with_its_output(contextls: Run, workspace: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"line\n" * 100_000 + b"E  assert 1 == 2 \xff\n")
    done = contextls(
        *("record", "shell_exec", "--root", workspace, "--command", "pytest -q", "--exit-code", "1"),
        *("--output-file", log, "--cwd", workspace / "app", "--duration-ms", "1200"),
        check=0,
    )
    (event,) = recorded(contextls, workspace)
    assert event["id"] == done.stdout.strip()
    assert (event["type"], event["outcome"]) == ("shell_exec", "failure")
    content = event["content"]
    assert (content["command"], content["exitCode"], content["durationMs"]) == ("pytest -q", 1, 1200)
    assert content["cwd"] == str(workspace / "app")
    assert "E  assert 1 == 2" in content["stdout"]
    assert content["stdout"].startswith("line\n")
    assert len(content["stdout"]) < 140_000


def test_output_from_standard_input(contextls: Run, workspace: Path) -> None:
    contextls(
        *("record", "shell_exec", "--root", workspace, "--command", "make", "--exit-code", "0"),
        *("--output-file", "-"),
        stdin="all built\n",
        check=0,
    )
    (event,) = recorded(contextls, workspace)
    assert event["outcome"] == "success"
    assert event["content"]["stdout"] == "all built\n"


def test_recorded_files_and_errors_are_listed_newest_first(inline: Run, workspace: Path) -> None:
    inline("record", "file_read", "--path", "mail.py", "--root", workspace, cwd=workspace / "app", check=0)
    inline("record", "file_write", "--path", "README.md", "--root", workspace, check=0)
    inline(
        *("record", "error", "--message", "KeyError: 'tide'", "--path", "app/mail.py", "--line", "8"),
        cwd=workspace,
        check=0,
    )
    events = recorded(inline, workspace)
    assert [event["type"] for event in events] == ["error", "file_write", "file_read"], "newest first"
    assert [event["content"].get("path") for event in events] == ["app/mail.py", "README.md", "app/mail.py"]
    assert events[0]["outcome"] == "failure"

    lines = inline("events", workspace, check=0).stdout.splitlines()
    when, _, rest = lines[0].partition("\t")
    assert TIME.fullmatch(when)
    assert rest == "error\tfailure\tapp/mail.py:8: KeyError: 'tide'"
    only = inline("events", workspace, "--type", "file_read", "--limit", "5", check=0).stdout.splitlines()
    assert [line.split("\t")[1] for line in only] == ["file_read"]
    assert len(inline("events", workspace, "--limit", "2", check=0).stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("option", "value"), [("--at-ms", "9" * 18), ("--duration-ms", "9" * 20), ("--exit-code", "9" * 30)]
)
def test_a_number_that_cannot_be_names_its_option(
    inline: Run, workspace: Path, option: str, value: str
) -> None:
    recorded = ("record", "shell_exec", "--command", "make", "--root", workspace)
    assert f"{option}: expected" in inline(*recorded, option, value, check=2).stderr.replace("'", "")


def test_an_ignored_file_is_not_kept(inline: Run, workspace: Path) -> None:
    done = inline(
        "record", "file_read", "--path", workspace / "secret" / "plan.md", "--root", workspace, check=0
    )
    assert done.stdout == ""
    assert "not kept" in done.stderr
    assert recorded(inline, workspace) == []


def test_a_file_outside_is_wrong_usage(inline: Run, workspace: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("x = 1\n")
    done = inline("record", "file_write", "--path", outside, "--root", workspace)
    assert done.returncode == 2
    assert "--path" in done.stderr
    assert str(outside)[:40] in done.stderr, "as much of it as there is room for"


def test_every_type_is_told_in_words(inline: Run, workspace: Path) -> None:
    engine = Engine.open(workspace)
    edit = {"path": "app/mail.py", "summary": "edited `Mailbox.deliver` (+2 −1)", "added": 2, "removed": 1}
    engine.record_many(
        [
            NewEvent("file_edit", edit),
            NewEvent("git_checkout", {"from": "main", "to": "fix", "branch": "fix"}),
            NewEvent("note", {"text": "half done"}),
            NewEvent("deployed", {"to": "staging"}),
        ]
    )
    engine.close()
    told = [line.split("\t")[3] for line in inline("events", workspace, check=0).stdout.splitlines()]
    assert "Edited: app/mail.py — edited `Mailbox.deliver` (+2 −1)" in told
    assert "half done" in "".join(told)
    assert not [line for line in told if line.startswith("{")]


def test_no_events_is_an_answer(inline: Run, workspace: Path) -> None:
    done = inline("events", workspace, "--json", check=0)
    assert json.loads(done.stdout) == []


def test_record_works_while_a_server_runs(inline: Run, workspace: Path) -> None:
    with start_client([sys.executable, "-m", "contextls.cli.main", "serve"]) as server:
        folder = {"uri": workspace.as_uri(), "name": "workspace"}
        server.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": [folder]})
        server.notify("initialized", {})
        for number in range(3):
            record_run(inline, workspace, f"step {number}", 0)
        params = {"query": "which step ran last?", "maxTokens": 2000}
        assert "step 2" in server.request("context/assemble", params)["content"]
    assert [e["content"]["command"] for e in recorded(inline, workspace)] == ["step 2", "step 1", "step 0"]


@pytest.mark.parametrize("command", ["events", "activity"])
def test_a_type_that_is_misspelt_is_answered_with_the_types(
    inline: Run, workspace: Path, command: str
) -> None:
    done = inline(command, workspace, "--type", "shell", check=0)
    assert done.stderr.startswith("no events of the type shell; contextls itself records file_read, ")
    assert "shell_exec" in done.stderr
    known = inline(command, workspace, "--type", "shell_exec", check=0)
    assert known.stderr == "no events of the type shell_exec\n"

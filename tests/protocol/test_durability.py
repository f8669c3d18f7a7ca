"""A server that is killed, or whose disk is full: nothing that it acknowledged is lost, and no person is needed."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from benchmarks.durability import run

from ..models.endpoints import Endpoint, embedding_at, wait_until_asked
from .wire import Wire, WireError

MIN_EVENTS = 20


def test_every_acknowledged_event_survives_kills_while_three_writers_run(tmp_path: Path) -> None:
    outcome = run(tmp_path, kills=3, seed=1)
    assert outcome.lost == ()
    assert (outcome.state, outcome.warnings) == ("ready", ())
    assert outcome.acknowledged["process"] > MIN_EVENTS
    assert outcome.acknowledged["server"] > MIN_EVENTS
    assert outcome.acknowledged["contextls record"] > 0
    assert outcome.stored >= sum(outcome.acknowledged.values())


def test_a_server_on_a_full_disk_says_so_lives_on_and_records_again_once_there_is_room(
    workspace: Path, start: Callable[..., Wire], tmp_path: Path
) -> None:
    wire = start(env={"CONTEXTLS_HOME": str(tmp_path / "home")})
    wire.initialize(workspace)
    wire.ready(workspace)

    acknowledged: list[str] = []

    def record_until(count: int) -> None:
        while len(acknowledged) < count:
            event = {"type": "note", "content": {"text": "filling the disk " * 400}}
            acknowledged.append(wire.request("context/recordEvent", event)["id"])

    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(wire.process.pid, resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
    with pytest.raises(WireError, match=r"events\.sqlite.*space"):
        record_until(500)
    assert len(acknowledged) > 3
    assert "discount_for" in wire.assemble("how large is the discount?")["content"]
    resource.prlimit(wire.process.pid, resource.RLIMIT_FSIZE, unlimited)
    record_until(len(acknowledged) + 1)
    assert wire.request("context/status")["events"] == len(acknowledged)
    assert wire.end() == 0


def test_what_is_sent_again_to_the_server_that_follows_a_killed_one_is_stored_once(
    workspace: Path, start: Callable[..., Wire], tmp_path: Path
) -> None:
    home = {"CONTEXTLS_HOME": str(tmp_path / "home")}
    failed = {
        "type": "shell_exec",
        "content": {"command": "pytest", "exitCode": 1, "stdout": "FAILED shop/cart.py::test_it - assert 0"},
        "key": "4f1c0b3e-4a55-4d5e-9d3c-5c7f7c1f2a10",
    }
    wire = start(env=home)
    wire.initialize(workspace)
    stored = wire.request("context/recordEvent", failed)
    wire.kill()  # as the editor sees it when it hears no answer

    wire = start(env=home)
    wire.initialize(workspace)
    assert wire.request("context/recordEvent", failed) == stored
    together = [wire.send("context/recordEvent", {**failed, "key": "another"}) for _ in range(3)]
    (another,) = {wire.answer(sent)["id"] for sent in together}
    assert another != stored["id"]
    kinds = [event["type"] for event in wire.request("context/events")["events"]]
    assert sorted(kinds) == ["error", "error", "shell_exec", "shell_exec"]


def test_events_do_not_wait_for_a_file_that_is_indexed(
    workspace: Path, start: Callable[..., Wire], endpoint: Endpoint
) -> None:
    wire = start()
    wire.initialize(workspace, options=embedding_at(endpoint))
    wire.ready(workspace)
    endpoint.received.clear()
    endpoint.gate.clear()
    path = workspace / "shop/cart.py"
    path.write_text("def slowly_indexed():\n    return 1\n", encoding="utf-8")
    wire.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    wait_until_asked(endpoint)
    note = {"type": "note", "content": {"text": "recorded meanwhile"}}
    assert wire.request("context/recordEvent", note)["id"]
    endpoint.gate.set()
    while not (answer := wire.assemble("slowly indexed"))["report"]["indexComplete"]:
        pass
    assert "slowly_indexed" in answer["content"]
    told = [event["type"] for event in wire.request("context/events", {"limit": 2})["events"]]
    assert told == ["note", "file_write"]
    assert wire.end() == 0


def test_worker_processes_that_the_system_kills_cost_an_index_nothing(
    workspace: Path, start: Callable[..., Wire]
) -> None:
    for number in range(300):
        text = "\n".join(f"def function_{number}_{i}(value):\n    return value + {i}\n" for i in range(40))
        (workspace / f"module_{number}.py").write_text(text, encoding="utf-8")
    wire = start()
    wire.initialize(workspace)
    killed = 0
    while killed < 8 and wire.request("context/status")["state"] != "ready":
        for worker in _descendants(wire.process.pid):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
                killed += 1
        time.sleep(0.05)
    assert killed
    status = wire.ready(workspace)
    assert (status["files"], status["warnings"]) == (304, [])
    report = wire.request("workspace/executeCommand", {"command": "contextls.reindex"})
    assert (report["changed"], report["problems"]) == (0, [])
    assert "function_299_39" in wire.assemble("function_299_39")["content"]
    assert wire.end() == 0


def _descendants(pid: int) -> list[int]:
    """The processes that a process started, and those that they did."""
    told = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = [tuple(map(int, line.split())) for line in told.splitlines()]
    found = [pid]
    for one in found:
        found += [child for child, parent in parents if parent == one]
    return found[1:]


def test_a_folder_that_goes_and_comes_back_is_told_of_and_followed(
    workspace: Path, start: Callable[..., Wire]
) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.ready(workspace)
    away = workspace.rename(workspace.with_name("elsewhere"))
    gone = [f"{workspace} is gone; answers show it as it was"]
    assert wire.request("context/status")["warnings"] == gone
    answer = wire.assemble("how large is the discount?")
    assert "discount_for" in answer["content"]
    assert gone[0] in answer["report"]["warnings"]
    (away / "shop/later.py").write_text("def arrived_meanwhile():\n    return 1\n", encoding="utf-8")
    away.rename(workspace)
    while "def arrived_meanwhile" not in wire.assemble("arrived meanwhile")["content"]:
        time.sleep(0.1)
    assert wire.request("context/status")["warnings"] == []
    assert gone[0] not in wire.assemble("how large is the discount?")["report"]["warnings"]
    assert wire.end() == 0


def clear_by_command(home: Path, workspace: Path) -> None:
    command = [sys.executable, "-m", "contextls", "clear", "--index", "--yes", str(workspace)]
    subprocess.run(command, env={**os.environ, "CONTEXTLS_HOME": str(home)}, check=True, capture_output=True)


def delete_folders(home: Path, workspace: Path) -> None:  # noqa: ARG001 - of all workspaces
    shutil.rmtree(home / "cache")


@pytest.mark.parametrize("delete", [clear_by_command, delete_folders])
def test_an_index_that_is_deleted_while_a_server_runs_is_built_again(
    workspace: Path, start: Callable[..., Wire], tmp_path: Path, delete: Callable[[Path, Path], None]
) -> None:
    home = tmp_path / "home"
    wire = start(env={"CONTEXTLS_HOME": str(home)})
    wire.initialize(workspace)
    wire.ready(workspace)
    assert "discount_for" in wire.assemble("how large is the discount?")["content"]
    delete(home, workspace)
    (workspace / "shop" / "tax.py").write_text("def value_added(price):\n    return price * 1.19\n")
    assert "discount_for" in wire.assemble("how large is a discount?")["content"], "at once"
    wire.ready(workspace)
    while "def value_added" not in wire.assemble("which value is added to a price?")["content"]:
        time.sleep(0.1)
    assert wire.request("context/status")["warnings"] == []
    assert wire.end() == 0

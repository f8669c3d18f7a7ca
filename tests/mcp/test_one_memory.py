"""An editor, an agent and a shell on one workspace at the same time: one index, one log of what happened."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from ..protocol.wire import Wire
from .conftest import FILES, REPORTS, write_workspace
from .session import Json, Session, connect

SECONDS = 30.0
INDEXED = re.compile(r"indexed .*: (\d+) of (\d+) files")


class Clients:
    """One of each on the same folder, started at the same moment, before there is an index."""

    def __init__(self, root: Path, editor: Wire, agent: Session, log: Path, heard: set[str]) -> None:
        self.root = root
        self.editor = editor
        self.agent = agent
        self.agent_log = log
        self.heard = heard  # the resources that the agent was told have changed

    def shell(self, *arguments: str) -> str:
        """What a command prints in the folder."""
        command = [sys.executable, "-m", "contextls.cli.main", *arguments]
        return subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True).stdout

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The events of one type as the agent sees them, newest first."""
        found: list[dict[str, Any]] = self.agent.call("recent_activity", types=[kind])["events"]
        return found


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    folder = tmp_path_factory.mktemp("together")
    root, log = write_workspace(folder / "shop"), folder / "mcp.log"
    editor = Wire()
    editor.initialize(root)
    heard: set[str] = set()

    async def listen(message: object) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            heard.add(str(message.params.uri))

    options = ("--root", root, "--log-level", "info")
    with connect(*options, log=log, message_handler=listen) as agent:
        agent.call("search_code", query="discount")
        editor.ready()
        yield Clients(root, editor, agent, log, heard)
        assert editor.end() == 0
    editor.kill()


def wait_until(holds: Callable[[], Json]) -> Json:
    """What ``holds`` gives once it is true."""
    deadline = time.monotonic() + SECONDS
    while not (found := holds()):
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.1)
    return found


def test_each_file_is_indexed_once(clients: Clients) -> None:
    files = len(FILES) - 1 + REPORTS  # one is ignored
    logs = wait_until(
        lambda: (
            [
                found
                for log in (
                    clients.editor.log.decode("utf-8", "replace"),
                    clients.agent_log.read_text("utf-8"),
                )
                if (found := INDEXED.findall(log))
            ]
            if len(INDEXED.findall(clients.editor.log.decode() + clients.agent_log.read_text("utf-8"))) >= 2
            else []
        )
    )
    runs = [(int(changed), int(total)) for found in logs for changed, total in found]
    assert sum(changed for changed, _ in runs) == files, runs
    assert {total for _, total in runs} == {files}


def test_the_agent_sees_what_the_editor_and_the_shell_did(clients: Clients) -> None:
    failed = {"type": "shell_exec", "content": {"command": "make editor", "exitCode": 2, "stderr": "boom"}}
    clients.editor.request("context/recordEvent", failed)
    clients.shell("record", "shell_exec", "--command", "make shell", "--exit-code", "0")
    said = [each["text"] for each in clients.events("shell_exec")]
    assert "make shell" in said[0]
    assert "make editor" in said[1]


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_the_agent_is_told_of_what_others_do(clients: Clients) -> None:
    clients.agent.run(clients.agent.client.subscribe_resource, "context://activity")
    clients.heard.clear()
    clients.editor.request("context/recordEvent", {"type": "note", "content": {"text": "from the editor"}})
    wait_until(lambda: "context://activity" in clients.heard)


def test_the_editor_and_the_shell_see_what_the_agent_did(clients: Clients) -> None:
    clients.agent.call("record_event", type="note", content={"text": "discounts are rounded down"})
    clients.agent.call("task_push", goal="round discounts")
    clients.agent.call("pin", path="shop/cart.py")
    noted = clients.editor.request("context/events", {"filters": {"eventTypes": ["note"]}})["events"]
    assert noted[0]["content"]["text"] == "discounts are rounded down"
    assert clients.editor.request("context/task/peek")["current"]["goal"] == "round discounts"
    pinned = clients.editor.request("context/workingSet/list")["files"]
    assert [each["path"] for each in pinned] == ["shop/cart.py"]
    assert "discounts are rounded down" in clients.shell("events")
    assert "round discounts" in clients.shell("task", "show")
    clients.agent.call("pin", path="shop/cart.py", action="unpin")
    clients.agent.call("task_pop", result="done")


def test_a_change_on_disk_is_one_event_and_found_by_all(clients: Clients) -> None:
    before = len(clients.events("file_write"))
    (clients.root / "shop" / "voucher.py").write_text(
        "def redeem_voucher(code: str) -> int:\n    return 5\n", "utf-8"
    )

    def found_by_agent() -> bool:
        hits = clients.agent.call("search_code", query="redeem_voucher")["hits"]
        return any(hit["symbol"] == "redeem_voucher" for hit in hits)

    def found_by_editor() -> bool:
        hits = clients.editor.request("context/search", {"query": "redeem_voucher"})["hits"]
        return any(hit["symbol"] == "redeem_voucher" for hit in hits)

    wait_until(found_by_agent)
    wait_until(found_by_editor)
    assert "shop/voucher.py" in clients.shell("search", "redeem_voucher")
    assert len(clients.events("file_write")) == before + 1


def test_nothing_is_damaged_afterwards(clients: Clients) -> None:
    status = clients.editor.request("context/status")
    assert status["warnings"] == []
    assert (
        status["files"] == len(FILES) + REPORTS
    )  # with the one that was written, without the one that is ignored

"""An editor, Neovim, an agent and a shell on one workspace at the same time: one index, one log of what happened."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from ..neovim.nvim import Neovim, lua_string, write_server_program
from ..protocol.wire import Wire
from .conftest import FILES, REPORTS, write_workspace
from .session import Json, Session, connect

SECONDS = 60.0
INDEXED = re.compile(r"indexed .*: (\d+) of (\d+) files")
FILE_COUNT = len(FILES) - 1 + REPORTS  # one is ignored


class Clients:
    """One of each on the same folder. The editor is there first, and there is no index before."""

    def __init__(
        self, root: Path, editor: Wire, neovim: Neovim, agent: Session, log: Path, heard: set[str]
    ) -> None:
        self.root = root
        self.editor = editor
        self.neovim = neovim
        self.agent = agent
        self.agent_log = log
        self.heard = heard  # the resources that the agent was told have changed

    def shell(self, *arguments: str) -> str:
        """What a command prints in the folder."""
        command = [sys.executable, "-m", "contextls.cli.main", *arguments]
        return subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True).stdout

    def in_neovim(self, method: str, **params: Json) -> dict[str, Any]:
        """What Neovim's server answers."""
        table = f"vim.json.decode({lua_string(json.dumps(params))})" if params else "{}"
        answer: dict[str, Any] = self.neovim.request(method, table)
        return answer

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The events of one type as the agent sees them, newest first."""
        found: list[dict[str, Any]] = self.agent.call("recent_activity", types=[kind])["events"]
        return found

    def finders(self, symbol: str) -> dict[str, bool]:
        """Which of the running clients find a definition."""
        answers = {
            "Neovim": self.in_neovim("context/search", query=symbol)["hits"],
            "agent": self.agent.call("search_code", query=symbol)["hits"],
        }
        if self.editor.process.poll() is None:
            answers["editor"] = self.editor.request("context/search", {"query": symbol})["hits"]
        return {name: any(hit["symbol"] == symbol for hit in hits) for name, hits in answers.items()}

    def wait_found(self, symbol: str) -> None:
        """Wait until every running client finds a definition."""
        wait_until(lambda: all(self.finders(symbol).values()))


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    folder = tmp_path_factory.mktemp("together")
    root, log = write_workspace(folder / "shop"), folder / "mcp.log"
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    editor = Wire()
    editor.initialize(root)
    wait_until(lambda: editor.request("context/status")["writer"] == "this")
    heard: set[str] = set()

    async def listen(message: object) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            heard.add(str(message.params.uri))

    server = lua_string(write_server_program(folder))
    neovim = Neovim(folder, root, f'require("contextls").setup({{ server = {{ path = {server} }} }})')
    neovim.edit("shop/cart.py")
    options = ("--root", root, "--log-level", "info")
    try:
        with connect(*options, log=log, message_handler=listen) as agent:
            agent.call("search_code", query="discount")
            attached = "vim.lsp.get_clients({ name = 'contextls', bufnr = 0 })[1]"
            neovim.wait(f"{attached} and {attached}.initialized", "the server")
            editor.ready()
            yield Clients(root, editor, neovim, agent, log, heard)
    finally:
        neovim.end()
        editor.kill()


def wait_until(holds: Callable[[], Json]) -> Json:
    """What ``holds`` gives once it is true."""
    deadline = time.monotonic() + SECONDS
    while not (found := holds()):
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.1)
    return found


def test_each_file_is_indexed_once(clients: Clients) -> None:
    (changed, total) = wait_until(lambda: INDEXED.findall(clients.agent_log.read_text("utf-8")))[0]
    wait_until(lambda: clients.in_neovim("context/status")["state"] == "ready")
    editor, neovim = clients.editor.request("context/status"), clients.in_neovim("context/status")
    assert (editor["analyzed"], neovim["analyzed"], int(changed)) == (FILE_COUNT, 0, 0)
    assert (editor["files"], neovim["files"], int(total)) == (FILE_COUNT, FILE_COUNT, FILE_COUNT)
    assert (editor["writer"], neovim["writer"]) == ("this", "another")


def test_each_sees_what_the_others_did(clients: Clients) -> None:
    failed = {"type": "shell_exec", "content": {"command": "make editor", "exitCode": 2, "stderr": "boom"}}
    clients.editor.request("context/recordEvent", failed)
    clients.in_neovim("context/recordEvent", type="shell_exec", content={"command": "make neovim"})
    clients.agent.call("record_event", type="shell_exec", content={"command": "make agent", "exitCode": 0})
    clients.shell("record", "shell_exec", "--command", "make shell", "--exit-code", "0")
    made = ["make shell", "make agent", "make neovim", "make editor"]
    filters = {"eventTypes": ["shell_exec"]}
    for seen in (
        clients.editor.request("context/events", {"filters": filters})["events"],
        clients.in_neovim("context/events", filters=filters)["events"],
    ):
        assert [event["content"]["command"] for event in seen] == made
    told = [each["text"] for each in clients.events("shell_exec")]
    assert all(command in text for command, text in zip(made, told, strict=True))
    listed = clients.shell("events")
    assert all(command in listed for command in made)


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_the_agent_is_told_of_what_others_do(clients: Clients) -> None:
    clients.agent.run(clients.agent.client.subscribe_resource, "context://activity")
    clients.heard.clear()
    clients.editor.request("context/recordEvent", {"type": "note", "content": {"text": "from the editor"}})
    wait_until(lambda: "context://activity" in clients.heard)


def test_tasks_and_pins_are_shared(clients: Clients) -> None:
    clients.agent.call("task_push", goal="round discounts")
    added = {"action": "add_to_working_set", "path": "shop/cart.py", "why": "the work"}
    clients.agent.call("update_working_set", updates=[added])
    assert clients.in_neovim("context/task/peek")["current"]["goal"] == "round discounts"
    pinned = clients.editor.request("context/workingSet/list")["files"]
    assert [each["path"] for each in pinned] == ["shop/cart.py"]
    assert "round discounts" in clients.shell("task", "show")
    removed = {"action": "remove_from_working_set", "path": "shop/cart.py", "why": "done"}
    clients.agent.call("update_working_set", updates=[removed])
    clients.agent.call("task_pop", result="done")


def test_a_save_is_one_event_and_is_read_by_the_writer_and_found_by_all(clients: Clients) -> None:
    before = len(clients.events("file_write"))
    clients.neovim.edit("shop/voucher.py")
    clients.neovim.lua(
        "vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'def redeem_voucher(code):', '    return 5' })"
        " vim.cmd('silent write')"
    )
    clients.wait_found("redeem_voucher")
    assert "shop/voucher.py" in clients.shell("search", "redeem_voucher")
    assert len(clients.events("file_write")) == before + 1
    assert clients.editor.request("context/status")["analyzed"] > FILE_COUNT
    assert clients.in_neovim("context/status")["analyzed"] == 0


def test_when_the_first_is_killed_another_goes_on(clients: Clients) -> None:
    for number in range(REPORTS):  # the editor is killed at work
        path = clients.root / "shop" / f"rebate_{number}.py"
        path.write_text(f"def rebate_of_quarter_{number}(price):\n    return price - {number}\n", "utf-8")
    clients.editor.kill()
    clients.wait_found(f"rebate_of_quarter_{REPORTS - 1}")
    (clients.root / "shop" / "late.py").write_text("def found_by_the_next():\n    return 1\n", "utf-8")
    clients.wait_found("found_by_the_next")
    assert "shop/late.py" in clients.shell("search", "found_by_the_next")

    def took_over() -> list[bool]:
        here = clients.in_neovim("context/status")["writer"] == "this"
        return [here, "its writer ended" in clients.agent_log.read_text("utf-8")]

    wait_until(lambda: any(took_over()))
    assert sorted(took_over()) == [False, True]
    wait_until(lambda: clients.in_neovim("context/status")["state"] == "ready")
    status = clients.in_neovim("context/status")
    assert (status["files"], status["warnings"]) == (FILE_COUNT + 2 + REPORTS, [])

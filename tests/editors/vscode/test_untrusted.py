"""A workspace that nobody trusts is answered about and never recorded; once it is trusted, it is, and the server knows."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from .memory_of import Remembered
from .terminal import Terminal
from .vscode_server import ServerOptions, VSCodeServer
from .window import OpenWindow, Window

WAIT_SECONDS = 60.0
SETTLE_MS = 3_000  # longer than the server waits before an edit or a look becomes an event


@pytest.fixture(scope="module")
def server_options(vsix: Path, extension_settings: Mapping[str, str]) -> ServerOptions:
    settings = {
        **extension_settings,
        "contextls.trace.server": "verbose",
        "contextls.readSeconds": 0.5,
        "contextls.editSeconds": 0.5,
    }
    return ServerOptions(vsix=(vsix,), trust=False, settings=settings)


def test_nothing_is_recorded_before_a_workspace_is_trusted(
    open_window: OpenWindow, fresh_workspace: Path, vscode_server: VSCodeServer
) -> None:
    workspace = fresh_workspace
    window = open_window(workspace)
    memory = Remembered(workspace)
    assert "Do you trust the authors of the files in this folder?" in window.dialog().inner_text()
    window.click_dialog("No, I don't trust the authors")
    window.status_item("Restricted Mode")

    _edit_and_save(window, workspace, "shop/cart.py", "# before")
    window.set_clipboard("nothing yet")
    window.run("contextls: Copy Context for a Question…")
    window.answer("how is a discount computed?")
    window.wait_for_clipboard("discount_for")
    window.page.wait_for_timeout(SETTLE_MS)
    assert memory.events() == []
    assert '"trusted": true' not in vscode_server.output("contextls")

    window.status_item("Restricted Mode").click()
    window.page.get_by_role("button", name="Trust", exact=True).click()
    window.page.locator(".statusbar-item", has_text="Restricted Mode").wait_for(state="detached")
    _wait_until("the server was told", lambda: '"trusted": true' in vscode_server.output("contextls"))
    window.open_file("shop/invoice.py")
    # The file that was open before is looked at still, and may count as read from now on.
    memory.wait_for("file_read", "shop/invoice.py")
    _edit_and_save(window, workspace, "shop/invoice.py", "# after")
    assert memory.wait_for("file_edit")["content"]["path"] == "shop/invoice.py"
    terminal = Terminal(window)
    terminal.run("true trusted-now")
    memory.wait_for("shell_exec", "trusted-now")
    assert memory.events("", "# before") == []
    assert {event["content"].get("path") for event in memory.events("file_edit")} == {"shop/invoice.py"}


def _edit_and_save(window: Window, root: Path, path: str, text: str) -> None:
    window.open_file(path, line=1)
    window.type(f"{text}\n")
    window.press("Control+S")
    _wait_until(f"{path} was saved", lambda: text in (root / path).read_text(encoding="utf-8"))


def _wait_until(what: str, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.1)

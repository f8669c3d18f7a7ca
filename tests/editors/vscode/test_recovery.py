"""What a person sees when the server's process is killed, hangs, or is the wrong one, in a real window."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from .installed import EXTENSION
from .vscode_server import VSCodeServer
from .window import Window

SERVER = "contextls serve"
ASK = "contextls: Copy Context for a Question…"
AGAIN_SECONDS = 90.0
OLD_SERVER = EXTENSION / "test" / "fixtures" / "old_server.py"


def _process(server: VSCodeServer, *, unlike: int = 0) -> psutil.Process:
    """The server's process, once there is one other than ``unlike``."""
    found: list[psutil.Process] = []

    def _there() -> bool:
        found[:] = [process for process in server.processes(SERVER) if process.pid != unlike]
        return len(found) == 1  # those of windows that were closed end by themselves

    _until("a server process", _there)
    return found[0]


def _until(what: str, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + AGAIN_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.1)


def _ask(window: Window, query: str) -> None:
    window.set_clipboard("before")
    window.run(ASK)
    window.answer(query)


def _copied(window: Window) -> str:
    _until("something on the clipboard", lambda: window.clipboard() not in ("before", ""))
    return window.clipboard()


def test_a_question_is_answered_although_the_server_is_killed_over_it(
    window: Window, vscode_server: VSCodeServer
) -> None:
    _ask(window, "how is a discount computed?")
    assert "discount_for" in _copied(window)
    before = vscode_server.output("contextls")
    first = _process(vscode_server)
    first.suspend()  # it gets the question and cannot answer it
    _ask(window, "what does an invoice cost in total?")
    expect(window.notification("Assembling context")).to_be_visible()
    first.kill()
    assert "invoice_total" in _copied(window)
    assert _process(vscode_server, unlike=first.pid).is_running()
    assert window.notifications() == []
    log = vscode_server.output("contextls")
    for line in ("the server went down", "context/assemble: asked again"):
        assert log.count(line) > before.count(line)
    assert "Sending request 'context/assemble" in log  # contextls.trace.server


@pytest.mark.usefixtures("window")
def test_the_server_ends_by_itself_when_its_editor_is_killed(vscode_server: VSCodeServer) -> None:
    process = _process(vscode_server)
    host = process.parent()
    assert host is not None
    os.kill(host.pid, signal.SIGKILL)
    _until(
        "the orphan ends by itself",
        lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE,
    )
    assert _process(vscode_server, unlike=process.pid).is_running(), "the new host has a server again"


def test_a_wrong_path_is_told_with_a_way_out_and_loses_no_question(
    window: Window, vscode_server: VSCodeServer
) -> None:
    _process(vscode_server)
    with vscode_server.settings({"contextls.server.path": "/nowhere/contextls"}):
        shown = window.notification("There is no program at “/nowhere/contextls”")
        assert shown.get_by_role("button", name="Set Up", exact=True).is_visible()
        assert shown.get_by_role("button", name="Update Setting…", exact=True).is_visible()
        window.run("Notifications: Clear All Notifications")
        _ask(window, "what is asked while there is no server?")
        window.notification("/nowhere/contextls")
        window.run(ASK)
        window.wait_for_prompt("What do you want to ask?")
        assert window.quick_input_items()[0] == "what is asked while there is no server?"
        window.press("Escape")
    _process(vscode_server)
    _ask(window, "how is a discount computed?")
    assert "discount_for" in _copied(window)


def test_an_old_server_is_told_once_and_does_what_it_can(
    window: Window, vscode_server: VSCodeServer, tmp_path: Path
) -> None:
    old = tmp_path / "contextls"
    old.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{OLD_SERVER}"\n', encoding="utf-8")
    old.chmod(0o755)
    with vscode_server.settings({"contextls.server.path": str(old)}):
        shown = window.notification("The contextls server (0.0.1) is older than this extension")
        assert shown.get_by_role("button", name="Set Up", exact=True).is_visible()
        window.run("contextls: Restart Server")
        expect(window.page.locator(".notification-list-item").filter(has_text="is older than")).to_have_count(
            1
        )


def test_a_server_that_always_dies_is_told_once_and_a_command_goes_on_after_its_restart(
    window: Window, vscode_server: VSCodeServer, tmp_path: Path
) -> None:
    broken = tmp_path / "contextls"
    broken.write_text("#!/bin/sh\necho 'the disk has gone' >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    whole = vscode_server.options.settings["contextls.server.path"]
    with vscode_server.settings({"contextls.server.path": str(broken)}):
        shown = window.notification(
            "stops again and again and is not started any more: the disk has gone", timeout=60_000
        )
        assert shown.get_by_role("button", name="Show Log", exact=True).is_visible()
        assert window.page.locator(".notification-list-item").count() == 1
        broken.write_text(f'#!/bin/sh\nexec "{whole}" serve\n', encoding="utf-8")
        window.run("Notifications: Clear All Notifications")
        _ask(window, "how is a discount computed?")
        window.click_notification("stops again and again", "Restart")
        assert "discount_for" in _copied(window), "the command went on once the server was back"

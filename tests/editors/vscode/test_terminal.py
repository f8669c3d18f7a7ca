"""What is typed into the integrated terminal is remembered, and answers a question about it."""

from __future__ import annotations

from pathlib import Path

from .memory_of import Remembered
from .terminal import Terminal
from .window import Window


def test_a_typed_command_appears_as_an_event(window: Window, workspace: Path) -> None:
    memory = Remembered(workspace)
    memory.forget()
    terminal = Terminal(window)
    terminal.run("sh -c 'sleep 0.4; echo shop/cart.py:12: error: no discount; exit 3'")
    terminal.type("")
    terminal.run("true and-the-next")
    memory.wait_for("shell_exec", "and-the-next")
    (event,) = memory.events("shell_exec", "no discount")
    assert event["content"]["exitCode"] == 3
    assert event["content"]["cwd"] == str(workspace)
    assert event["content"]["stdout"] == "shop/cart.py:12: error: no discount"
    (error,) = memory.events("error", "no discount")
    assert (error["content"]["path"], error["content"]["line"]) == ("shop/cart.py", 12)
    commands = [each["content"]["command"] for each in memory.events("shell_exec")]
    assert len(commands) == 2

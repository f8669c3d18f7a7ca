"""What is typed into the integrated terminal is remembered, and answers a question about it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from .memory_of import Remembered
from .terminal import Terminal
from .window import WAIT_MS, Window


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


def test_a_failed_command_is_a_key_or_a_click_from_its_prompt(window: Window, workspace: Path) -> None:
    memory = Remembered(workspace)
    memory.forget()
    terminal = Terminal(window)
    offer = window.page.locator(".part.panel .title-actions").get_by_role(
        "button", name="Copy Context for the Last Failed Command"
    )
    terminal.run("true first")
    expect(offer).to_have_count(0)
    terminal.run("sh -c 'sleep 0.4; echo shop/cart.py:15: no discount; exit 3'")
    expect(offer).to_be_visible(timeout=WAIT_MS)
    memory.wait_for("shell_exec", "no discount")

    window.set_clipboard("before")
    offer.click()
    assert "def discount_for" in window.wait_for_clipboard("exit 3")
    terminal.run("true again")
    expect(offer).to_have_count(0, timeout=WAIT_MS)

    window.set_clipboard("before")
    window.press("Control+K", "l")
    window.wait_for_clipboard("exit 3")
    terminal.type("")  # the focus is in the terminal still
    window.press("Control+K", "a")
    window.answer("how is a discount computed?", prompt="What do you want to ask?")
    window.wait_for_clipboard("def discount_for")

"""The harness itself, in a real VS Code: what other tests rely on does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from .menus import choose, code_actions, explorer_item, menu_entries, pick_code_action
from .terminal import Terminal
from .vscode_server import ServerOptions, VSCodeServer
from .window import WAIT_MS, Window


def test_a_file_is_opened_at_a_line_and_its_path_copied(window: Window, workspace: Path) -> None:
    window.open_file("shop/cart.py", line=11)
    assert "def discount_for(total: float) -> float:" in window.editor_text
    window.status_item("Ln 11, Col 1")
    window.set_clipboard("before")
    window.run("File: Copy Path of Active File")
    assert window.wait_for_clipboard("cart.py") == str(workspace / "shop" / "cart.py")


def test_menus_of_files_and_of_text_are_used(window: Window, workspace: Path) -> None:
    file = explorer_item(window, "README.md")
    assert "Copy Relative Path" in menu_entries(window, file)
    choose(window, file, "Copy Path")
    assert window.wait_for_clipboard("README") == str(workspace / "README.md")
    window.open_file("shop/cart.py")
    line = window.page.locator(".view-line", has_text="class Cart").first
    choose(window, line, "Command Palette...")
    window.quick_input.wait_for()


def test_code_actions_are_listed_and_picked(window: Window) -> None:
    window.open_file("README.md", line=3)
    assert "Say It Louder" in code_actions(window, "Louder")
    window.press("Escape")
    pick_code_action(window, "Say It Louder")
    expect(window.page.locator(".view-line", has_text="A SHOP WITH A CART")).to_be_visible()


def test_a_command_that_is_not_there_is_named(window: Window) -> None:
    with pytest.raises(AssertionError, match="the palette has no command 'No Such Thing'"):
        window.run("No Such Thing", timeout=500)


def test_questions_are_answered_and_notifications_clicked(
    window: Window, vscode_server: VSCodeServer
) -> None:
    assert set(window.commands("Tiny:")) == {"Tiny: Ask for an Animal", "Tiny: Show a Page", "Tiny: Tidy Up"}
    window.run("Tiny: Ask for an Animal")
    window.answer("penguin", prompt="Which animal?")
    window.wait_for_prompt("What is it?")
    window.pick("bird")
    window.click_notification("Keep the penguin?", "Let Go")
    window.notification("You chose: Let Go")
    assert window.notifications() == ["You chose: Let Go"]
    assert "a bird: penguin" in vscode_server.output("Tiny")
    assert "harness.tiny" in vscode_server.logs()


def test_a_webview_is_found_by_what_is_in_it(window: Window) -> None:
    window.run("Tiny: Show a Page")
    page = window.webview("#press")
    page.locator("#press").click()
    assert page.locator("#press").inner_text() == "Pressed"


def test_a_terminal_prints_and_its_commands_are_seen_to_end(window: Window) -> None:
    terminal = Terminal(window)
    terminal.run("echo $((6 * 7)) penguins")
    terminal.wait_for("42 penguins")
    terminal.run("false")


def test_nothing_of_a_stopped_server_stays(tmp_path: Path) -> None:
    server = VSCodeServer(tmp_path / "data", ServerOptions())
    assert server.processes("server-main.js")
    server.stop()
    assert not server.processes()


def test_an_open_window_follows_the_settings(window: Window, vscode_server: VSCodeServer) -> None:
    bar = window.page.locator(".part.statusbar")
    expect(bar).to_be_visible()
    with vscode_server.settings({"workbench.statusBar.visible": False}):
        expect(bar).to_be_hidden(timeout=WAIT_MS)
    expect(bar).to_be_visible(timeout=WAIT_MS)

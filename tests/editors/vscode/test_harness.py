"""The harness itself, in a real VS Code: what other tests rely on does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from .menus import choose, code_actions, explorer_item, menu_entries, pick_code_action
from .sample import build_workspace
from .terminal import Terminal
from .vscode_server import ServerOptions, VSCodeServer
from .window import WAIT_MS, OpenWindow, Window


@pytest.fixture(scope="module")
def server_options() -> ServerOptions:
    return ServerOptions(trust=False, folders=(Path(__file__).parent / "tiny_extension",))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_workspace(tmp_path_factory.mktemp("harness") / "shop")


@pytest.fixture(scope="module")
def trusted(open_shared_window: OpenWindow, shop: Path) -> Window:
    window = open_shared_window(shop)
    window.click_dialog("Yes, I trust the authors")
    return window


def test_an_untrusted_folder_is_asked_about_and_stays_restricted(window: Window) -> None:
    assert "Do you trust the authors of the files in this folder?" in window.dialog().inner_text()
    window.click_dialog("No, I don't trust the authors")
    window.status_item("Restricted Mode")


def test_a_file_is_opened_at_a_line_and_its_path_copied(trusted: Window, shop: Path) -> None:
    trusted.open_file("shop/cart.py", line=11)
    assert "def discount_for(total: float) -> float:" in trusted.editor_text
    trusted.status_item("Ln 11, Col 1")
    trusted.set_clipboard("before")
    trusted.run("File: Copy Path of Active File")
    assert trusted.wait_for_clipboard("cart.py") == str(shop / "shop" / "cart.py")


def test_menus_of_files_and_of_text_are_used(trusted: Window, shop: Path) -> None:
    file = explorer_item(trusted, "README.md")
    assert "Copy Relative Path" in menu_entries(trusted, file)
    choose(trusted, file, "Copy Path")
    assert trusted.wait_for_clipboard("README") == str(shop / "README.md")
    trusted.open_file("shop/cart.py")
    line = trusted.page.locator(".view-line", has_text="class Cart").first
    choose(trusted, line, "Command Palette...")
    trusted.quick_input.wait_for()


def test_code_actions_are_listed_and_picked(trusted: Window) -> None:
    trusted.open_file("README.md", line=3)
    assert "Say It Louder" in code_actions(trusted, "Louder")
    trusted.press("Escape")
    pick_code_action(trusted, "Say It Louder")
    expect(trusted.page.locator(".view-line", has_text="A SHOP WITH A CART")).to_be_visible()


def test_a_command_that_is_not_there_is_named(trusted: Window) -> None:
    with pytest.raises(AssertionError, match="the palette has no command 'No Such Thing'"):
        trusted.run("No Such Thing", timeout=500)


def test_questions_are_answered_and_notifications_clicked(
    trusted: Window, vscode_server: VSCodeServer
) -> None:
    assert set(trusted.commands("Tiny:")) == {"Tiny: Ask for an Animal", "Tiny: Show a Page"}
    trusted.run("Tiny: Ask for an Animal")
    trusted.answer("penguin", prompt="Which animal?")
    trusted.wait_for_prompt("What is it?")
    trusted.pick("bird")
    trusted.click_notification("Keep the penguin?", "Let Go")
    trusted.notification("You chose: Let Go")
    assert trusted.notifications() == ["You chose: Let Go"]
    assert "a bird: penguin" in vscode_server.output("Tiny")
    assert "harness.tiny" in vscode_server.logs()


def test_a_webview_is_found_by_what_is_in_it(trusted: Window) -> None:
    trusted.run("Tiny: Show a Page")
    page = trusted.webview("#press")
    page.locator("#press").click()
    assert page.locator("#press").inner_text() == "Pressed"


def test_a_terminal_prints_and_its_commands_are_seen_to_end(trusted: Window) -> None:
    terminal = Terminal(trusted)
    terminal.run("echo $((6 * 7)) penguins")
    terminal.wait_for("42 penguins")
    terminal.run("false")


def test_nothing_of_a_stopped_server_stays(tmp_path: Path) -> None:
    server = VSCodeServer(tmp_path / "data", ServerOptions())
    assert server.processes("server-main.js")
    server.stop()
    assert not server.processes()


def test_an_open_window_follows_the_settings(trusted: Window, vscode_server: VSCodeServer) -> None:
    bar = trusted.page.locator(".part.statusbar")
    expect(bar).to_be_visible()
    vscode_server.write_settings({"workbench.statusBar.visible": False})
    expect(bar).to_be_hidden(timeout=WAIT_MS)

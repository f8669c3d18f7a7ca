"""A new user at a real terminal: from no server at all to answers, with nothing but keys."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import make_project
from .terminal import Terminal

CONFIG = """
require("contextls").setup({})
vim.keymap.set({ "n", "x" }, "<Space>a", "<Plug>(contextls-ask)")
vim.keymap.set({ "n", "x" }, "<Space>y", "<Plug>(contextls-copy)")
vim.keymap.set("n", "<Space>p", "<Plug>(contextls-pin-symbol)")
vim.keymap.set("n", "<Space>f", "<Plug>(contextls-failure)")
"""
INSTALL_SECONDS = 120.0  # what is fetched comes over a network


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("work") / "shop")
    (root / "Makefile").write_text(
        "test:\n\t@echo 'shop/cart.py:14: error: totl is not defined'; exit 2\n", encoding="utf-8"
    )
    return root


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory, project: Path) -> Iterator[Terminal]:
    """Neovim for somebody who has Python and uv where people have them, and no ``contextls`` anywhere."""
    home = tmp_path_factory.mktemp("home")
    tools = home / ".local" / "bin"
    tools.mkdir(parents=True)
    (tools / "python3").symlink_to(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    (tools / "uv").symlink_to(Path(sys.executable).parent / "uv")
    editor = Terminal(home, project, CONFIG, "shop/cart.py", PATH="/usr/bin:/bin")
    yield editor
    editor.end()


def test_the_server_is_installed_on_request_and_answers(terminal: Terminal) -> None:
    screen = terminal.wait("Type number and <Enter>")
    assert "contextls needs its server" in screen.replace("\n", "")
    terminal.type("1")
    terminal.press("Enter")
    terminal.wait("the server is ready", longest=INSTALL_SECONDS)
    terminal.type(" a")
    terminal.wait("What do you want to ask?")
    terminal.type("how is the discount computed?")
    terminal.press("Enter")
    screen = terminal.wait("of 4,000 tokens")
    assert "def discount_for" in screen
    assert "how is the discount computed?" in screen


def test_enter_on_a_line_of_the_answer_opens_the_code(terminal: Terminal) -> None:
    terminal.type("/return total")
    terminal.press("Enter", "Enter")
    terminal.press("C-g")
    terminal.wait("14 lines --100%--")


def test_a_visual_selection_is_copied_and_pasted(terminal: Terminal) -> None:
    terminal.type("?^def discount_for")
    terminal.press("Enter")
    terminal.type("Vj y")
    terminal.wait("context copied")
    terminal.type(":enew")
    terminal.press("Enter")
    terminal.type("p")
    terminal.wait("This is about the selected lines.")
    terminal.type(":b! shop/cart.py")
    terminal.press("Enter")


def test_a_symbol_is_pinned(terminal: Terminal, project: Path) -> None:
    terminal.type("/^def discount_for")
    terminal.press("Enter")
    terminal.type(" p")
    terminal.wait("pinned the symbol in cart.py")
    assert "discount_for" in (project / ".context" / "working-set.yml").read_text("utf-8")


def test_a_make_that_failed_becomes_a_question(terminal: Terminal) -> None:
    terminal.type(":silent make! test")
    terminal.press("Enter")
    terminal.type(":cc")
    terminal.press("Enter")
    terminal.wait("totl is not defined")
    terminal.type(" f")
    terminal.wait("Fix")
    screen = terminal.wait("make test")
    assert "totl is not defined" in screen

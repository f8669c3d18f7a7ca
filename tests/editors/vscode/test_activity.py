"""The activity tree and the status bar as a person sees them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Error, Locator, expect

from .memory_of import Remembered
from .menus import choose
from .sample import build_workspace
from .terminal import Terminal
from .window import WAIT_MS, OpenWindow, Window

_FAILING = "cat shop/nowhere.py"
_ASK = "contextls: Copy Context for a Question…"
_ANNEX = {
    "depot/shelf.py": "def shelf_height(parcels: int) -> int:\n    return parcels * 40\n",
    "depot/ramp.py": "def ramp_slope(rise: int, run: int) -> float:\n    return rise / run\n",
}
Cli = Callable[..., str]


@pytest.fixture
def cli(workspace: Path) -> Cli:
    """The server's own command line, as a shell beside the editor runs it: on the same memory."""

    def _run(*arguments: str, root: Path = workspace) -> str:
        done = subprocess.run(
            [Path(sys.executable).parent / "contextls", *arguments],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    return _run


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where ``shop``, ``annex`` and a workspace of both lie."""
    place = tmp_path_factory.mktemp("folders")
    build_workspace(place / "shop")
    for name, text in _ANNEX.items():
        path = place / "annex" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    both = {"folders": [{"path": "shop"}, {"path": "annex"}]}
    (place / "both.code-workspace").write_text(json.dumps(both), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def two_folders(open_shared_window: OpenWindow, folders: Path) -> Window:
    return open_shared_window(folders / "both.code-workspace")


@pytest.fixture
def memory(workspace: Path) -> Remembered:
    return Remembered(workspace)


@pytest.fixture
def tree(window: Window, memory: Remembered, cli: Cli) -> Locator:
    """The tree in a window whose memory holds one successful command."""
    memory.forget()
    cli("record", "shell_exec", "--command", "make first", "--exit-code", "0")
    return _show(window)


def test_what_happens_shows_by_itself_and_can_be_acted_on(window: Window, tree: Locator, cli: Cli) -> None:
    expect(_row(tree, "make first")).to_be_visible(timeout=WAIT_MS)

    terminal = Terminal(window)
    terminal.run(_FAILING)
    failed = _row(tree, _FAILING)
    expect(failed).to_contain_text("exit 1", timeout=WAIT_MS)

    window.set_clipboard("nothing was copied")
    _inline(failed, "Copy Context About This")
    window.wait_for_clipboard(_FAILING)

    _inline(failed, "Insert Command into Terminal")
    expect(window.page.locator(".xterm-rows").last).to_contain_text(
        re.compile(rf"[$#] {re.escape(_FAILING)}\s*$", re.MULTILINE), timeout=WAIT_MS
    )
    ran = json.loads(cli("events", "--type", "shell_exec", "--json"))
    assert json.dumps(ran).count(f'"{_FAILING}"') == 1, "the command was run again, not only inserted"

    cli("task", "push", "find the lost file")
    task = _row(tree, "find the lost file")
    expect(task).to_contain_text("current", timeout=WAIT_MS)
    _inline(task, "Complete Task…")
    window.answer("it never was", prompt="What came of it?")
    _open(_row(tree, "Completed"))
    expect(_row(tree, "find the lost file")).to_contain_text("completed · it never was", timeout=WAIT_MS)


def test_pins_are_ordered_changed_and_taken_away_in_the_tree(
    window: Window, tree: Locator, workspace: Path
) -> None:
    window.open_file("invoice.py")
    window.run("contextls: Pin to Context")
    window.open_file("cart.py")
    window.run("contextls: Pin to Context")
    cart, invoice = _said(tree, "Pinned shop/cart.py,"), _said(tree, "Pinned shop/invoice.py,")
    expect(cart).to_be_visible(timeout=WAIT_MS)
    expect(invoice).to_be_visible(timeout=WAIT_MS)

    choose(window, cart, "Set Priority…")
    window.answer("0.9", prompt="From 0 to 1")
    expect(cart).to_contain_text("0.90", timeout=WAIT_MS)
    _inline(invoice, "Move Up")
    expect(invoice).to_contain_text("0.95", timeout=WAIT_MS)

    choose(window, cart, "Set Role…")
    window.pick("system")
    expect(cart).to_contain_text("system", timeout=WAIT_MS)
    choose(window, cart, "Set How to Shorten…")
    window.pick("whole or not at all")
    expect(cart).to_contain_text("whole or not at all", timeout=WAIT_MS)
    manifest = (workspace / ".context" / "working-set.yml").read_text(encoding="utf-8")
    assert "role: system" in manifest
    assert "truncate_strategy: never" in manifest

    pins = _said(tree, "Pinned ")
    invoice.click()
    expect(window.active_tab).to_contain_text("invoice.py", timeout=WAIT_MS)
    window.press("Alt+ArrowDown")
    expect(pins.first).to_contain_text("cart.py", timeout=WAIT_MS)
    expect(invoice).to_have_class(re.compile("focused"), timeout=WAIT_MS)
    window.press("ArrowUp")
    expect(cart).to_have_class(re.compile("focused"), timeout=WAIT_MS)
    window.press("Space")  # selects the row, on which keys act from now on, and shows the file
    expect(window.active_tab).to_contain_text("cart.py", timeout=WAIT_MS)
    window.press("Delete")
    expect(cart).to_have_count(0, timeout=WAIT_MS)
    expect(invoice).to_be_visible()
    choose(window, invoice, "Exclude from Context")
    expect(invoice).to_have_count(0, timeout=WAIT_MS)
    _open(_row(tree, "Excluded"))
    _inline(_said(tree, "Excluded shop/invoice.py"), "Stop Excluding from Context")
    expect(_row(tree, "Excluded")).to_have_count(0, timeout=WAIT_MS)


def test_the_status_bar_tells_the_truth_and_opens_the_details(window: Window, tree: Locator) -> None:
    expect(_row(tree, "make first")).to_be_visible(timeout=WAIT_MS)
    window.run("contextls: Copy Context for a Question…")
    window.answer("how is a discount computed?")
    texts = ("Indexed: 6 files", "how is a discount computed?")
    _click_in_hover(window, re.compile(r"\d+ tokens$"), texts, "Pause memory")
    window.status_item("memory paused")
    expect(window.view("Activity")).to_contain_text("nothing new is recorded", timeout=WAIT_MS)
    window.status_item("memory paused").click()
    expect(window.page.locator(".statusbar-item", has_text="memory paused")).to_have_count(0, timeout=WAIT_MS)

    window.status_item(re.compile(r"\d+ tokens$")).click()
    expect(window.quick_input).to_contain_text("complete and up to date", timeout=WAIT_MS)


def test_two_folders_have_rows_of_their_own(two_folders: Window, folders: Path, cli: Cli) -> None:
    cli("record", "shell_exec", "--command", "make shop", "--exit-code", "0", root=folders / "shop")
    cli("record", "shell_exec", "--command", "make annex", "--exit-code", "0", root=folders / "annex")
    tree = _show(two_folders)
    expect(_row(tree, "make shop")).to_be_visible(timeout=WAIT_MS)
    _open(_row(tree, "annex"))
    expect(_row(tree, "make annex")).to_be_visible(timeout=WAIT_MS)
    cli("record", "shell_exec", "--command", "make more", "--exit-code", "1", root=folders / "annex")
    expect(_row(tree, "make more")).to_contain_text("exit 1", timeout=WAIT_MS)


def test_of_two_folders_the_one_in_front_or_chosen_answers_with_its_own_pins(
    two_folders: Window, folders: Path, cli: Cli
) -> None:
    window = two_folders
    for folder in ("shop", "annex"):
        cli("index", root=folders / folder)  # done when it returns, whoever else is at it

    def prompt(question: str, wanted: str, folder: str = "") -> str:
        window.set_clipboard("before")
        window.run(_ASK)
        if folder:
            window.pick(folder)
        window.answer(question, prompt="What do you want to ask?")
        return window.wait_for_clipboard(wanted)

    window.open_file("ramp.py")
    window.run("contextls: Pin to Context")
    window.status_item("Pinned ramp.py")
    annex = prompt("how high is a shelf?", "def shelf_height")
    assert "## Working Set" in annex
    assert "discount_for" not in annex

    window.run("View: Close All Editors")
    expect(window.active_tab).to_have_count(0, timeout=WAIT_MS)
    shop = prompt("how is a discount computed?", "def discount_for", folder="shop")
    assert "Working Set" not in shop
    assert "ramp_slope" not in shop
    assert "discount_for" not in prompt("how high is a shelf?", "def shelf_height", folder="annex")


def test_an_empty_memory_says_what_to_do(window: Window, memory: Remembered) -> None:
    memory.forget()
    view = _show(window)
    view.get_by_role("button", name="Begin a Task").click(timeout=WAIT_MS)
    window.answer("open the shop")
    expect(_row(view, "open the shop")).to_contain_text("current", timeout=WAIT_MS)


def _show(window: Window) -> Locator:
    """Show the tree and nothing else in the side bar."""
    window.run("contextls: Focus on Activity View")
    other = window.page.locator(".pane-header.expanded", has_text=re.compile(r"^Context$"))
    if other.count():
        other.click()
    return window.view("Activity")


def _click_in_hover(window: Window, item: re.Pattern[str], texts: Sequence[str], link: str) -> None:
    """Click a link of what shows over an item of the status bar, with ``texts`` in it.

    It goes when the item is drawn again, and people point again, too.
    """
    hover = window.page.locator(".monaco-hover")
    for text in texts:
        hover = hover.filter(has_text=text)
    deadline = time.monotonic() + WAIT_MS / 1000
    while True:
        window.page.mouse.move(600, 400)
        window.status_item(item).hover()
        try:
            hover.get_by_role("link", name=link).click(timeout=3_000)
        except Error:
            assert time.monotonic() < deadline, (
                f"nothing with {texts} and {link!r} shows over {item.pattern!r}"
            )
        else:
            return


def _row(tree: Locator, text: str) -> Locator:
    label = tree.page.locator(".label-name", has_text=re.compile(rf"^{re.escape(text)}$"))
    return tree.locator(".monaco-list-row").filter(has=label)


def _said(tree: Locator, beginning: str) -> Locator:
    """The row for which a screen reader says something that begins so."""
    return tree.locator(f'.monaco-list-row[aria-label^="{beginning}"]')


def _open(row: Locator) -> None:
    """Unfold a row."""
    twistie = row.locator(".monaco-tl-twistie")
    twistie.wait_for()
    if row.get_attribute("aria-expanded") == "false":
        twistie.click()


def _inline(row: Locator, action: str) -> None:
    row.hover()
    row.get_by_role("button", name=action).click()

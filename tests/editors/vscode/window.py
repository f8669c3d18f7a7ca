"""A VS Code window as a person sees and uses it."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from playwright.sync_api import Browser, Error, FrameLocator, Locator, Page, expect

from .vscode_server import VSCodeServer

READY_MS = 60_000
TIDY_MS = 20_000  # a new window is there sooner than one that takes longer is tidied up
LEAVE_MS = 10_000
WAIT_MS = (
    60_000  # a machine with ten times its load still answers within this; nobody waits longer than is needed
)
expect.set_options(timeout=WAIT_MS)
_QUICK_INPUT = ".quick-input-widget:not([style*='display: none'])"
_PALETTE_IS_GONE = """() => {
    const box = document.querySelector(".quick-input-widget");
    return !box || box.style.display === "none" || !box.querySelector("input.input").value.startsWith(">");
}"""


class Window:
    """One window: what it shows and what a person can do in it.

    Every method waits up to its ``timeout`` (milliseconds) for what it needs and raises an ``AssertionError`` or
    Playwright's ``Error`` that says what was not there. ``page`` is there for everything else.
    """

    def __init__(self, page: Page) -> None:
        """Take a page that shows a workbench, or will."""
        self.page = page
        page.set_default_timeout(WAIT_MS)

    def load(self, server: VSCodeServer, folder: Path, *, payload: Sequence[tuple[str, str]] = ()) -> None:
        """Open ``folder`` and wait until the workbench can be used."""
        self.page.goto(server.url(folder, payload=payload))
        self.wait_until_ready()
        if folder.suffix == ".code-workspace":
            self.wait_for_folders()

    def wait_until_ready(self) -> None:
        """The workbench stands and knows what its extensions contribute (which may not have been activated yet)."""
        self.page.locator(".monaco-workbench .part.statusbar").wait_for(timeout=READY_MS)
        loaded = "() => performance.getEntriesByName('code/didLoadExtensions').length > 0"
        self.page.wait_for_function(loaded, timeout=READY_MS)

    def tidy_up(self) -> bool:
        """Close what is open, without saving it, and show the explorer: as in a window that was just opened.

        False when something does not let itself be closed. Only where the server has ``tiny_extension``, which does it.
        """
        try:
            self.set_clipboard("untidy")
            self.press("Escape", "Escape")  # boxes and menus
            self.run("Tiny: Tidy Up")
            self.wait_for_clipboard("tidied up", timeout=TIDY_MS)
            expect(self.page.locator(".notifications-toasts .notification-list-item")).to_have_count(0)
        except (AssertionError, Error):
            return False
        return True

    def close(self) -> None:
        """Leave the workbench, so that its extension host ends at once, and close the browser's profile."""
        self.page.on("dialog", lambda dialog: dialog.accept())  # yes, leave what was not saved
        with contextlib.suppress(Error):
            self.page.goto("about:blank", timeout=LEAVE_MS)
        self.page.context.close()

    def wait_for_folders(self) -> None:
        """The explorer shows the folders of a ``.code-workspace``; VS Code at times opens one without, and is reloaded."""
        rows = self.page.locator(".explorer-folders-view .monaco-list-row")
        for _ in range(3):
            try:
                rows.first.wait_for(timeout=20_000)
            except Error:
                self.page.reload()
                self.wait_until_ready()
            else:
                return
        rows.first.wait_for()

    # keys and commands

    def press(self, *keys: str) -> None:
        """Press keys one after the other, as ``"Control+Shift+P"`` or ``"Enter"``."""
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Type ``text`` where the focus is."""
        self.page.keyboard.type(text)

    def run(self, title: str, *, timeout: int = WAIT_MS) -> None:
        """Choose the command with this whole ``title`` (its category included) from the command palette."""
        row = self._find_row("F1", f">{title}", title, missing="the palette has no command", timeout=timeout)
        row.click()
        self.page.wait_for_function(_PALETTE_IS_GONE)

    def commands(self, text: str) -> list[str]:
        """The titles that the palette shows for ``text``; waits until it shows something."""
        self.press("F1")
        self.type_in_quick_input(f">{text}")
        self.page.locator(f"{_QUICK_INPUT} .monaco-list-row").first.wait_for()
        shown = self.quick_input_items()
        self.press("Escape")
        return shown

    # quick input: input boxes, pickers and the palette

    @property
    def quick_input(self) -> Locator:
        """The box at the top of the window, while one is open."""
        return self.page.locator(_QUICK_INPUT)

    def type_in_quick_input(self, text: str, *, timeout: int = WAIT_MS) -> None:
        """Wait for the box and replace what stands in it."""
        self.quick_input.locator("input.input").fill(text, timeout=timeout)

    def quick_input_items(self) -> list[str]:
        """The labels of the rows that the box shows now."""
        rows = self.quick_input.locator(".monaco-list-row .quick-input-list-row:first-child .label-name")
        return [text.strip() for text in rows.all_inner_texts()]

    def pick(self, label: str) -> None:
        """Choose the row with this whole label."""
        self._row(label).click()

    def answer(self, text: str, *, prompt: str = "") -> None:
        """Give an input box its answer; ``prompt`` waits for the box that shows these words or holds them greyed out."""
        self.wait_for_prompt(prompt)
        self.type_in_quick_input(text)
        self.press("Enter")

    def wait_for_prompt(self, prompt: str) -> None:
        """Wait until the box shows ``prompt``: as its title, its message, or greyed out in the empty input."""
        greyed = self.page.locator(f'input[placeholder*="{prompt}"]')
        shown = self.quick_input.filter(has_text=prompt).or_(self.quick_input.filter(has=greyed))
        shown.first.wait_for()

    def _find_row(self, key: str, text: str, label: str, *, missing: str, timeout: int = WAIT_MS) -> Locator:
        """Open a box with ``key`` and type ``text`` until it shows the row with this whole label; say what is ``missing``.

        An open box does not follow what is contributed or written meanwhile, and one that opens late loses what was typed.
        """
        deadline = time.monotonic() + timeout / 1000
        row = self._row(label)
        patience = 1_000
        while True:
            self.press(key)
            try:
                self.type_in_quick_input(text, timeout=patience)
                row.wait_for(timeout=patience)
            except Error as error:
                shown = self.quick_input_items()
                self.press("Escape")
                if time.monotonic() > deadline:
                    raise AssertionError(f"{missing} '{label}'; it shows {shown}") from error
                patience = min(2 * patience, 10_000)
            else:
                return row

    def _choose(self, row: Locator) -> None:
        """Click ``row`` until the box closes: one that is just filled again takes no click."""
        deadline = time.monotonic() + WAIT_MS / 1000
        while True:
            with contextlib.suppress(Error):
                row.click(timeout=5_000)
            try:
                self.quick_input.wait_for(state="hidden", timeout=5_000)
            except Error:
                if time.monotonic() > deadline:
                    raise
            else:
                return

    def _row(self, label: str) -> Locator:
        name = self.page.locator(".label-name", has_text=re.compile(rf"^\s*{re.escape(label)}\s*$"))
        return self.quick_input.locator(".monaco-list-row").filter(has=name).first

    # files and editors

    def open_file(self, path: str, *, line: int | None = None) -> None:
        """Open a file of the workspace (path relative to its folder), at a 1-based ``line``, and focus the text."""
        name = Path(path).name
        # Files that were open lately may stand above it.
        self._choose(self._find_row("Control+P", path, name, missing="the workspace has no file"))
        expect(self.active_tab).to_contain_text(name, timeout=WAIT_MS)
        self._focus_text()
        if line is not None:
            self.go_to_line(line)

    def _focus_text(self) -> None:
        """Wait for the focus: it comes last, and would close a box that was opened before. Go there where it went astray."""
        focused = self.page.locator(".editor-group-container.active .monaco-editor.focused").first
        deadline = time.monotonic() + WAIT_MS / 1000
        while True:
            try:
                focused.wait_for(timeout=5_000)
            except Error:
                if time.monotonic() > deadline:
                    raise
                self.press("Control+1")
            else:
                return

    def go_to_line(self, line: int, column: int = 1) -> None:
        """Put the cursor of the focused editor there; both count from 1."""
        self.press("Control+G")
        self.type_in_quick_input(f":{line}:{column}")
        self.press("Enter")
        self.quick_input.wait_for(state="hidden")

    @property
    def active_tab(self) -> Locator:
        """The tab of the editor in front."""
        return self.page.locator(".editor-group-container.active .tab.active")

    @property
    def editor_text(self) -> str:
        """The lines of the focused group's editor that are on the screen (blanks as plain blanks)."""
        return self.editor_lines.inner_text().replace("\xa0", " ")

    @property
    def editor_lines(self) -> Locator:
        """The same as a locator, to wait for what it shows (blanks do not break)."""
        return self.page.locator(".editor-group-container.active .editor-instance .view-lines").first

    # the rest of the window

    def clipboard(self) -> str:
        """The text on the clipboard."""
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def set_clipboard(self, text: str) -> None:
        """Put ``text`` on the clipboard, so that a test sees whether something replaces it."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)

    def wait_for_clipboard(self, wanted: str | re.Pattern[str], *, timeout: int = WAIT_MS) -> str:
        """Wait until the clipboard holds ``wanted`` somewhere, and return all of it."""
        pattern = re.compile(re.escape(wanted)) if isinstance(wanted, str) else wanted
        deadline = time.monotonic() + timeout / 1000
        shown = ""
        while True:
            # Nobody may read while the focus goes from a webview that closes back to the window.
            with contextlib.suppress(Error):
                shown = self.clipboard()
            if pattern.search(shown):
                return shown
            assert time.monotonic() < deadline, f"{wanted!r} is not on the clipboard, but: {shown[:2000]}"
            self.page.wait_for_timeout(100)

    def notification(self, text: str | re.Pattern[str], *, timeout: int = WAIT_MS) -> Locator:
        """Wait for a notification that holds ``text``."""
        found = self.page.locator(".notification-list-item").filter(has_text=text).first
        found.wait_for(timeout=timeout)
        return found

    def notifications(self) -> list[str]:
        """The texts of all notifications on the screen."""
        return self.page.locator(".notifications-toasts .notification-list-item-message").all_inner_texts()

    def click_notification(self, text: str | re.Pattern[str], button: str, *, timeout: int = WAIT_MS) -> None:
        """Wait for a notification that holds ``text`` and click a button of it."""
        self.notification(text, timeout=timeout).get_by_role("button", name=button, exact=True).click()

    def dialog(self, *, timeout: int = WAIT_MS) -> Locator:
        """Wait for a modal dialog, such as the question whether a folder is trusted."""
        box = self.page.locator(".monaco-dialog-box")
        box.wait_for(timeout=timeout)
        return box

    def click_dialog(self, button: str | re.Pattern[str]) -> None:
        """Click a button of the modal dialog and see it go."""
        box = self.dialog()
        box.get_by_role("button", name=button).click()
        box.wait_for(state="detached")

    def status_item(self, text: str | re.Pattern[str], *, timeout: int = WAIT_MS) -> Locator:
        """Wait for an entry of the status bar that shows ``text``."""
        found = self.page.locator(".part.statusbar .statusbar-item").filter(has_text=text).first
        found.wait_for(timeout=timeout)
        return found

    def view(self, name: str) -> Locator:
        """The section with this title in a side bar or panel (``.monaco-list-row`` are the rows of its tree)."""
        header = self.page.locator(".pane-header").filter(has_text=name)
        return self.page.locator(".pane").filter(has=header).first

    def webview(self, element: str, *, timeout: int = WAIT_MS) -> FrameLocator:
        """Wait for the webview whose document has ``element`` (a CSS selector) and return its document.

        Selectors are then as in a page of its own: ``window.webview("#app").locator("button").click()``.
        """
        count = 0
        waited = 0
        while waited <= timeout:
            frames = self.page.locator("iframe.webview.ready")
            count = frames.count()
            for index in range(count):
                document = frames.nth(index).content_frame.frame_locator("#active-frame")
                if document.locator(element).count():
                    return document
            self.page.wait_for_timeout(100)
            waited += 100
        raise AssertionError(f"none of {count} webviews has {element}")

    def screenshot(self, path: Path) -> Path:
        """Save what the window shows as a PNG."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)
        return path


def new_window(browser: Browser, *, width: int = 1280, height: int = 800) -> Window:
    """A window as in a fresh browser, for ``load``."""
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return Window(context.new_page())


class OpenWindow(Protocol):
    """What the fixture ``open_window`` gives."""

    def __call__(
        self, folder: Path, *, width: int = 1280, height: int = 800, payload: Sequence[tuple[str, str]] = ()
    ) -> Window:
        """Open a window on ``folder`` as in a fresh browser, and wait until it can be used."""
        ...

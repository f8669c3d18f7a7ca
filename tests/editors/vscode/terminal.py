"""The integrated terminal of a window, with a real shell in it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from .window import WAIT_MS, Window

_ACTIVE = ".terminal-wrapper.active"
# So much of a command is on one row of the screen, behind the prompt.
_SHOWN = 12


class Terminal:
    """The terminal in front. ``screen`` is what it shows; commands are typed as a person types them."""

    def __init__(self, window: Window) -> None:
        """Open a new terminal in ``window`` and wait for its prompt."""
        self._window = window
        window.run("Terminal: Create New Terminal")
        self._box.locator(".xterm-helper-textarea").wait_for(state="attached")
        expect(self._box.locator(".xterm-rows")).to_contain_text(re.compile(r"[$#]"), timeout=WAIT_MS)

    @property
    def _box(self) -> Locator:
        return self._window.page.locator(_ACTIVE)

    @property
    def screen(self) -> str:
        """The rows that are on the screen."""
        return self._box.locator(".xterm-rows").inner_text().replace("\xa0", " ")

    def type(self, command: str) -> None:
        """Type a command and press Enter, without waiting for it."""
        # A click, as the window may still be giving the focus back to where it was before the palette.
        self._box.locator(".xterm-screen").click()
        self._box.locator(".xterm-helper-textarea").focus()
        self._window.type(command)
        if command:
            self.wait_for(command[:_SHOWN])
        self._window.press("Enter")

    def run(self, command: str, *, timeout: int = WAIT_MS) -> None:
        """Type a command and wait until shell integration has seen it end (a mark stands before it)."""
        before = self._ended.count()
        self.type(command)
        expect(self._ended).to_have_count(before + 1, timeout=timeout)

    def wait_for(self, text: str, *, timeout: int = WAIT_MS) -> None:
        """Wait until the screen shows ``text``."""
        expect(self._box.locator(".xterm-rows")).to_contain_text(text, timeout=timeout)

    @property
    def _ended(self) -> Locator:
        marks = ".terminal-command-decoration.codicon-terminal-decoration-success"
        return self._box.locator(f"{marks}, {marks.replace('success', 'error')}")

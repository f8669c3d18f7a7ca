"""The chat of a window, with the assistant and the model of ``chat_host``."""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import Locator

from .window import Window

# A folder that counts as an installed extension.
CHAT_HOST = Path(__file__).parent / "chat_host"
# Lets ``chat_host`` be what only the editor's own assistant may be.
PROPOSED_API = (("enableProposedApi", ""),)
ANSWER_MS = 30_000


class Chat:
    """The chat view of ``window``, opened and focused."""

    def __init__(self, window: Window) -> None:
        """Open it and wait until it has its model."""
        self._window = window
        window.run("Chat: Open Chat")
        self._input = window.page.locator(".interactive-input-part .monaco-editor").first
        self._input.wait_for()

    @property
    def input(self) -> Locator:
        """Where the next message is written."""
        return self._input

    def ask(self, text: str) -> Locator:
        """Send ``text``; the newest answer, which may still be growing."""
        self.type(text)
        self._window.press("Escape", "Enter")
        return self._window.page.locator(".interactive-response").last

    def type(self, text: str) -> None:
        """Replace what stands in the input."""
        self._input.click()
        self._window.press("Control+A", "Delete")
        self._window.page.keyboard.type(text, delay=10)

    def suggestions(self, text: str, wanted: str) -> list[str]:
        """What the list offers for ``text``, typed anew until it offers ``wanted``: tools come as their extensions start."""
        rows = self._window.page.locator(".suggest-widget.visible .monaco-list-row")
        deadline = time.monotonic() + ANSWER_MS / 1000
        shown: list[str] = []
        while time.monotonic() < deadline and not any(wanted in row for row in shown):
            self.type(text)
            self._window.page.wait_for_timeout(1_000)
            shown = [row.strip() for row in rows.all_inner_texts()]
        return shown

"""What a window offers at a place: context menus, the explorer's files, code actions."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Error, Locator

from .window import WAIT_MS, Window

_ACTIONS = ".action-widget:not(.action-list-submenu-panel)"


def explorer_item(window: Window, name: str) -> Locator:
    """The row of the explorer with this file or folder name; folders above it must be open."""
    label = window.page.locator(".label-name", has_text=_whole(name))
    return window.page.locator(".explorer-folders-view .monaco-list-row").filter(has=label).first


def choose(window: Window, target: Locator, *labels: str) -> None:
    """Right-click ``target`` and choose an entry of its menu, through sub-menus where several ``labels`` are given."""
    target.click(button="right")
    entries = [_entry(window, label) for label in labels]
    for entry, following in zip(entries, [*entries[1:], None], strict=True):
        _click_until(window, entry, following)


def menu_entries(window: Window, target: Locator) -> list[str]:
    """The entries of the menu that a right click on ``target`` opens; the menu is closed again."""
    target.click(button="right")
    labels = window.page.locator(".monaco-menu .action-label")
    labels.first.wait_for()
    shown = [text for text in labels.all_inner_texts() if text.strip()]
    window.press("Escape")
    labels.first.wait_for(state="hidden")
    return shown


def code_actions(window: Window, wanted: str, *, timeout: int = WAIT_MS) -> list[str]:
    """Open the list of code actions at the cursor, anew until ``wanted`` is among them; the list stays open."""
    deadline = time.monotonic() + timeout / 1000
    while True:  # an extension that is still starting has none yet
        window.press("Control+.")
        try:
            _action(window, wanted).wait_for(timeout=1500)
            break
        except Error as error:
            shown = _shown_actions(window)
            window.press("Escape")
            if time.monotonic() > deadline:
                raise AssertionError(f"there is no code action '{wanted}'; there are {shown}") from error
    return _shown_actions(window)


def pick_code_action(window: Window, title: str, *, timeout: int = WAIT_MS) -> None:
    """Choose a code action at the cursor; ``title`` may be a part of it."""
    code_actions(window, title, timeout=timeout)
    _action(window, title).click()


def _click_until(window: Window, entry: Locator, following: Locator | None) -> None:
    """Click until the menu is gone or its sub-menu shows: a menu ignores clicks in its first moments."""
    entry.wait_for()
    for _ in range(10):
        if entry.is_visible():
            entry.click()
        try:
            if following is None:
                entry.wait_for(state="hidden", timeout=1000)
            else:
                following.wait_for(timeout=1000)
        except Error:
            continue
        return
    raise AssertionError(f"the menu does not react: {window.page.locator('.monaco-menu').all_inner_texts()}")


def _action(window: Window, title: str) -> Locator:
    return window.page.locator(f"{_ACTIONS} .monaco-list-row.action", has_text=title).first


def _shown_actions(window: Window) -> list[str]:
    rows = window.page.locator(f"{_ACTIONS} .monaco-list-row.action")
    return [text.strip() for text in rows.all_inner_texts()]


def _entry(window: Window, label: str) -> Locator:
    return window.page.locator(".monaco-menu .action-label", has_text=_whole(label)).first


def _whole(text: str) -> re.Pattern[str]:
    return re.compile(rf"^\s*{re.escape(text)}\s*$")

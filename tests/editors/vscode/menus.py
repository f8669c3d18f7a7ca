"""What a window offers at a place: context menus, the explorer's files, code actions."""

from __future__ import annotations

import re

from playwright.sync_api import Locator

from .window import Window

_ACTIONS = ".action-widget:not(.action-list-submenu-panel)"


def explorer_item(window: Window, name: str) -> Locator:
    """The row of the explorer with this file or folder name; folders above it must be open."""
    label = window.page.locator(".label-name", has_text=_whole(name))
    return window.page.locator(".explorer-folders-view .monaco-list-row").filter(has=label).first


def choose(window: Window, target: Locator, *labels: str) -> None:
    """Right-click ``target`` and choose an entry of its menu, through sub-menus where several ``labels`` are given."""
    target.click(button="right")
    for label in labels:
        _entry(window, label).click()


def menu_entries(window: Window, target: Locator) -> list[str]:
    """The entries of the menu that a right click on ``target`` opens; the menu is closed again."""
    target.click(button="right")
    labels = window.page.locator(".monaco-menu .action-label")
    labels.first.wait_for()
    shown = [text for text in labels.all_inner_texts() if text.strip()]
    window.press("Escape")
    return shown


def code_actions(window: Window) -> list[str]:
    """The code actions at the cursor; their list stays open for ``pick_code_action``."""
    window.press("Control+.")
    rows = window.page.locator(f"{_ACTIONS} .monaco-list-row.action")
    rows.first.wait_for()
    return [text.strip() for text in rows.all_inner_texts()]


def pick_code_action(window: Window, title: str) -> None:
    """Choose one of the code actions at the cursor, from the list that is open or is opened now."""
    widget = window.page.locator(_ACTIONS)
    if not widget.is_visible():
        window.press("Control+.")
    widget.locator(".monaco-list-row.action", has_text=title).first.click()


def _entry(window: Window, label: str) -> Locator:
    return window.page.locator(".monaco-menu .action-label", has_text=_whole(label)).first


def _whole(text: str) -> re.Pattern[str]:
    return re.compile(rf"^\s*{re.escape(text)}\s*$")

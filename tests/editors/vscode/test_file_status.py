"""What a person sees among the language statuses: why the file in front is not in prompts, and how to include it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from .vscode_server import ServerOptions
from .window import WAIT_MS, Window


@pytest.fixture(scope="module")
def server_options(vsix: Path, extension_settings: Mapping[str, str]) -> ServerOptions:
    return ServerOptions(vsix=(vsix,), settings=extension_settings)


def language_status(window: Window, text: str) -> Locator:
    """The entry of contextls in the hover of the language statuses, once it says ``text``."""
    button = window.page.get_by_role("button", name=re.compile(f"Editor Language Status.*{re.escape(text)}"))
    expect(button).to_be_visible(timeout=WAIT_MS)
    button.hover()
    entry = window.page.locator(".hover-language-status .element", has_text=text)
    expect(entry).to_be_visible()
    return entry


def test_the_file_in_front_says_why_it_is_not_in_prompts_and_what_lets_it_in(
    window: Window, workspace: Path
) -> None:
    window.open_file("private/notes.py")
    entry = language_status(window, "contextls: ignored")
    expect(entry).to_contain_text("by git's ignore rules")
    entry.get_by_text("Why?").click()
    line = "!/private/"
    why = f"to let it in, add the line `{line}` to .contextlsignore"
    window.notification(why)
    window.click_notification(why, "Open .contextlsignore")
    expect(window.active_tab).to_contain_text(".contextlsignore")
    window.type(line)
    window.press("Control+S")
    expect(window.active_tab).not_to_have_class(re.compile("dirty"))
    assert (workspace / ".contextlsignore").read_text() == line
    window.page.get_by_role("tab", name="notes.py").click()
    language_status(window, "contextls: indexed")


def test_an_excluded_file_in_front_is_included_with_a_click(window: Window) -> None:
    window.open_file("shop/cart.py")
    language_status(window, "contextls: indexed")
    window.run("contextls: Exclude from Context")
    entry = language_status(window, "contextls: excluded")
    entry.get_by_text("Include in Context").click()
    language_status(window, "contextls: indexed")

"""What a person sees among the language statuses: why the file in front is not in prompts, and how to include it."""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path

from playwright.sync_api import Error, Locator, expect

from .window import WAIT_MS, Window

AGAIN_MS = 5_000


def click_in_status(window: Window, text: str, link: str, follows: Locator) -> None:
    """Click a link of the entry that says ``text``; VS Code may draw the hover anew under the pointer, for any entry."""
    deadline = time.monotonic() + WAIT_MS / 1000
    while not follows.is_visible() and time.monotonic() < deadline:
        with contextlib.suppress(Error, AssertionError):
            language_status(window, text).get_by_text(link).click(timeout=AGAIN_MS)
            follows.wait_for(timeout=AGAIN_MS)
    expect(follows).to_be_visible()


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
    line = "!/private/"
    why = f"to let it in, add the line `{line}` to .contextlsignore"
    told = window.page.locator(".notification-list-item", has_text=why).first
    click_in_status(window, "contextls: ignored", "Why?", told)
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
    included = window.page.get_by_role(
        "button", name=re.compile("Editor Language Status.*contextls: indexed")
    )
    click_in_status(window, "contextls: excluded", "Include in Context", included)

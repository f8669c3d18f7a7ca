"""The commands of the extension as a person meets them: palette, history, code actions, menus, keys and dialogs."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from .memory_of import Remembered
from .menus import choose, explorer_item, menu_entries, pick_code_action
from .window import WAIT_MS, Window

QUESTION = "how is the discount of an order computed?"
ASK = "contextls: Copy Context for a Question…"
WHAT = "What do you want to ask?"
BROKEN = '{\n  "articles": ["tea"],\n  "discount" 5\n}\n'


def ask(window: Window, question: str) -> None:
    """Ask, with something else on the clipboard before."""
    window.set_clipboard("before")
    window.run(ASK)
    window.answer(question, prompt=WHAT)


def forget_questions(window: Window) -> None:
    """Take all questions of before out of the list."""
    window.run(ASK)
    window.wait_for_prompt(WHAT)
    rows = window.quick_input.locator(".monaco-list-row")
    for left in reversed(range(rows.count())):
        rows.first.hover()
        rows.first.get_by_role("button", name="Forget This Question").click(force=True)
        expect(rows).to_have_count(left)
    window.press("Escape")


def test_a_question_becomes_a_prompt_on_the_clipboard_and_is_offered_again(window: Window) -> None:
    forget_questions(window)
    ask(window, QUESTION)
    window.wait_for_clipboard("def discount_for")
    window.status_item(re.compile(r"Context copied: \d+ tokens"))
    ask(window, "what is an article?")
    window.wait_for_clipboard(re.compile(r"add_article|interface Article"))

    window.run(ASK)
    window.wait_for_prompt(WHAT)
    assert window.quick_input_items() == ["what is an article?", QUESTION]
    window.type_in_quick_input("discount")
    labels = window.quick_input.locator(".monaco-list-row .quick-input-list-row:first-child .label-name")
    expect(labels).to_have_text(["discount", QUESTION])
    window.set_clipboard("before")
    window.pick(QUESTION)
    window.wait_for_clipboard("def discount_for")

    window.run(ASK)
    window.wait_for_prompt(WHAT)
    assert window.quick_input_items() == [QUESTION, "what is an article?"]
    window.quick_input.get_by_role("button", name="Forget This Question").first.click(force=True)
    expect(labels).to_have_text(["what is an article?"])
    window.press("Escape")


def test_the_prompt_about_a_problem_comes_from_the_lamp_the_problems_view_and_a_key(
    window: Window, workspace: Path
) -> None:
    (workspace / "order.json").write_text(BROKEN, encoding="utf-8")
    window.open_file("order.json")
    expect(window.page.locator(".squiggly-error")).to_be_visible(timeout=WAIT_MS)
    expect(window.page.locator(".part.statusbar .codicon-layers")).to_be_visible(
        timeout=WAIT_MS
    )  # it is indexed
    window.press("F8", "Escape")  # to the problem
    window.set_clipboard("before")
    pick_code_action(window, "Copy context for this problem")
    window.wait_for_clipboard('"discount" 5')
    window.status_item(re.compile(r"\d+ tokens"))  # that it was copied, is said for a moment only

    window.set_clipboard("before")
    window.press("Control+K", "b")
    window.wait_for_clipboard('"discount" 5')

    window.set_clipboard("before")
    window.run("Problems: Focus on Problems View")
    problem = window.page.locator(".markers-panel .monaco-list-row", has_text="Colon expected").first
    problem.click()
    problem.get_by_role("button", name="Show fixes").click()
    window.page.locator(".monaco-menu .action-label", has_text="Copy context for this problem").first.hover()
    window.press("Enter")  # a click so soon after the one that opened the menu is ignored
    window.wait_for_clipboard('"discount" 5')


def test_the_walkthrough_knows_a_server_of_ones_own(window: Window) -> None:
    ask(window, QUESTION)
    window.wait_for_clipboard("def discount_for")  # it runs
    window.run("Welcome: Open Walkthrough...")
    window.pick("Get Started with contextls")
    first = window.page.locator(".getting-started-step").filter(has_text="Set up the server")
    expect(first.locator(".codicon.complete")).to_be_visible(timeout=WAIT_MS)


def test_menus_offer_what_can_be_done_and_a_pin_changes_the_next_prompt(window: Window) -> None:
    window.open_file("shop/cart.py", line=16)
    ask(window, QUESTION)
    assert "## Working Set" not in window.wait_for_clipboard("def discount_for")

    line = window.page.locator(".view-line", has_text="The discount that a large order earns").first
    choose(window, line, "contextls", "Pin This Symbol to Context")
    window.status_item("Pinned")
    ask(window, "what does the README say?")
    pinned = window.wait_for_clipboard("## Working Set")
    assert "def discount_for" in pinned.split("## Working Set")[1].split("\n## ")[0]

    readme = explorer_item(window, "README.md")
    entries = menu_entries(window, readme)
    assert {"Pin to Context", "Exclude from Context"} < set(entries)
    assert not {"Unpin from Context", "Stop Excluding from Context"} & set(entries)
    choose(window, readme, "Exclude from Context")
    window.status_item("Excluded README.md")
    entries = menu_entries(window, readme)
    assert "Stop Excluding from Context" in entries
    assert "Exclude from Context" not in entries
    ask(window, "what does the README say about invoices?")
    assert "A shop with a cart and invoices" not in window.wait_for_clipboard("invoice")

    window.run("contextls: Unpin from Context")
    window.wait_for_prompt("Unpin what?")
    assert window.quick_input_items() == ["discount_for"]
    window.press("Enter")  # what belongs to the file in front is ticked already
    window.status_item("Unpinned")


def test_clearing_memory_says_what_is_deleted_and_deletes_nothing_unasked(
    window: Window, workspace: Path
) -> None:
    memory = Remembered(workspace)
    memory.say("Norway has no discount either")
    window.run("contextls: Record Note…")
    window.answer("Norway has no discount", prompt="What should later prompts know?")
    window.status_item("Note recorded")
    window.run("contextls: Clear Memory…")
    box = window.dialog()
    expect(box).to_contain_text(
        re.compile(r"Index: \d+ chunks of \d+ files \([\d.]+ \w+\) in /.*Events: \d+ in /")
    )
    expect(box).to_contain_text("They cannot be brought back")
    window.click_dialog("Cancel")
    ask(window, "which country has no discount?")
    window.wait_for_clipboard("Norway has no discount")
    window.run("contextls: Clear Memory…")
    window.click_dialog("Delete Index")
    window.status_item("Index deleted")
    assert "Norway has no discount either" in memory.said()

    window.run("contextls: Clear Memory…")
    expect(window.dialog()).to_contain_text("and the conversations there")
    window.click_dialog("Delete Events")
    window.status_item(re.compile(r"\d+ events deleted"))
    assert memory.said() == []
    ask(window, "which country has no discount?")
    assert "Norway" not in window.wait_for_clipboard("discount_for")


def test_status_shows_figures_and_what_can_be_done(window: Window, workspace: Path) -> None:
    Remembered(workspace).forget()
    ask(window, QUESTION)
    window.wait_for_clipboard("def discount_for")
    window.run("contextls: Show Status")
    window.wait_for_prompt("What do you want to do?")
    expect(window.quick_input).to_contain_text("complete and up to date")
    expect(window.quick_input).to_contain_text(re.compile(r"\d+ in \d+ chunks"))
    expect(window.quick_input).to_contain_text(re.compile(r"python \d"))
    window.press("Escape")

    window.run("contextls: Copy Context for the Last Failed Command")
    window.notification("No failed command is remembered")
    window.run("contextls: Copy Context to Review Staged Changes")
    window.notification("There are no staged changes in shop")
    window.run("contextls: Complete Task…")
    window.notification("No task is being worked on")

    window.run("contextls: Show Status")
    window.pick("Show Log")
    expect(window.page.locator(".part.panel")).to_contain_text("contextls")

"""The context panel in a real VS Code: what it shows, what can be done there by mouse and by keys, and who can read it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Frame, FrameLocator, Locator, expect

from .installed import EXTENSION
from .kept_editor import KeptEditor
from .memory_of import Remembered
from .vscode_server import VSCodeServer
from .window import WAIT_MS, Window

QUESTION = "how is the discount of a large order computed?"
OTHER = "what does the customer see at checkout?"
_AXE = EXTENSION / "node_modules" / "axe-core" / "axe.min.js"


class Panel:
    """The panel as a person uses it."""

    def __init__(self, window: Window) -> None:
        """Show it in ``window``; the cursor is then in the question."""
        self.window = window
        self.policy: list[str] = []
        window.page.on("console", self._hear)
        window.run("contextls: Show Context Panel")
        self.find()

    def find(self) -> None:
        """Take the page that is there now; a view that was hidden has a new one."""
        self.frame: FrameLocator = self.window.webview("#contextls textarea")
        expect(self.question).to_be_focused(timeout=WAIT_MS)

    @property
    def question(self) -> Locator:
        return self.frame.get_by_label("Question", exact=True)

    @property
    def page(self) -> Locator:
        return self.frame.locator("#contextls")

    @property
    def tree(self) -> Locator:
        return self.frame.get_by_role("tree")

    def ask(self, text: str) -> None:
        """Ask and wait until the answer stands there."""
        self.question.fill(text)
        self.question.press("Enter")
        expect(self.page).to_have_attribute("data-answers", text, timeout=WAIT_MS)
        expect(self.page).to_have_attribute("aria-busy", "false", timeout=WAIT_MS)
        expect(self.frame.locator(".total")).to_contain_text("of", timeout=WAIT_MS)

    def section(self, title: str) -> Locator:
        return self.frame.locator(".section").filter(has=self.frame.locator(".head .title", has_text=title))

    def items(self, title: str) -> Locator:
        return self.section(title).locator(".item")

    def item(self, title: str, text: str) -> Locator:
        return self.items(title).filter(has_text=text).first

    def keys(self, title: str) -> list[str]:
        """What the pieces of a section are, in their order."""
        found: list[str] = self.items(title).evaluate_all("all => all.map(each => each.dataset.key)")
        return found

    def focused(self) -> str:
        """The key of the piece or section that has the focus."""
        return str(self.frame.locator(":focus").evaluate("each => each.closest('[data-key]')?.dataset.key"))

    def copied(self, word: str) -> str:
        """Copy with the button; the clipboard, once it holds ``word``."""
        self.window.set_clipboard("before")
        self.frame.get_by_role("button", name="Copy", exact=True).click()
        return self.window.wait_for_clipboard(word)

    def document(self) -> Frame:
        """The page itself, to look into."""
        handle = self.frame.locator("#contextls").element_handle()
        found = handle.owner_frame() if handle else None
        assert found is not None
        return found

    def _hear(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "TrustedHTML" in message.text:
            self.policy.append(message.text)


@pytest.fixture
def shop(kept_editor: KeptEditor) -> Path:
    return kept_editor.workspace()


@pytest.fixture(scope="module")
def shared_panel(kept_editor: KeptEditor, vscode_server: VSCodeServer) -> Iterator[Panel]:
    workspace = kept_editor.workspace()
    with vscode_server.settings({"contextls.maxTokens": 600, "contextls.panel.live": False}):
        window = kept_editor.window(vscode_server, workspace)
        Remembered(workspace).forget()
        panel = Panel(window)
        deadline = time.monotonic() + WAIT_MS / 1000
        panel.ask("cart")
        while "of 600 tokens" not in panel.frame.locator(".total").inner_text():
            assert time.monotonic() < deadline, "the window does not follow its settings"
            window.page.wait_for_timeout(200)
            panel.ask("cart")
        yield panel


@pytest.fixture
def panel(shared_panel: Panel) -> Panel:
    """The panel with the answer to ``QUESTION``, as it is without anything that was left out or moved."""
    shared_panel.ask("cart")
    shared_panel.ask(QUESTION)
    expect(shared_panel.item("Relevant Content", "cart.py")).to_be_visible(timeout=WAIT_MS)
    return shared_panel


def test_it_shows_sections_and_tokens_of_the_answer(panel: Panel) -> None:
    total = re.match(r"(\d+) of 600 tokens", panel.frame.locator(".total").inner_text())
    assert total
    assert 0 < int(total[1]) <= 600
    expect(panel.frame.locator(".tokenizer")).to_have_text("o200k_base, exact")
    legend = _pairs(panel.frame.locator(".legend li"), ".legend-title", ".legend-tokens")
    sections = _pairs(panel.frame.locator(".section:not([data-key=omitted])"), ".title", ".head .tokens")
    assert legend == sections
    assert "Relevant Content" in dict(legend)
    assert sum(int(tokens) for _, tokens in legend) <= int(total[1])
    assert panel.frame.locator(".used .segment").count() == len(legend)
    expect(panel.item("Relevant Content", "cart.py").locator(".why")).not_to_be_empty()


def test_a_click_opens_the_source_at_its_line(panel: Panel) -> None:
    item = panel.item("Relevant Content", "cart.py")
    first_line = re.search(r":(\d+)-", item.locator(".place").inner_text())
    assert first_line
    item.locator(".name").click()
    expect(panel.window.active_tab).to_contain_text("cart.py", timeout=WAIT_MS)
    panel.window.status_item(f"Ln {first_line[1]}, Col 1")
    panel.window.run("View: Close All Editors")


def test_the_text_of_a_piece_is_shown_as_plain_text(panel: Panel) -> None:
    item = panel.item("Relevant Content", "cart.py")
    item.locator(".twist").click()
    expect(item.locator(".text")).to_contain_text("return total * 0.05 if total > 100 else 0.0")
    assert item.locator(".text *").count() == 0
    item.locator(".twist").click()
    expect(item.locator(".text")).to_be_hidden()


def test_what_is_pinned_here_is_in_the_working_set_and_in_every_prompt(panel: Panel, shop: Path) -> None:
    item = panel.item("Relevant Content", "cart.py")
    item.hover()
    item.get_by_role("button", name="Pin shop/cart.py").first.click()
    expect(panel.item("Working Set", "cart.py")).to_be_visible(timeout=WAIT_MS)
    assert "shop/cart.py" in (shop / ".context" / "working-set.yml").read_text(encoding="utf-8")
    panel.ask(OTHER)
    assert "return total * 0.05" in panel.copied("checkoutSummary")
    panel.item("Working Set", "cart.py").focus()
    panel.window.press("p")
    expect(panel.section("Working Set")).to_have_count(0)


def test_a_piece_that_is_moved_moves_in_the_copied_text(panel: Panel) -> None:
    before = panel.keys("Relevant Content")
    assert len(before) > 1
    panel.items("Relevant Content").first.focus()
    panel.window.press("Alt+ArrowDown")
    expect(panel.items("Relevant Content").first).to_have_attribute("data-key", before[1])
    assert panel.focused() == before[0]
    text = panel.copied("## Relevant Content")
    first, second = (text.index(key.partition("|")[2]) for key in panel.keys("Relevant Content")[:2])
    assert first < second


def test_the_prompt_is_inserted_at_the_cursor_and_opened_as_a_document(panel: Panel) -> None:
    window = panel.window
    window.open_file("README.md", line=4)
    panel.frame.get_by_role("button", name="Insert at the cursor").click()
    expect(window.page.locator(".view-lines").first).to_contain_text(
        "##\xa0Relevant\xa0Content", timeout=WAIT_MS
    )
    panel.frame.get_by_role("button", name="Open as a document").click()
    expect(window.active_tab).to_contain_text("how is the discount", timeout=WAIT_MS)
    expect(window.editor_lines).to_contain_text("##\xa0Relevant\xa0Content", timeout=WAIT_MS)
    window.run("View: Close Editor")
    window.run("File: Revert File")
    window.run("View: Close All Editors")


def test_a_piece_is_left_out_this_time_and_brought_back(panel: Panel) -> None:
    item = panel.item("Relevant Content", "invoice.py")
    item.focus()
    panel.window.press("Delete")
    expect(item).to_have_count(0)
    assert panel.focused() in panel.keys("Relevant Content")
    panel.frame.get_by_role("button", name="Bring back shop/invoice.py").click()
    expect(item).to_be_visible()


def test_two_questions_are_compared_swapped_and_closed(panel: Panel) -> None:
    panel.frame.get_by_role("button", name="Compare two questions").click()
    second = panel.frame.get_by_label("Second question")
    expect(second).to_be_focused()
    second.fill(OTHER)
    second.press("Enter")
    expect(panel.section("Only in the second")).to_be_visible(timeout=WAIT_MS)
    groups = ("Only in the first", "In both", "Only in the second")
    shown = {title: panel.keys(title) for title in groups}
    assert shown["In both"]
    assert not set(shown["Only in the first"]) & set(shown["Only in the second"])
    assert re.match(r"\d+ tokens and \d+ tokens", panel.frame.locator(".total").inner_text())
    panel.frame.get_by_role("button", name="Swap the questions").click()
    expect(panel.question).to_have_value(OTHER)
    expect(panel.page).to_have_attribute("aria-busy", "false")
    assert set(panel.keys("Only in the second")) == set(shown["Only in the first"])
    panel.frame.get_by_role("button", name="Close the comparison").click()
    expect(panel.section("Relevant Content")).to_be_visible(timeout=WAIT_MS)
    expect(second).to_be_hidden()


def test_everything_is_reached_by_keys(panel: Panel) -> None:
    window = panel.window
    panel.ask("cart")  # whose definition is shown, so that its name is left out
    expect(panel.section("Left out")).to_be_visible(timeout=WAIT_MS)
    window.run("contextls: Show Context Panel")
    expect(panel.question).to_be_focused()
    stops = []
    for _ in range(12):
        window.press("Tab")
        stops.append(
            panel.frame.locator(":focus").get_attribute("aria-label")
            or panel.frame.locator(":focus").inner_text()
        )
        if panel.frame.locator(".tree :focus").count():
            break
    assert panel.frame.locator(".tree :focus").count() == 1, stops
    for stop in ("Ask", "Kind of question", "Smaller budget", "Budget in tokens", "Larger budget", "Copy"):
        assert stop in stops
    window.press("Home")
    _walk_down(panel, "semantic|")
    first = panel.items("Relevant Content").first
    assert panel.focused() == panel.keys("Relevant Content")[0]
    window.press("Space")
    expect(first).to_have_attribute("aria-expanded", "true")
    window.press("ArrowLeft", "End")
    assert panel.focused() == "omitted"
    window.press("ArrowRight", "ArrowRight")
    assert panel.focused() in panel.keys("Left out")
    window.press("ArrowLeft", "ArrowLeft", "Home")
    _walk_down(panel, "semantic|")
    window.press("Enter")
    expect(window.active_tab).to_contain_text(re.compile(r"\.(py|ts|md)"), timeout=WAIT_MS)
    expect(window.page.locator(".editor-instance.focused, .monaco-editor.focused").first).to_be_visible()
    window.run("View: Close All Editors")


def test_the_budget_is_stepped_and_typed(panel: Panel) -> None:
    panel.frame.get_by_role("button", name="Larger budget").click()
    expect(panel.frame.locator(".total")).to_contain_text("of 1,000 tokens", timeout=WAIT_MS)
    budget = panel.frame.get_by_role("textbox", name="Budget in tokens")
    budget.fill("600")
    budget.press("Enter")
    expect(panel.frame.locator(".total")).to_contain_text("of 600 tokens", timeout=WAIT_MS)


def test_the_same_answer_again_touches_nothing_on_the_page(panel: Panel) -> None:
    panel.tree.evaluate(
        """tree => { window.changes = []; new MutationObserver(all => window.changes.push(
            ...all.map(each => `${each.type} ${each.target.className}`)))
            .observe(tree, { subtree: true, childList: true, attributes: true, characterData: true }); }"""
    )
    panel.window.run("contextls: Refresh Context Panel")
    panel.frame.get_by_role("status").filter(has_text="pieces").wait_for(state="attached")
    expect(panel.page).to_have_attribute("aria-busy", "false")
    assert panel.tree.evaluate("() => window.changes") == []


def test_it_is_as_it_was_after_it_was_hidden(panel: Panel) -> None:
    item = panel.items("Relevant Content").first
    item.focus()
    panel.window.press("Space")
    expect(item.locator(".text")).to_be_visible()
    panel.window.run("View: Show Explorer")
    panel.window.view("shop").wait_for()
    panel.window.run("contextls: Show Context Panel")
    panel.find()
    expect(panel.question).to_have_value(QUESTION)
    expect(item.locator(".text")).to_be_visible()
    item.focus()
    panel.window.press("Space")


def test_no_serious_barrier_is_found_in_dark_and_in_light(panel: Panel) -> None:
    panel.ask("cart")
    expect(panel.section("Left out")).to_be_visible(timeout=WAIT_MS)
    panel.items("Relevant Content").first.focus()
    panel.window.press("Space")
    panel.section("Left out").locator(".head").click()
    document = panel.document()
    document.evaluate(_AXE.read_text(encoding="utf-8"))
    for theme in ("vscode-dark", "vscode-light"):
        expect(panel.frame.locator(f"body.{theme}")).to_be_attached()
        barriers = _barriers(document)
        assert not barriers, "\n".join(barriers)
        panel.window.run("Preferences: Toggle between Light/Dark Themes")
    panel.section("Left out").locator(".head").click()
    panel.items("Relevant Content").first.focus()
    panel.window.press("Space")


def test_nothing_on_the_page_breaks_its_policy(panel: Panel) -> None:
    policy = panel.frame.locator("meta[http-equiv]").get_attribute("content") or ""
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert (
        panel.frame.locator("[style*='url'], [onclick], img, iframe, style:not(#_defaultStyles)").count() == 0
    )
    assert panel.policy == []


def _walk_down(panel: Panel, wanted: str) -> None:
    """Press the arrow until the focus is on a piece whose key begins so."""
    for _ in range(20):
        if panel.focused().startswith(wanted):
            return
        panel.window.press("ArrowDown")
    raise AssertionError(f"arrows do not lead to {wanted}; the focus is on {panel.focused()}")


def _pairs(rows: Locator, *selectors: str) -> list[tuple[str, str]]:
    """The texts of two parts of each row."""
    texts = "(all, found) => all.map(each => found.map(one => each.querySelector(one).textContent))"
    return [(title, tokens) for title, tokens in rows.evaluate_all(texts, list(selectors))]


def _barriers(document: Frame) -> list[str]:
    """What axe finds that keeps people out, with the first place of each.

    One rule is off: it wants the name of a tree item to hold all text within, that of the items below it included.
    """
    off = "{ rules: { 'label-content-name-mismatch': { enabled: false } } }"
    result = document.evaluate(f"() => axe.run('#contextls', {off})")
    return [
        f"{found['id']}: {found['nodes'][0]['html']}: {found['nodes'][0]['failureSummary']}"
        for found in result["violations"]
        if found["impact"] in ("serious", "critical")
    ]

"""The chat: people ask ``@context``, models get ``#context``."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from contextls.engine import Engine

from .chat import ANSWER_MS, Chat
from .window import Window


@pytest.fixture
def chat(window: Window, workspace: Path) -> Chat:
    with closing(Engine.open(workspace)) as engine:
        engine.index()  # so that the first question is not asked before the code is known
    return Chat(window)


def test_a_person_asks_context_and_the_model_answers_from_the_code(
    chat: Chat, window: Window, workspace: Path
) -> None:
    answer = chat.ask("@context /explain how is the discount computed?")
    expect(answer).to_contain_text("You asked “how is the discount computed?”", timeout=ANSWER_MS)
    expect(answer).to_contain_text("shop/cart.py")
    expect(answer.get_by_text("Copy Context")).to_be_visible()
    again = chat.ask("@context /explain how is the discount computed, once more?")
    # The system prompt, the first message with its context, the answer to it.
    expect(again).to_contain_text("after 3 messages", timeout=ANSWER_MS)
    expect(again).to_contain_text(re.compile(r"Seen before:\s+shop/cart\.py:\d+-\d+ of turn 1"))
    with closing(Engine.open(workspace)) as engine:
        (conversation,) = engine.conversations.list()
        path = engine.conversations.path(conversation.id).nodes
    assert conversation.title == "how is the discount computed?"
    assert [str(node.author) for node in path] == ["human", "model", "human", "model"]
    assert "def discount_for" in path[0].content
    assert "def discount_for" not in path[2].content

    window.run("contextls: Show Context Panel")
    panel = window.webview("#contextls")
    turn = panel.locator(".turn")
    expect(turn).to_contain_text(re.compile(r"Chat: [\d,]+ of [\d,]+ tokens"))
    expect(turn).to_contain_text(re.compile(r"Conversation\s*\d+"))
    expect(turn).to_contain_text(re.compile(r"\d+ % cached, as predicted"))
    expect(turn).to_contain_text("were not sent again")


def test_a_prompt_is_sent_to_the_chat_from_the_palette_and_beside_copy(chat: Chat, window: Window) -> None:
    window.run("contextls: Send Context for a Question to Chat…")
    window.answer("how is a discount computed?", prompt="What do you want to ask?")
    expect(chat.input).to_contain_text("how is a discount computed?", timeout=ANSWER_MS)
    chat.type("something else")
    window.run("contextls: Show Context Panel")
    panel = window.webview("#contextls")
    panel.get_by_role("button", name="Send to Chat").click()
    expect(chat.input).to_contain_text("how is a discount computed?", timeout=ANSWER_MS)
    expect(chat.input).not_to_contain_text("something else")
    window.press("Enter")
    answer = window.page.locator(".interactive-response").last
    expect(answer).to_contain_text("shop/cart.py", timeout=ANSWER_MS)


def test_a_model_asks_by_itself_when_context_is_referenced(chat: Chat) -> None:
    assert any("context" in row for row in chat.suggestions("#conte", "context"))
    answer = chat.ask("#context where is the discount computed?")
    expect(answer).to_contain_text(
        "Assembling context for “where is the discount computed?”", timeout=ANSWER_MS
    )
    expect(answer).to_contain_text("shop/cart.py", timeout=ANSWER_MS)

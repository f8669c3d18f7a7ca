"""Conversations over the wire: one tree for everyone, errors that name the field, nothing stored in a pause."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .conftest import build_workspace, visit
from .wire import Json, Wire, WireError

ASK = "context/conversation/"


@pytest.fixture(scope="module")
def wire(open_session: Wire, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with visit(open_session, build_workspace(tmp_path_factory.mktemp("chats") / "shop")):
        yield open_session


@pytest.fixture
def chat(wire: Wire) -> str:
    """A conversation in which nothing was said."""
    created: dict[str, str] = wire.request(f"{ASK}create", {"title": "Discounts"})
    return created["id"]


def say(wire: Wire, chat: str, author: str, content: str, **more: Json) -> str:
    params = {"conversationId": chat, "author": author, "content": content, **more}
    answer: dict[str, str] = wire.request(f"{ASK}append", params)
    return answer["id"]


def shown(wire: Wire, chat: str, **more: Json) -> list[tuple[str, str]]:
    answer = wire.request(f"{ASK}history", {"conversationId": chat, **more})
    return [(message["role"], message["content"]) for message in answer["messages"]]


def test_two_branches_of_one_conversation(wire: Wire, chat: str) -> None:
    first = say(wire, chat, "human", "which orders?")
    say(wire, chat, "model", "none")
    wire.request(f"{ASK}branch", {"conversationId": chat, "nodeId": first})
    other = say(wire, chat, "model", "large ones")
    assert shown(wire, chat) == [("user", "which orders?"), ("assistant", "large ones")]
    thread = wire.request(f"{ASK}path", {"conversationId": chat})
    assert (thread["ancestry"], thread["turns"], thread["firstKeptTurnId"]) == ([first, other], [first], None)
    assert len(wire.request(f"{ASK}tree", {"conversationId": chat})["nodes"]) == 3


def test_a_budget_cuts_the_middle_and_says_so(wire: Wire, chat: str) -> None:
    for number in range(12):
        say(wire, chat, "human", f"question {number} " + "why " * 20)
        say(wire, chat, "model", f"answer {number} " + "so " * 20)
    params = {
        "conversationId": chat,
        "maxTokens": 300,
        "preferences": {"tokenBuffer": 50, "minimumRecentNodes": 2},
    }
    cut = wire.request(f"{ASK}history", params)
    assert cut["tokens"] + cut["systemTokens"] <= 250
    assert cut["truncated"]
    assert cut["marker"] in [message["content"] for message in cut["messages"]]
    with pytest.raises(WireError, match="stopAtLimit never truncates"):
        wire.request(
            f"{ASK}history", {**params, "preferences": {"truncation": "stopAtLimit", "tokenBuffer": 0}}
        )
    with pytest.raises(WireError, match="1,024 tokens are reserved for the answer"):
        wire.request(f"{ASK}history", {"conversationId": chat, "maxTokens": 300})


def test_an_overflow_that_a_client_reports_compacts_once(wire: Wire, chat: str) -> None:
    for number in range(12):
        say(wire, chat, "human", f"question {number} " + "why " * 30)
        say(wire, chat, "model", f"answer {number} " + "so " * 30)
    say(wire, chat, "human", "and now?")
    report = {"conversationId": chat, "error": "prompt is too long", "overflow": True, "available": 800}
    kept = wire.request(f"{ASK}result", report)
    assert kept["result"]["error"] == "prompt is too long"
    assert (kept["compaction"]["trigger"], kept["compaction"]["targetTokens"]) == ("overflow_recovery", 320)
    assert shown(wire, chat)[0][1].startswith("[Previous conversation summary]")
    with pytest.raises(WireError, match="compacted for this turn once already"):
        wire.request(f"{ASK}result", report)


def test_a_conversation_that_would_not_fit_is_compacted_to_three_fifths(wire: Wire, chat: str) -> None:
    for number in range(12):
        say(wire, chat, "human", f"question {number} " + "why " * 30)
        say(wire, chat, "model", f"answer {number} " + "so " * 30)
    done = wire.request(f"{ASK}compact", {"conversationId": chat, "available": 800})
    assert (done["trigger"], done["targetTokens"], done["method"]) == ("context_limit", 480, "extractive")
    assert done["tokensAfter"] <= 480
    assert done["nodeId"] == wire.request(f"{ASK}path", {"conversationId": chat})["nodeId"]


def test_usage_is_kept_and_compared_with_what_was_predicted(wire: Wire, chat: str) -> None:
    say(wire, chat, "human", "why?")
    answer = {
        "conversationId": chat,
        "messages": [{"author": "model", "content": "because"}],
        "usage": {"inputTokens": 1000, "cachedInputTokens": 960},
        "predictedCachedTokens": 950,
    }
    kept = wire.request(f"{ASK}result", answer)["result"]
    assert (kept["cachedShare"], kept["predictedShare"]) == (0.96, 0.95)
    assert wire.request(f"{ASK}results", {"conversationId": chat})["results"] == [kept]


def test_a_deleted_conversation_is_gone(wire: Wire, chat: str) -> None:
    before = wire.request(f"{ASK}list")["conversations"]
    assert chat in [each["id"] for each in before]
    left = wire.request(f"{ASK}delete", {"conversationId": chat})["conversations"]
    assert chat not in [each["id"] for each in left]


def test_in_a_pause_nothing_is_stored_and_what_was_stored_still_answers(wire: Wire, chat: str) -> None:
    say(wire, chat, "human", "why?")
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": {"memoryPaused": True}}})
    with pytest.raises(WireError, match="memory is paused"):
        say(wire, chat, "model", "because")
    with pytest.raises(WireError, match="memory is paused"):
        wire.request(f"{ASK}import", {"content": '[{"role": "user", "content": "x"}]'})
    assert shown(wire, chat) == [("user", "why?")]
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": {}}})
    say(wire, chat, "model", "because")


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("append", {"author": "robot", "content": "x"}, "author"),
        ("append", {"author": "human", "content": " "}, "content"),
        ("append", {"author": "human", "content": "x", "parentId": "node-99999"}, "parentId"),
        (
            "append",
            {"author": "human", "content": "x", "sources": [{"nodeId": "node-99999", "role": "context"}]},
            "sources",
        ),
        (
            "append",
            {"author": "human", "content": "x", "sources": [{"nodeId": "node-1", "role": "king"}]},
            "sources[0].role",
        ),
        ("append", {"author": "human", "content": "x", "edge": "loop"}, "edge"),
        ("compact", {}, "conversationId"),
        ("compact", {"target": 0}, "target"),
        ("branch", {"nodeId": "first"}, "nodeId"),
        ("edit", {"nodeId": "node-99999", "content": "x"}, "nodeId"),
        ("history", {"preferences": {"truncation": "guess"}}, "preferences.truncation"),
        ("result", {"overflow": True}, "available"),
        ("import", {"conversationId": None, "content": "[{}]"}, "messages[0].role"),
        ("export", {"format": "pdf"}, "format"),
        ("export", {"format": "claudeCode"}, "format"),
    ],
)
def test_bad_input_is_named_and_the_server_lives_on(
    wire: Wire, chat: str, method: str, params: dict[str, Json], field: str
) -> None:
    given = {name: value for name, value in {"conversationId": chat, **params}.items() if value is not None}
    with pytest.raises(WireError) as caught:
        wire.request(f"{ASK}{method}", given)
    assert (caught.value.code, caught.value.data["field"]) == (-32602, field)
    assert wire.request(f"{ASK}history", {"conversationId": chat})["messages"] == []


def test_a_conversation_that_is_not_there_is_named(wire: Wire) -> None:
    for method in ("path", "tree", "history", "results", "export", "delete", "configure"):
        with pytest.raises(WireError) as caught:
            wire.request(f"{ASK}{method}", {"conversationId": "chat-99999"})
        assert caught.value.data["field"] == "conversationId"

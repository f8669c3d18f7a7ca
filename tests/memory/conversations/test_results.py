"""What a model gave back is written into the conversation, with what its provider counted."""

from __future__ import annotations

import pytest

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.results import keep_result, list_results
from contextls.memory.conversations.store import Conversations
from contextls.model import AgentResult, NewNode, ToolCall, ToolOutcome, Usage

from .chats import H, M, T, say, texts


def test_messages_become_nodes_and_usage_is_kept(store: Conversations, chat: str) -> None:
    (question,) = say(store, chat, (H, "why?"))
    result = AgentResult(
        messages=(NewNode(M, "because"),),
        usage=Usage(1200, 1000, 40, 1240),
        stop_reason="end_turn",
        predicted_cached_tokens=1100,
    )
    kept = keep_result(store, chat, result)
    assert texts(read_history(store, chat)) == [("user", "why?"), ("assistant", "because")]
    assert kept.nodes == (store.get(chat).head,)
    assert (kept.usage, kept.stop_reason, kept.error) == (result.usage, "end_turn", None)
    assert (kept.cached_share, kept.predicted_share) == (0.8333, 0.9167), (
        "what was said beside what was predicted"
    )
    assert list_results(store, chat) == (kept,)
    assert question.id != kept.node_id


def test_calls_come_with_what_became_of_them(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "test it"))
    outcome = ToolOutcome(ToolCall("c1", "bash", '{"command": "pytest"}'), "1 failed", failed=True)
    keep_result(store, chat, AgentResult((NewNode(M, "It fails."),), (outcome,)))
    _, call, tool, answer = read_history(store, chat).messages
    assert call.tool_calls == (outcome.call,)
    assert (tool.role, tool.content, tool.tool_call_id) == ("tool", "1 failed", "c1")
    assert answer.content == "It fails."
    assert store.path(chat)[2].metadata == {"failed": True}


def test_calls_that_are_in_the_messages_already_are_not_written_twice(
    store: Conversations, chat: str
) -> None:
    say(store, chat, (H, "test it"))
    call = ToolCall("c1", "bash")
    messages = (
        NewNode(M, "", tool_calls=(call,)),
        NewNode(T, "ok", tool_call_id="c1"),
        NewNode(M, "It passes."),
    )
    kept = keep_result(store, chat, AgentResult(messages, (ToolOutcome(call, "ok"),)))
    assert len(kept.nodes) == 3


def test_a_result_is_kept_where_only_its_call_is_in_the_messages(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "read it"))
    calls = (ToolCall("c1", "read"), ToolCall("c2", "bash"), ToolCall("c3", "bash"))
    messages = (
        NewNode(M, "", tool_calls=calls[:2]),
        NewNode(T, "ok", tool_call_id="c2"),
        NewNode(M, "It is short."),
    )
    outcomes = (
        ToolOutcome(calls[0], "FILE TEXT"),
        ToolOutcome(calls[1], "ok"),
        ToolOutcome(calls[2], "done"),
    )
    keep_result(store, chat, AgentResult(messages, outcomes))
    say(store, chat, (H, "and then?"))
    history = read_history(store, chat)
    assert [(each.role, each.content, each.tool_call_id) for each in history.messages[1:-1]] == [
        ("assistant", "", None),
        ("tool", "done", "c3"),
        ("assistant", "", None),
        ("tool", "FILE TEXT", "c1"),
        ("tool", "ok", "c2"),
        ("assistant", "It is short.", None),
    ]
    assert [each.tool_calls for each in history.messages[1:4:2]] == [calls[2:], calls[:2]]


def test_an_answer_to_an_older_node_is_a_branch(store: Conversations, chat: str) -> None:
    first, *_ = say(store, chat, (H, "one"), (M, "two"))
    keep_result(store, chat, AgentResult((NewNode(M, "another two"),)), first.id)
    assert texts(read_history(store, chat)) == [("user", "one"), ("assistant", "another two")]


def test_a_failed_turn_is_kept_with_its_error(store: Conversations, chat: str) -> None:
    (question,) = say(store, chat, (H, "why?"))
    kept = keep_result(store, chat, AgentResult(error="overloaded", stop_reason="error"))
    assert (kept.node_id, kept.nodes, kept.error, kept.cached_share) == (question.id, (), "overloaded", None)


def test_a_result_for_nothing_is_an_error(store: Conversations, chat: str) -> None:
    with pytest.raises(InvalidRequestError, match="there is no node that it answers"):
        keep_result(store, chat, AgentResult(error="overloaded"))
    with pytest.raises(InvalidRequestError, match="the id of a node of chat-1"):
        keep_result(store, chat, AgentResult((NewNode(M, "x"),)), "node-9")

"""Conversations of other programs come in whole or not at all, and what is left out is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.conversations import importing
from contextls.memory.conversations.changes import insert_node
from contextls.memory.conversations.compaction import CompactionRequest, compact
from contextls.memory.conversations.editing import branch, mark, prune
from contextls.memory.conversations.exporting import export_chat
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.importing import detect_format, import_chat
from contextls.memory.conversations.store import Conversations
from contextls.model import ChatFormat, Edge, NewNode, Preferences, Source, SourceRole, ToolCall, Truncation

from .chats import KEY, H, M, T, fresh_chat, say, texts, turns

MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "You review code."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "What is wrong?"}, {"type": "image_url", "image_url": {}}],
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.py"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "x = 1"},
    {"role": "assistant", "content": "Nothing."},
    {"role": "developer", "content": "Answer in French."},
    {"role": "user", "content": "And now?"},
]


def session(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def user(uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {
        "type": "user",
        "uuid": uuid,
        "parentUuid": parent,
        "message": {"role": "user", "content": content},
        **more,
    }


def model(uuid: str, parent: str | None, *blocks: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    message = {"role": "assistant", "id": "m1", "model": "claude-sonnet-4", "content": list(blocks)}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": message, **more}


def test_messages_become_a_conversation(store: Conversations) -> None:
    done = import_chat(store, json.dumps({"messages": MESSAGES}), name="review.json")
    chat = done.conversation
    assert (chat.title, chat.origin, done.warnings) == ("What is wrong?", "messages: review.json", ())
    history = read_history(store, chat.id)
    assert history.system == "You review code."
    assert history.instructions == ("Answer in French.",)
    assert texts(history) == [
        ("user", "What is wrong?\n\n[image_url]"),
        ("assistant", ""),
        ("tool", "x = 1"),
        ("assistant", "Nothing."),
        ("user", "And now?"),
    ]
    assert history.messages[1].tool_calls == (ToolCall("c1", "read", '{"path": "a.py"}'),)


@pytest.mark.parametrize("said", ["", " \n", None])
def test_a_system_message_that_says_nothing_instructs_nothing(store: Conversations, said: str | None) -> None:
    messages = [*MESSAGES[:5], {"role": "system", "content": said}, MESSAGES[6]]
    history = read_history(store, import_chat(store, json.dumps(messages)).conversation.id)
    assert history.instructions == ()
    assert texts(history)[-1] == ("user", "And now?")


def test_others_see_a_conversation_when_all_of_it_is_there(
    store: Conversations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Conversations(tmp_path)
    seen: list[int] = []

    def insert(*given: Any) -> int:  # noqa: ANN401 - as insert_node
        seen.append(len(other.list()))
        return insert_node(*given)

    monkeypatch.setattr(importing, "insert_node", insert)
    import_chat(store, json.dumps(MESSAGES))
    assert set(seen) == {0}
    assert len(other.list()) == 1
    other.close()


def test_what_goes_out_as_messages_comes_in_as_the_same(store: Conversations) -> None:
    first = import_chat(store, json.dumps(MESSAGES)).conversation.id
    again = import_chat(store, export_chat(store, first)).conversation.id
    assert texts(read_history(store, again)) == texts(read_history(store, first))
    assert read_history(store, again).system == "You review code.\n\nAnswer in French."


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        (
            [{"role": "robot", "content": "x"}],
            "messages[0].role: expected one of assistant, function, human, model, tool",
        ),
        ([{"content": "x"}], "messages[0].role: expected one of"),
        (
            [{"role": "user", "content": 3}],
            "messages[0].content: expected a string or a list of parts, got 3",
        ),
        ([{"role": "user", "content": "x"}, "y"], "messages[1]: expected an object with role and content"),
        ([], "messages: expected a list of at least one message"),
        ([{"role": "system", "content": "x"}], "at least one message of a person or a model"),
        (
            [{"role": "assistant", "content": "", "tool_calls": [{"id": "c"}]}],
            "messages[0].tool_calls[0]: expected a call with function.name",
        ),
    ],
)
def test_wrong_messages_are_named_and_nothing_is_kept(
    store: Conversations, messages: object, problem: str
) -> None:
    with pytest.raises(InvalidRequestError) as raised:
        import_chat(store, json.dumps(messages))
    assert problem in str(raised.value)
    assert store.list() == ()


def test_a_session_of_claude_code_becomes_a_conversation(store: Conversations) -> None:
    text = session(
        {"type": "summary", "summary": "Rounding of totals", "leafUuid": "z"},
        {"type": "file-history-snapshot", "messageId": "a"},
        user("a", None, "Why is the total wrong?", gitBranch="main"),
        model("b", "a", {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look."}),
        model(
            "c", "b", {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/w/cart.py"}}
        ),
        user(
            "d",
            "c",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "content": [{"type": "text", "text": "x = 1"}],
                    "is_error": False,
                }
            ],
        ),
        model("e", "d", {"type": "text", "text": "Rounding."}),
        user("f", "e", "side", isSidechain=True),
        user("g", "e", "Caveat: local commands", isMeta=True),
        user("h", "g", "Fix it."),
    )
    done = import_chat(store, text, name="abc.jsonl")
    assert done.conversation.title == "Rounding of totals"
    assert done.conversation.origin == "claudeCode: abc.jsonl"
    assert texts(read_history(store, done.conversation.id)) == [
        ("user", "Why is the total wrong?"),
        ("assistant", "I look."),
        ("tool", "x = 1"),
        ("assistant", "Rounding."),
        ("user", "Fix it."),
    ]
    assert done.warnings == (
        "1 × hidden reasoning of a model was left out",
        "1 × a message of a side chain (a subagent) was left out",
        "1 × a message of the program itself was left out",
    )
    asked, answer, *_ = store.nodes(done.conversation.id)
    assert asked.trace == {"uuid": "a", "gitBranch": "main"}
    assert answer.trace is not None
    assert answer.trace["model"] == "claude-sonnet-4"


def test_a_session_with_branches_is_a_tree_and_its_last_message_the_head(store: Conversations) -> None:
    text = session(
        user("a", None, "one"), model("b", "a", {"type": "text", "text": "two"}), user("c", "a", "other")
    )
    chat = import_chat(store, text).conversation
    assert texts(read_history(store, chat.id)) == [("user", "one\n\nother")]
    assert chat.nodes == 3


def test_a_summary_that_claude_code_made_stands_for_what_was_before(store: Conversations) -> None:
    text = session(
        user("a", None, "one"),
        model("b", "a", {"type": "text", "text": "two"}),
        {
            "type": "system",
            "subtype": "compact_boundary",
            "uuid": "s",
            "parentUuid": None,
            "logicalParentUuid": "b",
        },
        user("c", "s", "They counted.", isCompactSummary=True),
        user("d", "c", "three"),
    )
    chat = import_chat(store, text).conversation
    assert texts(read_history(store, chat.id)) == [
        ("user", "[Previous conversation summary]\nThey counted."),
        ("user", "three"),
    ]


def test_two_beginnings_of_a_session_are_joined_and_said(store: Conversations) -> None:
    done = import_chat(store, session(user("a", None, "one"), user("b", None, "two")))
    assert texts(read_history(store, done.conversation.id)) == [("user", "one\n\ntwo")]
    assert done.warnings == ("1 × a second beginning was joined to what came before it",)


def test_a_message_of_a_session_that_is_its_own_ancestor_is_joined_and_named(store: Conversations) -> None:
    for circle in (
        (user("a", None, "one"), user("b", "b", "two")),
        (user("a", "b", "one"), user("b", "a", "two")),
    ):
        done = import_chat(store, session(*circle))
        assert texts(read_history(store, done.conversation.id)) == [("user", "one\n\ntwo")]
        (warning,) = done.warnings
        assert "names itself or a later one as its parent" in warning


def test_a_result_without_its_call_is_kept_and_said(store: Conversations) -> None:
    chat = [
        {"role": "user", "content": "hello"},
        {"role": "tool", "tool_call_id": "c9", "content": "of nobody"},
    ]
    done = import_chat(store, json.dumps(chat))
    assert texts(read_history(store, done.conversation.id)) == [("user", "hello")]
    assert done.warnings == ("1 × a result of a tool whose call is not in the file; no prompt shows it",)


@pytest.mark.parametrize("text", ["{}", '{"role": "user", "content": "hello"}', "[1"])
def test_a_file_of_no_known_form_is_told_which_are_known(store: Conversations, text: str) -> None:
    with pytest.raises(InvalidRequestError, match=r"content: expected messages as JSON"):
        import_chat(store, text)


def test_what_tools_read_in_ignored_files_stays_out(store: Conversations) -> None:
    text = session(
        user("a", None, "look"),
        model(
            "b",
            "a",
            {
                "type": "tool_use",
                "id": "t1",
                "name": "Write",
                "input": {"file_path": ".env", "content": "PW=hunter22"},
            },
        ),
        user("c", "b", [{"type": "tool_result", "tool_use_id": "t1", "content": "PW=hunter22"}]),
    )
    done = import_chat(store, text, shows=lambda path: path != ".env")
    shown = export_chat(store, done.conversation.id) + export_chat(
        store, done.conversation.id, ChatFormat.TREE
    )
    assert "hunter22" not in shown
    assert "[left out: .env is ignored in this workspace]" in shown
    assert done.warnings == ("1 × what a tool did with a file that is ignored here was left out",)


def test_secrets_in_a_session_are_redacted(store: Conversations) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f"curl -H 'x: {KEY}'"}}
    text = session(user("a", None, f"use {KEY}"), model("b", "a", call))
    chat = import_chat(store, text).conversation
    assert KEY not in export_chat(store, chat.id, ChatFormat.TREE)


def test_a_session_is_only_read(store: Conversations, chat: str) -> None:
    with pytest.raises(InvalidRequestError, match="format: expected one of messages, tree"):
        export_chat(store, chat, ChatFormat.CLAUDE_CODE)


def test_a_session_of_nothing_but_noise_is_an_error(store: Conversations) -> None:
    with pytest.raises(InvalidRequestError, match="a session file of Claude Code"):
        import_chat(store, 'not json\n[1]\n{"type": "progress"}\n', ChatFormat.CLAUDE_CODE)
    assert store.list() == ()


NAMES = st.sampled_from(
    [
        "type",
        "message",
        "uuid",
        "parentUuid",
        "content",
        "role",
        "text",
        "input",
        "user",
        "assistant",
        "tool_use",
    ]
)
RECORDS = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
)


@given(lines=st.lists(st.text(max_size=30) | RECORDS.map(json.dumps), max_size=6))
def test_no_session_file_crashes_the_reader(lines: list[str]) -> None:
    with fresh_chat() as (store, _):
        text = "\n".join([*lines, json.dumps(user("last", None, "hello"))])
        done = import_chat(store, text, ChatFormat.CLAUDE_CODE)
        assert read_history(store, done.conversation.id).messages[-1].content.endswith("hello")


def tree(*nodes: dict[str, Any]) -> str:
    return json.dumps({"format": "contextls-conversation", "version": 1, "nodes": list(nodes)})


def node(key: str, parent: str | None, author: str = "human", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"id": key, "parentId": parent, "author": author, "content": key, **more}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (tree(node("a", None), node("b", "c"), node("c", "b")), "'b' is its own ancestor (b → c → b)"),
        (tree(node("a", "a")), "'a' is its own ancestor (a → a)"),
        (tree(node("a", None), node("b", None)), "nodes: expected one root, got ['a', 'b']"),
        (tree(node("a", None), node("a", None)), "'a' is there twice"),
        (tree(node("a", "z")), "the parent of 'a' among the nodes, got 'z'"),
        (tree(node("a", None, "robot")), "nodes[0].author: expected one of"),
        (
            tree(node("a", None, edge="loop")),
            "nodes[0].edge: expected one of continuation, annotation, got 'loop'",
        ),
        (tree(node("a", None, sources=[{"nodeId": "z", "role": "context"}])), "the sources of 'a' before it"),
        ('{"format": "contextls-conversation", "version": 9}', "a newer contextls wrote this"),
    ],
)
def test_what_is_no_tree_is_named_and_nothing_is_kept(store: Conversations, text: str, problem: str) -> None:
    with pytest.raises(InvalidRequestError) as raised:
        import_chat(store, text)
    assert problem in str(raised.value)
    assert store.list() == ()


def test_a_tree_goes_to_another_machine_and_is_the_same_there(store: Conversations) -> None:
    wanted = Preferences(Truncation.STOP_AT_LIMIT, 6, 99, buffer_mode_system_context=True)
    chat = store.create("Cart", agent_context="a", system_context="s", preferences=wanted).id
    said = say(store, chat, *turns(8, 30))
    note = store.append(chat, NewNode(H, "a note", edge=Edge.ANNOTATION))
    mark(store, chat, note.id, included=True)
    mark(store, chat, said[2].id, excluded=True)
    mark(store, chat, said[4].id, pinned=True)
    store.append(chat, NewNode(H, "go", sources=(Source(note.id, SourceRole.INSTRUCTION),)))
    store.append_many(
        chat, [NewNode(M, "", tool_calls=(ToolCall("c1", "read"),)), NewNode(T, "x", tool_call_id="c1")]
    )
    compact(store, chat, CompactionRequest(target=300))
    head = store.get(chat).head
    branch(store, chat, said[0].id)
    gone = store.append(
        chat, NewNode(M, "a wrong way", metadata={"a": [1]}, trace={"b": 1}, context={"c": 1})
    )
    prune(store, chat, gone.id)
    assert head is not None
    branch(store, chat, head)

    with fresh_chat() as (other, _):
        done = import_chat(other, export_chat(store, chat, ChatFormat.TREE))
        here, there = read_history(store, chat), read_history(other, done.conversation.id)
        assert texts(there) == texts(here)
        assert (there.system, there.instructions) == (here.system, here.instructions)
        assert len(there.summary_of) == len(here.summary_of)
        assert done.conversation.preferences == wanted
        assert [
            (each.pruned, each.metadata, each.trace, each.context)
            for each in other.nodes(done.conversation.id)
        ] == [(each.pruned, each.metadata, each.trace, each.context) for each in store.nodes(chat)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[", ChatFormat.MESSAGES),
        ('{"messages": []}', ChatFormat.MESSAGES),
        ('{\n  "messages": []}', ChatFormat.MESSAGES),
        (tree(), ChatFormat.TREE),
        ('{"nodes": []}', ChatFormat.TREE),
        (session(user("a", None, "hello")), ChatFormat.CLAUDE_CODE),
        ('{"type": "user", "message"', ChatFormat.CLAUDE_CODE),
    ],
)
def test_the_form_of_a_file_is_seen_at_its_beginning(text: str, kind: ChatFormat) -> None:
    assert detect_format(text) is kind

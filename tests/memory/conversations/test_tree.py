"""A conversation is a tree that every process of a workspace shares: nothing that was said is lost by changing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.errors import ContextlsError, InvalidRequestError
from contextls.memory.conversations.editing import branch, edit, mark, prune
from contextls.memory.conversations.store import FILE_NAME, Conversations
from contextls.model import Edge, NewNode, Preferences, Source, SourceRole, Truncation

from .chats import KEY, H, M, say


def test_what_is_said_follows_the_head(store: Conversations, chat: str) -> None:
    assert store.path(chat) == ()
    question, answer = say(store, chat, (H, "why?"), (M, "because"))
    assert [node.id for node in store.path(chat)] == [question.id, answer.id]
    assert (question.parent_id, answer.parent_id) == (None, question.id)
    found = store.get(chat)
    assert (found.title, found.head, found.nodes) == ("Quoted fields", answer.id, 2)


def test_another_process_sees_it_at_once(tmp_path: Path, store: Conversations, chat: str) -> None:
    other = Conversations(tmp_path)
    before = other.version()
    say(store, chat, (H, "why?"))
    assert [node.content for node in other.path(chat)] == ["why?"]
    assert other.version() > before
    other.close()


def test_branching_goes_back_and_leaves_the_other_way_there(store: Conversations, chat: str) -> None:
    first, _, second = say(store, chat, (H, "a"), (M, "b"), (H, "c"))
    assert branch(store, chat, first.id).head == first.id
    (other,) = say(store, chat, (M, "another b"))
    assert [node.content for node in store.path(chat)] == ["a", "another b"]
    assert [node.content for node in store.path(chat, second.id)] == ["a", "b", "c"]
    assert other.parent_id == first.id
    assert len(store.nodes(chat)) == 4


def test_an_edit_is_a_new_version_and_the_old_one_can_be_brought_back(
    store: Conversations, chat: str
) -> None:
    question, _ = say(store, chat, (H, "wich parser?"), (M, "csv"))
    changed = edit(store, chat, question.id, "which parser?")
    assert (changed.version, changed.content) == (2, "which parser?")
    assert [node.content for node in store.path(chat)] == ["which parser?", "csv"], "what followed stays"
    assert edit(store, chat, question.id, version=1).content == "wich parser?"
    assert edit(store, chat, question.id, "what parser?").version == 3, "numbers are not used twice"
    with pytest.raises(InvalidRequestError, match="a version of node-1, 1 to 3, got 4"):
        edit(store, chat, question.id, version=4)
    with pytest.raises(InvalidRequestError, match="either content or version"):
        edit(store, chat, question.id)


def test_pruning_takes_all_below_out_of_sight_and_can_be_undone(store: Conversations, chat: str) -> None:
    first, second, third = say(store, chat, (H, "a"), (M, "b"), (H, "c"))
    assert prune(store, chat, second.id) == 2
    assert store.get(chat).head == first.id, "what is said next follows what is left"
    assert store.get(chat).nodes == 1
    with pytest.raises(InvalidRequestError, match="not pruned; restore it first"):
        branch(store, chat, third.id)
    with pytest.raises(InvalidRequestError, match="parentId: expected a node that was not pruned"):
        store.append(chat, NewNode(H, "d", parent_id=third.id))
    assert prune(store, chat, second.id, pruned=False) == 2
    assert [node.content for node in store.path(chat, third.id)] == ["a", "b", "c"]


def test_an_annotation_never_becomes_the_head(store: Conversations, chat: str) -> None:
    (question,) = say(store, chat, (H, "a"))
    note = store.append(chat, NewNode(H, "he means rows", edge=Edge.ANNOTATION))
    assert (note.parent_id, store.get(chat).head) == (question.id, question.id)


def test_flags_can_be_set_and_taken_back(store: Conversations, chat: str) -> None:
    (node,) = say(store, chat, (H, "a"))
    marked = mark(store, chat, node.id, excluded=True, pinned=True)
    assert (marked.excluded, marked.pinned, marked.included) == (True, True, False)
    assert not mark(store, chat, node.id, excluded=False).excluded
    assert store.path(chat)[0].pinned, "what is not named stays"


def test_a_node_keeps_metadata_trace_and_what_was_injected(store: Conversations, chat: str) -> None:
    node = NewNode(
        H,
        "why?",
        metadata={"localId": "a1", "tags": ["csv"]},
        trace={"model": "gpt-4o", "ms": 12},
        context={"attachments": [{"path": "file.ts", "lines": [1, 50]}], "injectedAt": 1706000000000},
    )
    store.append(chat, node)
    (found,) = store.path(chat)
    assert (found.metadata, found.trace, found.context) == (node.metadata, node.trace, node.context)


def test_tokens_are_stored_per_node_and_tokenizer(store: Conversations, chat: str) -> None:
    (node,) = say(store, chat, (H, "why is that so?"))
    assert node.tokens == {"o200k_base": 5}
    store.keep_counts("cl100k_base", [(node, 5)])
    (again,) = store.nodes(chat)
    assert again.tokens == {"o200k_base": 5, "cl100k_base": 5}
    assert edit(store, chat, node.id, "why?").tokens == {"o200k_base": 2}, "another text is counted anew"


def test_no_secret_is_stored(tmp_path: Path, store: Conversations) -> None:
    chat = store.create(f"use {KEY}", system_context=f"token={KEY}").id
    store.append(chat, NewNode(H, f"my key is {KEY}", metadata={"env": KEY}, context={"header": KEY}))
    (node,) = store.path(chat)
    edit(store, chat, node.id, f"rather {KEY}")
    assert "[redacted:" in node.content
    store.close()
    kept = b"".join(file.read_bytes() for file in tmp_path.glob(f"{FILE_NAME}*"))
    assert KEY.encode() not in kept
    assert b"my key is" in kept


def test_what_is_deleted_is_gone_from_the_disk(tmp_path: Path, store: Conversations, chat: str) -> None:
    say(store, chat, (H, "an unusual sentence"))
    other = store.create("other").id
    say(store, other, (H, "one that stays"))
    store.delete(chat)
    assert [each.id for each in store.list()] == [other]
    store.close()
    kept = b"".join(file.read_bytes() for file in tmp_path.glob(f"{FILE_NAME}*"))
    assert b"an unusual sentence" not in kept
    assert b"one that stays" in kept


def test_wiping_forgets_every_conversation(store: Conversations, chat: str) -> None:
    say(store, chat, (H, "a"))
    before = store.version()
    assert store.wipe() == 1
    assert store.list() == ()
    assert store.version() != before


def test_preferences_are_those_of_one_conversation(store: Conversations, chat: str) -> None:
    wanted = Preferences(Truncation.ROLLING_WINDOW, 6, 2048, buffer_mode_system_context=True)
    assert store.configure(chat, preferences=wanted, system_context="Answer in French.").preferences == wanted
    found = store.get(chat)
    assert (found.preferences, found.system_context, found.title) == (
        wanted,
        "Answer in French.",
        "Quoted fields",
    )
    assert store.get(store.create().id).preferences == Preferences()


def test_while_memory_is_paused_nothing_is_stored(tmp_path: Path) -> None:
    paused = [False]
    store = Conversations(tmp_path, paused=lambda: paused[0])
    chat = store.create().id
    say(store, chat, (H, "a"))
    paused[0] = True
    for act in (
        lambda: say(store, chat, (H, "b")),
        lambda: store.create("c"),
        lambda: edit(store, chat, "node-1", "d"),
    ):
        with pytest.raises(ContextlsError, match="memory is paused"):
            act()
    assert [node.content for node in store.path(chat)] == ["a"]
    store.close()


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (
            NewNode(H, "b", parent_id="node-99"),
            "parentId: expected the id of a node of chat-1, got 'node-99'",
        ),
        (
            NewNode(H, "b", parent_id="nine"),
            "parentId: expected the id of a node, such as node-3, got 'nine'",
        ),
        (NewNode(H, "  "), "content: expected a message of at least one word"),
        (NewNode(H, "x" * 2_000_001), "content: expected at most 2,000,000 characters; this has 2,000,001"),
        (NewNode(M, "b", sources=(Source("node-99"),)), "expected the id of a node of chat-1"),
        (NewNode(M, "b", sources=(Source("node-1"), Source("node-2"))), "at most one primary source"),
        (
            NewNode(M, "b", parent_id="node-2", sources=(Source("node-1", SourceRole.PRIMARY),)),
            "sources: expected the parent node-2 as the primary source, got 'node-1'",
        ),
    ],
)
def test_what_cannot_be_appended_is_named(
    store: Conversations, chat: str, node: NewNode, message: str
) -> None:
    say(store, chat, (H, "a"), (M, "a"))
    with pytest.raises(InvalidRequestError) as raised:
        store.append(chat, node)
    assert message in str(raised.value)
    assert len(store.nodes(chat)) == 2


def test_a_conversation_has_one_root(store: Conversations, chat: str) -> None:
    (root,) = say(store, chat, (H, "a"))
    prune(store, chat, root.id)
    with pytest.raises(InvalidRequestError, match="has a root already, and there can be only one"):
        say(store, chat, (H, "b"))


def test_nodes_of_another_conversation_are_unknown(store: Conversations, chat: str) -> None:
    (node,) = say(store, chat, (H, "a"))
    other = store.create().id
    with pytest.raises(InvalidRequestError, match="expected the id of a node of chat-2"):
        store.path(other, node.id)
    with pytest.raises(InvalidRequestError, match="the id of a conversation of this workspace, got 'chat-7'"):
        store.path("chat-7")


def test_a_damaged_file_is_saved_row_by_row(tmp_path: Path, store: Conversations, chat: str) -> None:
    say(store, chat, *[(H, "first"), (M, "second"), (H, "third")])
    store.close()
    file = tmp_path / FILE_NAME
    content = bytearray(file.read_bytes())
    content[:40] = b"\0" * 40
    file.write_bytes(content)
    again = Conversations(tmp_path)
    assert [node.content for node in again.path(chat)] == ["first", "second", "third"]
    assert any("damaged" in warning for warning in again.warnings())
    again.close()

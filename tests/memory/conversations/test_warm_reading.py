"""A conversation that was read before is brought up to date, and says what one that is read anew says."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.conversations.compaction import CompactionRequest, compact
from contextls.memory.conversations.editing import branch, edit, mark, prune
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.store import FILE_NAME, Conversations
from contextls.model import Edge, NewNode, Source, SourceRole, ToolCall
from contextls.text.tokens import get_tokenizer

from .chats import KEY, H, M, T, say, turns

CHANGES = st.lists(st.integers(0, 9), min_size=1, max_size=12)


def change(store: Conversations, chat: str, kind: int, seed: random.Random) -> None:
    """One change of a kind, at a node that is drawn."""
    nodes = [node for node in store.nodes(chat) if not node.pruned]
    if not nodes:
        return
    at = seed.choice(nodes).id
    match kind:
        case 0:
            mark(store, chat, at, excluded=seed.random() < 0.6)
        case 1:
            mark(store, chat, at, pinned=seed.random() < 0.6)
        case 2:
            edit(store, chat, at, f"said anew {seed.random():.3f}")
        case 3:
            branch(store, chat, at)
        case 4:
            prune(store, chat, nodes[-1].id)
        case 5:
            store.append(chat, NewNode(H, "a note", parent_id=at, edge=Edge.ANNOTATION))
        case 6:
            mark(store, chat, at, included=True)
        case 7:
            store.append(chat, NewNode(M, "", tool_calls=(ToolCall(f"c{len(nodes)}", "read"),)))
            if seed.random() < 0.7:
                store.append(chat, NewNode(T, "text", tool_call_id=f"c{len(nodes)}"))
        case 8:
            source = Source(at, seed.choice((SourceRole.CONTEXT, SourceRole.INSTRUCTION)))
            store.append(chat, NewNode(M, "after that", sources=(source,)))
        case _:
            say(store, chat, (seed.choice((H, M)), f"and {seed.random():.3f}"))


@given(kinds=CHANGES, seed=st.randoms(use_true_random=False))
def test_it_says_what_a_fresh_reading_says_whoever_changed_it(kinds: list[int], seed: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stores = [Conversations(Path(folder)), Conversations(Path(folder))]
        try:
            chat = stores[0].create("it", system_context="Be brief.").id
            say(stores[0], chat, *turns(4))
            for kind in kinds:
                for store in stores:
                    read_history(store, chat)
                change(seed.choice(stores), chat, kind, seed)
            fresh = Conversations(Path(folder))
            try:
                expected = (fresh.path(chat), read_history(fresh, chat))
            finally:
                fresh.close()
            for store in stores:
                assert (store.path(chat), read_history(store, chat)) == expected
        finally:
            for store in stores:
                store.close()


def test_nodes_and_messages_that_did_not_change_are_the_same_objects(store: Conversations, chat: str) -> None:
    """So that a long conversation costs what is new in it."""
    say(store, chat, *turns(3))
    path, before = store.path(chat), read_history(store, chat)
    say(store, chat, (H, "and now?"))
    later, after = store.path(chat), read_history(store, chat)
    assert all(old is new for old, new in zip(path, later, strict=False))
    assert all(old is new for old, new in zip(before.messages, after.messages, strict=False))
    assert len(later) == len(path) + 1


def test_a_summary_takes_the_place_of_what_was_read(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(12, 40))
    read_history(store, chat)
    compact(store, chat, CompactionRequest(400))
    shown = read_history(store, chat)
    assert shown.messages[0].pinned
    assert not any(message.content.startswith("question 0") for message in shown.messages[1:])


def test_what_became_known_as_a_secret_later_is_not_shown(
    tmp_path: Path, store: Conversations, chat: str
) -> None:
    say(store, chat, (H, "the key"))
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as file, file:
        # As a version stored it that did not know secrets of this kind.
        file.execute("UPDATE contents SET content = ?", (f"the key {KEY}",))
    (message,) = read_history(store, chat).messages
    assert KEY not in message.content
    assert message.content.startswith("the key [redacted:")
    assert message.tokens == get_tokenizer("o200k_base").count(message.content)

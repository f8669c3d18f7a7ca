"""Changes to what is in a conversation already: branch, exclude, annotate, pin, prune, edit.

Nothing is deleted: what is pruned can be restored, and an edit is a new version next to the older ones.
"""

from __future__ import annotations

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.changes import (
    edit_node,
    prune_below,
    read_conversation,
    read_node,
    touch,
    use_version,
)
from contextls.memory.conversations.rows import node_number
from contextls.memory.conversations.store import Conversations
from contextls.model import ChatNode, Conversation
from contextls.store.transaction import Transaction


def branch(store: Conversations, conversation: str, node: str) -> Conversation:
    """Go back (or over) to a node: what is appended next follows it."""
    wanted = node_number(node)

    def work(connection: Transaction, number: int) -> Conversation:
        if read_node(connection, number, wanted).pruned:
            raise InvalidRequestError("nodeId", "a node that was not pruned; restore it first", node)
        connection.execute("UPDATE conversations SET head = ? WHERE id = ?", (wanted, number))
        touch(connection, number)
        return read_conversation(connection, number)

    return store.change(conversation, work)


def mark(
    store: Conversations,
    conversation: str,
    node: str,
    *,
    excluded: bool | None = None,
    pinned: bool | None = None,
    included: bool | None = None,
) -> ChatNode:
    """Set flags of a node: left out of prompts, kept whatever is cut, or (an annotation) shown; ``None`` stays."""
    flags = {"excluded": excluded, "pinned": pinned, "included": included}
    wanted = node_number(node)

    def work(connection: Transaction, number: int) -> ChatNode:
        read_node(connection, number, wanted)
        for column, value in flags.items():
            if value is not None:
                connection.execute(
                    f"UPDATE nodes SET {column} = ? WHERE id = ?",  # noqa: S608 - constants only
                    (int(value), wanted),
                )
        touch(connection, number)
        return read_node(connection, number, wanted)

    return store.change(conversation, work)


def prune(store: Conversations, conversation: str, node: str, *, pruned: bool = True) -> int:
    """Take a node and all below it out of sight, or bring them back; how many those are."""
    wanted = node_number(node)

    def work(connection: Transaction, number: int) -> int:
        owner = read_conversation(connection, number)
        changed = prune_below(connection, owner, read_node(connection, number, wanted), pruned=pruned)
        touch(connection, number)
        return changed

    return store.change(conversation, work)


def edit(
    store: Conversations, conversation: str, node: str, content: str | None = None, version: int | None = None
) -> ChatNode:
    """Rewrite a node as a new version, or go back to a ``version`` of it; the others stay."""
    if (content is None) == (version is None):
        raise InvalidRequestError("content", "either content or version: what the node shall say")
    if content is not None:
        store.check_not_paused()
    wanted = node_number(node)

    def work(connection: Transaction, number: int) -> ChatNode:
        chosen = read_node(connection, number, wanted)
        if content is not None:
            edit_node(connection, chosen, content, store.tokenizer)
        elif version is not None:
            use_version(connection, chosen, version)
        touch(connection, number)
        return read_node(connection, number, wanted)

    return store.change(conversation, work)

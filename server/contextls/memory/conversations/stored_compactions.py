"""Stored compactions: a node whose content is the summary, and a row that says what it stands for."""

from __future__ import annotations

from msgspec import Struct

from contextls.memory.conversations.changes import append_nodes, read_conversation
from contextls.memory.conversations.rows import node_id, node_number
from contextls.memory.conversations.store import Conversations
from contextls.model import ChatNode, NewNode, NodeKind, SummaryMethod, Trigger
from contextls.store.transaction import Transaction


class Compaction(Struct, frozen=True):
    """A compaction: the turn from which on everything is kept as it is, and how it came about."""

    first_kept: str
    method: SummaryMethod
    trigger: Trigger
    target: int
    tokens_before: int
    tokens_after: int


def keep_compaction(store: Conversations, conversation: str, summary: NewNode, made: Compaction) -> ChatNode:
    """Append a summary below the node that it names; where that was the head, the summary is from now on."""
    store.check_not_paused()

    def work(connection: Transaction, number: int) -> ChatNode:
        owner = read_conversation(connection, number)
        (added,) = append_nodes(connection, owner, (summary,), store.tokenizer, NodeKind.COMPACTION)
        if owner.head != summary.parent_id:
            head = None if owner.head is None else node_number(owner.head)
            connection.execute("UPDATE conversations SET head = ? WHERE id = ?", (head, number))
        connection.execute(
            "INSERT INTO compactions VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                node_number(added.id),
                node_number(made.first_kept),
                made.method.value,
                made.trigger.value,
                made.target,
                made.tokens_before,
                made.tokens_after,
            ),
        )
        return added

    return store.change(conversation, work)


def compaction_of(store: Conversations, node: ChatNode) -> Compaction | None:
    """The compaction that made a summary; ``None`` when its row is lost."""
    return store.query(
        lambda rows: _compaction(*rows[0]) if rows else None,
        "SELECT first_kept, method, cause, target, tokens_before, tokens_after FROM compactions WHERE node = ?",
        (node_number(node.id),),
    )


def _compaction(first_kept: int, method: str, cause: str, target: int, before: int, after: int) -> Compaction:
    return Compaction(
        node_id(first_kept), SummaryMethod(method), Trigger(cause), int(target), int(before), int(after)
    )

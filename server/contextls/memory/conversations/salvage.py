"""Salvages conversations from a damaged file: the rows that make sense, put right among each other."""

from __future__ import annotations

import json

from contextls.model import Author, Edge, NodeKind, SummaryMethod, Trigger
from contextls.store.salvage import SavedTable, Truth, text_of, whole
from contextls.store.sqlite_pages import Value
from contextls.store.transaction import Transaction


def _json_text(value: Value, kind: type) -> str:
    text = text_of(value)
    if not isinstance(json.loads(text), kind):
        raise ValueError("not the JSON that belongs here")
    return text


def _saved_conversation(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    if len(values) != 9 or values[0] is not None:
        return None
    _, title, agent, system, preferences, origin, head, created, updated = values
    return (
        whole(number, 1),
        text_of(title),
        text_of(agent),
        text_of(system),
        _json_text(preferences, dict),
        text_of(origin),
        None if head is None else whole(head, 1),
        whole(created),
        whole(updated),
    )


def _saved_node(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    if len(values) != 14 or values[0] is not None:
        return None
    _, conversation, parent, author, kind, edge, version, *flags, sources, extra, created = values
    return (
        whole(number, 1),
        whole(conversation, 1),
        None if parent is None else whole(parent, 1, number - 1),
        Author(text_of(author)).value,
        NodeKind(text_of(kind)).value,
        Edge(text_of(edge)).value,
        whole(version, 1),
        *(whole(flag, 0, 1) for flag in flags),
        _json_text(sources, list),
        _json_text(extra, dict),
        whole(created),
    )


def _saved_content(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    if len(values) != 6 or values[0] is not None:
        return None
    _, node, version, content, tokens, created = values
    return (
        whole(number, 1),
        whole(node, 1),
        whole(version, 1),
        text_of(content),
        _json_text(tokens, dict),
        whole(created),
    )


def _saved_compaction(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    if len(values) != 7 or values[0] is not None:
        return None
    _, first_kept, method, cause, target, before, after = values
    return (
        whole(number, 1),
        whole(first_kept, 1),
        SummaryMethod(text_of(method)).value,
        Trigger(text_of(cause)).value,
        whole(target),
        whole(before),
        whole(after),
    )


def _saved_result(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    if len(values) != 4 or values[0] is not None:
        return None
    _, node, result, created = values
    return whole(number, 1), whole(node, 1), _json_text(result, dict), whole(created)


def _saved_state(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    if len(values) != 2 or values[0] is not None or number != 1:
        return None
    return 1, whole(values[1])


def _repair(connection: Transaction) -> None:
    """Rows whose owner is lost go; a branch whose parent is lost hangs on the nearest older node."""
    connection.execute("DELETE FROM nodes WHERE conversation NOT IN (SELECT id FROM conversations)")
    connection.execute("DELETE FROM contents WHERE node NOT IN (SELECT id FROM nodes)")
    connection.execute(
        "DELETE FROM nodes WHERE NOT EXISTS "
        "(SELECT 1 FROM contents WHERE contents.node = nodes.id AND contents.version = nodes.version)"
    )
    connection.execute(
        "UPDATE nodes SET parent = (SELECT max(older.id) FROM nodes AS older "
        "WHERE older.conversation = nodes.conversation AND older.id < nodes.id) "
        "WHERE parent IS NULL OR parent NOT IN (SELECT id FROM nodes)"
    )
    connection.execute(
        "UPDATE conversations SET head = (SELECT max(id) FROM nodes WHERE nodes.conversation = conversations.id) "
        "WHERE head IS NOT NULL AND head NOT IN (SELECT id FROM nodes)"
    )
    for table in ("compactions", "results"):
        connection.execute(f"DELETE FROM {table} WHERE node NOT IN (SELECT id FROM nodes)")  # noqa: S608
    # Without its row a summary would be read as something that was said.
    connection.execute(
        "UPDATE nodes SET excluded = 1 WHERE kind = 'compaction' AND id NOT IN (SELECT node FROM compactions)"
    )
    connection.execute("UPDATE state SET generation = generation + 1")


TRUTH = Truth(
    "conversations",
    (
        SavedTable(
            "conversations",
            [
                "id",
                "title",
                "agent_context",
                "system_context",
                "preferences",
                "origin",
                "head",
                "created_at",
                "updated_at",
            ],
            _saved_conversation,
        ),
        SavedTable(
            "nodes",
            [
                "id",
                "conversation",
                "parent",
                "author",
                "kind",
                "edge",
                "version",
                "excluded",
                "pruned",
                "pinned",
                "included",
                "sources",
                "extra",
                "created_at",
            ],
            _saved_node,
        ),
        SavedTable("contents", ["id", "node", "version", "content", "tokens", "created_at"], _saved_content),
        SavedTable(
            "compactions",
            ["node", "first_kept", "method", "cause", "target", "tokens_before", "tokens_after"],
            _saved_compaction,
        ),
        SavedTable("results", ["id", "node", "result", "created_at"], _saved_result),
        SavedTable("state", ("only_row", "generation"), _saved_state, single=True),
    ),
    _repair,
)

"""The tables of conversations, and how their rows are written and read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.model import (
    Author,
    ChatNode,
    Conversation,
    Edge,
    NodeKind,
    Preferences,
    Source,
    SourceRole,
    ToolCall,
    Truncation,
)
from contextls.regex import compile_late

MIGRATIONS = (
    """
    CREATE TABLE conversations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        agent_context TEXT NOT NULL,
        system_context TEXT NOT NULL,
        preferences TEXT NOT NULL,
        origin TEXT NOT NULL,
        head INTEGER,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    );
    CREATE TABLE nodes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation INTEGER NOT NULL REFERENCES conversations (id),
        parent INTEGER REFERENCES nodes (id),
        author TEXT NOT NULL,
        kind TEXT NOT NULL,
        edge TEXT NOT NULL,
        version INTEGER NOT NULL,
        excluded INTEGER NOT NULL,
        pruned INTEGER NOT NULL,
        pinned INTEGER NOT NULL,
        included INTEGER NOT NULL,
        sources TEXT NOT NULL,
        extra TEXT NOT NULL,
        created_at INTEGER NOT NULL
    );
    CREATE INDEX nodes_conversation ON nodes (conversation);
    CREATE INDEX nodes_parent ON nodes (parent);
    CREATE TABLE contents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        node INTEGER NOT NULL REFERENCES nodes (id),
        version INTEGER NOT NULL,
        content TEXT NOT NULL,
        tokens TEXT NOT NULL,
        created_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX contents_version ON contents (node, version);
    CREATE TABLE compactions (
        node INTEGER PRIMARY KEY REFERENCES nodes (id),
        first_kept INTEGER NOT NULL,
        method TEXT NOT NULL,
        cause TEXT NOT NULL,
        target INTEGER NOT NULL,
        tokens_before INTEGER NOT NULL,
        tokens_after INTEGER NOT NULL
    );
    CREATE TABLE results (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        node INTEGER NOT NULL REFERENCES nodes (id),
        result TEXT NOT NULL,
        created_at INTEGER NOT NULL
    );
    CREATE INDEX results_node ON results (node);
    CREATE TABLE state (only_row INTEGER PRIMARY KEY, generation INTEGER NOT NULL);
    INSERT INTO state VALUES (1, 0);
    """,
)
CONVERSATION = (
    "id, title, agent_context, system_context, preferences, origin, head, created_at, updated_at, "
    "(SELECT count(*) FROM nodes WHERE nodes.conversation = conversations.id AND nodes.pruned = 0)"
)
NODE = (
    "nodes.id, nodes.conversation, nodes.parent, nodes.author, nodes.kind, nodes.edge, nodes.version, "
    "nodes.excluded, nodes.pruned, nodes.pinned, nodes.included, nodes.sources, nodes.extra, nodes.created_at, "
    "contents.content, contents.tokens"
)
CURRENT_CONTENT = "JOIN contents ON contents.node = nodes.id AND contents.version = nodes.version"
# A parent is older than its children; damage that says otherwise must not lead in a circle.
ANCESTRY = (
    "WITH RECURSIVE up (id, parent) AS (SELECT id, parent FROM nodes WHERE id = ? AND conversation = ? "
    "UNION ALL SELECT nodes.id, nodes.parent FROM nodes JOIN up ON nodes.id = up.parent AND nodes.id < up.id)"
)
DESCENDANTS = (
    "WITH RECURSIVE below (id) AS (SELECT id FROM nodes WHERE id = ? AND conversation = ? "
    "UNION ALL SELECT nodes.id FROM nodes JOIN below ON nodes.parent = below.id AND nodes.id > below.id)"
)

Row = tuple[Any, ...]
_ID = compile_late(r"(chat|node)-(\d{1,15})")


def conversation_id(number: int) -> str:
    """The id of a conversation as everyone outside sees it."""
    return f"chat-{number}"


def node_id(number: int) -> str:
    """The id of a node as everyone outside sees it."""
    return f"node-{number}"


def conversation_number(given: str) -> int:
    """The number in the id of a conversation. Raises ``InvalidRequestError``."""
    return _number_in(given, "chat", "conversationId")


def node_number(given: str, field: str = "nodeId") -> int:
    """The number in the id of a node. Raises ``InvalidRequestError`` naming ``field``."""
    return _number_in(given, "node", field)


def _number_in(given: str, kind: str, field: str) -> int:
    found = _ID.fullmatch(given)
    if found is None or found[1] != kind:
        noun = "conversation" if kind == "chat" else kind
        raise InvalidRequestError(field, f"the id of a {noun}, such as {kind}-3", given)
    return int(found[2])


def dump(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Plain data as a column holds it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def dump_extra(
    metadata: Mapping[str, Any],
    trace: Mapping[str, Any] | None,
    context: Mapping[str, Any] | None,
    tool_calls: tuple[ToolCall, ...],
    tool_call_id: str | None,
) -> str:
    """The fields that only some nodes have, as one column."""
    given = {
        "metadata": dict(metadata) or None,
        "trace": trace,
        "context": context,
        "toolCalls": [[call.id, call.name, call.arguments] for call in tool_calls] or None,
        "toolCallId": tool_call_id,
    }
    return dump({name: value for name, value in given.items() if value is not None})


def dump_preferences(preferences: Preferences) -> str:
    """Preferences as a column holds them."""
    return dump(
        {
            "truncation": preferences.truncation,
            "minimumRecentNodes": preferences.minimum_recent_nodes,
            "tokenBuffer": preferences.token_buffer,
            "bufferModeSystemContext": preferences.buffer_mode_system_context,
        }
    )


def as_conversation(row: Row) -> Conversation:
    """The conversation of a row of ``CONVERSATION``."""
    number, title, agent, system, preferences, origin, head, created, updated, nodes = row
    chosen = json.loads(preferences)
    truncation = chosen.get("truncation")
    return Conversation(
        id=conversation_id(number),
        title=title,
        agent_context=agent,
        system_context=system,
        preferences=Preferences(
            None if truncation is None else Truncation(truncation),
            chosen.get("minimumRecentNodes"),
            chosen.get("tokenBuffer"),
            bool(chosen.get("bufferModeSystemContext")),
        ),
        origin=origin,
        head=None if head is None else node_id(head),
        nodes=int(nodes),
        created_at=int(created),
        updated_at=int(updated),
    )


def as_node(row: Row) -> ChatNode:
    """The node of a row of ``NODE``."""
    (
        number,
        conversation,
        parent,
        author,
        kind,
        edge,
        version,
        excluded,
        pruned,
        pinned,
        included,
        sources,
        extra,
        created,
        content,
        tokens,
    ) = row
    more = json.loads(extra) if extra != "{}" else {}
    return ChatNode(
        id=node_id(number),
        conversation_id=conversation_id(conversation),
        parent_id=None if parent is None else node_id(parent),
        author=Author(author),
        kind=NodeKind(kind),
        edge=Edge(edge),
        content=content,
        version=int(version),
        excluded=bool(excluded),
        pruned=bool(pruned),
        pinned=bool(pinned),
        included=bool(included),
        tokens=json.loads(tokens),
        sources=()
        if sources == "[]"
        else tuple(Source(node_id(source), SourceRole(role)) for source, role in json.loads(sources)),
        tool_calls=tuple(ToolCall(*call) for call in more.get("toolCalls", ())),
        tool_call_id=more.get("toolCallId"),
        metadata=more.get("metadata", {}),
        trace=more.get("trace"),
        context=more.get("context"),
        created_at=int(created),
    )

"""A whole tree in our own form, as ``export`` writes it: what moves a conversation to another machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.imports.parsed import ParsedChat, ParsedNode, author_of, read_json
from contextls.model import Edge, NewNode, NodeKind, Preferences, Source, SourceRole, ToolCall, Truncation

FORMAT = "contextls-conversation"
VERSION = 1


def parse_tree(text: str) -> ParsedChat:
    """Read an exported tree. Raises ``InvalidRequestError`` naming the node and the field that is wrong."""
    data = read_json(text, "a conversation")
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise InvalidRequestError("format", FORMAT, data.get("format") if isinstance(data, Mapping) else data)
    if data.get("version") != VERSION:
        raise InvalidRequestError("version", f"{VERSION}; a newer contextls wrote this", data.get("version"))
    nodes = data.get("nodes")
    if not isinstance(nodes, list):
        raise InvalidRequestError("nodes", "a list of nodes", nodes)
    return ParsedChat(
        tuple(_node(node, f"nodes[{index}]") for index, node in enumerate(nodes)),
        title=_text(data, "title", "") or "",
        agent_context=_text(data, "agentContext", "") or "",
        system_context=_text(data, "systemContext", "") or "",
        preferences=_preferences(data.get("preferences") or {}),
        head=_text(data, "head", ""),
    )


def _node(node: object, where: str) -> ParsedNode:
    if not isinstance(node, Mapping):
        raise InvalidRequestError(where, "an object", node)
    key = _text(node, "id", where)
    if not key:
        raise InvalidRequestError(f"{where}.id", "an id", node.get("id"))
    return ParsedNode(
        key,
        _text(node, "parentId", where),
        NewNode(
            author_of(node.get("author"), f"{where}.author"),
            _text(node, "content", where) or "",
            edge=_choice(Edge, node.get("edge", Edge.CONTINUATION), f"{where}.edge"),
            sources=tuple(
                Source(str(each.get("nodeId")), _choice(SourceRole, each.get("role"), f"{where}.sources"))
                for each in _objects(node, "sources", where)
            ),
            tool_calls=tuple(
                ToolCall(str(each.get("id")), str(each.get("name")), str(each.get("arguments", "{}")))
                for each in _objects(node, "toolCalls", where)
            ),
            tool_call_id=_text(node, "toolCallId", where),
            metadata=_object(node, "metadata", where) or {},
            trace=_object(node, "trace", where),
            context=_object(node, "context", where),
        ),
        kind=_choice(NodeKind, node.get("kind", NodeKind.MESSAGE), f"{where}.kind"),
        excluded=bool(node.get("excluded")),
        pruned=bool(node.get("pruned")),
        pinned=bool(node.get("pinned")),
        included=bool(node.get("included")),
        first_kept=_text(node, "firstKeptTurnId", where),
    )


def _preferences(given: object) -> Preferences:
    if not isinstance(given, Mapping):
        raise InvalidRequestError("preferences", "an object", given)
    truncation = given.get("truncation")
    recent, buffer = given.get("minimumRecentNodes"), given.get("tokenBuffer")
    return Preferences(
        None if truncation is None else _choice(Truncation, truncation, "preferences.truncation"),
        recent if isinstance(recent, int) and recent >= 1 else None,
        buffer if isinstance(buffer, int) and buffer >= 0 else None,
        bool(given.get("bufferModeSystemContext")),
    )


def _choice(kind: Any, value: object, where: str) -> Any:  # noqa: ANN401 - one of our enums
    try:
        return kind(value)
    except ValueError:
        raise InvalidRequestError(where, f"one of {', '.join(kind)}", value) from None


def _text(node: Mapping[str, Any], name: str, where: str) -> str | None:
    value = node.get(name)
    if value is None or isinstance(value, str):
        return value
    raise InvalidRequestError(f"{where}.{name}".lstrip("."), "a string", value)


def _object(node: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any] | None:
    value = node.get(name)
    if value is None or isinstance(value, Mapping):
        return value
    raise InvalidRequestError(f"{where}.{name}", "an object", value)


def _objects(node: Mapping[str, Any], name: str, where: str) -> list[Mapping[str, Any]]:
    value = node.get(name) or []
    if isinstance(value, list) and all(isinstance(each, Mapping) for each in value):
        return value
    raise InvalidRequestError(f"{where}.{name}", "a list of objects", value)

"""Exports a conversation: the messages that a model would see, or the whole tree."""

from __future__ import annotations

import json
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.imports.tree_json import FORMAT, VERSION
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.stored_compactions import compaction_of
from contextls.model import ChatFormat, ChatNode, ExportFormat, NodeKind, ShownMessage


def export_chat(
    store: Conversations,
    conversation: str,
    kind: ExportFormat | ChatFormat = ExportFormat.MESSAGES,
    node: str | None = None,
) -> str:
    """A conversation as text: OpenAI-style messages of the path to ``node``, or the tree with everything in it.

    Raises ``InvalidRequestError``, also for a form that is only read.
    """
    if kind not in tuple(ExportFormat):
        raise InvalidRequestError("format", "one of " + ", ".join(ExportFormat), kind)
    if kind == ExportFormat.TREE:
        return _write(_tree(store, conversation))
    history = read_history(store, conversation, node)
    system = "\n\n".join(filter(None, (history.system, *history.instructions)))
    messages = [{"role": "system", "content": system}] if system else []
    return _write({"messages": [*messages, *map(_message, history.messages)]})


def _message(message: ShownMessage) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        written["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        written["tool_call_id"] = message.tool_call_id
    return written


def _tree(store: Conversations, conversation: str) -> dict[str, Any]:
    owner = store.get(conversation)
    chosen = owner.preferences
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": owner.title,
        "agentContext": owner.agent_context,
        "systemContext": owner.system_context,
        "preferences": {
            "truncation": chosen.truncation,
            "minimumRecentNodes": chosen.minimum_recent_nodes,
            "tokenBuffer": chosen.token_buffer,
            "bufferModeSystemContext": chosen.buffer_mode_system_context,
        },
        "head": owner.head,
        "nodes": [_node(store, node) for node in store.nodes(conversation)],
    }


def _node(store: Conversations, node: ChatNode) -> dict[str, Any]:
    made = compaction_of(store, node) if node.kind is NodeKind.COMPACTION else None
    given = {
        "id": node.id,
        "parentId": node.parent_id,
        "author": node.author,
        "kind": node.kind,
        "edge": node.edge,
        "content": node.content,
        "excluded": node.excluded,
        "pruned": node.pruned,
        "pinned": node.pinned,
        "included": node.included,
        "sources": [{"nodeId": source.node_id, "role": source.role} for source in node.sources],
        "toolCalls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments} for call in node.tool_calls
        ],
        "toolCallId": node.tool_call_id,
        "metadata": node.metadata,
        "trace": node.trace,
        "context": node.context,
        "firstKeptTurnId": None if made is None else made.first_kept,
    }
    return {name: value for name, value in given.items() if value or name in ("parentId", "content")}


def _write(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"

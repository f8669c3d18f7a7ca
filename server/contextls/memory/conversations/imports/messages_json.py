"""OpenAI-style messages: a list of ``{role, content}``, or an object with one under ``messages``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.imports.parsed import (
    ParsedChat,
    ParsedNode,
    SkippedTally,
    author_of,
    read_json,
    text_of_parts,
)
from contextls.model import Author, Edge, GivenMessage, MessageRole, NewNode, Source, SourceRole, ToolCall

_SYSTEM = ("system", "developer")
_ROLES = {Author.HUMAN: MessageRole.USER, Author.MODEL: MessageRole.ASSISTANT, Author.TOOL: MessageRole.TOOL}


def parse_messages(text: str) -> ParsedChat:
    """Read messages. Leading system messages become the system context, later ones instructions of what follows.

    Raises ``InvalidRequestError`` naming the message and the field that is wrong.
    """
    data = read_json(text, "messages")
    title = data.get("title") if isinstance(data, Mapping) else None
    messages = _read_list(data)
    if not messages:
        raise InvalidRequestError("messages", "a list of at least one message", messages)
    system: list[str] = []
    nodes: list[ParsedNode] = []
    directives: list[str] = []
    tally = SkippedTally()
    last: str | None = None
    for index, where, message, content in _each(messages):
        if message.get("role") in _SYSTEM:
            if last is None:
                system.append(content)
            elif content.strip():
                key = str(index)
                note = NewNode(Author.HUMAN, content, edge=Edge.ANNOTATION)
                nodes.append(ParsedNode(key, last, note))
                directives.append(key)
            continue
        node = _node(message, content, where, directives)
        if node is None:
            tally.add("a message of people without text was left out")
            continue
        directives = []
        nodes.append(ParsedNode(str(index), last, node))
        last = str(index)
    if last is None:
        raise InvalidRequestError("messages", "at least one message of a person or a model")
    return ParsedChat(
        tuple(nodes),
        title=title if isinstance(title, str) else "",
        system_context="\n\n".join(filter(None, system)),
        head=last,
        warnings=tally.warnings(),
    )


def read_messages(text: str) -> tuple[GivenMessage, ...]:
    """Messages as the history of a turn; system messages stay out, as the system prompt is made again.

    Raises ``InvalidRequestError`` naming the message and the field that is wrong.
    """
    given = []
    for _, where, message, content in _each(_read_list(read_json(text, "messages"))):
        if message.get("role") in _SYSTEM:
            continue
        node = _node(message, content, where, ())
        if node is None:
            raise InvalidRequestError(f"{where}.content", "what was said", message.get("content"))
        given.append(
            GivenMessage(
                role=_ROLES[node.author],
                content=node.content,
                tool_calls=node.tool_calls,
                tool_call_id=node.tool_call_id,
            )
        )
    return tuple(given)


def _read_list(data: object) -> Sequence[object]:
    listed = data.get("messages") if isinstance(data, Mapping) else data
    if not isinstance(listed, list):
        raise InvalidRequestError("messages", "a list of messages, or an object with messages", listed)
    return listed


def _each(messages: Sequence[object]) -> Iterator[tuple[int, str, Mapping[str, Any], str]]:
    """Each message with its number, its place in words and its text."""
    for index, message in enumerate(messages):
        where = f"messages[{index}]"
        if not isinstance(message, Mapping):
            raise InvalidRequestError(where, "an object with role and content", message)
        yield index, where, message, text_of_parts(message.get("content"), where)


def _node(message: Mapping[str, Any], content: str, where: str, directives: Sequence[str]) -> NewNode | None:
    author = author_of(message.get("role"), f"{where}.role")
    if author is Author.HUMAN and not content.strip():
        return None
    called = message.get("tool_call_id") or (message.get("name") if author is Author.TOOL else None)
    name = message.get("name")
    return NewNode(
        author,
        content,
        sources=tuple(Source(key, SourceRole.INSTRUCTION) for key in directives),
        tool_calls=_calls(message, where),
        tool_call_id=called if isinstance(called, str) else None,
        metadata={"name": name} if isinstance(name, str) else {},
    )


def _calls(message: Mapping[str, Any], where: str) -> tuple[ToolCall, ...]:
    given = message.get("tool_calls") or []
    old = message.get("function_call")
    if isinstance(old, Mapping):
        given = [{"id": old.get("name"), "function": old}]
    if not isinstance(given, list):
        raise InvalidRequestError(f"{where}.tool_calls", "a list of calls", given)
    calls = []
    for index, call in enumerate(given):
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            raise InvalidRequestError(f"{where}.tool_calls[{index}]", "a call with function.name", call)
        arguments = function.get("arguments", "{}")
        calls.append(
            ToolCall(
                str(call.get("id") or f"{where}-{index}"),
                function["name"],
                arguments if isinstance(arguments, str) else json.dumps(arguments),
            )
        )
    return tuple(calls)

"""Nodes as messages: consecutive ones of one author become one, and a call goes with its result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from contextls.model import Author, ChatNode, ShownMessage, ToolCall
from contextls.text.gate import clean
from contextls.text.tokens import Tokenizer, get_tokenizer

BETWEEN = "\n\n"
ROLES: Mapping[Author, str] = {Author.HUMAN: "user", Author.MODEL: "assistant", Author.TOOL: "tool"}
# The number of merged messages that stay cached: a few long conversations.
_KEPT = 20_000
_COUNTS_KEPT = 4_096

Counted = list[tuple[ChatNode, int]]
_Made = tuple[list[ChatNode], tuple[ToolCall, ...], ShownMessage]


class Merger:
    """Makes messages of nodes, and keeps them: of a conversation that is read again, only the end is new."""

    def __init__(self, keep_counts: Callable[[str, Counted], None]) -> None:
        """``keep_counts`` gets the counts of nodes that a tokenizer had not counted before."""
        self._keep_counts = keep_counts
        self._guard = threading.Lock()
        self._made: dict[tuple[str, str], _Made] = {}

    def merge(self, nodes: Sequence[ChatNode], counter: Tokenizer) -> list[ShownMessage]:
        """The messages of nodes, without secrets. Each result of a tool stays by itself."""
        answered = {node.tool_call_id for node in nodes if node.author is Author.TOOL}
        # Calls that are still open are the newest thing there is; elsewhere a call without its result is refused.
        newest = next((node.id for node in reversed(nodes) if node.author is not Author.TOOL), None)
        counted: Counted = []
        messages = []
        for group in _group_by_author(nodes):
            calls = tuple(
                call for node in group for call in node.tool_calls if node.id == newest or call.id in answered
            )
            messages.append(self._message(group, calls, counter, counted))
        self._keep_counts(counter.name, counted)
        return messages

    def forget(self) -> None:
        """Keep nothing."""
        with self._guard:
            self._made.clear()

    def _message(
        self, group: list[ChatNode], calls: tuple[ToolCall, ...], counter: Tokenizer, counted: Counted
    ) -> ShownMessage:
        key = (counter.name, group[0].id)
        made = self._made.get(key)
        # A node that did not change is the same object, so that comparing costs nothing.
        if made is not None and made[0] == group and made[1] == calls:
            return made[2]
        message = _make_message(group, calls, counter, counted)
        with self._guard:
            if len(self._made) >= _KEPT:
                self._made.clear()
            self._made[key] = (group, calls, message)
        return message


@lru_cache(_COUNTS_KEPT)
def count_text(text: str, tokenizer: str) -> int:
    """The tokens of a text that comes again every turn."""
    return get_tokenizer(tokenizer).count(text)


def join_texts(*parts: str) -> str:
    """Texts as one, without those that are empty."""
    return BETWEEN.join(filter(None, parts))


def _group_by_author(nodes: Sequence[ChatNode]) -> list[list[ChatNode]]:
    groups: list[list[ChatNode]] = []
    last: Author | None = None
    for node in nodes:
        if node.author is last and last is not Author.TOOL:
            groups[-1].append(node)
        else:
            groups.append([node])
        last = node.author
    return groups


def _make_message(
    group: Sequence[ChatNode], calls: tuple[ToolCall, ...], counter: Tokenizer, counted: Counted
) -> ShownMessage:
    own = [_count_node(node, counter, counted) for node in group]
    stored = join_texts(*(node.content for node in group))
    # What has become known as a secret since it was stored goes out as little as any other.
    content = clean(stored)
    # Merged contents are counted as a whole, as tokens may join over the seam.
    tokens = own[0] if len(group) == 1 and content == stored else counter.count(content)
    return ShownMessage(
        role=ROLES[group[0].author],
        content=content,
        nodes=tuple(node.id for node in group),
        tokens=tokens + sum(count_text(call.name + call.arguments, counter.name) for call in calls),
        pinned=any(node.pinned for node in group),
        tool_calls=calls,
        tool_call_id=group[0].tool_call_id,
    )


def _count_node(node: ChatNode, counter: Tokenizer, counted: Counted) -> int:
    known = node.tokens.get(counter.name)
    if known is None:
        known = counter.count(node.content)
        counted.append((node, known))
    return known

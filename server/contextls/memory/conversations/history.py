"""Read a conversation as messages: filtered, merged by author, with the latest summary in place of what it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from contextls.memory.conversations.compactions import compaction_of
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.turns import ChatMessage, History, MessageRole
from contextls.memory.conversations.visible import Summary, Visible, find_summary, select_visible
from contextls.model import Author, ChatNode, ToolCall
from contextls.text.tokens import Tokenizer, get_tokenizer

# A user message, as several system messages are treated differently by providers; the marker tells it from a live one.
SUMMARY_MARKER = "[Previous conversation summary]"
BETWEEN = "\n\n"
ROLES: dict[Author, MessageRole] = {Author.HUMAN: "user", Author.MODEL: "assistant", Author.TOOL: "tool"}
# Merged messages are counted as a whole, as tokens may join over the seam; the same ones come again every turn.
_COUNTS_KEPT = 4_096


def read_visible(store: Conversations, conversation: str, node: str | None = None) -> Visible:
    """The visible nodes of the path to ``node``, or to the head. Raises ``InvalidRequestError``, ``StoreError``."""
    return visible_of(store, store.path(conversation, node))


def visible_of(store: Conversations, path: Sequence[ChatNode]) -> Visible:
    """The visible nodes of a path."""
    if not path:
        return Visible((), (), ())
    conversation = path[0].conversation_id
    latest = find_summary(path)
    summary = None
    if latest is not None:
        made = compaction_of(store, latest)
        summary = Summary(latest, None if made is None else made.first_kept)
    wanted = {source.node_id for node in path for source in node.sources}
    sources = {each.id: each for each in store.nodes(conversation, wanted)} if wanted else {}
    return select_visible(path, summary, sources, store.notes(conversation, path[-1].id))


def read_history(
    store: Conversations,
    conversation: str,
    node: str | None = None,
    tokenizer: str = "o200k_base",
    *,
    agent_context: str | None = None,
) -> History:
    """The path to ``node``, or to the head, as messages.

    ``agent_context`` is the agent's system prompt where the request brings it; without it, the conversation's own. What
    is said later only adds to the messages, and the last one may grow; nothing else changes them but edits, flags and
    compaction. Raises ``InvalidRequestError``, ``StoreError``.
    """
    counter = get_tokenizer(tokenizer)
    owner = store.get(conversation)
    agent = owner.agent_context if agent_context is None else agent_context
    return store.cached(
        ("history", conversation, node, counter.name, agent),
        lambda: _history(
            store, read_visible(store, conversation, node), counter, _join(agent, owner.system_context)
        ),
    )


def _history(store: Conversations, visible: Visible, counter: Tokenizer, system: str) -> History:
    counts = _counts(store, (*visible.older, *visible.nodes), counter)
    messages: list[ChatMessage] = []
    if visible.summary is not None:
        messages.append(summary_message(visible.summary, counter))
    messages += merge(visible.older, counts, counter)
    messages += merge(visible.nodes, counts, counter)
    return History(
        messages=tuple(messages),
        instructions=visible.instructions,
        system=system,
        excluded=visible.excluded,
        summary_of=visible.covered,
        tokenizer=counter.name,
        system_tokens=counter.count(_join(system, *visible.instructions)),
    )


def count_messages(store: Conversations, nodes: Sequence[ChatNode], counter: Tokenizer) -> int:
    """The tokens of the messages that nodes become."""
    return sum(message.tokens for message in merge(nodes, _counts(store, nodes, counter), counter))


def summary_message(node: ChatNode, counter: Tokenizer) -> ChatMessage:
    """The message that stands for what a summary sums up; truncation leaves it."""
    content = f"{SUMMARY_MARKER}\n{node.content}"
    return ChatMessage("user", content, (node.id,), _count(content, counter.name), pinned=True)


def merge(nodes: Sequence[ChatNode], counts: dict[str, int], counter: Tokenizer) -> list[ChatMessage]:
    """Nodes as messages; consecutive ones of people, and of models, become one. Each result of a tool stays by itself."""
    answered = {node.tool_call_id for node in nodes if node.author is Author.TOOL}
    # Calls that are still open are the newest thing there is; elsewhere a call without its result is refused.
    newest = next((node.id for node in reversed(nodes) if node.author is not Author.TOOL), None)
    groups: list[list[ChatNode]] = []
    for node in nodes:
        if groups and node.author is not Author.TOOL and groups[-1][-1].author is node.author:
            groups[-1].append(node)
        else:
            groups.append([node])
    return [
        _message(
            group,
            tuple(
                call for node in group for call in node.tool_calls if node.id == newest or call.id in answered
            ),
            counts,
            counter,
        )
        for group in groups
    ]


def _message(
    group: Sequence[ChatNode], calls: tuple[ToolCall, ...], counts: dict[str, int], counter: Tokenizer
) -> ChatMessage:
    content = group[0].content if len(group) == 1 else _join(*(node.content for node in group))
    tokens = counts[group[0].id] if len(group) == 1 else _count(content, counter.name)
    return ChatMessage(
        role=ROLES[group[0].author],
        content=content,
        nodes=tuple(node.id for node in group),
        tokens=tokens + sum(_count(call.name + call.arguments, counter.name) for call in calls),
        pinned=any(node.pinned for node in group),
        tool_calls=calls,
        tool_call_id=group[0].tool_call_id,
    )


def _counts(store: Conversations, nodes: Iterable[ChatNode], counter: Tokenizer) -> dict[str, int]:
    """The tokens of each node's content; those that this tokenizer never counted are counted now, and kept."""
    found: dict[str, int] = {}
    new = []
    for node in nodes:
        known = node.tokens.get(counter.name)
        if known is None:
            known = counter.count(node.content)
            new.append((node, known))
        found[node.id] = known
    store.keep_counts(counter.name, new)
    return found


@lru_cache(_COUNTS_KEPT)
def _count(text: str, tokenizer: str) -> int:
    return get_tokenizer(tokenizer).count(text)


def _join(*parts: str) -> str:
    return BETWEEN.join(filter(None, parts))

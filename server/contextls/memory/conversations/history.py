"""Read a conversation as messages: filtered, merged by author, with the latest summary in place of what it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.memory.conversations.merging import count_text, join_texts
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.stored_compactions import compaction_of
from contextls.memory.conversations.turns import History
from contextls.memory.conversations.visible import LatestSummary, Visible, find_summary, select_visible
from contextls.model import ChatNode, ShownMessage
from contextls.text.gate import clean
from contextls.text.tokens import Tokenizer, get_tokenizer

# A user message, as several system messages are treated differently by providers; the marker tells it from a live one.
SUMMARY_MARKER = "[Previous conversation summary]"


def visible_of(store: Conversations, path: Sequence[ChatNode]) -> Visible:
    """The visible nodes of a path."""
    if not path:
        return Visible((), (), ())
    conversation = path[0].conversation_id
    latest = find_summary(path)
    summary = None
    if latest is not None:
        made = compaction_of(store, latest)
        summary = LatestSummary(latest, None if made is None else made.first_kept)
    tree = store.tree(conversation)
    sources = tree.find(source.node_id for node in path for source in node.sources)
    return select_visible(path, summary, sources, tree.notes(path))


def read_history(
    store: Conversations,
    conversation: str,
    node: str | None = None,
    tokenizer: str = "o200k_base",
) -> History:
    """The path to ``node``, or to the head, as messages.

    What is said later only adds to the messages, and the last one may grow; nothing else changes them but edits, flags
    and compaction. Raises ``InvalidRequestError``, ``StoreError``.
    """
    counter = get_tokenizer(tokenizer)

    def read() -> History:
        owner = store.get(conversation)
        visible = visible_of(store, store.path(conversation, node))
        return _history(store, visible, counter, join_texts(owner.agent_context, owner.system_context))

    return store.cached(("history", conversation, node, counter.name), read)


def _history(store: Conversations, visible: Visible, counter: Tokenizer, system: str) -> History:
    messages: list[ShownMessage] = []
    if visible.summary is not None:
        messages.append(summary_message(visible.summary, counter))
    messages += store.merger.merge(visible.older, counter)
    messages += store.merger.merge(visible.nodes, counter)
    return History(
        messages=tuple(messages),
        instructions=visible.instructions,
        system=system,
        excluded=visible.excluded,
        summary_of=visible.covered,
        tokenizer=counter.name,
        system_tokens=counter.count(join_texts(system, *visible.instructions)),
    )


def count_messages(store: Conversations, nodes: Sequence[ChatNode], counter: Tokenizer) -> int:
    """The tokens of the messages that nodes become."""
    return sum(message.tokens for message in store.merger.merge(nodes, counter))


def summary_message(node: ChatNode, counter: Tokenizer) -> ShownMessage:
    """The message that stands for what a summary sums up; truncation leaves it."""
    content = clean(f"{SUMMARY_MARKER}\n{node.content}")
    return ShownMessage("user", content, (node.id,), count_text(content, counter.name), pinned=True)

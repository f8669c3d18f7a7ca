"""Conversations as callers see them: threads with their turns, and histories as plain messages."""

from __future__ import annotations

from contextls.memory.conversations.grouping import group_turns
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.stored_compactions import compaction_of
from contextls.memory.conversations.turns import History, TruncatedHistory
from contextls.memory.conversations.visible import explain_hidden, find_summary
from contextls.model import HiddenNode, HistoryView, Thread


def thread_of(store: Conversations, conversation: str, node: str | None) -> Thread:
    """The path to ``node``, or to the head, with its turns and where the text after the latest summary begins."""
    path = store.path(conversation, node)
    latest = find_summary(path)
    made = None if latest is None else compaction_of(store, latest)
    ancestry = tuple(each.id for each in path)
    return Thread(
        conversation_id=conversation,
        node_id=ancestry[-1] if ancestry else None,
        ancestry=ancestry,
        turns=tuple(turn.id for turn in group_turns([each for each in path if explain_hidden(each) is None])),
        first_kept_turn_id=None if made is None else made.first_kept,
        nodes=path,
    )


def history_view(conversation: str, node: str | None, history: History, cut: TruncatedHistory) -> HistoryView:
    """A history, with what truncation left of it, as plain data."""
    return HistoryView(
        conversation_id=conversation,
        node_id=node,
        system=history.system,
        instructions=history.instructions,
        messages=cut.messages,
        excluded=tuple(HiddenNode(each.node, each.reason) for each in history.excluded),
        summary_of=history.summary_of,
        dropped=cut.dropped,
        marker=cut.marker,
        truncated=cut.is_truncated,
        tokenizer=history.tokenizer,
        tokens=sum(each.tokens for each in cut.messages),
        system_tokens=history.system_tokens,
    )

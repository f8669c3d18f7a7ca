"""The conversations of a workspace, as callers of an engine see them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.memory.conversations import editing
from contextls.memory.conversations.compaction import (
    PROACTIVE_SHARE,
    CompactionRequest,
    compact,
    recover_from_overflow,
)
from contextls.memory.conversations.exporting import export_chat
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.importing import import_chat
from contextls.memory.conversations.reading_rules import reading_rules
from contextls.memory.conversations.results import keep_result, list_results
from contextls.memory.conversations.truncation import truncate
from contextls.memory.conversations.turns import TruncatedHistory
from contextls.memory.conversations.views import history_view, thread_of
from contextls.model import (
    AgentResult,
    ChatFormat,
    ChatNode,
    CompactionView,
    Conversation,
    ExportFormat,
    HistoryView,
    Imported,
    NewNode,
    Preferences,
    ResultView,
    Thread,
    Trigger,
)
from contextls.workspace.roots import relative

if TYPE_CHECKING:
    from contextls.memory.memories import Memories

_NO_PREFERENCES = Preferences()


class Chats:
    """The conversations of one workspace, shared by every process of it.

    Methods raise ``StoreError``, and those that take ids ``InvalidRequestError`` when there is nothing of that id. While
    memory is paused, what would store something that was said raises ``ContextlsError``.
    """

    def __init__(self, memories: Memories) -> None:
        """Use ``Engine.conversations``."""
        self._memories = memories
        self._store = memories.conversations

    def create(
        self,
        title: str = "",
        *,
        agent_context: str = "",
        system_context: str = "",
        preferences: Preferences = _NO_PREFERENCES,
    ) -> Conversation:
        """Begin a conversation."""
        return self._store.create(
            title, agent_context=agent_context, system_context=system_context, preferences=preferences
        )

    def configure(
        self,
        conversation: str,
        *,
        title: str | None = None,
        agent_context: str | None = None,
        system_context: str | None = None,
        preferences: Preferences | None = None,
    ) -> Conversation:
        """Change what concerns a whole conversation; what is ``None`` stays."""
        return self._store.configure(
            conversation,
            title=title,
            agent_context=agent_context,
            system_context=system_context,
            preferences=preferences,
        )

    def list(self) -> tuple[Conversation, ...]:
        """Every conversation, the one that changed last first."""
        return self._store.list()

    def get(self, conversation: str) -> Conversation:
        """One conversation."""
        return self._store.get(conversation)

    def append(self, conversation: str, node: NewNode) -> ChatNode:
        """Append a node below the head, or below the parent that it names; durable when this returns."""
        return self._store.append(conversation, node)

    def branch(self, conversation: str, node: str) -> Conversation:
        """Go back (or over) to a node: what is appended next follows it."""
        return editing.branch(self._store, conversation, node)

    def path(self, conversation: str, node: str | None = None) -> Thread:
        """The nodes from the root to ``node``, or to the head."""
        return thread_of(self._store, conversation, node)

    def tree(self, conversation: str) -> tuple[ChatNode, ...]:
        """Every node of a conversation, oldest first; the pruned ones too."""
        return self._store.nodes(conversation)

    def mark(
        self,
        conversation: str,
        node: str,
        *,
        excluded: bool | None = None,
        pinned: bool | None = None,
        included: bool | None = None,
    ) -> ChatNode:
        """Leave a node out of prompts, keep it whatever is cut, or show an annotation; ``None`` stays as it is."""
        return editing.mark(
            self._store, conversation, node, excluded=excluded, pinned=pinned, included=included
        )

    def prune(self, conversation: str, node: str, *, pruned: bool = True) -> int:
        """Take a node and all below it out of sight, or bring them back; how many those are."""
        return editing.prune(self._store, conversation, node, pruned=pruned)

    def edit(
        self, conversation: str, node: str, content: str | None = None, version: int | None = None
    ) -> ChatNode:
        """Rewrite a node as a new version, or go back to a ``version`` of it."""
        return editing.edit(self._store, conversation, node, content, version)

    def history(
        self,
        conversation: str,
        node: str | None = None,
        *,
        max_tokens: int | None = None,
        preferences: Preferences = _NO_PREFERENCES,
        tokenizer: str | None = None,
    ) -> HistoryView:
        """The path as the messages that a model sees; made to fit ``max_tokens`` less the token buffer, where given.

        Raises ``ContextLimitError`` when what has to stay does not fit.
        """
        owner = self._store.get(conversation)
        history = read_history(
            self._store, conversation, node, tokenizer or self._memories.settings.tokenizer
        )
        cut = TruncatedHistory(history.messages)
        if max_tokens is not None:
            rules = reading_rules(self._memories.settings, owner.preferences, preferences)
            cut = truncate(history, rules.truncation, rules.limit(max_tokens), rules.minimum_recent_nodes)
        return history_view(conversation, node or owner.head, history, cut)

    def compact(
        self,
        conversation: str,
        node: str | None = None,
        *,
        target: int | None = None,
        available: int | None = None,
        keep_turns: int | None = None,
        summary: str | None = None,
        first_kept: str | None = None,
        tokenizer: str | None = None,
    ) -> CompactionView:
        """Sum up old turns, so that the history takes ``target`` tokens: 60 % of ``available``, or of what it takes now.

        The summary is the client's own, the configured chat model's, or one that rules extract. Raises
        ``ContextLimitError`` when what has to stay exceeds ``available``.
        """
        settings = self._memories.settings
        counted_by = tokenizer or settings.tokenizer
        if target is None:
            whole = available or read_history(self._store, conversation, node, counted_by).tokens
            target = int(whole * PROACTIVE_SHARE)
        request = CompactionRequest(
            target,
            available,
            max(1, settings.compaction_keep_turns) if keep_turns is None else keep_turns,
            Trigger.MANUAL if available is None else Trigger.CONTEXT_LIMIT,
            summary,
            first_kept,
        )
        return compact(self._store, conversation, request, node, counted_by, self.summarizer())

    def recover(self, conversation: str, available: int, node: str | None) -> CompactionView:
        """Compact to 40 % of ``available`` after a provider said that a prompt was too long: once for each turn."""
        settings = self._memories.settings
        return recover_from_overflow(
            self._store,
            conversation,
            available,
            node,
            keep_turns=max(1, settings.compaction_keep_turns),
            tokenizer=settings.tokenizer,
            summarizer=self.summarizer(),
        )

    def keep_result(self, conversation: str, result: AgentResult, node: str | None = None) -> ResultView:
        """Append the result of a model below ``node`` or the head, with its usage."""
        return keep_result(self._store, conversation, result, node)

    def results(self, conversation: str) -> tuple[ResultView, ...]:
        """The results of models in a conversation, oldest first."""
        return list_results(self._store, conversation)

    def import_chat(
        self, text: str, kind: ChatFormat | None = None, *, name: str = "", title: str = ""
    ) -> Imported:
        """Read messages, a session of Claude Code or an exported tree into a new conversation."""
        return import_chat(self._store, text, kind, name=name, title=title, shows=self._shows)

    def export_chat(
        self,
        conversation: str,
        kind: ExportFormat | ChatFormat = ExportFormat.MESSAGES,
        node: str | None = None,
    ) -> str:
        """A conversation as JSON: the messages of a path, or the whole tree. Raises ``InvalidRequestError``."""
        return export_chat(self._store, conversation, kind, node)

    def delete(self, conversation: str) -> None:
        """Delete a conversation with everything that was said in it, also from the disk."""
        self._store.delete(conversation)

    def _shows(self, path: str) -> bool:
        """Whether what a tool did with this file may be kept; of files outside the workspace it may."""
        inside = relative(self._memories.root, self._memories.root / Path(path))
        return inside is None or self._memories.content.accepts(inside)

    def summarizer(self) -> Callable[[str, int], str] | None:
        """The function that sums up a text in a number of tokens, where the user named a chat model."""
        summaries = self._memories.summaries
        if summaries is None:
            return None
        return lambda text, max_tokens: summaries.summary(text, max_tokens, summaries.seconds)

"""The history of a turn: what a client sent or a conversation holds, in the room that is left for it.

A stored conversation is compacted when it no longer fits, unless a strategy of truncation was chosen for it; what a
client sends along is truncated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from contextls.assembly.layers.budget import MESSAGE_TOKENS
from contextls.assembly.layers.calls import pair_calls
from contextls.assembly.sent import SentMessages
from contextls.errors import ContextLimitError, ContextlsError, InvalidRequestError
from contextls.memory.conversations.compaction import CompactionRequest, compact, count_newest_turns
from contextls.memory.conversations.grouping import group_turns
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.priority import PROACTIVE_SHARE, Load, relieve
from contextls.memory.conversations.reading_rules import ReadingRules, reading_rules
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.truncation import truncate
from contextls.memory.conversations.turns import History, TruncatedHistory
from contextls.memory.conversations.visible import explain_hidden
from contextls.model import GivenMessage, Preferences, Shape, ShownMessage, Trigger, Truncation, TurnOptions
from contextls.settings import Settings
from contextls.text.gate import clean
from contextls.text.tokens import Tokenizer

MAX_MESSAGES = 10_000
_NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True)
class FittedHistory:
    """A history that fits. ``notes`` say in words what was done to it, ``dropped`` which nodes went and why."""

    history: History
    dropped: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistorySource:
    """Where the history of one turn comes from, and how it is cut when it does not fit."""

    options: TurnOptions
    tokenizer: Tokenizer
    settings: Settings
    conversations: Conversations | None = None
    preferences: Preferences = _NO_PREFERENCES
    summarizer: Callable[[str, int], str] | None = None

    @classmethod
    def of(
        cls,
        options: TurnOptions,
        tokenizer: Tokenizer,
        settings: Settings,
        conversations: Conversations,
        summarizer: Callable[[str, int], str] | None,
    ) -> HistorySource:
        """The source for these options. Raises ``InvalidRequestError``, ``StoreError``."""
        if options.conversation_id is None:
            if len(options.history) > MAX_MESSAGES:
                raise InvalidRequestError("history", f"at most {MAX_MESSAGES:,} messages")
            return cls(options, tokenizer, settings)
        owner = conversations.get(options.conversation_id)
        return cls(options, tokenizer, settings, conversations, owner.preferences, summarizer)

    @property
    def rules(self) -> ReadingRules:
        """The rules in force: the request's, else the conversation's, else the settings'."""
        asked = Preferences(
            self.options.truncation_strategy, self.options.minimum_recent_nodes, self.options.token_buffer
        )
        return reading_rules(self.settings, self.preferences, asked)

    @property
    def with_system(self) -> bool:
        """Whether a document begins with the system prompt."""
        return self.options.buffer_mode_system_context or self.preferences.buffer_mode_system_context

    def read(self) -> History:
        """All of it, as a model would see it. Raises ``InvalidRequestError``, ``StoreError``."""
        if self.conversations is None or self.options.conversation_id is None:
            found = read_given(self.options.history, self.tokenizer)
        else:
            found = read_history(
                self.conversations, self.options.conversation_id, self.options.node_id, self.tokenizer.name
            )
        return pair_calls(found, self.tokenizer.count)

    def number_turns(self, history: History) -> Mapping[str, int]:
        """The number of its turn for each node that ``history`` may show, counted from the beginning of the conversation.

        It stays the same however the history is cut. Raises ``InvalidRequestError``, ``StoreError``.
        """
        if self.conversations is not None and self.options.conversation_id is not None:
            path = self.conversations.path(self.options.conversation_id, self.options.node_id)
            shown = [node for node in path if explain_hidden(node) is None]
            return {node.id: turn.number for turn in group_turns(shown) for node in turn.nodes}
        numbers: dict[str, int] = {}
        number, before = 0, ""
        for one in history.messages:
            number += number == 0 or (one.role == "user" and before != "user")
            before = one.role
            numbers |= dict.fromkeys(one.nodes, number)
        return numbers

    def fit(self, history: History, room: int, fixed: int) -> FittedHistory:
        """``history`` in ``room`` tokens, the marks around messages included; ``fixed`` is what is never cut beside it.

        Raises ``ContextLimitError`` when what has to stay does not fit.
        """
        if count_messages(history.messages) <= room:
            return FittedHistory(history)
        chosen = self.options.truncation_strategy or self.preferences.truncation
        if self.conversations is not None and chosen is None and self.options.shape is Shape.MESSAGES:
            return self._compact(history, room, fixed)
        return self._truncate(history, room)

    def _truncate(self, history: History, room: int) -> FittedHistory:
        strategy, recent = self.rules.truncation, self.rules.minimum_recent_nodes
        marked = tuple(replace(one, tokens=one.tokens + MESSAGE_TOKENS) for one in history.messages)
        limit = room + history.system_tokens
        cut = truncate(replace(history, messages=marked), strategy, limit, recent)
        messages = tuple(
            replace(one, tokens=one.tokens - MESSAGE_TOKENS) if one.nodes else one for one in cut.messages
        )
        dropped = tuple((node, str(strategy)) for node in cut.dropped)
        return FittedHistory(replace(history, messages=messages), dropped, (_describe(cut, strategy),))

    def _compact(self, history: History, room: int, fixed: int) -> FittedHistory:
        conversations, options = self.conversations, self.options
        if conversations is None or options.conversation_id is None:  # only stored conversations get here
            return self._truncate(history, room)
        name, counter, keep = (
            options.conversation_id,
            self.tokenizer.name,
            self.settings.compaction_keep_turns,
        )
        marks = MESSAGE_TOKENS * len(history.messages)
        recent = count_newest_turns(conversations, name, options.node_id, keep, counter)
        load = Load(fixed, 0, history.tokens + marks, recent, 0)
        target = relieve(load, room + fixed, PROACTIVE_SHARE).history or recent
        request = CompactionRequest(target, room, keep, Trigger.CONTEXT_LIMIT)
        try:
            made = compact(conversations, name, request, options.node_id, counter, self.summarizer)
        except ContextLimitError:
            raise
        except ContextlsError as error:  # memory is paused, or a summary would gain nothing
            cut = self._truncate(history, room)
            return replace(cut, notes=(f"the conversation was not compacted: {error}", *cut.notes))
        note = (
            f"the conversation was compacted: {len(made.covered):,} nodes in a summary ({made.method}), "
            f"{made.tokens_before:,} tokens before, {made.tokens_after:,} after"
        )
        short = replace(self, options=replace(options, node_id=made.node_id)).read()
        if count_messages(short.messages) <= room:
            return FittedHistory(short, (), (note, *made.warnings))
        cut = self._truncate(short, room)
        return replace(cut, notes=(note, *made.warnings, *cut.notes))


def read_given(given: Sequence[GivenMessage], tokenizer: Tokenizer) -> History:
    """The messages that a client sent, without secrets; where it knows their tokens, they are not counted again."""
    messages = []
    for number, one in enumerate(given):
        text = clean(one.content)
        known = one.tokens if one.tokens is not None and text == one.content else None
        calls = sum(tokenizer.count(call.name + call.arguments) for call in one.tool_calls)
        tokens = tokenizer.count(text) + calls if known is None else known
        messages.append(
            ShownMessage(
                one.role.value,
                text,
                (f"history[{number}]",),
                tokens,
                tool_calls=one.tool_calls,
                tool_call_id=one.tool_call_id,
            )
        )
    return History(tuple(messages), tokenizer=tokenizer.name)


def sent_messages(messages: Sequence[ShownMessage], numbers: Mapping[str, int]) -> SentMessages:
    """What a model is sent of a history, by turn; summaries and markers belong to none and show nothing."""
    numbered = ((next((numbers[node] for node in one.nodes if node in numbers), 0), one) for one in messages)
    return SentMessages([(turn, one.content) for turn, one in numbered if turn and one.role != "assistant"])


def count_messages(messages: Sequence[ShownMessage]) -> int:
    """The tokens of messages with the marks around them."""
    return sum(message.tokens + MESSAGE_TOKENS for message in messages)


def _describe(cut: TruncatedHistory, strategy: Truncation) -> str:
    """What truncation did, in words."""
    if cut.shortened and not cut.dropped:
        return f"history: the newest message was shortened to fit ({strategy})"
    noun = "message" if len(cut.dropped) == 1 else "messages"
    return f"history: {len(cut.dropped):,} {noun} left out to fit ({strategy})"

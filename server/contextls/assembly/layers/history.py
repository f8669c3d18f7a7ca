"""The history of a turn: what a client sent or a conversation holds, in the room that is left for it.

A stored conversation is compacted when it no longer fits, unless a strategy of truncation was chosen for it; what a
client sends along is truncated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.layers.budget import MESSAGE_TOKENS
from contextls.assembly.layers.calls import pair_calls
from contextls.assembly.pieces.sent import SentMessages
from contextls.errors import ContextLimitError, ContextlsError, InvalidRequestError
from contextls.memory.conversations.compaction import (
    PROACTIVE_SHARE,
    CompactionRequest,
    compact,
    count_newest_turns,
)
from contextls.memory.conversations.grouping import group_turns
from contextls.memory.conversations.history import read_history
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


class FittedHistory(Struct, frozen=True):
    """A history that fits."""

    history: History
    # The nodes that were left out, each with the reason.
    dropped: tuple[tuple[str, str], ...] = ()
    # What was done to it, in words.
    notes: tuple[str, ...] = ()


class HistorySource(ABC):
    """The history of one turn, and how it is made to fit."""

    def __init__(
        self, options: TurnOptions, tokenizer: Tokenizer, settings: Settings, preferences: Preferences
    ) -> None:
        """Use ``open_history``. ``preferences`` are those of the conversation."""
        self._options = options
        self._tokenizer = tokenizer
        self._settings = settings
        self._preferences = preferences

    @property
    def rules(self) -> ReadingRules:
        """The rules in force: the request's, else the conversation's, else the settings'."""
        options = self._options
        asked = Preferences(options.truncation_strategy, options.minimum_recent_nodes, options.token_buffer)
        return reading_rules(self._settings, self._preferences, asked)

    @property
    def with_system(self) -> bool:
        """Whether a document begins with the system prompt."""
        return self._options.buffer_mode_system_context or self._preferences.buffer_mode_system_context

    def read(self) -> History:
        """The whole history, as a model would see it. Raises ``InvalidRequestError``, ``StoreError``."""
        return pair_calls(self._read(), self._tokenizer.count)

    @abstractmethod
    def _read(self) -> History: ...

    @abstractmethod
    def number_turns(self, history: History) -> Mapping[str, int]:
        """The number of its turn for each node that ``history`` may show, counted from the beginning of the conversation.

        It stays the same however the history is cut. Raises ``InvalidRequestError``, ``StoreError``.
        """

    def fit(self, history: History, room: int, fixed: int) -> FittedHistory:
        """``history`` in ``room`` tokens, with the marks around messages; ``fixed`` are the tokens of what is never cut.

        Raises ``ContextLimitError`` when what has to stay does not fit.
        """
        if count_messages(history.messages) <= room:
            return FittedHistory(history)
        return self._shorten(history, room, fixed)

    def _shorten(self, history: History, room: int, fixed: int) -> FittedHistory:  # noqa: ARG002 - for compaction
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


class GivenHistory(HistorySource):
    """The messages that a client sent along."""

    def __init__(self, options: TurnOptions, tokenizer: Tokenizer, settings: Settings) -> None:
        """Raises ``InvalidRequestError`` where there are too many."""
        if len(options.history) > MAX_MESSAGES:
            raise InvalidRequestError("history", f"at most {MAX_MESSAGES:,} messages")
        super().__init__(options, tokenizer, settings, Preferences())

    def _read(self) -> History:
        return read_given(self._options.history, self._tokenizer)

    def number_turns(self, history: History) -> Mapping[str, int]:
        """The turn of each node: one begins with a message of the user that follows another role's."""
        numbers: dict[str, int] = {}
        number, before = 0, ""
        for one in history.messages:
            number += number == 0 or (one.role == "user" and before != "user")
            before = one.role
            numbers |= dict.fromkeys(one.nodes, number)
        return numbers


class StoredHistory(HistorySource):
    """A path through a stored conversation, which is compacted where no strategy of truncation was chosen."""

    def __init__(
        self,
        options: TurnOptions,
        tokenizer: Tokenizer,
        settings: Settings,
        conversations: Conversations,
        conversation: str,
        summarizer: Callable[[str, int], str] | None,
    ) -> None:
        """Raises ``InvalidRequestError``, ``StoreError``."""
        super().__init__(options, tokenizer, settings, conversations.get(conversation).preferences)
        self._conversations = conversations
        self._conversation = conversation
        self._summarizer = summarizer

    def _read(self) -> History:
        return self._read_to(self._options.node_id)

    def _read_to(self, node: str | None) -> History:
        return read_history(self._conversations, self._conversation, node, self._tokenizer.name)

    def number_turns(self, history: History) -> Mapping[str, int]:  # noqa: ARG002 - the whole path counts
        """The turns are those of the conversation."""
        path = self._conversations.path(self._conversation, self._options.node_id)
        shown = [node for node in path if explain_hidden(node) is None]
        return {node.id: turn.number for turn in group_turns(shown) for node in turn.nodes}

    def _shorten(self, history: History, room: int, fixed: int) -> FittedHistory:
        chosen = self._options.truncation_strategy or self._preferences.truncation
        if chosen is None and self._options.shape is Shape.MESSAGES:
            return self._compact(history, room, fixed)
        return self._truncate(history, room)

    def _compact(self, history: History, room: int, fixed: int) -> FittedHistory:
        conversations, name, node = self._conversations, self._conversation, self._options.node_id
        counter, keep = self._tokenizer.name, self._settings.compaction_keep_turns
        recent = count_newest_turns(conversations, name, node, keep, counter)
        if recent > room:
            raise ContextLimitError(
                f"what is never cut takes {fixed + recent:,} tokens and {fixed + room:,} are available: newest turns "
                f"{recent:,}, all beside the history {fixed:,}; shorten one of them, keep fewer turns, or choose a model "
                "with a larger context",
                fixed + recent,
                fixed + room,
            )
        target = max(recent, int((fixed + room) * PROACTIVE_SHARE) - fixed)
        request = CompactionRequest(target, room, keep, Trigger.CONTEXT_LIMIT)
        try:
            made = compact(conversations, name, request, node, counter, self._summarizer)
        except ContextLimitError:
            raise
        except ContextlsError as error:  # memory is paused, or a summary would gain nothing
            cut = self._truncate(history, room)
            return replace(cut, notes=(f"the conversation was not compacted: {error}", *cut.notes))
        note = (
            f"the conversation was compacted: {len(made.covered):,} nodes in a summary ({made.method}), "
            f"{made.tokens_before:,} tokens before, {made.tokens_after:,} after"
        )
        short = pair_calls(self._read_to(made.node_id), self._tokenizer.count)
        if count_messages(short.messages) <= room:
            return FittedHistory(short, (), (note, *made.warnings))
        cut = self._truncate(short, room)
        return replace(cut, notes=(note, *made.warnings, *cut.notes))


def open_history(
    options: TurnOptions,
    tokenizer: Tokenizer,
    settings: Settings,
    conversations: Conversations,
    summarizer: Callable[[str, int], str] | None,
) -> HistorySource:
    """The history that ``options`` name. Raises ``InvalidRequestError``, ``StoreError``."""
    conversation = options.conversation_id
    if conversation is None:
        return GivenHistory(options, tokenizer, settings)
    return StoredHistory(options, tokenizer, settings, conversations, conversation, summarizer)


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
    """The messages as they are sent, by turn. Summaries and markers belong to no turn, and show no pieces."""
    numbered = ((next((numbers[node] for node in one.nodes if node in numbers), 0), one) for one in messages)
    return SentMessages([(turn, one.content) for turn, one in numbered if turn and one.role != "assistant"])


def count_messages(messages: Sequence[ShownMessage]) -> int:
    """The tokens of messages with the marks around them."""
    return sum(message.tokens + MESSAGE_TOKENS for message in messages)


def _describe(cut: TruncatedHistory, strategy: Truncation) -> str:
    """Say in words how much truncation took away."""
    if cut.shortened and not cut.dropped:
        return f"history: the newest message was shortened to fit ({strategy})"
    noun = "message" if len(cut.dropped) == 1 else "messages"
    return f"history: {len(cut.dropped):,} {noun} left out to fit ({strategy})"

"""``context/conversation/result`` and ``results``: what a model gave back, with what its provider counted."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct, field

from contextls.errors import InvalidRequestError
from contextls.model import AgentResult, CompactionView, ResultView, ToolOutcome, Usage
from contextls.requests.chat_messages import MadeCall, SaidMessage, SaidText
from contextls.requests.common import RootUri
from contextls.requests.conversations import ChatId, Positive
from contextls.schema.rules import Doc, Expected


class CallOutcome(Struct, frozen=True):
    """A call that was made and what came of it."""

    call: Annotated[MadeCall, Expected("an object with id and name")]
    result: SaidText
    failed: bool = False

    @property
    def plain(self) -> ToolOutcome:
        """As the engine takes it."""
        return ToolOutcome(self.call.plain, self.result, self.failed)


class ReportedUsage(Struct, frozen=True):
    """The tokens that a provider counted."""

    input_tokens: Annotated[int | None, Doc("all of the input, cached or not")] = None
    cached_input_tokens: Annotated[int | None, Doc("of the input, those read from the prompt cache")] = None
    output_tokens: Annotated[int | None, Doc("of the answer")] = None
    total_tokens: Annotated[int | None, Doc("of both")] = None

    @property
    def plain(self) -> Usage:
        """As the engine takes it."""
        return Usage(self.input_tokens, self.cached_input_tokens, self.output_tokens, self.total_tokens)


class ResultParams(Struct, frozen=True, kw_only=True):
    """What a model gave back."""

    conversation_id: ChatId
    node_id: Annotated[str | None, Doc("the node that it answers; the head when absent")] = None
    messages: Annotated[
        tuple[SaidMessage, ...],
        Doc("what was said, in order: `author`, `content`, and what else `append` takes for a node"),
    ] = ()
    tool_calls: Annotated[
        tuple[CallOutcome, ...],
        Doc(
            "calls with what became of them (`call`, `result`, `failed`). What `messages` say already is not written "
            "twice; where they make the call alone, the result follows it"
        ),
    ] = ()
    usage: Annotated[ReportedUsage, Doc("what the provider counted")] = field(default_factory=ReportedUsage)
    stop_reason: Annotated[str, Doc("why the model stopped")] = ""
    error: Annotated[str | None, Doc("what went wrong, if the turn failed")] = None
    predicted_cached_tokens: Annotated[
        int | None, Doc("what had been predicted, to be kept beside what was cached")
    ] = None
    overflow: Annotated[
        bool,
        Doc(
            "whether the provider refused because the prompt was too long: the conversation is compacted then"
        ),
    ] = False
    available: Annotated[Positive, Doc("with `overflow`: the tokens that the history must fit into")] = None
    root_uri: RootUri = None

    def __post_init__(self) -> None:
        if self.overflow and self.available is None:
            raise InvalidRequestError(
                "available", "the tokens that the history must fit into, after an overflow"
            )

    @property
    def plain(self) -> AgentResult:
        """As the engine takes it."""
        return AgentResult(
            tuple(each.plain for each in self.messages),
            tuple(each.plain for each in self.tool_calls),
            self.usage.plain,
            self.stop_reason,
            self.error,
            self.predicted_cached_tokens,
        )


class ResultKept(Struct, frozen=True):
    """A result as it was stored, and the compaction that an overflow led to."""

    result: ResultView
    compaction: CompactionView | None


class ResultList(Struct, frozen=True):
    """What models gave back, oldest first."""

    results: tuple[ResultView, ...]

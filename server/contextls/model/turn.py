"""One turn of a conversation on its way to a model: what it is made of, and what it became."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.errors import InvalidRequestError
from contextls.model.choices import AgentRole, InjectionFormat, InjectionPosition, Shape
from contextls.model.conversations import ToolCall, Truncation
from contextls.model.prompt import Context, Layer
from contextls.model.question import AssembleRequest
from contextls.schema.rules import Doc, Words

# The most that is left out of the window for the answer and for what tools return; of a small window an eighth each.
RESERVE_RESPONSE = 8_000
RESERVE_TOOLS = 8_000


class MessageRole(StrEnum):
    """The speaker of a message."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class GivenMessage(Struct, frozen=True, kw_only=True):
    """A message of the history as a client sends it."""

    role: Annotated[MessageRole, Doc("who said it")]
    content: Annotated[str, Doc("what was said")]
    tokens: Annotated[int | None, Doc("its tokens, where the client knows them; counted when absent")] = None
    tool_calls: Annotated[tuple[ToolCall, ...], Doc("calls that the model made in it")] = ()
    tool_call_id: Annotated[str | None, Doc("the call that a message of a tool answers")] = None


class Reserves(Struct, frozen=True, kw_only=True):
    """Tokens of the model's window that are kept free."""

    response: Annotated[int | None, Doc("for the answer; 8,000 or an eighth of the window when absent")] = (
        None
    )
    tools: Annotated[int | None, Doc("for what tools return; the same when absent")] = None


class Injection(Struct, frozen=True, kw_only=True):
    """The place and the form of retrieved pieces in a turn."""

    position: Annotated[
        InjectionPosition | None,
        Doc(
            "`after_history` (in the current message, the default of `messages`), `before_history` (the default of "
            "`document`) or `system`; the last two cost the provider's cache all that follows"
        ),
    ] = None
    format: Annotated[
        InjectionFormat,
        Doc(
            "`raw` (in full, as Markdown), `summary` (one line each) or `structured` (JSON, one object a line)"
        ),
    ] = InjectionFormat.RAW
    max_tokens: Annotated[
        int | None, Doc("the most that they may have; the setting `maxTokens` when absent, 0 for none")
    ] = None


class Circumstances(Struct, frozen=True, kw_only=True):
    """Facts of this moment, for the current message."""

    time: Annotated[str | None, Doc("the current time in ISO 8601; the server's clock when absent")] = None
    timezone: Annotated[str, Doc("the user's time zone")] = "UTC"
    platform: Annotated[
        str | None, Doc("where the user speaks: an editor, a channel; not for a `worker`")
    ] = None
    platform_actions: Annotated[tuple[str, ...], Doc("what can be done there")] = ()
    hook_data: Annotated[Mapping[str, Any], Doc("what hooks of the client add, by their names")] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        if self.time and not _is_iso_time(self.time):
            expected = "a time in ISO 8601, such as 2026-11-22T12:00:00+01:00"
            raise InvalidRequestError("time", expected, self.time)


def _is_iso_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


class TurnOptions(Struct, frozen=True, kw_only=True):
    """Everything about a turn but its question."""

    shape: Shape = Shape.MESSAGES
    history: tuple[GivenMessage, ...] = ()
    conversation_id: str | None = None
    node_id: str | None = None
    role: AgentRole = AgentRole.UNIFIED
    worker_task: str | None = None
    model: str | None = None
    provider: str | None = None
    model_config: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Mapping[str, Any], ...] = ()
    reserves: Reserves = field(default_factory=Reserves)
    injection: Injection = field(default_factory=Injection)
    layer_budgets: Mapping[Layer, int] = field(default_factory=dict)
    circumstances: Circumstances = field(default_factory=Circumstances)
    truncation_strategy: Truncation | None = None
    minimum_recent_nodes: int | None = None
    token_buffer: int | None = None
    buffer: str = ""
    separator: str = ""
    buffer_mode_system_context: bool = False
    session_label: str | None = None
    parent_turn_id: str | None = None
    toolset_name: str | None = None
    source_event_id: str | None = None
    max_tokens: int | None = None

    def check(self) -> None:
        """Raise ``InvalidRequestError`` naming the field where one needs another, or rules it out."""
        if self.role is AgentRole.WORKER and not (self.worker_task or "").strip():
            raise InvalidRequestError("workerTask", "what the worker is to do, as role is worker")
        if self.node_id is not None and self.conversation_id is None:
            raise InvalidRequestError("conversationId", "the conversation of nodeId")
        if self.history and self.conversation_id is not None:
            raise InvalidRequestError("history", "either history or conversationId, not both")
        if self.shape is Shape.DOCUMENT and self.injection.position is InjectionPosition.AFTER_HISTORY:
            raise InvalidRequestError(
                "injection.position", "system or before_history: nothing may follow the text of a document"
            )

    @property
    def is_plain(self) -> bool:
        """Whether the answer is one Markdown text for a question that stands alone."""
        return self.shape is Shape.MARKDOWN and not self.history and self.conversation_id is None


class TurnRequest(Struct, frozen=True):
    """A question and the turn that it is asked in. The question's own ``max_tokens`` are those of retrieved pieces."""

    question: AssembleRequest
    options: TurnOptions


class Message(Struct, frozen=True, kw_only=True):
    """A message as it is to be sent. ``context`` says what was put into it, to be kept with it."""

    role: MessageRole
    content: str
    tokens: int
    nodes: Annotated[tuple[str, ...], Doc("the nodes of the conversation that it was made of")] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    source: Annotated[str | None, Doc("the event that it came from")] = None
    context: Annotated[Mapping[str, Any], Doc("what was injected, for `context_json`")] = field(
        default_factory=dict
    )


class UsedTokens(Struct, frozen=True, kw_only=True):
    """Tokens by layer. The physical layers (``system_prompt``, ``history``, ``event``, ``tools``) add up to the total."""

    system_prompt: int
    history: int
    event: int
    tools: int
    total: int
    layers: Annotated[Mapping[str, int], Doc("by conceptual layer")]


class TokenBudget(Struct, frozen=True, kw_only=True):
    """The division of a model's window."""

    model_limit: int
    reserve_response: int
    reserve_tools: int
    available: Annotated[int, Doc("what is left for the prompt")]
    used: UsedTokens
    remaining: Annotated[int, Doc("available less used; never negative")]


class CachePrediction(Struct, frozen=True, kw_only=True):
    """The prefix that a provider should find in its cache, judged by the turns sent before."""

    cached_tokens: int
    share: Annotated[float, Doc("of the turn's tokens, 0 to 1")]
    broken_by: Annotated[
        str,
        Words(("", "first turn", "tools", "system", "history", "current message")),
        Doc("the first part that is not what it was; empty where all that was sent came again"),
    ]


class AssembledTurn(Context, frozen=True, kw_only=True):
    """The result for a turn. ``content`` is that of the current message, or the document."""

    shape: Shape
    system_prompt: Annotated[str, Doc("byte-identical until what it is made of changes")]
    system_context: Annotated[Mapping[str, Any], Doc("what it is made of, by digest, for `context_json`")]
    history: tuple[Message, ...]
    current_message: Message
    tools: tuple[Mapping[str, Any], ...]
    model: str | None
    provider: str | None
    model_config: Mapping[str, Any]
    token_budget: TokenBudget
    cache: CachePrediction
    role: AgentRole
    session_label: str | None
    parent_turn_id: str | None
    toolset_name: str | None
    permissions_granted: tuple[str, ...] | None
    source_event_id: str | None
    workspace_path: str

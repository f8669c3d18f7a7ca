"""Conversations: trees of nodes that people, models and tools wrote, and how a path through one is read."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.schema.rules import Bounds, Doc


class Author(StrEnum):
    """The author of a node; a model sees them as user, assistant and tool."""

    HUMAN = "human"
    MODEL = "model"
    TOOL = "tool"


class NodeKind(StrEnum):
    """The kind of a node: something said, or the summary of what was said before."""

    MESSAGE = "message"
    COMPACTION = "compaction"


class Edge(StrEnum):
    """The tie of a node to its parent. What an annotation says is shown only where it is included."""

    CONTINUATION = "continuation"
    ANNOTATION = "annotation"


class SourceRole(StrEnum):
    """The role of a source for the node that was made from it: the node before it, a reference, or a directive."""

    PRIMARY = "primary"
    CONTEXT = "context"
    INSTRUCTION = "instruction"


class Truncation(StrEnum):
    """The part that goes when a conversation is too long: its middle, its beginning, or none (then it is an error)."""

    TRUNCATE_MIDDLE = "truncateMiddle"
    ROLLING_WINDOW = "rollingWindow"
    STOP_AT_LIMIT = "stopAtLimit"


class Trigger(StrEnum):
    """The reason for a compaction."""

    CONTEXT_LIMIT = "context_limit"
    OVERFLOW_RECOVERY = "overflow_recovery"
    MANUAL = "manual"


class SummaryMethod(StrEnum):
    """The maker of a summary: rules that only quote, the configured chat model, or the client."""

    EXTRACTIVE = "extractive"
    MODEL = "model"
    CLIENT = "client"


class ToolCall(Struct, frozen=True):
    """A call that a model made: its id, the tool, and the arguments as JSON text."""

    id: str
    name: str
    arguments: str = "{}"


class Source(Struct, frozen=True):
    """A node that another one was made from."""

    node_id: str
    role: SourceRole = SourceRole.PRIMARY


class NewNode(Struct, frozen=True):
    """A node to append. Without ``parent_id`` it follows the current node."""

    author: Annotated[Author, Doc("who says it")]
    content: Annotated[str, Doc("the text; of a model and a tool it may be empty")]
    parent_id: Annotated[str | None, Doc("the node that it follows; the head when absent")] = None
    edge: Annotated[Edge, Doc("`continuation` when absent")] = Edge.CONTINUATION
    sources: Annotated[tuple[Source, ...], Doc("the nodes that it was made from, each with its role")] = ()
    tool_calls: Annotated[tuple[ToolCall, ...], Doc("the calls that a model makes in it")] = ()
    tool_call_id: Annotated[str | None, Doc("of a tool: the call that it answers")] = None
    metadata: Annotated[Mapping[str, Any], Doc("anything to be kept with the node")] = field(
        default_factory=dict
    )
    trace: Annotated[Mapping[str, Any] | None, Doc("how it came about")] = None
    context: Annotated[Mapping[str, Any] | None, Doc("what was injected into or attached to it")] = None


class ChatNode(Struct, frozen=True):
    """One node of a conversation, as its current version says it."""

    id: str
    conversation_id: str
    parent_id: str | None
    author: Author
    kind: NodeKind
    edge: Edge
    content: str
    version: Annotated[int, Doc("1 for what was said first; each edit counts up")]
    excluded: bool
    pruned: bool
    pinned: bool
    included: Annotated[bool, Doc("whether an annotation is shown all the same")]
    tokens: Annotated[Mapping[str, int], Doc("tokenizer → tokens of the content, as far as counted")]
    sources: tuple[Source, ...]
    tool_calls: tuple[ToolCall, ...]
    tool_call_id: str | None
    metadata: Annotated[Mapping[str, Any], Doc("whatever the client keeps with the node")]
    trace: Annotated[Mapping[str, Any] | None, Doc("how the node came about, as the client said")]
    context: Annotated[Mapping[str, Any] | None, Doc("what was injected into or attached to this message")]
    created_at: Annotated[int, Doc("milliseconds since the epoch")]


class Preferences(Struct, frozen=True):
    """Preferences for reading a conversation. ``None`` leaves one to the request and, failing that, to the settings."""

    truncation: Annotated[Truncation | None, Doc("what goes when it is too long")] = None
    minimum_recent_nodes: Annotated[
        int | None, Bounds(1, 1000), Doc("so many newest nodes `truncateMiddle` always keeps")
    ] = None
    token_buffer: Annotated[
        int | None, Bounds(0, 1_000_000), Doc("tokens of the limit that are left for the answer")
    ] = None
    buffer_mode_system_context: Annotated[
        bool, Doc("whether documents (shape `document`) begin with the system context")
    ] = False


class Conversation(Struct, frozen=True):
    """One conversation. ``head`` is its current node: what is appended without a parent follows it."""

    id: str
    title: str
    agent_context: Annotated[str, Doc("the system prompt of the agent")]
    system_context: Annotated[str, Doc("the system context of this tree; it comes after the agent's")]
    preferences: Preferences
    origin: Annotated[str, Doc("where it was imported from; empty when it was not")]
    head: str | None
    nodes: Annotated[int, Doc("the nodes that were not pruned")]
    created_at: Annotated[int, Doc("milliseconds since the epoch")]
    updated_at: Annotated[int, Doc("milliseconds since the epoch")]


class Thread(Struct, frozen=True):
    """A path from the root to a node.

    ``turns`` are the ids of the nodes that begin a turn: one of a human, and all that follow until the next one.
    """

    conversation_id: str
    node_id: str | None
    ancestry: Annotated[tuple[str, ...], Doc("the ids of all nodes, root first")]
    turns: tuple[str, ...]
    first_kept_turn_id: Annotated[
        str | None, Doc("where the text after the latest summary begins; null without a summary")
    ]
    nodes: tuple[ChatNode, ...]


class Usage(Struct, frozen=True):
    """The tokens that a provider counted."""

    input_tokens: Annotated[int | None, Doc("all of the input, cached or not")] = None
    cached_input_tokens: Annotated[int | None, Doc("of the input, those read from the prompt cache")] = None
    output_tokens: Annotated[int | None, Doc("of the answer")] = None
    total_tokens: Annotated[int | None, Doc("of both")] = None


class ToolOutcome(Struct, frozen=True):
    """A call that was made and what came of it."""

    call: ToolCall
    result: str
    failed: bool = False


class AgentResult(Struct, frozen=True):
    """The result of a model, to be written into the conversation below the node that it answers."""

    messages: tuple[NewNode, ...] = ()
    tool_calls: tuple[ToolOutcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stop_reason: str = ""
    error: str | None = None
    predicted_cached_tokens: int | None = None


class ResultView(Struct, frozen=True):
    """A result as it was stored.

    ``cached_share`` is the part of the input that came from the provider's cache; ``predicted_share`` what had been
    predicted, where the client passed that on.
    """

    id: str
    node_id: str
    nodes: Annotated[tuple[str, ...], Doc("the nodes that were appended")]
    usage: Usage
    stop_reason: str
    error: str | None
    predicted_cached_tokens: int | None
    cached_share: float | None
    predicted_share: float | None
    created_at: int


class CompactionView(Struct, frozen=True):
    """A compaction: its node, what it stands for, and the tokens of the history before and after."""

    node_id: str
    first_kept_turn_id: str
    covered: Annotated[tuple[str, ...], Doc("the nodes that the summary stands for")]
    method: SummaryMethod
    trigger: Trigger
    summary: str
    target_tokens: int
    tokens_before: int
    tokens_after: int
    warnings: tuple[str, ...] = ()


class ShownMessage(Struct, frozen=True):
    """One message as a model sees it, without secrets. A marker of truncation is made of no node."""

    role: Annotated[str, Doc("`user`, `assistant` or `tool`")]
    content: str
    nodes: Annotated[tuple[str, ...], Doc("those that it was made of, in order")]
    tokens: Annotated[int, Doc("of its content and its calls")]
    pinned: bool = False
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class HiddenNode(Struct, frozen=True):
    """A node of a path that no message shows, and why."""

    node_id: str
    reason: str


class HistoryView(Struct, frozen=True):
    """A path as the messages that a model sees, truncated where a limit was given."""

    conversation_id: str
    node_id: str | None
    system: str
    instructions: tuple[str, ...]
    messages: tuple[ShownMessage, ...]
    excluded: tuple[HiddenNode, ...]
    summary_of: Annotated[tuple[str, ...], Doc("the nodes that the first message sums up")]
    dropped: Annotated[tuple[str, ...], Doc("the nodes that truncation left out")]
    marker: Annotated[str, Doc("what stands where they were; empty without truncation")]
    truncated: bool
    tokenizer: str
    tokens: Annotated[int, Doc("of all messages; the system context comes on top")]
    system_tokens: int


class Imported(Struct, frozen=True):
    """A conversation that was read from a file, and what of it was left out and why."""

    conversation: Conversation
    nodes: int
    warnings: tuple[str, ...]

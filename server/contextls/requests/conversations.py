"""``context/conversation/*``: trees of what was said, and how a path through one is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.model import (
    Author,
    ChatFormat,
    ChatNode,
    Conversation,
    Edge,
    ExportFormat,
    NewNode,
    Preferences,
    Source,
)
from contextls.requests.chat_messages import MadeCall, NodeSource, SaidText
from contextls.requests.common import FilledText, RootUri
from contextls.schema.rules import Bounds, Doc

ChatId = Annotated[FilledText, Doc("the `id` of the conversation")]
NodeId = Annotated[FilledText, Doc("the `id` of the node")]
AtNode = Annotated[str | None, Doc("the end of the path; the head of the conversation when absent")]
Positive = Annotated[int | None, Bounds(1, 100_000_000)]


class ReadingPreferences(Preferences, frozen=True):
    """How a conversation is read; what is absent is left to the conversation and to the settings."""

    @property
    def plain(self) -> Preferences:
        """As the engine takes them."""
        return Preferences(
            self.truncation, self.minimum_recent_nodes, self.token_buffer, self.buffer_mode_system_context
        )


class CreateChat(Struct, frozen=True, kw_only=True):
    """A conversation to begin."""

    title: Annotated[str, Doc("what it is about; the first line is kept")] = ""
    agent_context: Annotated[str, Doc("the system prompt of the agent; it comes first")] = ""
    system_context: Annotated[str, Doc("the system context of this tree; it comes after the agent's")] = ""
    preferences: Annotated[ReadingPreferences, Doc("how it is read, where the request does not say so")] = (
        field(default_factory=ReadingPreferences)
    )
    root_uri: RootUri = None


class ConfigureChat(Struct, frozen=True, kw_only=True):
    """Changes to what concerns a whole conversation; what is absent stays."""

    conversation_id: ChatId
    title: Annotated[str | None, Doc("another title")] = None
    agent_context: Annotated[str | None, Doc("another system prompt of the agent")] = None
    system_context: Annotated[str | None, Doc("another system context of the tree")] = None
    preferences: Annotated[ReadingPreferences | None, Doc("other preferences, all of them")] = None
    root_uri: RootUri = None


class AppendNode(Struct, frozen=True, kw_only=True):
    """What is said next."""

    conversation_id: ChatId
    author: Annotated[Author, Doc("who says it")]
    content: Annotated[SaidText, Doc("the text; of a model and a tool it may be empty")]
    parent_id: Annotated[str | None, Doc("the node that it follows; the head when absent")] = None
    edge: Annotated[Edge, Doc("`continuation` when absent")] = Edge.CONTINUATION
    sources: Annotated[
        tuple[NodeSource, ...],
        Doc("the nodes that it was made from: `nodeId` and `role` (`primary`, `context` or `instruction`)"),
    ] = ()
    tool_calls: Annotated[
        tuple[MadeCall, ...],
        Doc("the calls that a model makes in it: `id`, `name`, `arguments` as JSON text"),
    ] = ()
    tool_call_id: Annotated[str | None, Doc("of a tool: the call that it answers")] = None
    metadata: Annotated[Mapping[str, Any], Doc("anything to be kept with the node")] = field(
        default_factory=dict
    )
    trace: Annotated[Mapping[str, Any] | None, Doc("how it came about")] = None
    context: Annotated[Mapping[str, Any] | None, Doc("what was injected into or attached to it")] = None
    root_uri: RootUri = None

    @property
    def node(self) -> NewNode:
        """The node that is asked for."""
        return NewNode(
            self.author,
            self.content,
            self.parent_id,
            self.edge,
            tuple(Source(each.node_id, each.role) for each in self.sources),
            tuple(call.plain for call in self.tool_calls),
            self.tool_call_id,
            self.metadata,
            self.trace,
            self.context,
        )


class OneChat(Struct, frozen=True, kw_only=True):
    """Only the conversation that is meant."""

    conversation_id: ChatId
    root_uri: RootUri = None


class NodeParams(Struct, frozen=True, kw_only=True):
    """Only the node that is meant."""

    conversation_id: ChatId
    node_id: NodeId
    root_uri: RootUri = None


class PathParams(Struct, frozen=True, kw_only=True):
    """A path from the root to a node."""

    conversation_id: ChatId
    node_id: AtNode = None
    root_uri: RootUri = None


class HistoryParams(Struct, frozen=True, kw_only=True):
    """A path that is to be read as messages."""

    conversation_id: ChatId
    node_id: AtNode = None
    max_tokens: Annotated[
        Positive,
        Doc("the model's limit, for system context, messages and answer together; no limit when absent"),
    ] = None
    preferences: Annotated[
        ReadingPreferences, Doc("how it is cut; they go before those of the conversation")
    ] = field(default_factory=ReadingPreferences)
    tokenizer: Annotated[str | None, Doc("an encoding or a model name; the setting when absent")] = None
    root_uri: RootUri = None


class ExcludeNode(Struct, frozen=True, kw_only=True):
    """A node to leave out of prompts, or to take back in."""

    conversation_id: ChatId
    node_id: NodeId
    excluded: Annotated[bool, Doc("false takes it back in")] = True
    root_uri: RootUri = None


class IncludeNode(Struct, frozen=True, kw_only=True):
    """An annotation to show, or not any more."""

    conversation_id: ChatId
    node_id: NodeId
    included: Annotated[bool, Doc("false hides it again")] = True
    root_uri: RootUri = None


class PinNode(Struct, frozen=True, kw_only=True):
    """A node that stays whatever is cut or summed up, or does not any more."""

    conversation_id: ChatId
    node_id: NodeId
    pinned: Annotated[bool, Doc("false lets it go again")] = True
    root_uri: RootUri = None


class PruneNode(Struct, frozen=True, kw_only=True):
    """A node to take out of sight with everything below it, or to bring back."""

    conversation_id: ChatId
    node_id: NodeId
    pruned: Annotated[bool, Doc("false brings it back, with everything below it")] = True
    root_uri: RootUri = None


class EditNode(Struct, frozen=True, kw_only=True):
    """Another text for a node. Either ``content`` or ``version``."""

    conversation_id: ChatId
    node_id: NodeId
    content: Annotated[SaidText | None, Doc("the new version; either this or `version`")] = None
    version: Annotated[Positive, Doc("an older version to go back to")] = None
    root_uri: RootUri = None


class CompactChat(Struct, frozen=True, kw_only=True):
    """Old turns to sum up."""

    conversation_id: ChatId
    node_id: AtNode = None
    target: Annotated[
        Positive,
        Doc(
            "tokens that the history may take afterwards; 60 % of `available`, or of what it takes now, when absent"
        ),
    ] = None
    available: Annotated[
        Positive, Doc("tokens that it must not exceed: if what has to stay does, that is an error")
    ] = None
    keep_turns: Annotated[
        Positive, Doc("so many newest turns stay whole; the setting `compactionKeepTurns` when absent")
    ] = None
    summary: Annotated[str | None, Doc("a summary of your own; one is made when absent")] = None
    first_kept_turn_id: Annotated[
        str | None, Doc("the turn that your summary ends before; the first that fits when absent")
    ] = None
    tokenizer: Annotated[str | None, Doc("an encoding or a model name; the setting when absent")] = None
    root_uri: RootUri = None


class ImportChat(Struct, frozen=True, kw_only=True):
    """A conversation of another program."""

    content: Annotated[FilledText, Doc("the text of the file")]
    format: Annotated[ChatFormat | None, Doc("its form; seen from its beginning when absent")] = None
    name: Annotated[str, Doc("the name of the file, to be kept as `origin`")] = ""
    title: Annotated[str, Doc("what it is about; taken from the file when absent")] = ""
    root_uri: RootUri = None


class ExportChat(Struct, frozen=True, kw_only=True):
    """A conversation to give away."""

    conversation_id: ChatId
    node_id: AtNode = None
    format: Annotated[
        ExportFormat, Doc("`messages` (OpenAI-style, of the path) when absent; `tree` has everything")
    ] = ExportFormat.MESSAGES
    root_uri: RootUri = None


class ConversationList(Struct, frozen=True):
    """Every conversation, the one that changed last first."""

    conversations: tuple[Conversation, ...]


class Tree(Struct, frozen=True):
    """Every node of a conversation, oldest first; the pruned ones too."""

    conversation: Conversation
    nodes: tuple[ChatNode, ...]


class Pruned(Struct, frozen=True):
    """The number of nodes that were taken out of sight or brought back, and the conversation as it is now."""

    nodes: int
    conversation: Conversation


class Exported(Struct, frozen=True):
    """A conversation as JSON text."""

    content: str

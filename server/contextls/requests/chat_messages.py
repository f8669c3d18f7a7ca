"""What was said in a chat, as clients send it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.model import Author, NewNode, SourceRole, ToolCall
from contextls.requests.common import FilledText
from contextls.schema.rules import LENIENT, Doc

# What tools print is not in the hands of who sends it.
SaidText = Annotated[str, LENIENT]


class NodeSource(Struct, frozen=True):
    """A node that another one is made from."""

    node_id: Annotated[str, Doc("its `id`")]
    role: Annotated[SourceRole, Doc("`primary` when absent: the node that it follows")] = SourceRole.PRIMARY


class MadeCall(Struct, frozen=True):
    """A call that a model makes."""

    id: Annotated[FilledText, Doc("what the result names")]
    name: Annotated[FilledText, Doc("the tool")]
    arguments: Annotated[SaidText, Doc("JSON text")] = "{}"

    @property
    def plain(self) -> ToolCall:
        """As the engine takes it."""
        return ToolCall(self.id, self.name, self.arguments)


class SaidMessage(Struct, frozen=True, kw_only=True):
    """Something that was said."""

    author: Annotated[Author, Doc("who says it")]
    content: Annotated[SaidText, Doc("the text; of a model and a tool it may be empty")]
    tool_calls: Annotated[tuple[MadeCall, ...], Doc("the calls that a model makes in it")] = ()
    tool_call_id: Annotated[str | None, Doc("of a tool: the call that it answers")] = None
    metadata: Annotated[Mapping[str, Any], Doc("anything to be kept with the node")] = field(
        default_factory=dict
    )
    trace: Annotated[Mapping[str, Any] | None, Doc("how it came about")] = None
    context: Annotated[Mapping[str, Any] | None, Doc("what was injected into or attached to it")] = None

    @property
    def plain(self) -> NewNode:
        """As the engine takes it."""
        return NewNode(
            self.author,
            self.content,
            tool_calls=tuple(call.plain for call in self.tool_calls),
            tool_call_id=self.tool_call_id,
            metadata=self.metadata,
            trace=self.trace,
            context=self.context,
        )

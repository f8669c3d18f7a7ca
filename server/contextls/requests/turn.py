"""``context/assemble`` with all that a turn of a conversation is made of, and ``context/setTrust``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import NODEFAULT, Struct, field
from msgspec.structs import FieldInfo, fields

from contextls.errors import InvalidRequestError
from contextls.model import (
    AgentRole,
    Circumstances,
    GivenMessage,
    Injection,
    Layer,
    Reserves,
    Shape,
    Truncation,
    TurnOptions,
)
from contextls.requests.assemble import QuestionParams
from contextls.requests.common import FileUri, FilledText, RootUri
from contextls.schema.names import wire_name
from contextls.schema.rules import Bounds, Doc, Expected

ALL_ROOTS = "all"
ONE_TEXT = frozenset({Shape.MARKDOWN, Shape.TAGGED})
# The shapes in which a field counts, where these are not all.
SHAPES_OF: Mapping[str, Collection[Shape]] = {
    "dependencies": (Shape.MARKDOWN,),
    **dict.fromkeys(("task", "task_line"), ONE_TEXT),
    **dict.fromkeys(
        (
            "role",
            "worker_task",
            "provider",
            "model_config",
            "tools",
            "injection",
            "layer_budgets",
            "truncation_strategy",
            "minimum_recent_nodes",
            "session_label",
            "parent_turn_id",
            "toolset_name",
            "source_event_id",
        ),
        (Shape.MESSAGES, Shape.DOCUMENT),
    ),
    "reserves": (*ONE_TEXT, Shape.MESSAGES),
    "circumstances": (Shape.MESSAGES,),
    **dict.fromkeys(("token_buffer", "buffer", "separator", "buffer_mode_system_context"), (Shape.DOCUMENT,)),
}
_TURNS = "for `messages` and `document`: "


class AssembleParams(QuestionParams, frozen=True, kw_only=True):
    """A question and the shape of its answer.

    With ``markdown`` and ``tagged``, what the messages of ``history`` or ``conversationId`` show already is only pointed to.
    """

    shape: Annotated[
        Shape,
        Doc(
            "`markdown` (one text; the default), `tagged` (one text in blocks by role), `messages` (system prompt, "
            "history, current message), `document` (continuous text without roles); see [shapes](messages.md)"
        ),
    ] = Shape.MARKDOWN
    roots: Annotated[
        FilledText | tuple[FileUri, ...] | None,
        Expected("all, or a list of file: URIs of open folders"),
        Doc(
            "for `markdown` without a history: the folders that answer together, `all` or a list of them, instead of "
            "`rootUri`; see [Several folders](#several-folders)"
        ),
    ] = None
    history: Annotated[tuple[GivenMessage, ...], Doc("the messages before this one, oldest first")] = ()
    conversation_id: Annotated[
        str | None, Doc("a stored conversation whose path is the history. Either this or `history`")
    ] = None
    node_id: Annotated[str | None, Doc("the last node of that path; the newest when absent")] = None
    role: Annotated[
        AgentRole,
        Doc(
            f"{_TURNS}what the model is: `unified` (the default), `manager`, or `worker` with a `workerTask`"
        ),
    ] = AgentRole.UNIFIED
    worker_task: Annotated[str | None, Doc(f"{_TURNS}what a worker is to do")] = None
    model: Annotated[
        str | None,
        Doc(
            "the model's name: its window is the budget (of one text, the most that it may have), its tokenizer counts "
            "unless `tokenizer` says otherwise"
        ),
    ] = None
    provider: Annotated[str | None, Doc(f"{_TURNS}answered as it came")] = None
    model_config: Annotated[Mapping[str, Any], Doc(f"{_TURNS}answered as it came")] = field(
        default_factory=dict
    )
    tools: Annotated[
        tuple[Mapping[str, Any], ...],
        Doc(f"{_TURNS}definitions of tools; answered as they came and counted. Permissions go by `name`"),
    ] = ()
    reserves: Annotated[
        Reserves,
        Doc("for `messages`, and with a `model` for `markdown` and `tagged`: what of the window stays free"),
    ] = field(default_factory=Reserves)
    injection: Annotated[Injection, Doc(f"{_TURNS}where and how retrieved pieces stand")] = field(
        default_factory=Injection
    )
    layer_budgets: Annotated[
        Mapping[Layer, int],
        Doc(f"{_TURNS}the most tokens that a layer may have; what does not fit is named in the report"),
    ] = field(default_factory=dict)
    circumstances: Annotated[Circumstances, Doc("for `messages`: what is so at this moment")] = field(
        default_factory=Circumstances
    )
    identity: Annotated[
        str | None, Doc("to whom this is shown; the setting `identityPermissions` says what that may be")
    ] = None
    permissions_granted: Annotated[
        tuple[str, ...] | None,
        Doc(
            "only what these rows grant may be shown, such as `code:src/**`, `activity`; everything when absent "
            "([rows](messages.md#permissions))"
        ),
    ] = None
    truncation_strategy: Annotated[
        Truncation | None,
        Doc(f"{_TURNS}what goes when the history does not fit; `truncateMiddle` when absent"),
    ] = None
    minimum_recent_nodes: Annotated[
        int | None, Bounds(1), Doc(f"{_TURNS}so many of the newest messages always stay; 4 when absent")
    ] = None
    token_buffer: Annotated[
        int | None, Doc("for `document`: tokens kept free for what the model writes; the setting when absent")
    ] = None
    buffer: Annotated[str, Doc("for `document`: unsaved text, which ends the document")] = ""
    separator: Annotated[str, Doc("for `document`: what stands between two texts; nothing when absent")] = ""
    buffer_mode_system_context: Annotated[
        bool, Doc("for `document`: whether it begins with the system prompt; false when absent")
    ] = False
    session_label: Annotated[str | None, Doc(f"{_TURNS}answered as it came")] = None
    parent_turn_id: Annotated[str | None, Doc(f"{_TURNS}answered as it came")] = None
    toolset_name: Annotated[str | None, Doc(f"{_TURNS}answered as it came")] = None
    source_event_id: Annotated[
        str | None, Doc(f"{_TURNS}answered as it came, also as the current message's `source`")
    ] = None

    def __post_init__(self) -> None:
        QuestionParams.__post_init__(self)
        self.turn.check()
        if self.roots is None:
            return
        if not self.roots or (isinstance(self.roots, str) and self.roots != ALL_ROOTS):
            raise InvalidRequestError("roots", "all, or a list of file: URIs of open folders", self.roots)
        if self.root_uri is not None:
            raise InvalidRequestError("rootUri", "either rootUri or roots, not both")
        if not self.turn.is_plain:
            raise InvalidRequestError("roots", "a question of the shape markdown, without a history")

    @property
    def without_effect(self) -> tuple[str, ...]:
        """What was given and counts for nothing in the shape that is asked for, one sentence each."""
        told = [
            f"`{wire_name(each.name)}` has no effect in the shape `{self.shape}`"
            for each in _fields_of(type(self))
            if self.shape not in SHAPES_OF.get(each.name, Shape) and self._is_given(each)
        ]
        if self.reserves != Reserves() and self.model is None and self.shape in ONE_TEXT:
            told.append("`reserves` has no effect without `model`")
        if self.dependencies and self.shape is Shape.MARKDOWN and not self.turn.is_plain:
            told.append("`dependencies` has no effect after a history")
        return tuple(told)

    def _is_given(self, one: FieldInfo) -> bool:
        """Whether a field has another value than when it is absent; what is turned off has the effect that it asks for."""
        usual = one.default if one.default_factory is NODEFAULT else one.default_factory()
        value = getattr(self, one.name)
        return value is not False and value != usual

    @property
    def turn(self) -> TurnOptions:
        """What of it is about the turn. ``maxTokens`` bounds all of a turn, not only what is retrieved."""
        return TurnOptions(**{name: getattr(self, name) for name in TurnOptions.__struct_fields__})


@cache
def _fields_of(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    # To read what the fields of a class say takes as long as some searches.
    return fields(kind)


class SetTrustParams(Struct, frozen=True, kw_only=True):
    """Whether the user trusts a folder."""

    trusted: Annotated[bool, Doc("whether what lies in the folder may instruct a model")]
    root_uri: RootUri = None


class TrustState(Struct, frozen=True, kw_only=True):
    """The trust from now on, until the server ends or the client changes it."""

    root_uri: FilledText
    trusted: bool

"""``context/workingSet/*``: what people pinned and excluded, and updates by models."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.model import Role, SetUpdate, TruncateStrategy, UpdateAction
from contextls.requests.common import FileUri, FilledText, Position, RootUri
from contextls.schema.rules import Bounds, Doc, Expected

# More at once is no update but another working set.
MAX_UPDATES = 40


class ListSet(Struct, frozen=True, kw_only=True):
    """The working set as a whole."""

    conversation_id: Annotated[
        FilledText | None,
        Doc("the conversation of which `server` is told; the one that goes on when absent"),
    ] = None
    root_uri: RootUri = None


class Target(Struct, frozen=True, kw_only=True):
    """A file, a folder, or a symbol in a file."""

    path: Annotated[
        FilledText | None,
        Doc(
            "relative to the workspace folder, with `/`; may end in `#symbol` or `:10-40`, or be a pattern "
            "(`docs/*.md`). Either this or `uri`"
        ),
    ] = None
    uri: Annotated[FileUri | None, Doc("the same of a document or folder")] = None
    symbol: Annotated[
        str | None,
        Doc("a symbol of that file by its qualified name (`Cart.add_article`). Either this or `position`"),
    ] = None
    position: Annotated[Position | None, Doc("stands for the innermost symbol around this place")] = None
    root_uri: RootUri = None

    def __post_init__(self) -> None:
        if (self.path is None) == (self.uri is None):
            raise InvalidRequestError("path", "either path or uri")
        if self.symbol is not None and self.position is not None:
            raise InvalidRequestError("position", "either symbol or position, not both")


class Pin(Target, frozen=True, kw_only=True):
    """A target that is to be pinned; of one that is pinned already, the fields to change."""

    priority: Annotated[float | None, Bounds(0, 1), Doc("0 to 1; 0.8 when absent")] = None
    role: Annotated[Role | None, Doc("as what it is read; `context` when absent")] = None
    truncate_strategy: Annotated[
        TruncateStrategy | None,
        Doc(
            "what goes when there is too little room: `start`, `middle` (the default), `end`, or `never`: "
            "whole or not at all"
        ),
    ] = None
    max_lines: Annotated[int | None, Bounds(1), Doc("a hard limit")] = None


class Update(Struct, frozen=True, kw_only=True):
    """One update that a model asks for."""

    action: Annotated[
        UpdateAction,
        Doc(
            "what to do. What a person pinned or excluded is theirs: it is never removed, lowered or raised, and stands "
            "before whatever a model adds"
        ),
    ]
    path: Annotated[
        FilledText,
        Doc("a file, a folder (`docs/`) or a symbol (`a.py#Cart.total`), relative to the workspace folder"),
    ]
    why: Annotated[FilledText, Doc("why, in one sentence; the person reads it")]
    priority: Annotated[
        float | None,
        Bounds(0, 1),
        Doc("0 to 1, needed by `adjust_priority`; 0.7 when something is added without it"),
    ] = None
    role: Annotated[
        Role | None,
        Doc("as what it is read, where it is added: `context`; other roles are given by people alone"),
    ] = None

    def __post_init__(self) -> None:
        if self.action is UpdateAction.ADJUST and self.priority is None:
            raise InvalidRequestError("priority", "a number from 0 to 1, as action is adjust_priority")
        if self.action is UpdateAction.REMOVE and self.priority is not None:
            raise InvalidRequestError("priority", "nothing, as action is remove_from_working_set")
        if self.action is not UpdateAction.ADD and self.role is not None:
            raise InvalidRequestError("role", f"nothing, as action is {self.action}")

    @property
    def wanted(self) -> SetUpdate:
        """The same in the words of the engine."""
        return SetUpdate(self.action, self.path, self.why, self.priority, self.role)


GivenUpdates = Annotated[
    tuple[Update, ...],
    Expected(f"a list of 1 to {MAX_UPDATES} updates"),
    Doc(
        "what a model asks for, in this order: all of it is done, or nothing. Each has `action`, `path`, `why`, and where "
        "they belong `priority` and `role`"
    ),
]


def check_updates(updates: tuple[Update, ...]) -> None:
    """Raise ``InvalidRequestError`` where there are none, or too many."""
    if not 1 <= len(updates) <= MAX_UPDATES:
        raise InvalidRequestError("updates", f"a list of 1 to {MAX_UPDATES} updates")


class UpdateSet(Struct, frozen=True, kw_only=True):
    """Updates by a model."""

    updates: GivenUpdates
    root_uri: RootUri = None

    def __post_init__(self) -> None:
        check_updates(self.updates)


class Undo(Struct, frozen=True, kw_only=True):
    """Which update is to be undone."""

    id: Annotated[
        FilledText | None,
        Doc(
            "that of an update, or of what the server did, as `context/workingSet/list` names it; "
            "the newest update by a model when absent"
        ),
    ] = None
    root_uri: RootUri = None

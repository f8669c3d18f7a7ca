"""The answers of every tool: small, so that most of a budget is left for what was asked for."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.schema.rules import Doc

NextCursor = Annotated[str | None, Doc("the argument `cursor` that reads on; null at the end")]
Warnings = Annotated[tuple[str, ...], Doc("what could not be done, and why")]


class Piece(Struct, frozen=True):
    """One piece of a context: where it is from, and why it is there."""

    source: Annotated[str, Doc("`path:start-end` for code, `path#symbol` for entities, else an id")]
    why: str


class ContextAnswer(Struct, frozen=True):
    """A context for a question, as Markdown."""

    content: Annotated[str, Doc("the context itself; every piece names where it is from")]
    confidence: Annotated[
        float, Doc("0 to 1: the chance that the best piece is of use; 0 when nothing matches")
    ]
    pieces: tuple[Piece, ...]
    index_complete: Annotated[bool, Doc("false while files are still being indexed")]
    warnings: Warnings
    next_cursor: NextCursor


class PackAnswer(Struct, frozen=True):
    """Files as one Markdown document: a tree with tokens, then each under its path."""

    content: Annotated[str, Doc("the document, or a page of it")]
    warnings: Warnings
    next_cursor: NextCursor


class Hit(Struct, frozen=True):
    """A piece of code that was found."""

    path: str
    start_line: int
    end_line: int
    symbol: str
    text: str


class SearchAnswer(Struct, frozen=True):
    """Pieces of code, best first."""

    hits: tuple[Hit, ...]
    index_complete: Annotated[bool, Doc("false while files are still being indexed")]
    warnings: Warnings
    next_cursor: NextCursor


class EventItem(Struct, frozen=True):
    """Something that happened."""

    id: str
    time: Annotated[str, Doc("when, in UTC")]
    type: str
    text: Annotated[str, Doc("says in one line what happened")]
    output: Annotated[str, Doc("of a failure: the end of what was printed; else empty")]


class ActivityAnswer(Struct, frozen=True):
    """What happened, newest first."""

    tasks: Annotated[tuple[str, ...], Doc("the goals being worked on, the current one last")]
    events: tuple[EventItem, ...]
    next_cursor: NextCursor


class EntityItem(Struct, frozen=True):
    """A thing worth naming."""

    id: Annotated[str, Doc("names it for `related`")]
    type: str
    name: str
    path: str | None
    line: int | None
    signature: str
    doc: str
    salience: Annotated[float, Doc("0 to 1: how much it matters right now")]


class EntityAnswer(Struct, frozen=True):
    """Entities, surest or most salient first."""

    entities: tuple[EntityItem, ...]
    next_cursor: NextCursor


class RelationItem(Struct, frozen=True):
    """An edge: `source` does `type` to `target`."""

    type: str
    source: str
    target: str
    path: Annotated[str | None, Doc("the file of the end that is farther away")]
    line: int | None
    weight: Annotated[float, Doc("0 to 1; falls with each step")]
    steps: int


class OmittedItem(Struct, frozen=True):
    """So many edges of a type that are left out, at one entity: it is their `source` or their `target`."""

    type: str
    source: str | None
    target: str | None
    count: int


class RelatedAnswer(Struct, frozen=True):
    """What hangs together with an entity, strongest first."""

    start: EntityItem
    alternatives: Annotated[tuple[str, ...], Doc("ids of others that the name may have meant")]
    relations: tuple[RelationItem, ...]
    omitted: Annotated[
        tuple[OmittedItem, ...],
        Doc("how many more there are at `start` beyond `limit`; empty when these are all"),
    ]
    next_cursor: NextCursor


class TaskAnswer(Struct, frozen=True):
    """The task that was begun or completed, and what is worked on now."""

    goal: str
    status: str
    current: Annotated[str | None, Doc("the goal that is worked on now; null when there is none")]


class EventAnswer(Struct, frozen=True):
    """Whether an event was kept."""

    id: Annotated[str | None, Doc("its id; null when it was not kept")]
    reason: Annotated[str, Doc("why it was not kept: it concerns ignored files, or the user switched it off")]


class PinItem(Struct, frozen=True):
    """A pinned file, folder or symbol."""

    target: str
    priority: float
    by: Annotated[str, Doc("`person` or `model`; what a person pinned is theirs")]
    why: Annotated[str | None, Doc("why a model pinned it")]
    problem: Annotated[str | None, Doc("why it does not enter contexts")]


class PinAnswer(Struct, frozen=True):
    """What is pinned and excluded now."""

    pins: tuple[PinItem, ...]
    excluded: tuple[str, ...]
    warnings: Warnings


class RefusedItem(Struct, frozen=True):
    """An update that was refused."""

    path: str
    reason: str


class UpdateSetAnswer(Struct, frozen=True):
    """What became of updates, and what is pinned and excluded now."""

    applied: Annotated[
        bool, Doc("all updates were applied; else none was, because of those that are refused")
    ]
    refused: tuple[RefusedItem, ...]
    pins: tuple[PinItem, ...]
    excluded: tuple[str, ...]
    warnings: Warnings

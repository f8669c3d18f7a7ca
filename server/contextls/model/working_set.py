"""The working set: what people pinned and excluded, and what models and the server made of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.model.choices import Role, TruncateStrategy, UpdateAction, Updater
from contextls.schema.rules import Doc


class PinnedFile(Struct, frozen=True):
    """A pinned file, folder or symbol. ``priority`` lies in 0..1; ``problem`` says why it does not enter prompts."""

    path: Annotated[str, Doc("relative to the workspace; a pattern where `pattern` is true")]
    symbol: str | None
    folder: bool
    priority: float
    role: Role
    truncate_strategy: TruncateStrategy
    max_lines: int | None
    problem: str | None
    target: Annotated[
        str, Doc("what a request names it by in `path`: `a.py`, `a.py#Cart.total`, `a.py:10-40`, `docs/`")
    ]
    pattern: Annotated[bool, Doc("whether it stands for all files that match `path`")]
    start_line: Annotated[int | None, Doc("the first of the lines, where it is only some of a file")]
    end_line: Annotated[int | None, Doc("the last of them")]
    included_from: Annotated[
        str | None,
        Doc(
            "the included file that pins it, which contextls never changes; null where the working set's own file does"
        ),
    ]
    by: Annotated[Updater, Doc("who pinned it")] = Updater.PERSON
    why: Annotated[str | None, Doc("why a model pinned it; null for what a person pinned")] = None


class ExcludedFile(Struct, frozen=True):
    """A file, folder or symbol that appears in no prompt."""

    path: str
    symbol: str | None
    folder: bool
    target: Annotated[str, Doc("what a request names it by in `path`")]
    included_from: Annotated[
        str | None, Doc("the included file that excludes it, which contextls never changes")
    ]


class Target(Struct, frozen=True):
    """The target of an entry of the working set: a file, a symbol in it, some of its lines, a folder, or a pattern.

    ``path`` is relative to the root, without a slash at its end unless ``pattern`` says that it is one; ``symbol`` is
    qualified (``Cart.total``); ``lines`` are the first and the last, 1-based.
    """

    path: str
    symbol: str | None = None
    folder: bool = False
    lines: tuple[int, int] | None = None
    pattern: bool = False

    @property
    def text(self) -> str:
        """As it is written in the file: ``a.py``, ``a.py#Cart.total``, ``a.py:10-40``, ``docs/``; the id of its entity."""
        if self.lines:
            return f"{self.path}:{self.lines[0]}-{self.lines[1]}"
        return f"{self.path}#{self.symbol}" if self.symbol else self.path + "/" * self.folder

    @property
    def place(self) -> tuple[str, str | None, tuple[int, int] | None]:
        """The identity of the target, the same whether or not it is known to be a folder."""
        return self.path, self.symbol, self.lines

    def names(self, other: Target) -> bool:
        """Whether the other one means the same place."""
        return self.place == other.place


class SetUpdate(Struct, frozen=True):
    """One update that a model asks for: ``priority`` is for adding and adjusting, ``role`` for adding alone.

    ``path`` is written as in the file (``Target.text``).
    """

    action: UpdateAction
    path: str
    why: str
    priority: float | None = None
    role: Role | None = None


class UpdateStep(Struct, frozen=True):
    """One thing that an update did. ``priority`` is the one it set, null where it set none."""

    action: UpdateAction
    target: Annotated[str, Doc("what it did that to: `a.py`, `a.py#Cart.total`, `docs/`")]
    priority: float | None
    why: str


class AppliedUpdate(Struct, frozen=True):
    """An update by a model that can be undone."""

    id: Annotated[str, Doc("names it for `context/workingSet/undo`")]
    by: Updater
    timestamp: Annotated[int, Doc("milliseconds since the epoch")]
    steps: tuple[UpdateStep, ...]


class RefusedUpdate(Struct, frozen=True):
    """An update that was refused, by its place among those that were asked for."""

    index: int
    path: str
    reason: Annotated[str, Doc("why, in words for the model that asked")]


class ServerEntry(Struct, frozen=True):
    """An entry that the server made in the working set of a conversation, of its own accord."""

    id: Annotated[str, Doc("names it for `context/workingSet/undo`")]
    kind: Annotated[
        str,
        Doc("`output` (a command's newest output is kept at hand), `raised` or `lowered` (a model's pin)"),
    ]
    text: Annotated[str, Doc("the command, or what is pinned")]
    priority: Annotated[float, Doc("the one that counts in this conversation")]
    why: str
    by: Updater = Updater.SERVER


class WorkingSetView(Struct, frozen=True):
    """The pins, those of people first, highest priority first, and the exclusions.

    ``location`` is the file that says so; it may not exist yet.
    """

    files: tuple[PinnedFile, ...]
    excluded: tuple[ExcludedFile, ...]
    location: str
    warnings: tuple[str, ...]
    updates: Annotated[
        tuple[AppliedUpdate, ...], Doc("the newest updates by models that can be undone, newest first")
    ] = ()
    server: Annotated[
        tuple[ServerEntry, ...], Doc("what the server does to it in the conversation that goes on")
    ] = ()


class UpdateAnswer(Struct, frozen=True):
    """The result of updates: all of them were applied, or none."""

    applied: bool
    id: Annotated[
        str | None, Doc("names the update for `context/workingSet/undo`; null where none was applied")
    ]
    refused: Annotated[tuple[RefusedUpdate, ...], Doc("those because of which none was applied")]
    working_set: WorkingSetView


class UndoAnswer(Struct, frozen=True):
    """The result of an undo."""

    id: Annotated[str | None, Doc("the update that was undone; null where there was none")]
    steps: tuple[UpdateStep, ...]
    kept: Annotated[tuple[str, ...], Doc("what stays because it was changed since, in words")]
    working_set: WorkingSetView

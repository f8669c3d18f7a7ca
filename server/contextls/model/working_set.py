"""The working set: what people pinned and excluded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from contextls.model.choices import Role, TruncateStrategy
from contextls.schema.rules import Doc


@dataclass(frozen=True, slots=True)
class PinnedFile:
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


@dataclass(frozen=True, slots=True)
class ExcludedFile:
    """A file, folder or symbol that appears in no prompt."""

    path: str
    symbol: str | None
    folder: bool
    target: Annotated[str, Doc("what a request names it by in `path`")]
    included_from: Annotated[
        str | None, Doc("the included file that excludes it, which contextls never changes")
    ]


@dataclass(frozen=True, slots=True)
class Target:
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
        """What tells it from others, also when only one of them is known to be a folder."""
        return self.path, self.symbol, self.lines

    def names(self, other: Target) -> bool:
        """Whether the other one means the same place."""
        return self.place == other.place


@dataclass(frozen=True, slots=True)
class WorkingSetView:
    """The pins, highest priority first, and the exclusions. ``location`` is the file that says so; it may not exist yet."""

    files: tuple[PinnedFile, ...]
    excluded: tuple[ExcludedFile, ...]
    location: str
    warnings: tuple[str, ...]

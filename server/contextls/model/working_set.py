"""The working set: what people pinned and excluded."""

from __future__ import annotations

from dataclasses import dataclass

from contextls.model.choices import Role, TruncateStrategy


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A pinned file, folder or symbol. ``priority`` lies in 0..1; ``problem`` says why it does not enter prompts."""

    path: str
    symbol: str | None
    folder: bool
    priority: float
    role: Role
    truncate_strategy: TruncateStrategy
    max_lines: int | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class ExcludedFile:
    """A file, folder or symbol that appears in no prompt."""

    path: str
    symbol: str | None
    folder: bool


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an entry of the working set: a file, a symbol in it, or a folder.

    ``path`` is relative to the root, without a slash at its end; ``symbol`` is qualified (``Cart.total``).
    """

    path: str
    symbol: str | None = None
    folder: bool = False

    @property
    def text(self) -> str:
        """As it is written in the file: ``a.py``, ``a.py#Cart.total``, ``docs/``; the id of its entity."""
        return f"{self.path}#{self.symbol}" if self.symbol else self.path + "/" * self.folder

    def names(self, other: Target) -> bool:
        """Whether the other one means the same place, also when only one of them is known to be a folder."""
        return (self.path, self.symbol) == (other.path, other.symbol)


@dataclass(frozen=True, slots=True)
class WorkingSetView:
    """The pins, highest priority first, and the exclusions. ``location`` is the file that says so; it may not exist yet."""

    files: tuple[PinnedFile, ...]
    excluded: tuple[ExcludedFile, ...]
    location: str
    warnings: tuple[str, ...]

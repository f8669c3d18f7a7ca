"""The files of a working set as they were read: what they say of prompts, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field


class Severity(StrEnum):
    """The severity of a problem in a manifest."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


class ManifestFault(Struct, frozen=True):
    """Something wrong in a file of the working set, with its place.

    ``file`` is relative to the workspace. Lines are 1-based; columns are 0-based, in characters, and the end is exclusive.
    ``of_entry`` says that it is told as the problem of an entry.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    message: str
    severity: Severity = Severity.ERROR
    of_entry: bool = False

    @property
    def text(self) -> str:
        """For people, with its place."""
        return f"{self.file}, line {self.line}: {self.message}"


class CheckedManifest(Struct, frozen=True):
    """A file of the working set as it was looked at: its text, and all that is wrong with it, in the order of places."""

    file: str
    text: str
    faults: tuple[ManifestFault, ...] = ()


class Allotment(Struct, frozen=True):
    """A part of a prompt: tokens, or a share of it in percent."""

    tokens: int | None = None
    percent: float | None = None


class ManifestBudget(Struct, frozen=True):
    """The ``budget`` of a working set, as far as it can be read. ``allocation`` goes by roles, and ``history``."""

    max_tokens: int | None = None
    reserved_for_response: int | None = None
    effective: int | None = None
    allocation: Mapping[str, Allotment] = field(default_factory=dict)

    @property
    def limit(self) -> int | None:
        """The most tokens of a prompt: what is left of the whole for it; ``None`` where nothing bounds it."""
        whole = None if self.max_tokens is None else self.max_tokens - (self.reserved_for_response or 0)
        return min((each for each in (whole, self.effective) if each is not None), default=None)

    def bound(self, tokens: int) -> int:
        """``tokens``, or the limit where that is less."""
        return tokens if self.limit is None else min(tokens, self.limit)

    def tokens_of(self, part: str, total: int) -> int | None:
        """The tokens that ``part`` may take of a prompt of ``total``; ``None`` where nothing is said of it.

        Of a prompt that is smaller than the limit, a part takes proportionally less.
        """
        allotted = self.allocation.get(part)
        if allotted is None:
            return None
        if allotted.percent is not None:
            return int(total * allotted.percent / 100)
        tokens = allotted.tokens or 0
        return tokens if not self.limit or self.limit <= total else tokens * total // self.limit

"""Parts of requests that several methods take: workspaces, documents, and places in them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.model import MAX_LISTED
from contextls.regex import compile_late
from contextls.requests.uris import to_path
from contextls.schema.rules import FILLED, Bounds, Doc, Expected, StringForm

DEFAULT_LISTED = 50


_AGE = compile_late(r"(\d{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
AGE_FORM = "a number and s, m, h, d or w, such as 2h"


def read_age(text: str) -> int | None:
    """The milliseconds of ``90s``, ``30m``, ``2h``, ``3d`` or ``1w``; ``None`` for anything else."""
    match = _AGE.fullmatch(text.strip())
    return int(match[1]) * _SECONDS[match[2]] * 1000 if match else None


def _is_file_uri(text: str) -> bool:
    return to_path(text) is not None


FilledText = Annotated[str, FILLED]
Age = Annotated[str, StringForm("age", AGE_FORM, lambda text: read_age(text) is not None)]
FileUri = Annotated[str, StringForm("file URI", "an absolute file: URI", _is_file_uri)]
RootUri = Annotated[FileUri | None, Doc("the workspace folder that is meant")]
GivenScope = Annotated[
    tuple[str, ...] | None,
    Doc(
        "folders and packages that this question is limited to ([how](scope.md)); the saved scope when absent, the whole "
        "workspace when empty"
    ),
]
Limit = Annotated[
    int, Bounds(1, MAX_LISTED), Doc(f"at most so many, 1 to {MAX_LISTED:,}; {DEFAULT_LISTED} when absent")
]


class RootParams(Struct, frozen=True, kw_only=True):
    """Only the workspace that is meant."""

    root_uri: RootUri = None


class Position(Struct, frozen=True):
    """A place between two characters. Zero-based, as in LSP."""

    line: int
    character: int


GivenPosition = Annotated[Position, Expected("an object with line and character")]


class Range(Struct, frozen=True):
    """The text between two positions, as in LSP."""

    start: GivenPosition
    end: GivenPosition

    def __post_init__(self) -> None:
        if (self.end.line, self.end.character) < (self.start.line, self.start.character):
            raise InvalidRequestError("end", "a position that is not before start")

    @property
    def is_empty(self) -> bool:
        """Whether it is a cursor, with no text in it."""
        return self.start == self.end

    @property
    def lines(self) -> tuple[int, int]:
        """The 1-based inclusive lines; without the last one where the range covers no character of it."""
        start, end = self.start, self.end
        last = end.line if end.character == 0 and end.line > start.line else end.line + 1
        return start.line + 1, last


class TextDocument(Struct, frozen=True):
    """A document, as in LSP."""

    uri: FilledText
    version: Annotated[int | None, Bounds(None)] = None


class Place(Struct, frozen=True):
    """A document and, when known, the 1-based inclusive lines of a cursor or, if ``selected``, a selection in it."""

    uri: str
    start_line: int | None = None
    end_line: int | None = None
    selected: bool = False

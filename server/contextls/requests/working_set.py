"""``context/workingSet/*``: what people pinned and excluded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from contextls.errors import InvalidRequestError
from contextls.model import Role, TruncateStrategy
from contextls.requests.common import FileUri, FilledText, Position, RootUri
from contextls.schema.rules import Bounds, Doc


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin(Target):
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

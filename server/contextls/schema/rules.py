"""Rules that an annotation adds to the type of a field: ``Annotated[int | None, Bounds(1, 1000), Doc("…")]``.

The reader holds values to these rules; the tables of docs/protocol.md, the JSON schema and the types for TypeScript
show them.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

MAX_WHOLE = 2**53  # above, a number loses digits in clients that know only doubles


class Doc(Struct, frozen=True):
    """The meaning of a field, in the words and the Markdown of docs/protocol.md."""

    text: str


class Bounds(Struct, frozen=True):
    """The least and the greatest number that is valid. Without this rule numbers are not negative."""

    least: int | None = 0
    most: int | None = None


class Filled(Struct, frozen=True):
    """A string says something: it is more than white space."""


class Lenient(Struct, frozen=True):
    """Halves of characters are repaired, not refused: the text comes from a program that the client does not control."""


class Words(Struct, frozen=True):
    """The only values of a string that this side writes. What clients choose from is an enum."""

    words: tuple[str, ...]


class StringForm(Struct, frozen=True):
    """A form that a string has, ``name`` for documents, and in words what would be valid."""

    name: str
    expected: str
    accepts: Callable[[str], bool]


class First(Struct, frozen=True):
    """The number of items of a longer list that are read."""

    count: int


class Expected(Struct, frozen=True):
    """In words what would be valid, where the type alone says too little."""

    words: str


Rule = Doc | Bounds | Filled | Lenient | Words | StringForm | First | Expected
FILLED = Filled()
LENIENT = Lenient()

"""Work for worker processes alone: the one way on which a text of a workspace or a client comes to a parser.

A parser may crash its process or never end. These functions are handed to ``WorkerPool.map``, or called by functions that
are; the parser is imported when they run, so no other process ever loads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.code.model import Definition, ParsedFile


def parse(path: str, text: str, *, plain: bool = False) -> ParsedFile:
    """Everything known about a file; ``plain`` only cuts it into windows."""
    from contextls.code.parse import parse_file, parse_plain

    return parse_plain(text) if plain else parse_file(path, text)


def language_of(path: str, text: str) -> str:
    """The language that ``parse`` takes a text for."""
    from contextls.code.languages import default_languages

    return default_languages().language_of(path, text)


def definitions_in(task: tuple[str, str]) -> tuple[Definition, ...]:
    """The definitions in a text, given with its path."""
    return parse(*task).definitions


def bodies_in(task: tuple[str, str]) -> str:
    """The function bodies of a text for ``skeleton``, given with its path or language."""
    from contextls.code.parse import parse_bodies

    return parse_bodies(*task)


def text_without_comments(task: tuple[str, str]) -> str:
    """A text, given with its path, without its comments."""
    from contextls.code.parse import parse_without_comments

    return parse_without_comments(*task)

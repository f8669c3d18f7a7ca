"""Reads and checks what several commands take as arguments: questions, scopes, paths, the content of files."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from contextls.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def asked_scope(given: Sequence[str] | None, *, none: bool) -> tuple[str, ...] | None:
    """The scope that the options name; ``None`` means the saved one. Raises ``InvalidRequestError``."""
    if none and given:
        raise InvalidRequestError("--no-scope", "either this or --scope")
    return () if none else tuple(given) if given else None


def read_query(given: str) -> str:
    """The question that is ``given``; ``-`` is standard input, such as what a command printed.

    Raises ``InvalidRequestError`` where it is too long, before anything is opened, and says what to do.
    """
    from contextls.model import MAX_QUERY_CHARS

    query = given if given != "-" else _read_piped(4 * MAX_QUERY_CHARS + 1)  # of at most four bytes each
    if len(query) > MAX_QUERY_CHARS:
        expected = f"at most {MAX_QUERY_CHARS:,} characters; `contextls compress` shortens a log"
        raise InvalidRequestError("query", expected, query)
    return query


def _read_piped(max_bytes: int) -> str:
    """The beginning of standard input as a terminal would show it: some programs colour what they print into a pipe."""
    from contextls.standalone import plain_text

    return plain_text(sys.stdin.buffer.read(max_bytes).decode("utf-8", "replace"))


@contextmanager
def readable(file: Path, option: str) -> Iterator[BinaryIO]:
    """Open ``file`` for reading bytes; ``-`` is standard input.

    Raises ``InvalidRequestError`` naming ``option`` when it cannot be read.
    """
    if str(file) == "-":
        yield sys.stdin.buffer
        return
    try:
        source = file.open("rb")
    except OSError as error:
        raise InvalidRequestError(option, f"a file that can be read ({error.strerror})", str(file)) from None
    with source:
        yield source


def read_whole(file: Path, option: str, max_bytes: int) -> bytes:
    """Read a file that ``readable`` opens. Raises ``InvalidRequestError`` naming ``option`` above ``max_bytes``."""
    with readable(file, option) as source:
        raw = source.read(max_bytes + 1)
    if len(raw) > max_bytes:
        raise InvalidRequestError(option, f"at most {max_bytes:,} bytes", str(file))
    return raw

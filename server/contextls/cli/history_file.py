"""A history in a file: OpenAI-style messages as JSON, as ``contextls assemble --history`` takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.cli.arguments import read_whole
from contextls.errors import InvalidRequestError
from contextls.standalone import read_messages

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.model import GivenMessage

_BYTES = 64_000_000
_OPTION = "--history"


def read_history(file: Path) -> tuple[GivenMessage, ...]:
    """The messages of a file (``-`` is standard input): a list, or an object with ``messages``.

    Messages of the role ``system`` are left out: the system layer is made again. Raises ``InvalidRequestError``.
    """
    raw = read_whole(file, _OPTION, _BYTES)
    try:
        return read_messages(raw.decode("utf-8", "replace"))
    except InvalidRequestError as error:
        place = error.field.removeprefix("messages").removeprefix("content")
        got = error.got if place else str(file)
        raise InvalidRequestError(f"{_OPTION}{place}", error.expected, got) from None

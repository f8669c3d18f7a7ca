"""Asks a running session (a server that has the workspace open), which answers faster than this process could."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from contextls.agents.sockets import ask_running
from contextls.asking import answer_key, decode_answer, encode_question
from contextls.cli.output import note
from contextls.cli.user_settings import user_settings
from contextls.errors import InvalidRequestError

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.asking import Question

T = TypeVar("T", bound=Struct)
# Many times what a warm answer takes; after it the question is answered in this process.
_SECONDS = 3.0


def ask_session(kind: type[T], root: Path, question: Question, *, index: bool) -> T | None:
    """The answer of a running session, a ``kind``; ``None`` where none has the workspace open or would answer the same.

    With ``index`` the session brings its index up to date before, and what was new in it is said on standard error.
    """
    try:
        place = root.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # said by what opens the workspace
        return None
    asks, given = encode_question(question)
    header = {"asks": asks, "root": str(place), "as": answer_key(user_settings()), "index": index}
    answer = ask_running(header, given, _SECONDS)
    if answer is None or "result" not in answer:
        return None
    try:
        result, refreshed = decode_answer(kind, answer)
    except InvalidRequestError:  # of another version, although it says otherwise
        return None
    if refreshed is not None:
        from contextls.cli.indexing import summary

        note(summary(refreshed))
    return result

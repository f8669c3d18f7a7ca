"""Characters that a person does not see and a model reads: taken out, counted, and their first line named; or shown.

Rules files are instructions; what hides in them (tags, zero-width letters, reversed text) is an instruction that nobody
agreed to. Joiners between letters of scripts that need them, and within emoji, stay.
"""

from __future__ import annotations

import re

from msgspec import Struct

from contextls.regex import compile_late

_HIDDEN = compile_late(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]"
    # Joiners next to a plain letter, a blank or an end join nothing.
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)


# What steers a terminal instead of being shown; white space apart.
_STEERING = compile_late(r"[\x00-\x08\x0e-\x1b\x7f-\x9f]")


class Hidden(Struct, frozen=True):
    """The number of characters that were hidden, and the line of the first."""

    count: int
    line: int


def take_out_hidden(text: str) -> tuple[str, Hidden | None]:
    """``text`` without what hides in it, and what that was; ``None`` where nothing did."""
    first = _HIDDEN.search(text)
    if first is None:
        return text, None
    shown, count = _HIDDEN.subn("", text)
    return shown, Hidden(count, text.count("\n", 0, first.start()) + 1)


def show_hidden(text: str) -> str:
    r"""``text`` with what hides in it, or would steer a terminal, as an escape that everybody sees: ``\u202e``."""
    if text.isascii() and text.isprintable():
        return text
    return _STEERING.sub(_escape, _HIDDEN.sub(_escape, text))


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()

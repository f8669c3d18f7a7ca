"""The names of Unix signals, which code writes with SIG before them and without: ``SIGTERM``, ``trap TERM``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextls.regex import compile_late

_PREFIX = "SIG"
_SIGNALS = """
    ABRT ALRM BUS CHLD CONT FPE HUP ILL INT IO KILL PIPE PROF QUIT SEGV STOP TERM TRAP TSTP TTIN TTOU URG USR1
    USR2 VTALRM WINCH XCPU XFSZ
"""
_NAMES = frozenset(_SIGNALS.split())
_CAPITALS = compile_late(r"(?<![A-Za-z0-9_])[A-Z]{2,9}[12]?(?![A-Za-z0-9_])")
# Without these, INT is a type and STOP a shout.
_OF_SIGNALS = compile_late(
    r"\b(?:signals?|sig|trap(?:s|ped)?|handlers?|kill(?:s|ed)?|interrupts?)\b", re.IGNORECASE
)


def other_forms(text: str) -> Iterator[str]:
    """Other forms of the signals that ``text`` names: without the SIG, or with it where the text is about signals."""
    about_signals = None
    for found in _CAPITALS.findall(text):
        name = found.removeprefix(_PREFIX)
        if name not in _NAMES:
            continue
        if name != found:
            yield name
            continue
        if about_signals is None:
            about_signals = bool(_OF_SIGNALS.search(text))
        if about_signals:
            yield f"{_PREFIX}{name}"

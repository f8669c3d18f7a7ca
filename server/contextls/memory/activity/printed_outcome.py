"""The outcome of a run, read from its output: where an exit code is that of ``tail``, nothing else tells it."""

from __future__ import annotations

import re

from contextls.model import Outcome
from contextls.regex import compile_late

# What closes a run is at its end; what a filter has left of one is short.
_CHARS = 20_000
_FLAGS = re.VERBOSE | re.MULTILINE | re.IGNORECASE
_FAILED = compile_late(
    r"""
    ^.{0,200}?\b[1-9]\d{0,6}\ (?:\w+\ ){0,2}?(?:fail(?:ed|ures?|ing)|errors?|broken)\b
    | ^.{0,200}?\b(?:failures|errors|failed)\b\s?[:=]\s?[1-9]
    | ^.{0,200}?\b(?:build\ fail(?:ed|ure)|test\ result:\ failed|test\ run\ failed|traceback\ \(most)
    | ^\W{0,9}(?:fail(?:ed|ure)?|not\ ok|make(?:\[\d+\])?:\ \*\*\*|npm\ err(?:!|or)|error(?:\[\w+\])?:|error\b)
    | ^\W{0,9}(?:exit|status|rc)\b[^\n\d]{0,20}[1-9]\d{0,2}\W*$
    """,
    _FLAGS,
)
_PASSED = compile_late(
    r"""
    ^.{0,200}?\b[1-9]\d{0,6}\ (?:\w+\ ){0,2}?pass(?:ed|ing)\b
    | ^.{0,200}?\b(?:build\ success|test\ result:\ ok|tests\ ok|no\ (?:issues|errors)\ found|found\ 0\ errors)
    | ^.{0,200}?\b(?:all\ checks\ passed|0\ failures|100%\ tests\ passed|finished\ .{0,40}\ target)
    | ^.{0,200}?\bcompiled\ (?:successfully|in\ \d)
    | ^\W{0,9}(?:ok|pass(?:ed)?|success)\b
    | ^\W{0,9}(?:exit|status|rc)\b[^\n\d]{0,20}0\W*$
    """,
    _FLAGS,
)


def outcome_printed(text: str) -> Outcome | None:
    """The outcome that the closing lines of a run in ``text`` tell; ``None`` where none does."""
    text = text[-_CHARS:]
    if _FAILED.search(text):
        return Outcome.FAILURE
    return Outcome.SUCCESS if _PASSED.search(text) else None

"""How a run ended, as what it printed says it: where an exit code is that of ``tail``, nothing else does."""

from __future__ import annotations

from contextls.model import Outcome
from contextls.regex import compile_late

# What closes a run is at its end; what a filter has left of one is short.
_CHARS = 20_000
_FAILED = compile_late(
    r"""
    ^.{0,200}?\b[1-9]\d{0,6}\ (?:\w+\ ){0,2}?(?:fail(?:ed|ures?|ing)|errors?|broken)\b
    | ^.{0,200}?\b(?:failures|errors|failed)\b\s?[:=]\s?[1-9]
    | ^\W{0,9}(?:FAIL(?:ED|URE)?|not\ ok|make(?:\[\d+\])?:\ \*\*\*|npm\ (?:ERR!|error)|error(?:\[\w+\])?:|ERROR\b)
    | ^.{0,200}?\b(?:BUILD\ FAIL(?:ED|URE)|test\ result:\ FAILED|Test\ Run\ Failed|Traceback\ \(most)
    | ^\W{0,9}(?:exit|status|rc)\b[^\n\d]{0,20}[1-9]\d{0,2}\W*$
    """,
    0x40 | 0x8 | 0x2,  # VERBOSE, MULTILINE, IGNORECASE
)
_PASSED = compile_late(
    r"""
    ^.{0,200}?\b[1-9]\d{0,6}\ (?:\w+\ ){0,2}?pass(?:ed|ing)\b
    | ^\W{0,9}(?:ok|PASS(?:ED)?|success)\b | ^.{0,200}?\b(?:BUILD\ SUCCESS|test\ result:\ ok|tests\ ok)
    | ^.{0,200}?\b(?:no\ (?:issues|errors)\ found|all\ checks\ passed|\ 0\ failures|finished\ .{0,40}\ target)
    | ^\W{0,9}(?:exit|status|rc)\b[^\n\d]{0,20}0\W*$
    """,
    0x40 | 0x8 | 0x2,
)


def outcome_printed(text: str) -> Outcome | None:
    """What the closing lines of a run in ``text`` say; ``None`` where nothing does."""
    text = text[-_CHARS:]
    if _FAILED.search(text):
        return Outcome.FAILURE
    return Outcome.SUCCESS if _PASSED.search(text) else None

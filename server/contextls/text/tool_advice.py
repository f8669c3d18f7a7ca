"""Lines that tools print below whatever failed: rules, and where help could be had. They say nothing of the failure."""

from __future__ import annotations

import re

from contextls.regex import compile_late

_ADVICE = compile_late(
    r"""
    \[(?:INFO|ERROR)\]\ ?(?:-{5,}|->\ )?(?:\[Help\ \d+\].*)?
    | \[ERROR\]\ (?:To\ see\ the\ full\ stack|Re-run\ Maven|For\ more\ information\ about\ the\ errors|After\ correcting).*
    | (?:>\ |\*\ )?(?:Try:|Run\ with\ --|Get\ more\ help\ at).*
    | (?:npm\ notice|\[notice\])(?:\ .*)?
    | npm\ (?:ERR!|error)\ (?:A\ complete\ log\ of\ this\ run|\ +/).*
    | (?:For\ more\ information\ about\ (?:this\ error|an\ error)|note:\ run\ with\ `RUST_BACKTRACE).*
    """,
    re.VERBOSE,
)


def is_advice(line: str) -> bool:
    """Whether a line of a tool's output would stand there whatever had failed."""
    return bool(_ADVICE.fullmatch(line.strip()))

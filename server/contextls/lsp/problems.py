"""Diagnostics of the protocol become problems of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.problems import Problem
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from lsprotocol import types

# What stands as the source of diagnostics that this server publishes itself.
OUR_SOURCE = "contextls"
_SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


def severity_name(number: int | None) -> str:
    """The protocol's word for a severity; clients leave it out for errors."""
    return _SEVERITIES.get(number or 1, "error")


def to_problem(diagnostic: types.Diagnostic) -> Problem:
    """A diagnostic that was sent along with a request."""
    # In a request, a diagnostic without a severity may be anything, so it does not count as an error.
    severity = _SEVERITIES.get(diagnostic.severity or 0, "")
    code = "" if diagnostic.code is None else str(diagnostic.code)
    line = diagnostic.range.start.line + 1
    return Problem(repair_surrogates(diagnostic.message), line, severity, diagnostic.source or "", code)

"""Diagnostics of the protocol become problems of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.problems import Problem
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from lsprotocol import types

    from contextls.live.live_workspaces import LiveWorkspaces

_SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


class Diagnostics:
    """Hands diagnostics to the live workspaces. Belongs to the event loop."""

    def __init__(self, live: LiveWorkspaces) -> None:
        self._live = live

    def seen(self, path: Path, diagnostics: Iterable[types.Diagnostic]) -> None:
        """Diagnostics were sent along with a request."""
        self._live.problems.mention(path, map(_to_problem, diagnostics))

    def changed(self, path: Path, problems: Sequence[Problem]) -> None:
        """These are all the problems of a document now."""
        self._live.problems.replace(path, problems)


def severity_name(number: int | None) -> str:
    """The protocol's word for a severity; clients leave it out for errors."""
    return _SEVERITIES.get(number or 1, "error")


def _to_problem(diagnostic: types.Diagnostic) -> Problem:
    # Of what is sent along only plain errors are told: one without a severity may be anything.
    severity = _SEVERITIES.get(diagnostic.severity or 0, "")
    code = "" if diagnostic.code is None else str(diagnostic.code)
    line = diagnostic.range.start.line + 1
    return Problem(repair_surrogates(diagnostic.message), line, severity, diagnostic.source or "", code)

"""Problems that other servers report, as they reach us: with code actions, or from a client that tells of all of them.

A client that sends ``context/didChangeDiagnostics`` names all problems of a document each time; what appeared and what
is gone becomes an event once the set has held still, so that what flickers while somebody types is never told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.lsp.documents import well_formed
from contextls.model import EventType, NewEvent, Outcome

if TYPE_CHECKING:
    from asyncio import TimerHandle
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.lsp.documents import Document
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace

_REMEMBERED = 2000
# A broken import may set off a thousand more; the first ones tell as much.
_MOST_AT_ONCE = 30
_SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


@dataclass(frozen=True, slots=True)
class Problem:
    """One diagnostic. ``line`` is 1-based; ``severity`` is one of the protocol's words."""

    message: str
    line: int
    severity: str = "error"
    source: str = ""
    code: str = ""

    def content(self) -> dict[str, object]:
        """What an event says of it."""
        told: dict[str, object] = {"message": self.message, "line": self.line}
        told |= {name: value for name, value in (("source", self.source), ("code", self.code)) if value}
        return told


@dataclass(slots=True)
class _Told:
    """The problems of one document: as last recorded, and as last heard."""

    recorded: dict[tuple[object, ...], Problem] | None = None
    heard: dict[tuple[object, ...], Problem] = field(default_factory=dict)
    timer: TimerHandle | None = None


class Problems:
    """What is known to be wrong in open documents. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._seen: set[tuple[str, str, str]] = set()
        self._told: dict[Path, _Told] = {}

    def seen(self, workspace: Workspace, document: Document, diagnostics: Iterable[types.Diagnostic]) -> None:
        """Diagnostics were sent along with a request; those of severity error become events, each once."""
        if document.path is None or document.path in self._told:
            return
        for diagnostic in diagnostics:
            key = (document.uri, str(diagnostic.code), diagnostic.message)
            if diagnostic.severity is not types.DiagnosticSeverity.Error or key in self._seen:
                continue
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            self._seen.add(key)
            problem = Problem(
                well_formed(diagnostic.message),
                diagnostic.range.start.line + 1,
                source=diagnostic.source or "",
                code="" if diagnostic.code is None else str(diagnostic.code),
            )
            _record(workspace, document.path, EventType.ERROR, problem.content(), Outcome.FAILURE)

    def changed(self, path: Path, problems: Sequence[Problem]) -> None:
        """These are all the problems of a document now."""
        if len(self._told) >= _REMEMBERED:
            self._told = {place: told for place, told in self._told.items() if told.heard or told.recorded}
        told = self._told.setdefault(path, _Told())
        told.heard = _keyed(problems)
        if told.timer is not None:
            told.timer.cancel()
        told.timer = self._server.loop.call_later(self._server.settings.edit_seconds, self._settle, path)

    def stop(self) -> None:
        """Forget what has not held still long enough."""
        for told in self._told.values():
            if told.timer is not None:
                told.timer.cancel()

    def _settle(self, path: Path) -> None:
        told = self._told[path]
        told.timer = None
        before, now = told.recorded, told.heard
        told.recorded = now
        workspace = self._server.workspaces.containing(path)
        if workspace is None:
            return
        # Warnings that were there when the document was opened say nothing about the work.
        first = before is None
        known = before or {}
        appeared = [
            each for key, each in now.items() if key not in known and not (first and each.severity != "error")
        ]
        gone = [each for key, each in known.items() if key not in now]
        for state, problems in (("gone", gone), ("appeared", appeared)):
            for problem in problems[:_MOST_AT_ONCE]:
                outcome = Outcome.SUCCESS if state == "gone" else None
                if state == "appeared" and problem.severity == "error":
                    outcome = Outcome.FAILURE
                content = {**problem.content(), "severity": problem.severity, "state": state}
                _record(workspace, path, EventType.DIAGNOSTIC, content, outcome)


def severity_name(number: int | None) -> str:
    """The protocol's word for a severity; clients leave it out for errors."""
    return _SEVERITIES.get(number or 1, "error")


def _keyed(problems: Iterable[Problem]) -> dict[tuple[object, ...], Problem]:
    """Errors and warnings, told apart by what they say and not by their line: lines move with every edit."""
    keyed: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        if problem.severity in ("error", "warning"):
            said = (problem.severity, problem.source, problem.code, problem.message)
            number = 0
            while (*said, number) in keyed:
                number += 1
            keyed[*said, number] = problem
    return keyed


def _record(
    workspace: Workspace, path: Path, kind: EventType, content: dict[str, object], outcome: Outcome | None
) -> None:
    def record(engine: Engine) -> None:
        relative = engine.relative(path)
        if relative is not None and engine.accepts(relative):
            engine.record(NewEvent(kind, {**content, "path": relative}, outcome))

    workspace.write(record, f"recording a {kind}")

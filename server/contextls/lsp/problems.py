"""Errors that other servers report reach us through the editor's code-action requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.lsp.documents import well_formed
from contextls.model import EventType, NewEvent, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contextls.engine import Engine
    from contextls.lsp.documents import Document
    from contextls.lsp.workspaces import Workspace

_REMEMBERED = 2000


class Problems:
    """Records each error once: editors repeat their diagnostics with every movement of the cursor."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str, str]] = set()

    def seen(self, workspace: Workspace, document: Document, diagnostics: Iterable[types.Diagnostic]) -> None:
        """Diagnostics were sent along with a request; those of severity error become events."""
        for diagnostic in diagnostics:
            key = (document.uri, str(diagnostic.code), diagnostic.message)
            if diagnostic.severity is not types.DiagnosticSeverity.Error or key in self._seen:
                continue
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            self._seen.add(key)
            self._record(workspace, document, diagnostic)

    @staticmethod
    def _record(workspace: Workspace, document: Document, diagnostic: types.Diagnostic) -> None:
        path = document.path
        content: dict[str, object] = {
            "message": well_formed(diagnostic.message),
            "line": diagnostic.range.start.line + 1,
        }
        if diagnostic.source:
            content["source"] = diagnostic.source
        if diagnostic.code is not None:
            content["code"] = str(diagnostic.code)

        def record(engine: Engine) -> None:
            relative = engine.relative(path) if path else None
            if relative is not None and engine.accepts(relative):
                engine.record(NewEvent(EventType.ERROR, {**content, "path": relative}, Outcome.FAILURE))

        workspace.write(record, "recording a diagnostic")

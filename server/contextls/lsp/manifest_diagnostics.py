"""Faults of working sets as diagnostics of the protocol, in every editor that shows those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.lsp.problems import OUR_SOURCE
from contextls.requests.uris import from_path
from contextls.text.gate import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from contextls.lsp.documents import Documents
    from contextls.model import CheckedManifest, ManifestFault

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}


class ManifestDiagnostics:
    """Publishes what is wrong in working sets, and takes it back once it is mended. Belongs to the event loop."""

    def __init__(
        self, documents: Documents, publish: Callable[[types.PublishDiagnosticsParams], None]
    ) -> None:
        self._documents = documents
        self._publish = publish
        self._published: dict[Path, dict[str, list[types.Diagnostic]]] = {}

    def show(self, root: Path, files: Sequence[CheckedManifest]) -> None:
        """In these files something is wrong; in no others below ``root`` any more."""
        before = self._published.get(root, {})
        now = {}
        for checked in files:
            lines = checked.text.splitlines()
            diagnostics = [self._diagnostic(fault, lines) for fault in checked.faults]
            now[self._uri(root / checked.file)] = diagnostics
        for uri in dict.fromkeys((*before, *now)):
            if now.get(uri, []) != before.get(uri, []):
                self._publish(types.PublishDiagnosticsParams(uri=uri, diagnostics=now.get(uri, [])))
        self._published[root] = now

    def _uri(self, path: Path) -> str:
        """The client's own spelling of a file that is open."""
        open_ = next((document.uri for document in self._documents if document.path == path), None)
        return open_ or from_path(path)

    def _diagnostic(self, fault: ManifestFault, lines: Sequence[str]) -> types.Diagnostic:
        start = self._position(fault.line, fault.column, lines)
        end = self._position(fault.end_line, fault.end_column, lines)
        if (start.line, start.character) == (end.line, end.character):
            # A place without text is hard to see: what stands after it on the line is marked.
            end = self._position(fault.line, len(_line(lines, fault.line)), lines)
        return types.Diagnostic(
            range=types.Range(start, max(start, end, key=lambda place: (place.line, place.character))),
            message=clean(fault.message),
            severity=_SEVERITIES[fault.severity],
            code=fault.code,
            source=OUR_SOURCE,
        )

    def _position(self, line: int, column: int, lines: Sequence[str]) -> types.Position:
        before = _line(lines, line)[:column]
        units = {"utf-32": len(before), "utf-8": len(before.encode("utf-8", "surrogatepass"))}
        in_utf16 = len(before.encode("utf-16-le", "surrogatepass")) // 2
        return types.Position(line - 1, units.get(self._documents.encoding, in_utf16))


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""

"""“Copy context for this problem”: about a diagnostic that any other server reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.lsp.actions.offer import Offer
from contextls.text.gate import clean
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contextls.lsp.documents import Document

KIND = types.CodeActionKind.QuickFix.value
_TITLE = "Copy context for this problem"
_TITLE_CHARS = 60
_LINE_CHARS = 300


def offers(document: Document, params: types.CodeActionParams, path: str) -> Iterator[Offer]:
    """One offer for each diagnostic at the place. ``path`` is what people call the file."""
    diagnostics = [each for each in params.context.diagnostics if each.message.strip()]
    for diagnostic in diagnostics:
        title = _TITLE if len(diagnostics) == 1 else f"{_TITLE}: {_shorten(diagnostic.message)}"
        query, task = query_for(document, diagnostic), task_for(document, diagnostic, path)
        yield Offer(title, KIND, query, task, diagnostic.range, (diagnostic,))


def query_for(document: Document, diagnostic: types.Diagnostic) -> str:
    """The question that a diagnostic stands for: its message, who says so, and the line that it is about."""
    origin, line = _origin(diagnostic), _line_of(document, diagnostic)
    parts = [diagnostic.message.strip(), f"({origin})" if origin else "", f"at: {line}" if line else ""]
    return repair_surrogates(" ".join(filter(None, parts)))


def task_for(document: Document, diagnostic: types.Diagnostic, path: str) -> str:
    """What somebody would write who asks for help with a diagnostic: the same, with its place."""
    origin, line = _origin(diagnostic), _line_of(document, diagnostic)
    place = f"at `{path}:{diagnostic.range.start.line + 1}`"
    code = f": `{line}`" if line and "`" not in line else ""
    message = " ".join(diagnostic.message.split())
    parts = ["Fix this problem:", message, place, f"({origin})" if origin else ""]
    return repair_surrogates(" ".join(filter(None, parts)) + code)


def _origin(diagnostic: types.Diagnostic) -> str:
    return " ".join(str(part) for part in (diagnostic.source, diagnostic.code) if part is not None)


def _line_of(document: Document, diagnostic: types.Diagnostic) -> str:
    return clean(document.line(diagnostic.range.start.line)).strip()[:_LINE_CHARS]


def _shorten(message: str) -> str:
    line = " ".join(clean(message).split())  # whole: half a secret is not recognised as one
    return line if len(line) <= _TITLE_CHARS else line[: _TITLE_CHARS - 1] + "…"

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


def offers(document: Document, params: types.CodeActionParams) -> Iterator[Offer]:
    """One offer for each diagnostic at the place."""
    diagnostics = [each for each in params.context.diagnostics if each.message.strip()]
    for diagnostic in diagnostics:
        title = _TITLE if len(diagnostics) == 1 else f"{_TITLE}: {_shorten(diagnostic.message)}"
        yield Offer(title, KIND, query_for(document, diagnostic), diagnostic.range, (diagnostic,))


def query_for(document: Document, diagnostic: types.Diagnostic) -> str:
    """The question that a diagnostic stands for: its message, who says so, and the line that it is about."""
    origin = " ".join(str(part) for part in (diagnostic.source, diagnostic.code) if part is not None)
    parts = [diagnostic.message.strip()]
    if origin:
        parts.append(f"({origin})")
    line = clean(document.line(diagnostic.range.start.line)).strip()[:_LINE_CHARS]
    if line:
        parts.append(f"at: {line}")
    return repair_surrogates(" ".join(parts))


def _shorten(message: str) -> str:
    line = " ".join(clean(message).split())  # whole: half a secret is not recognised as one
    return line if len(line) <= _TITLE_CHARS else line[: _TITLE_CHARS - 1] + "…"

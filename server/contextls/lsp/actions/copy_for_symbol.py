"""“Copy context for `symbol`”: about what is selected, or the name under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.lsp.actions.offer import ActionOffer
from contextls.text.gate import without_marks

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types

    from contextls.lsp.documents import Document

KIND = "contextls.copy"
_MAX_NAME_CHARS = 80
_MAX_QUERY_CHARS = 1000


def offer_selection(document: Document, span: types.Range) -> ActionOffer | None:
    """About what is selected, without the secrets in it; ``None`` where that leaves nothing but blanks."""
    if span.start == span.end:
        return None
    selected = document.excerpt(span).clean().strip()
    if not without_marks(selected).strip():
        return None
    if len(selected) <= _MAX_NAME_CHARS and "\n" not in selected and "\r" not in selected:
        return _about_name(selected, span)
    title, task = "Copy context for the selection", "This is about the selected lines."
    return ActionOffer(title, KIND, selected[:_MAX_QUERY_CHARS], task, span)


def offer_name(
    document: Document, span: types.Range, wanted: Callable[[str, str], bool]
) -> ActionOffer | None:
    """About the name that the cursor touches, if it is ``wanted``, given the name and its line; about no secret."""
    word = document.word_at(span.start)
    if word is None or word.clean() != word.text or not wanted(word.text, document.line(span.start.line)):
        return None
    return _about_name(word.text, span)


def _about_name(name: str, span: types.Range) -> ActionOffer:
    return ActionOffer(f"Copy context for `{name}`", KIND, name, f"This is about `{name}`.", span)

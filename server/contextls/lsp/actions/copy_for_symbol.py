"""“Copy context for `symbol`”: about the name under the cursor, or about what is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.lsp.actions.offer import Offer
from contextls.text.gate import clean
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lsprotocol import types

    from contextls.lsp.documents import Document

KIND = "contextls.copy"
_NAME_CHARS = 80
_QUERY_CHARS = 1000


def offers(document: Document, params: types.CodeActionParams) -> Iterator[Offer]:
    """At most one offer: nothing where the cursor touches no name and nothing is selected."""
    selected = repair_surrogates(document.slice(params.range)).strip()
    name = clean(selected or document.word_at(params.range.start))
    if not name:
        return
    if len(name) <= _NAME_CHARS and "\n" not in name and "\r" not in name:
        title, task = f"Copy context for `{name}`", f"This is about `{name}`."
    else:
        title, task = "Copy context for the selection", "This is about the selected lines."
    yield Offer(title, KIND, name[:_QUERY_CHARS], task, params.range)

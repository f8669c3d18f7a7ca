"""“Copy context for this problem”: about what any other server reported at a place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.lsp.actions.offer import Offer
from contextls.text.gate import MARK
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextls.lsp.documents import Document

KIND = types.CodeActionKind.QuickFix.value
# So many problems of one place are told; a linter that says more says the same in other words.
_MAX_TOLD = 10
_MAX_LINE_CHARS = 300
_HIDDEN = f"{MARK}secret]"
# What is shorter is a word like any other, also in a secret.
_QUOTED = re.compile(r"\w{4,}")


def offer_problems(document: Document, diagnostics: Sequence[types.Diagnostic], path: str) -> Offer | None:
    """One offer about all of ``diagnostics``; ``None`` where none says anything. ``path`` is what people call the file."""
    told = tuple(each for each in diagnostics if each.message.strip())
    if not told:
        return None
    titles = {1: "Copy context for this problem"}
    title = titles.get(len(told), f"Copy context for these {len(told)} problems")
    query = "\n".join(query_for(document, each) for each in told[:_MAX_TOLD])
    return Offer(title, KIND, query, task_for(document, told[:_MAX_TOLD], path), told[0].range, told)


def query_for(document: Document, diagnostic: types.Diagnostic) -> str:
    """The question that a diagnostic stands for: its message, who says so, and the line that it is about."""
    origin, line = _origin(diagnostic), _line_of(document, diagnostic)
    parts = [
        _message_of(document, diagnostic).strip(),
        f"({origin})" if origin else "",
        f"at: {line}" if line else "",
    ]
    return repair_surrogates(" ".join(filter(None, parts)))


def task_for(document: Document, diagnostics: Sequence[types.Diagnostic], path: str) -> str:
    """A request for help with these: the same, each with its place."""
    told = [_told(document, each, path) for each in diagnostics]
    if len(told) == 1:
        return repair_surrogates(f"Fix this problem: {told[0]}")
    return repair_surrogates("\n".join(["Fix these problems:", *(f"- {each}" for each in told)]))


def _told(document: Document, diagnostic: types.Diagnostic, path: str) -> str:
    origin, line = _origin(diagnostic), _line_of(document, diagnostic)
    place = f"at `{path}:{diagnostic.range.start.line + 1}`"
    code = f": `{line}`" if line and "`" not in line else ""
    message = " ".join(_message_of(document, diagnostic).split())
    return " ".join(filter(None, [message, place, f"({origin})" if origin else ""])) + code


def _origin(diagnostic: types.Diagnostic) -> str:
    return " ".join(str(part) for part in (diagnostic.source, diagnostic.code) if part is not None)


def _line_of(document: Document, diagnostic: types.Diagnostic) -> str:
    return document.line_excerpt(diagnostic.range.start.line).clean().strip()[:_MAX_LINE_CHARS]


def _message_of(document: Document, diagnostic: types.Diagnostic) -> str:
    """What it says, without the secrets of its line: spelling checkers and linters quote them."""
    line = document.line_excerpt(diagnostic.range.start.line)
    hidden = set(_QUOTED.findall(line.text)).difference(_QUOTED.findall(line.clean()))
    return _QUOTED.sub(lambda word: _HIDDEN if word[0] in hidden else word[0], diagnostic.message)

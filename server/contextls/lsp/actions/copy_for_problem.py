"""“Copy context for this problem”: about what any other server reported at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from contextls.lsp.actions.offer import ActionOffer
from contextls.regex import compile_late
from contextls.text.gate import MARK
from contextls.text.surrogates import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextls.lsp.documents import Document

KIND = types.CodeActionKind.QuickFix.value
# How many problems of one place are named; a linter that reports more repeats itself in other words.
_MAX_NAMED = 10
_MAX_LINE_CHARS = 300
_HIDDEN = f"{MARK}secret]"
# What is shorter is a word like any other, also in a secret.
_QUOTED = compile_late(r"\w{4,}")


class _Problem(Struct, frozen=True):
    """The message of a diagnostic, its origin and the ``line`` that it is about, without secrets; ``number`` is 1-based."""

    message: str
    origin: str
    line: str
    number: int


def offer_problems(
    document: Document, diagnostics: Sequence[types.Diagnostic], path: str
) -> ActionOffer | None:
    """One offer for all of ``diagnostics``; ``None`` where none has a message. ``path`` is the name of the file in it."""
    meaningful = tuple(each for each in diagnostics if each.message.strip())
    if not meaningful:
        return None
    titles = {1: "Copy context for this problem"}
    title = titles.get(len(meaningful), f"Copy context for these {len(meaningful)} problems")
    problems = _read_problems(document, meaningful[:_MAX_NAMED])
    query = repair_surrogates("\n".join(map(_ask_about, problems)))
    return ActionOffer(title, KIND, query, _write_task(problems, path), meaningful[0].range, meaningful)


def _read_problems(document: Document, diagnostics: Sequence[types.Diagnostic]) -> list[_Problem]:
    """The problems of ``diagnostics``, without secrets; each line is searched for those once."""
    excerpts = {row: document.line_excerpt(row) for row in {each.range.start.line for each in diagnostics}}
    cleaned = {row: excerpt.clean() for row, excerpt in excerpts.items()}

    def read(diagnostic: types.Diagnostic) -> _Problem:
        row = diagnostic.range.start.line
        hidden = set(_QUOTED.findall(excerpts[row].text)).difference(_QUOTED.findall(cleaned[row]))
        # Spelling checkers and linters quote what they speak of.
        message = _QUOTED.sub(
            lambda word: _HIDDEN if word[0] in hidden else word[0], diagnostic.message.strip()
        )
        origin = " ".join(str(part) for part in (diagnostic.source, diagnostic.code) if part is not None)
        return _Problem(message, origin, cleaned[row].strip()[:_MAX_LINE_CHARS], row + 1)

    return [read(each) for each in diagnostics]


def _ask_about(problem: _Problem) -> str:
    """The query for a problem: its message, its origin, and its line."""
    origin = f"({problem.origin})" if problem.origin else ""
    return " ".join(filter(None, [problem.message, origin, f"at: {problem.line}" if problem.line else ""]))


def _write_task(problems: Sequence[_Problem], path: str) -> str:
    """The request for help, which names each problem with its place."""
    described = [_describe(each, path) for each in problems]
    if len(described) == 1:
        return repair_surrogates(f"Fix this problem: {described[0]}")
    return repair_surrogates("\n".join(["Fix these problems:", *(f"- {each}" for each in described)]))


def _describe(problem: _Problem, path: str) -> str:
    place, origin = f"at `{path}:{problem.number}`", f"({problem.origin})" if problem.origin else ""
    code = f": `{problem.line}`" if problem.line and "`" not in problem.line else ""
    return " ".join(filter(None, [" ".join(problem.message.split()), place, origin])) + code

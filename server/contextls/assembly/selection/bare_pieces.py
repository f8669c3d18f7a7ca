"""Pieces that say no more than their heading in the prompt: a title with nothing below it, a stub of a function."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextls.assembly.pieces.bodies import CodeSpan
from contextls.assembly.pieces.candidate import Candidate, has_heading
from contextls.assembly.shapes.arrange import adjoin
from contextls.code.languages import TEXT
from contextls.code.titles import last_title, without_anchor
from contextls.regex import compile_late

_PARAGRAPH = compile_late(r"\n(?>(?:[ \t\r]*+\n)+)")
_DOCUMENTS = frozenset({"markdown", TEXT})


def find_bare(taken: Sequence[Candidate]) -> list[Candidate]:
    """The pieces of ``taken`` that are bare and adjoin no other of them; none where all are.

    The stub of the best piece stays: where it has no room, its signature is what there is to say.
    """
    code = [one for one in taken if isinstance(one.body, CodeSpan)]
    bare = [
        one
        for one in code
        if isinstance(one.body, CodeSpan) and (_is_title(one.body) or (one is not code[0] and _is_stub(one)))
    ]
    if len(bare) == sum(map(has_heading, taken)):
        return []
    return [one for one in bare if not any(adjoin(one, other) or adjoin(other, one) for other in taken)]


def _is_stub(one: Candidate) -> bool:
    """Whether all that a piece held gave way to marks, and the question does not name what it defines."""
    if one.compression != "skeleton" or not isinstance(one.body, CodeSpan):
        return False
    if len(_lines(one.body)) == 1:
        return True
    told = [part for part in _PARAGRAPH.split(one.body.text) if re.search(r"\w", part)]
    return not one.leads and one.body.language not in _DOCUMENTS and all("…" in part for part in told)


def _is_title(code: CodeSpan) -> bool:
    if code.language not in _DOCUMENTS or not (title := last_title(code.symbol)):
        return False
    lines = _lines(code)
    return len(lines) == 1 and _letters(without_anchor(lines[0].strip())) == _letters(title)


def _lines(code: CodeSpan) -> list[str]:
    """The lines that hold a word."""
    return [line for line in code.text.splitlines() if re.search(r"\w", line)]


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text)

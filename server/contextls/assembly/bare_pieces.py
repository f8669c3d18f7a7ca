"""Pieces that say no more than their heading in the prompt: a title with nothing below it, a stub of a function."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextls.assembly.arrange import adjoin
from contextls.assembly.bodies import CodeSpan
from contextls.assembly.candidate import Candidate, has_heading
from contextls.code.languages import TEXT

_DOCUMENTS = frozenset({"markdown", TEXT})


def find_bare(taken: Sequence[Candidate]) -> list[Candidate]:
    """Those of ``taken`` that are bare and go on with no other of them; none where all are."""
    bare = [one for one in taken if isinstance(one.body, CodeSpan) and _is_bare(one, one.body)]
    if len(bare) == sum(map(has_heading, taken)):
        return []
    return [one for one in bare if not any(adjoin(one, other) or adjoin(other, one) for other in taken)]


def _is_bare(one: Candidate, code: CodeSpan) -> bool:
    lines = [line for line in code.text.splitlines() if re.search(r"\w", line)]
    if len(lines) != 1:
        return False
    if one.compression == "skeleton":
        return True
    title = code.symbol.rpartition(" > ")[2]
    return bool(title) and code.language in _DOCUMENTS and _letters(lines[0]) == _letters(title)


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text)

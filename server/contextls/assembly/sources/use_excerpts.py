"""Of a long piece of code that uses a name, the lines around each use: who asks "who calls X?" reads calls, not callers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from contextls.assembly.bodies import CodeSpan
from contextls.assembly.candidate import Candidate, span_id
from contextls.memory.index.outlines import Outline

# Lines before and after a use that tell what it is for; a piece of LONG lines and fewer is read as it is.
AROUND, LONG = 4, 24


def excerpt_uses(user: Candidate, name: str, outline: Outline | None) -> list[Candidate]:
    """``user`` as one candidate for each place that uses ``name``; whole where it is short, or never spells the name."""
    code = user.body
    if not isinstance(code, CodeSpan) or outline is None or not code.is_whole:
        return [user]
    lines = code.text.splitlines(keepends=True)
    spelled = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    uses = [number for number, line in enumerate(lines) if spelled.search(line)]
    if len(lines) <= LONG or not uses:
        return [user]
    return [_cut(user, code, outline, lines, *around) for around in _join(uses, len(lines))]


def _join(uses: Sequence[int], count: int) -> list[tuple[int, int]]:
    """The first and the last of the lines around ``uses``, of ``count``; what touches or leaves out one line is joined."""
    found: list[tuple[int, int]] = []
    for use in uses:
        first, last = max(0, use - AROUND), min(count - 1, use + AROUND)
        if found and first <= found[-1][1] + 2:
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    return found


def _cut(
    user: Candidate, code: CodeSpan, outline: Outline, lines: Sequence[str], first: int, last: int
) -> Candidate:
    """The lines ``first`` to ``last`` of ``user``, counted from 0, under the signatures of what is around them."""
    start, end = code.start_line + first, code.start_line + last
    inside = [each for each in outline.beginning_in(code.start_line, start - 1) if each.end_line >= start]
    head = code.header.splitlines()
    header = "\n".join(
        [*head, *("  " * depth + each.signature for depth, each in enumerate(inside, len(head)))]
    )
    symbol = inside[-1].qualified if inside else code.symbol
    part = replace(
        code,
        symbol=symbol,
        beside=(),
        worth=(),
        start_line=start,
        end_line=end,
        text="".join(lines[first : last + 1]),
        header=header,
    )
    return replace(user, id=span_id(code.path, start, end), body=part)

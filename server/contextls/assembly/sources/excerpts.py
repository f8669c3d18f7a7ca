"""Cuts a long piece of code to the lines around those that are wanted: "who calls X?" asks for calls, not for callers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.pieces.bodies import CodeSpan
from contextls.assembly.pieces.candidate import Candidate, span_id
from contextls.memory.index.segments.outlines import Outline

# The lines shown before and after each use.
AROUND_USE = 4
# A piece of at most this many times the lines around one use is shown whole.
SHORT = 5
# The beginning of a definition is shown as well if at most this many lines are between it and an excerpt.
NEAR = 2


class Wanted(Struct, frozen=True):
    """The lines that ``passes`` accepts, each shown with ``around`` lines before and after it."""

    passes: Callable[[str], object]
    around: int


def lines_spelling(
    names: Sequence[str], *, but: Collection[str] = (), unused: tuple[str, ...] = ()
) -> Wanted:
    """The lines that hold one of ``names`` as a whole, ``but`` for some, and for those that begin like ``unused`` ones."""
    spelled = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")

    def passes(line: str) -> bool:
        told = line.strip()
        return bool(spelled.search(line)) and told not in but and not told.startswith(unused)

    return Wanted(passes, AROUND_USE)


def cut_excerpts(whole: Candidate, wanted: Wanted, outline: Outline | None) -> list[Candidate]:
    """``whole`` as one candidate for each place that is ``wanted``; as it is where it is short, or has none."""
    code = whole.body
    if not isinstance(code, CodeSpan) or outline is None or not code.is_whole:
        return [whole]
    lines = code.text.splitlines(keepends=True)
    numbers = [number for number, line in enumerate(lines) if wanted.passes(line)]
    if len(lines) <= SHORT * wanted.around or not numbers:
        return [whole]
    places = _join(numbers, wanted.around, len(lines) - 1)
    return [_cut(whole, code, outline, lines, *place) for place in places]


def _join(numbers: Sequence[int], around: int, end: int) -> list[tuple[int, int]]:
    """The first and the last of the lines ``around`` each of ``numbers``, up to ``end``; near ones are joined."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        first, last = max(0, number - around), min(end, number + around)
        if found and first <= found[-1][1] + 2:
            found[-1] = found[-1][0], last
        else:
            found.append((first, last))
    return found


def _cut(
    whole: Candidate, code: CodeSpan, outline: Outline, lines: Sequence[str], first: int, last: int
) -> Candidate:
    """The lines ``first`` to ``last`` of ``whole``, counted from 0, under the signatures of what is around them."""
    start, end = code.start_line + first, code.start_line + last
    begun = outline.beginning_in(code.start_line, start - 1)
    # Rather than its signature with a line left out, the beginning of a definition.
    start = min((each.start_line for each in begun if each.start_line >= start - NEAR), default=start)
    around = [each for each in begun if each.start_line < start <= each.end_line]
    names = [
        *(each.qualified for each in around[-1:]),
        *(each.qualified for each in outline.beginning_in(start, end)),
    ]
    symbol, *beside = names or [code.symbol]
    head = code.header.splitlines()
    part = replace(
        code,
        symbol=symbol,
        beside=tuple(beside),
        worth=(),
        start_line=start,
        end_line=end,
        text="".join(lines[start - code.start_line : last + 1]),
        header="\n".join(
            [*head, *("  " * depth + each.signature for depth, each in enumerate(around, len(head)))]
        ),
    )
    return replace(whole, id=span_id(code.path, start, end), body=part)

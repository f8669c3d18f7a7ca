"""Pinned pieces: shown whole, or cut as their entry says, with a note where lines are missing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.bodies import Line, PinnedSpan
from contextls.model import TruncateStrategy

# Fewer lines than this say too little to be worth their heading.
MIN_LINES = 3


def limit_lines(span: PinnedSpan) -> PinnedSpan | None:
    """``span`` showing what its limit of lines allows; ``None`` where that and its strategy leave nothing."""
    places = _file_lines(span)
    if span.max_lines is None or len(places) <= span.max_lines:
        return replace(span, shown=span.lines)
    if span.strategy is TruncateStrategy.NEVER:
        return None
    return replace(span, shown=_keep_lines(span, places, span.max_lines))


def is_cut(span: PinnedSpan) -> bool:
    """Whether fewer lines are shown than there are."""
    return span.shown != span.lines


def cut_to_fit(span: PinnedSpan, fits: Callable[[PinnedSpan], bool]) -> PinnedSpan | None:
    """``span`` cut by its strategy until it ``fits``; ``None`` where it may not be, or too little would be left."""
    if span.strategy is TruncateStrategy.NEVER:
        return None
    places = _file_lines(span)
    most = min(len(places) - 1, span.max_lines or len(places))
    least = min(MIN_LINES, most)

    def small(kept: int) -> PinnedSpan:
        return replace(span, shown=_keep_lines(span, places, kept))

    if least < 1 or not fits(small(least)):
        return None
    kept = bisect_right(range(1, most + 1), False, key=lambda count: not fits(small(count)))
    while kept >= MIN_LINES and not fits(small(kept)):  # counts do not grow with every single line
        kept -= 1
    return small(kept) if kept >= least else None


def without_lines(span: PinnedSpan, lines: Collection[int]) -> PinnedSpan | None:
    """``span`` with a note in place of lines that are shown elsewhere; ``None`` when no other line says anything."""
    if not any(line.number in lines for line in span.lines):
        return span
    left = tuple(replace_with_notes(span.lines, lines, "shown elsewhere"))
    if not any(line.number and line.text.strip() for line in left):
        return None
    return limit_lines(replace(span, lines=left, shown=left))


def replace_with_notes(lines: Sequence[Line], gone: Collection[int], note: str) -> list[Line]:
    """``lines`` with each run of those in ``gone`` replaced by one line that says so."""
    kept: list[Line] = []
    run: list[int] = []
    for line in (*lines, Line(-1, "")):
        if line.number in gone:
            run.append(line.number)
            continue
        if run:
            span = f"lines {run[0]}-{run[-1]}" if len(run) > 1 else f"line {run[0]}"
            kept.append(Line(0, f"… ({span} {note})"))
            run = []
        kept.append(line)
    return kept[:-1]


def _file_lines(span: PinnedSpan) -> Sequence[int]:
    """The positions of the file's own lines, as opposed to notes."""
    return [place for place, line in enumerate(span.lines) if line.number > 0]


def _keep_lines(span: PinnedSpan, places: Sequence[int], kept: int) -> tuple[Line, ...]:
    """``kept`` of the lines at ``places``, and a note where the others were."""
    omitted = len(places) - kept
    note = Line(0, f"… ({omitted} {'line' if omitted == 1 else 'lines'} omitted)")
    # Where the middle is cut, two thirds of what stays are the beginning.
    firsts = {TruncateStrategy.START: 0, TruncateStrategy.MIDDLE: -(-kept * 2 // 3)}
    first = firsts.get(span.strategy, kept)
    head = span.lines[: places[first]] if first < len(places) else span.lines
    tail = span.lines[places[len(places) - (kept - first)] :] if kept > first else ()
    return (*head, note, *tail)

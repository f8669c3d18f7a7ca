"""Pinned pieces: shown whole, or cut where whoever pinned them said, with the lines that others show already left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import replace

from contextls.assembly.items import Excerpt, Item, Line
from contextls.assembly.shapes.markdown import pinned_block
from contextls.model import TruncateStrategy
from contextls.text.tokens import Tokenizer

# Fewer lines than this say too little to be worth their heading.
LEAST_LINES = 3


def shown_item(item: Item, excerpt: Excerpt) -> Item | None:
    """``item`` as the excerpt shows it; ``None`` where its limit of lines and its strategy leave nothing."""
    places = _numbered(excerpt)
    if excerpt.most_lines is None or len(places) <= excerpt.most_lines:
        return _with(item, excerpt, excerpt.lines, None)
    if excerpt.strategy is TruncateStrategy.NEVER:
        return None
    return _with(item, excerpt, _cut(excerpt, places, excerpt.most_lines), excerpt.strategy)


def smaller(item: Item, max_tokens: int, tokenizer: Tokenizer) -> Item | None:
    """``item`` in at most ``max_tokens``, cut by its strategy; ``None`` where it may not be, or too little would be left."""
    excerpt = item.excerpt
    if excerpt is None or excerpt.strategy is TruncateStrategy.NEVER:
        return None
    places = _numbered(excerpt)
    most = min(len(places) - 1, excerpt.most_lines or len(places))
    least = min(LEAST_LINES, most)

    def small(kept: int) -> Item:
        return _with(item, excerpt, _cut(excerpt, places, kept), excerpt.strategy)

    def fits(kept: int) -> bool:
        return tokenizer.count(small(kept).text) <= max_tokens

    if least < 1 or not fits(least):
        return None
    kept = bisect_right(range(1, most + 1), False, key=lambda count: not fits(count))
    while kept >= LEAST_LINES and not fits(kept):  # counts do not grow with every single line
        kept -= 1
    return small(kept) if kept >= least else None


def without_lines(item: Item, lines: Collection[int]) -> Item | None:
    """``item`` with a note in place of lines that are shown elsewhere; ``None`` when no other line says anything."""
    excerpt = item.excerpt
    if excerpt is None or not any(line.number in lines for line in excerpt.lines):
        return item
    left = tuple(noted(excerpt.lines, lines, "shown elsewhere"))
    if not any(line.number and line.text.strip() for line in left):
        return None
    return shown_item(item, replace(excerpt, lines=left))


def noted(lines: Sequence[Line], gone: Collection[int], note: str) -> list[Line]:
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


def _numbered(excerpt: Excerpt) -> Sequence[int]:
    """Where in the excerpt its own lines are, as opposed to notes."""
    return [place for place, line in enumerate(excerpt.lines) if line.number > 0]


def _cut(excerpt: Excerpt, places: Sequence[int], kept: int) -> Sequence[Line]:
    """``kept`` of the lines at ``places``, and a note where the others were."""
    omitted = len(places) - kept
    note = Line(0, f"… ({omitted} {'line' if omitted == 1 else 'lines'} omitted)")
    # Of what loses its middle, two thirds of what stays are its beginning.
    firsts = {TruncateStrategy.START: 0, TruncateStrategy.MIDDLE: -(-kept * 2 // 3)}
    first = firsts.get(excerpt.strategy, kept)
    head = excerpt.lines[: places[first]] if first < len(places) else excerpt.lines
    tail = excerpt.lines[places[len(places) - (kept - first)] :] if kept > first else ()
    return (*head, note, *tail)


def _with(item: Item, excerpt: Excerpt, lines: Sequence[Line], compression: str | None) -> Item:
    assert item.code is not None  # noqa: S101 - every excerpt has a place
    shown = frozenset(line.number for line in lines if line.number > 0)
    code = replace(item.code, text="".join(f"{line.text}\n" for line in lines))
    return replace(
        item,
        text=pinned_block(code, excerpt.role),
        code=code,
        excerpt=replace(excerpt, shown=shown),
        compression=compression,
    )

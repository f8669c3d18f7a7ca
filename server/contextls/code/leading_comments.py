"""The comments, decorators and attributes right above a definition belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.code.languages import Grammar
    from contextls.code.source import Source
    from contextls.code.units import Unit


def attach_comments(units: list[Unit], source: Source, attached: dict[int, int], grammar: Grammar) -> None:
    """Move ``first`` of each unit up over the comments and attributes right above it."""
    comments = grammar.facts.comments
    taken = 0  # rows below this belong to an earlier unit
    for unit in units:
        parent = unit.parent
        if parent is not None and parent.row == unit.row:
            unit.first = parent.first
            continue
        floor = parent.row + 1 if parent is not None else 0
        floor = max(floor, taken)
        row = unit.row
        while row > floor:
            above = attached.get(row - 1)
            if above is None:
                above = _comment_start(source.lines, row - 1, floor, comments.line, comments.block)
            if above is None or above < floor:
                break
            row = above
        unit.first = row
        taken = max(taken, unit.last + 1) if not unit.children else max(taken, unit.row + 1)


def _comment_start(
    lines: list[str], row: int, floor: int, line_marks: tuple[str, ...], blocks: tuple[tuple[str, str], ...]
) -> int | None:
    """The first row of the comment that ends in ``row`` and has its lines to itself; ``None`` when there is none."""
    if len(lines[row]) > 1000:
        return None
    line = lines[row].strip()
    if line_marks and line.startswith(line_marks):
        return row
    for opening, closing in blocks:
        if not line.endswith(closing):
            continue
        for start in range(row, max(floor, row - 400) - 1, -1):
            at = lines[start].find(opening)
            if at != -1:
                return start if not lines[start][:at].strip() else None
    return None

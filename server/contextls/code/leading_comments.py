"""The comments, decorators and attributes right above a definition belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from contextls.code.comment_lines import comment_start

# Begins a cell in the percent format, in which notebooks are read; after it, in brackets, is what prose begins with.
_CELL, _PROSE = "# %%", "# %% ["
# The most prose above a cell that is read as its description; longer prose is about more than the cell.
_MAX_PROSE_CHARS = 800

if TYPE_CHECKING:
    from contextls.code.language_facts import Comments
    from contextls.code.source import SourceText
    from contextls.code.units import Unit


def attach_comments(
    units: list[Unit], source: SourceText, attached: dict[int, int], comments: Comments
) -> None:
    """Move ``first`` of each unit up over the comments and attributes right above it."""
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
                above = comment_start(source.lines, row - 1, floor, comments.line, comments.block)
            if above is None or above < floor:
                break
            row = above
        unit.first = row if parent is not None else _first_of_cell(source.lines, row, floor)
        taken = max(taken, unit.last + 1) if not unit.children else max(taken, unit.row + 1)


def _first_of_cell(lines: Sequence[str], row: int, floor: int) -> int:
    """Where the cell begins whose first code, with the comments above it, is in ``row``; ``row`` itself elsewhere.

    A cell begins with the prose above it.
    """
    start, is_head, prose = row, lines[row].startswith(_CELL), 0
    for above in range(row - 1, floor - 1, -1):
        line = lines[above]
        if line.startswith(_CELL):
            if line.startswith(_PROSE) is not is_head:
                break
            start, is_head = above, True
        elif line.startswith("#"):
            prose += len(line) if is_head else 0
        elif line.strip():
            break
        if prose > _MAX_PROSE_CHARS:
            break
    return start

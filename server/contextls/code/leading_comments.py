"""The comments, decorators and attributes right above a definition belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.code.comment_lines import comment_start

if TYPE_CHECKING:
    from contextls.code.languages import Grammar
    from contextls.code.source import SourceText
    from contextls.code.units import Unit


def attach_comments(
    units: list[Unit], source: SourceText, attached: dict[int, int], grammar: Grammar
) -> None:
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
                above = comment_start(source.lines, row - 1, floor, comments.line, comments.block)
            if above is None or above < floor:
                break
            row = above
        unit.first = row
        taken = max(taken, unit.last + 1) if not unit.children else max(taken, unit.row + 1)

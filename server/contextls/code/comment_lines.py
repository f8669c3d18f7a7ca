"""Which lines are comments, told by the marks of a language alone: for texts that were cut, and right above a definition."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.code.languages import default_languages


def comment_start(
    lines: Sequence[str],
    row: int,
    floor: int,
    line_marks: tuple[str, ...],
    blocks: tuple[tuple[str, str], ...],
) -> int | None:
    """The first row of the comment that ends in ``row`` and has its lines to itself; ``None`` when there is none."""
    if len(lines[row]) > 1000:
        return None
    line = lines[row].strip()
    closings = tuple(closing for _, closing in blocks)
    if (
        line_marks and line.startswith(line_marks) and not line.startswith(closings)
    ):  # `#>` of PowerShell ends a block
        return row
    for opening, closing in blocks:
        if not line.endswith(closing):
            continue
        is_end = opening == closing and line == closing
        for start in range(row - is_end, max(floor, row - 400) - 1, -1):
            at = lines[start].find(opening)
            if at != -1:
                return start if not lines[start][:at].strip() else None
    return None


def count_without_trailing_comment(lines: Sequence[str], language: str) -> int:
    """The number of ``lines`` before the comment that ends them, or that has begun and does not end; all without one."""
    facts = default_languages().facts(language)
    if facts is None:
        return len(lines)
    marks, blocks = facts.comments.line, facts.comments.block
    rows = _count_before_open_block(lines, blocks)
    while rows:
        start = rows - 1 if not lines[rows - 1].strip() else comment_start(lines, rows - 1, 0, marks, blocks)
        if start is None:
            break
        rows = start
    # Cutting one may open another: marks inside of a comment mean nothing.
    return rows if rows == len(lines) else count_without_trailing_comment(lines[:rows], language)


def _count_before_open_block(lines: Sequence[str], blocks: Sequence[tuple[str, str]]) -> int:
    begun: tuple[int, str] | None = None  # a row, and what closes its comment
    for row, line in enumerate(lines):
        if begun is not None:
            begun = None if begun[1] in line else begun
            continue
        for opening, closing in blocks:
            if line.lstrip().startswith(opening) and closing not in line:
                begun = (row, closing)
    return len(lines) if begun is None else begun[0]

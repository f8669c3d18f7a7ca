"""Cutting a stretch of lines into pieces of a bounded size at the borders that its layout suggests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contextls.code.model import ChunkLimits
from contextls.code.source import SourceText
from contextls.text.indentation import indent_width

_CLOSERS = ("}", ")", "]", "end", "else", "elif", "except", "finally", "catch", "case ", "</")
RULES = frozenset("=-~^\"'`+*#.:_")
_MIN_RULE_CHARS = 3


def cut_rows(
    source: SourceText,
    first: int,
    end: int,
    limits: ChunkLimits,
    borders: Mapping[int, int] | None = None,
    together: range = range(0),
) -> list[tuple[int, int]]:
    """Cut rows ``first`` up to ``end`` into consecutive row ranges of at most ``max_chars`` characters each.

    ``borders`` maps rows at which a statement begins to how deeply it is nested: the shallowest one wins. Without it, and
    where it offers nothing, the layout decides: little indentation and a blank line above make a good border. Only a
    single row that is longer than ``max_chars`` yields a longer piece. Rows in ``together`` are begun with only where
    nothing else is in reach.
    """
    pieces: list[tuple[int, int]] = []
    while source.size(first, end) > limits.max_chars:
        reach = min(source.row_reached(first, limits.max_chars), end - 1)
        if reach <= first:
            cut = first + 1
        else:
            nearest = source.row_reached(first, min(limits.target_chars, limits.max_chars) // 2) + 1
            rows = range(max(first + 1, min(nearest, reach)), reach + 1)
            cut = _best_border(source, [row for row in rows if row not in together] or rows, borders)
        pieces.append((first, cut))
        first = cut
    if first < end:
        pieces.append((first, end))
    return pieces


def cut_line(text: str, max_chars: int) -> list[str]:
    """Cut one overlong line into pieces of at most ``max_chars`` characters, after a separator where there is one."""
    pieces, start = [], 0
    while len(text) - start > max_chars:
        stop = start + max_chars
        cut = max(text.rfind(mark, start + max_chars // 2, stop) for mark in (";", "}", ",", " ", "\t", ">"))
        stop = cut + 1 if cut > start else stop
        if text[stop - 1] == "\r" and text[stop : stop + 1] == "\n":
            stop += -1 if stop - 1 > start else 1
        pieces.append(text[start:stop])
        start = stop
    pieces.append(text[start:])
    return [piece for piece in pieces if piece]


def _best_border(source: SourceText, rows: Sequence[int], borders: Mapping[int, int] | None) -> int:
    known = [row for row in rows if row in borders] if borders else []
    if known and borders:
        return min(known, key=lambda row: (borders[row], not _blank(source.lines[row - 1]), -row))
    return min(rows, key=lambda row: (_badness(source.lines, row), -row))


def _badness(lines: list[str], row: int) -> int:
    line = lines[row][:200]
    stripped = line.strip()
    if not stripped:
        return 1000
    if _is_heading(lines, row):
        return -10
    torn = next((10 for above in range(row - 1, max(row - 4, 0), -1) if _is_heading(lines, above)), 0)
    return (
        indent_width(line)
        + torn
        + (0 if _blank(lines[row - 1]) else 10)
        + (20 if stripped.startswith(_CLOSERS) else 0)
    )


def _is_heading(lines: list[str], row: int) -> bool:
    """Whether an underlined heading stands here, as in reStructuredText: a text, and a line of one sign below it."""
    if row + 1 >= len(lines) or _blank(lines[row]) or lines[row][0].isspace():
        return False
    return sign_of_rule(lines[row + 1]) in RULES and lines[row].strip()[0] not in RULES


def sign_of_rule(line: str) -> str:
    """The character that a line repeats from its start to its end, three times or more; "" for any other line."""
    rule = line.rstrip()
    return rule[0] if len(rule) >= _MIN_RULE_CHARS and not rule.strip(rule[0]) else ""


def _blank(line: str) -> bool:
    return not line or line.isspace()

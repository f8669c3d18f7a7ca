"""The order in which selected items are read: files together, lines ascending, neighbours joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from contextls.assembly.filters import lines_of
from contextls.assembly.items import Code, Item, phrase
from contextls.assembly.reasons import joined
from contextls.assembly.shapes.markdown import code_block
from contextls.model import Section


def arranged(items: Sequence[Item], order: Sequence[str] = ()) -> list[Item]:
    """``items`` section by section; content grouped by file (best file first), pieces that touch merged into one.

    Within a section, sources named in ``order`` come first, in that order.
    """
    content = [item for item in items if item.section is Section.SEMANTIC]
    rank: dict[str, int] = {}
    for item in content:
        rank.setdefault(item.paths[0], len(rank))
    content.sort(key=lambda item: (rank[item.paths[0]], item.code.start_line if item.code else 0))
    merged: list[Item] = []
    for item in content:
        if merged and _touch(merged[-1].code, item.code):
            merged[-1] = _joined(merged[-1], item)
        else:
            merged.append(item)
    others = [item for item in items if item.section is not Section.SEMANTIC]
    pinned = [item for item in others if item.section is Section.WORKING_SET]
    pinned.sort(key=lambda item: (-item.relevance * item.boost, item.source))
    together = [*merged, *pinned, *(item for item in others if item.section is not Section.WORKING_SET)]
    sections = list(Section)
    places = _places(together, order)
    return sorted(together, key=lambda item: (sections.index(item.section), places[item.source]))


def _places(items: Sequence[Item], order: Sequence[str]) -> dict[str, int]:
    """Where each source stands in ``order``; one that has grown or shrunk since by the first that it overlaps."""
    if not order:
        return dict.fromkeys((item.source for item in items), 0)
    exact = {source: place for place, source in reversed(list(enumerate(order)))}
    ranges = [(place, *found) for place, source in enumerate(order) if (found := lines_of(source))]
    return {item.source: exact.get(item.source, _overlapping(item, ranges, len(order))) for item in items}


def _overlapping(item: Item, ranges: Sequence[tuple[int, str, int, int]], last: int) -> int:
    code = item.code if item.section is Section.SEMANTIC else None
    if code is None:
        return last
    found = (
        place
        for place, path, first, end in ranges
        if path == code.path and first <= code.end_line and code.start_line <= end
    )
    return next(found, last)


def _touch(first: Code | None, second: Code | None) -> bool:
    """Whether ``second`` goes on right where ``first`` ends, both in full."""
    if first is None or second is None or first.path != second.path:
        return False
    return second.start_line == first.end_line + 1 and _whole(first) and _whole(second)


def _whole(code: Code) -> bool:
    """Whether no line was left out; the last line of a file may have no end."""
    lines = code.end_line - code.start_line + 1
    return code.text.count("\n") == lines or len(code.text.splitlines()) == lines


def _joined(first: Item, second: Item) -> Item:
    assert first.code is not None and second.code is not None  # noqa: S101, PT018 - _touch has checked both
    code = replace(first.code, end_line=second.code.end_line, text=first.code.text + second.code.text)
    return replace(
        first,
        source=f"{code.path}:{code.start_line}-{code.end_line}",
        text=code_block(code),
        relevance=max(first.relevance, second.relevance),
        code=code,
        why=lambda: joined([phrase(first.why), phrase(second.why)]),
    )

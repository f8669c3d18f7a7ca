"""Which lines of which files a prompt shows already, and what of an item is new beside them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from contextls.assembly.items import Code, Item
from contextls.assembly.pinned import without_lines
from contextls.assembly.shapes.markdown import code_block
from contextls.model import Section


class Shown:
    """The lines that are in a prompt so far. Pinned ones are not shown again by anything, others not by a pin."""

    def __init__(self) -> None:
        self._pinned: dict[str, set[int]] = {}
        self._content: dict[str, set[int]] = {}

    def take(self, item: Item) -> None:
        """Note what ``item`` shows."""
        code = item.code
        if code is None:
            return
        if item.excerpt is not None:
            self._pinned.setdefault(code.path, set()).update(item.excerpt.shown)
        elif item.section is Section.SEMANTIC:
            lines = range(code.start_line, code.end_line + 1)
            self._content.setdefault(code.path, set()).update(lines)

    def fresh(self, item: Item) -> list[Item]:
        """What is new of ``item``: itself, nothing, or for code the pieces beside pinned lines."""
        code = item.code
        if code is None:
            return [item]
        pinned = self._pinned.get(code.path, set())
        if item.excerpt is not None:
            content = self._content.get(code.path, set())
            # Of one file, hundreds of symbols may be pinned: only the lines of this one are gone through.
            numbers = (line.number for line in item.excerpt.lines)
            new = without_lines(item, {number for number in numbers if number in pinned or number in content})
            return [] if new is None else [new]
        return beside(item, pinned) if pinned and item.section is Section.SEMANTIC else [item]

    def shows(self, path: str, line: int) -> bool:
        """Whether a line is pinned here, or in the code shown."""
        return line in self._pinned.get(path, ()) or line in self._content.get(path, ())


def beside(item: Item, lines: Collection[int]) -> list[Item]:
    """The pieces of an item of code without ``lines``; those that hold nothing but blanks are left out."""
    code = item.code
    if code is None or not any(line in lines for line in range(code.start_line, code.end_line + 1)):
        return [item]
    texts = code.text.split("\n")
    if texts and texts[-1] == "":
        texts.pop()
    if len(texts) != code.end_line - code.start_line + 1:
        return []  # which line is which cannot be told
    pieces: list[Item] = []
    start: int | None = None
    for number in range(code.start_line, code.end_line + 2):
        kept = number <= code.end_line and number not in lines
        if kept and start is None:
            start = number
        if not kept and start is not None:
            part = texts[start - code.start_line : number - code.start_line]
            if any(text.strip() for text in part):
                pieces.append(_piece(item, code, start, part))
            start = None
    return pieces


def _piece(item: Item, code: Code, start: int, texts: list[str]) -> Item:
    end = start + len(texts) - 1
    part = replace(code, start_line=start, end_line=end, text="".join(f"{text}\n" for text in texts))
    source = f"{code.path}:{start}-{end}"
    return replace(item, source=source, text=code_block(part), code=part)

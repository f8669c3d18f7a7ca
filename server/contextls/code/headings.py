"""The sections of documents that no grammar is used for: reStructuredText, AsciiDoc and Org, told by their endings.

Their headings are lines of their own. What stands in a block of code is none, as far as its marks tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from contextls.code.kinds import Kind
from contextls.code.source import SourceText
from contextls.code.units import Unit, nest_units
from contextls.code.windows import RULES, sign_of_rule
from contextls.regex import compile_late

_ASCIIDOC = compile_late(r"(={1,6})[ \t]+(?=\S)")
_ORG = compile_late(r"\A(\*+)[ \t]+(?=\S)")
_ASCIIDOC_FENCE = compile_late(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})\s*(?:\w+\s*)?$")
_ORG_FENCE = compile_late(r"#\+(begin|end)_", re.IGNORECASE)
_RULES = RULES | {"<", ">"}
# A line that begins so is a comment or the item of a list.
_SIGNS = "#=-~^*+>"
# Marks within a title: ``code``, :role:`of a word`.
_MARKED = compile_late(r"``([^`]+)``|:[\w:+.-]{1,80}:`~?([^`]*)`")
# Above a heading stand names for it: a target to refer to, words for the index, a directive that says the title again.
_NAME = compile_late(r"\.\. (?:_[^:]+:|index::.*|[\w:+.-]+::[ \t]+(?P<said>\S.*))$")
_ASCIIDOC_NAME = compile_late(r"\[.+\]$")
MAX_TITLE_CHARS = 200


class Heading(NamedTuple):
    """A heading: where its section begins, the row of its title, how deep it is (less is higher), and what it says.

    Names for it that stand above are part of it.
    """

    first: int
    row: int
    level: int
    title: str


def read_sections(path: str, source: SourceText) -> list[Unit]:
    """The sections at the top of a document, with those in them; none where its name ends as no such document's does."""
    find = _FINDERS.get(PurePosixPath(path).suffix.lower())
    headings = list(find(source.lines)) if find else []
    found = [(_section_of(each, end), "") for each, end in _with_ends(headings, len(source.lines))]
    return [unit for unit in nest_units(found) if unit.parent is None]


def _with_ends(headings: Sequence[Heading], end: int) -> Iterator[tuple[Heading, int]]:
    """Each heading with the row after its section: where one as high or higher begins, at last at ``end``."""
    ends = [end] * len(headings)
    around: list[int] = []
    for place, heading in enumerate(headings):
        while around and headings[around[-1]].level >= heading.level:
            ends[around.pop()] = heading.first
        around.append(place)
    return zip(headings, ends, strict=True)


def _section_of(heading: Heading, end: int) -> Unit:
    return Unit(
        kind=Kind.SECTION,
        name=heading.title,
        qualified="",
        first=heading.first,
        row=heading.row,
        last=end - 1,
        start=heading.first,
        end=end,
        body=None,
    )


def _find_underlined(lines: Sequence[str]) -> Iterator[Heading]:
    """A title over a rule of one sign, or between two, is deeper the later a heading first looked so."""
    levels: dict[tuple[str, bool], int] = {}
    at = 0
    while at + 1 < len(lines):
        is_between = sign_of_rule(lines[at]) in _RULES
        row = at + 1 if is_between else at
        if _is_underlined(lines, at, row):
            level = levels.setdefault((sign_of_rule(lines[row + 1]), is_between), len(levels))
            title = _MARKED.sub(r"\1\2", lines[row].strip())
            yield Heading(_with_names(lines, at, title), row, level, title)
            at = row + 1
        at += 1


def _with_names(lines: Sequence[str], first: int, title: str) -> int:
    """The first line of a heading, counting the anchors above it, between which lines may be blank."""
    begin = first
    for row in range(first - 1, -1, -1):
        line = lines[row].rstrip()
        found = _NAME.match(line)
        if found and (found["said"] is None or found["said"] in title):
            begin = row
        elif line:
            break
    return begin


def _is_underlined(lines: Sequence[str], first: int, row: int) -> bool:
    """Whether the title of a heading that begins at ``first``, with the rule above it if there is one, stands in ``row``."""
    if row + 1 >= len(lines) or (first > 0 and lines[first - 1].strip()):
        return False
    sign, title = sign_of_rule(lines[row + 1]), lines[row].strip()
    if not title or title[0] in _SIGNS or sign not in _RULES:
        return False
    may_stand_here = not lines[row][0].isspace() if first == row else sign_of_rule(lines[first]) == sign
    return may_stand_here and len(title) <= min(len(lines[row + 1].strip()) + 2, MAX_TITLE_CHARS)


def _find_marked(
    lines: Sequence[str], mark: re.Pattern[str], toggles: Callable[[str, str], str]
) -> Iterator[Heading]:
    """Titles after so many marks as they are deep. ``toggles`` gives the fence that is open after a line, or ``""``."""
    fence = ""
    for row, line in enumerate(lines):
        fence = toggles(line, fence)
        found = None if fence else mark.match(line)
        if found:
            first = row
            while first > 0 and _ASCIIDOC_NAME.match(lines[first - 1].rstrip()):
                first -= 1
            yield Heading(first, row, len(found[1]), line[found.end() :].strip()[:MAX_TITLE_CHARS])


def _asciidoc_fence(line: str, fence: str) -> str:
    found = _ASCIIDOC_FENCE.match(line)
    if found is None or fence not in ("", found[1]):
        return fence
    return "" if fence else found[1]


def _org_fence(line: str, fence: str) -> str:
    found = _ORG_FENCE.match(line.lstrip())
    if found is None:
        return fence
    return "" if found[1].lower() == "end" else "begin"


_FINDERS: Mapping[str, Callable[[Sequence[str]], Iterator[Heading]]] = {
    **dict.fromkeys((".rst", ".rest", ".txt"), _find_underlined),
    **dict.fromkeys(
        (".adoc", ".asciidoc", ".asc"), lambda lines: _find_marked(lines, _ASCIIDOC, _asciidoc_fence)
    ),
    ".org": lambda lines: _find_marked(lines, _ORG, _org_fence),
}

"""Shrinking code to its signatures: bodies give way to a marker, docstrings and declarations stay.

Where the bodies are comes from what parsed the file: the index, or a worker process. They come packed as numbers with
blanks between them, four for each body: first line, column, last line, column. Lines count from 1, columns from 0 in
characters, and the last column is the one after the body.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contextls.code.language_facts import LanguageFacts
from contextls.code.languages import default_languages
from contextls.code.left_out import write_comment
from contextls.code.source import SourceText
from contextls.text.indentation import indent_of, indent_width

_MAX_INDENT_CHARS = 400


def write_skeleton(path_or_language: str, text: str, bodies: str = "", first_line: int = 1) -> str:
    """``text`` with the bodies of its functions elided; never longer than ``text``, and never raises.

    ``text`` may be a part of a file, such as a chunk, that begins with ``first_line``; ``bodies`` are those of the whole
    file. A text that holds none of them is shortened by its layout: the least indented lines stay.
    """
    known = default_languages()
    name = path_or_language
    language = name if known.facts(name) else known.language_of(name, text)
    facts = known.facts(language)
    shrunk = None
    if facts is not None and bodies:
        shrunk = _without_bodies(text, _ranges(text, bodies, first_line), facts)
    if shrunk is None:
        shrunk = _by_layout(text, facts)
    return shrunk if len(shrunk) < len(text) else text


def read_bodies(bodies: str) -> Iterator[tuple[int, int, int, int]]:
    """The numbers of each of the packed ``bodies``."""
    numbers = iter(map(int, bodies.split()))
    return zip(numbers, numbers, numbers, numbers, strict=True)


def _ranges(text: str, bodies: str, first_line: int) -> list[tuple[int, int]]:
    """The bodies whose beginning ``text`` shows, as ranges of its characters; one that goes on after it ends with it."""
    offsets = SourceText(text).offsets
    rows = len(offsets) - 1
    shown = len(text) - len(text.lstrip())  # a body with nothing in front of it is all that there is to show
    ranges = []
    for line, column, last, end_column in read_bodies(bodies):
        row, last_row = line - first_line, last - first_line
        if not 0 <= row < rows or offsets[row] + column > offsets[row + 1]:
            continue
        start = offsets[row] + column
        end = offsets[last_row] + end_column if last_row < rows else len(text.rstrip())
        if start > shown:
            ranges.append((start, min(end, len(text))))
    return ranges


def _without_bodies(text: str, ranges: list[tuple[int, int]], facts: LanguageFacts) -> str | None:
    """The text with the outermost of ``ranges`` left out; ``None`` when that makes nothing shorter."""
    kept: list[str] = []
    at = 0
    for start, end in ranges:
        marker = _marker(text[start : start + 1], facts)
        if start >= at and len(marker) < end - start:
            kept += [text[at:start], marker]
            at = end
    return "".join([*kept, text[at:]]) if kept else None


def _marker(opening: str, facts: LanguageFacts) -> str:
    if facts.elision and not (facts.elision.startswith("{") and opening != "{"):
        return facts.elision
    return write_comment("…", facts)


def _by_layout(text: str, facts: LanguageFacts | None) -> str:
    """The least indented lines, with one marker for each run of deeper ones."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return ""
    indents = _indents(lines, facts)
    # A fragment may begin at its signature and go on deeper, or begin inside a class: the first line sets the level.
    level = max(indents[0], min(indents))
    kept: list[str] = []
    hidden = False
    for line, indent in zip(lines, indents, strict=True):
        if indent <= level:
            kept.append(line)
            hidden = False
        elif not hidden:
            kept.append(indent_of(line) + write_comment("…", facts))
            hidden = True
    return "\n".join(kept) + ("\n" if text.endswith("\n") else "")


def _indents(lines: Sequence[str], facts: LanguageFacts | None) -> list[int]:
    """The indentation of each of ``lines``; of a comment that of its first line, so that none is shown unclosed."""
    pairs = facts.comments.block if facts is not None else ()
    found: list[int] = []
    closing = ""
    for line in lines:
        if closing:
            found.append(found[-1])
            closing = "" if closing in line else closing
            continue
        found.append(indent_width(line[:_MAX_INDENT_CHARS]))
        bare = line.strip()
        for opening, close in pairs:
            if bare.startswith(opening) and close not in bare[len(opening) :]:
                closing = close
    return found

"""The lines of files that a prompt shows already, and what of a candidate is not among them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.bodies import Body, CodeSpan, DiffHunk, PinnedSpan, ShownBefore, Summary
from contextls.assembly.pieces.candidate import Candidate, span_id
from contextls.assembly.pieces.pinned import is_cut, without_lines

_PINNED = "shown in the working set"


class ShownLines:
    """The lines that are in a prompt so far.

    Pinned ones are not shown again by anything, others not by a pin; a diff says more than its lines, unless all of them
    were added. Code that stands whole in a diff, as that of a new file does, is not shown again as code.
    """

    def __init__(self) -> None:
        self._pinned: dict[str, set[int]] = {}
        self._content: dict[str, set[int]] = {}
        self._changed: dict[str, list[Sequence[str]]] = {}

    def take(self, candidate: Candidate) -> None:
        """Note what ``candidate`` shows."""
        body = _whole(candidate.body)
        if isinstance(body, PinnedSpan):
            self._pinned.setdefault(body.path, set()).update(body.numbers)
        elif isinstance(body, DiffHunk):
            self._changed.setdefault(body.hunk.path, []).append(_lines_after(body))
        elif (code := code_of(candidate)) is not None:
            lines = range(code.start_line, code.end_line + 1)
            self._content.setdefault(code.path, set()).update(lines)

    def fresh(self, candidate: Candidate) -> list[Candidate]:
        """Return the new part of ``candidate``: itself, nothing, its heading, or for code the pieces around pinned lines."""
        body = candidate.body
        if isinstance(body, PinnedSpan):
            pinned, content = self._pinned.get(body.path, set()), self._content.get(body.path, set())
            # Hundreds of symbols of one file may be pinned: only the lines of this one are gone through.
            numbers = (line.number for line in body.lines)
            known = {number for number in numbers if number in pinned or number in content}
            new = without_lines(body, known)
            if new is None or new is body:
                return [] if new is None else [candidate]
            return [replace(candidate, body=new, compression=new.strategy if is_cut(new) else None)]
        if isinstance(body, CodeSpan):
            if any(_is_run(body, after) for after in self._changed.get(body.path, ())):
                return []
            if lines := self._pinned.get(body.path):
                return beside(candidate, body, lines)
        if isinstance(body, DiffHunk) and self._has_pinned(body):
            return [replace(candidate, body=replace(body, how=f"{body.how}, {_PINNED}", text=None))]
        return [candidate]

    def _has_pinned(self, change: DiffHunk) -> bool:
        """Whether a change is one of added lines alone, which are all pinned here."""
        hunk, pinned = change.hunk, self._pinned.get(change.hunk.path)
        if not pinned or change.text is None or any(line[:1] in " -" for line in change.text.splitlines()):
            return False
        return all(line in pinned for line in range(hunk.start_line, hunk.end_line + 1))

    def shows(self, path: str, line: int) -> bool:
        """Whether a line is pinned here, or in the code shown."""
        return line in self._pinned.get(path, ()) or line in self._content.get(path, ())

    def shows_any_of(self, path: str) -> bool:
        """Whether any line of a file is pinned here, or in the code shown."""
        return path in self._pinned or path in self._content


def code_of(candidate: Candidate) -> CodeSpan | None:
    """The lines of code that a candidate stands for, also where a summary or a pointer is shown in their place."""
    body = _whole(candidate.body)
    return body if isinstance(body, CodeSpan) else None


def _whole(body: Body) -> Body:
    """The body that a summary or a pointer stands for; any other body itself."""
    while isinstance(body, (Summary, ShownBefore)):
        body = body.of
    return body


def shown_by(change: Candidate, taken: Sequence[Candidate]) -> list[Candidate]:
    """The code among ``taken`` that a diff shows whole; what is no diff shows none."""
    if not isinstance(change.body, DiffHunk):
        return []
    path, after = change.body.hunk.path, _lines_after(change.body)
    return [
        one
        for one in taken
        if isinstance(one.body, CodeSpan) and one.body.path == path and _is_run(one.body, after)
    ]


def _lines_after(change: DiffHunk) -> Sequence[str]:
    """The lines that a diff shows of its file as it is now."""
    return [line[1:] for line in (change.text or "").splitlines() if not line.startswith("-")]


def _is_run(code: CodeSpan, of: Sequence[str]) -> bool:
    """Whether the lines of ``code`` follow each other somewhere in ``of``."""
    lines = code.text.splitlines()
    starts = range(len(of) - len(lines) + 1) if lines else ()
    return any(of[start] == lines[0] and of[start : start + len(lines)] == lines for start in starts)


def beside(candidate: Candidate, code: CodeSpan, lines: Collection[int]) -> list[Candidate]:
    """The pieces of its ``code`` without ``lines``; those that hold nothing but blanks are left out."""
    if not any(line in lines for line in range(code.start_line, code.end_line + 1)):
        return [candidate]
    texts = code.text.split("\n")
    if texts and texts[-1] == "":
        texts.pop()
    if len(texts) != code.end_line - code.start_line + 1:
        return []  # which line is which cannot be told
    pieces: list[Candidate] = []
    start: int | None = None
    for number in range(code.start_line, code.end_line + 2):
        kept = number <= code.end_line and number not in lines
        if kept and start is None:
            start = number
        if not kept and start is not None:
            part = texts[start - code.start_line : number - code.start_line]
            if any(text.strip() for text in part):
                pieces.append(_piece(candidate, code, start, part))
            start = None
    return pieces


def _piece(candidate: Candidate, code: CodeSpan, start: int, texts: list[str]) -> Candidate:
    end = start + len(texts) - 1
    part = replace(code, start_line=start, end_line=end, text="".join(f"{text}\n" for text in texts))
    return replace(candidate, id=span_id(code.path, start, end), body=part)

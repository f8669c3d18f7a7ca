"""Copies of code in other files: versions side by side, vendored and forked files. One of them is shown for all.

Two pieces are copies where their lines are the same but for blanks, and nearly so where few lines of files of one name
differ. Resemblance is that of sets of lines (Broder, 1997): what they share of all that either has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.assembly.pieces.bodies import CodeSpan, Copy
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.question import Question
from contextls.memory.index.query.traces import find_in_workspace
from contextls.model import Section

# What pieces of files of one name share at least to be shown as one. Of what differs, only the number of lines is told.
RESEMBLANCE = 0.8
# No prompt shows more pieces; each is compared with those before it.
COMPARED = 500
# Shorter pieces of files of other names resemble each other by chance.
MIN_LINES = 3


class _Shown(Struct):
    """A piece that stands for its copies."""

    place: int
    code: CodeSpan
    name: str  # of its file
    lines: frozenset[str]
    copies: list[Copy] = field(default_factory=list)


def fold_copies(
    candidates: Sequence[Candidate], asked: Collection[str] = ()
) -> tuple[list[Candidate], list[Candidate]]:
    """``candidates`` with one piece of code for each and its copies, the most relevant; and those copies.

    The pieces of files in ``asked`` stay: the question is about these.
    """
    kept: list[Candidate] = list(candidates)
    content = [
        (place, one.body)
        for place, one in enumerate(candidates)
        if one.section is Section.SEMANTIC and isinstance(one.body, CodeSpan)
    ]
    content.sort(key=lambda item: (item[1].path not in asked, -_relevance(candidates[item[0]])))
    shown: list[_Shown] = []
    folded: set[int] = set()
    for place, code in content[:COMPARED]:
        lines = frozenset(filter(None, map(" ".join, map(str.split, code.text.splitlines()))))
        if not lines:
            continue
        first = None if code.path in asked else _find_copied(code, lines, shown)
        if first is None:
            shown.append(_Shown(place, code, _name(code), lines))
        else:
            differing = max(len(lines - first.lines), len(first.lines - lines))
            first.copies.append(Copy(code.path, code.start_line, code.end_line, differing))
            folded.add(place)
    for one in shown:
        if one.copies:
            kept[one.place] = _with_copies(candidates[one.place], one)
    return (
        [one for place, one in enumerate(kept) if place not in folded],
        [candidates[place] for place in sorted(folded)],
    )


def asked_files(question: Question, candidates: Sequence[Candidate]) -> set[str]:
    """The files of ``candidates`` that the question names, or was asked in."""
    paths = {path for one in candidates for path in one.paths}
    named = {found.path for found in find_in_workspace(question.signals.query.places, paths)}
    return named | ({question.position.path} if question.position else set())


def join_copies(first: Sequence[Copy], second: Sequence[Copy]) -> tuple[Copy, ...]:
    """The copies of two pieces that are shown as one: those that follow each other as the pieces do.

    A file that holds one of them alone, such as the same licence above other code, holds no copy of both.
    """
    ends = {(copy.path, copy.end_line + 1): copy for copy in first}
    return tuple(
        replace(before, end_line=copy.end_line, differing=before.differing + copy.differing)
        for copy in second
        if (before := ends.get((copy.path, copy.start_line))) is not None
    )


def _relevance(candidate: Candidate) -> float:
    return candidate.scores.relevance * candidate.scores.boost


def _find_copied(code: CodeSpan, lines: frozenset[str], shown: Sequence[_Shown]) -> _Shown | None:
    """The piece of another file that shows these lines already."""
    name = _name(code)
    for one in shown:
        if one.code.path == code.path:
            continue
        if name == one.name:
            if _resemblance(lines, one.lines) >= RESEMBLANCE:
                return one
        elif lines == one.lines and len(lines) >= MIN_LINES:
            return one
    return None


def _resemblance(lines: frozenset[str], others: frozenset[str]) -> float:
    if min(len(lines), len(others)) < RESEMBLANCE * max(len(lines), len(others)):
        return 0.0
    same = len(lines & others)
    return same / (len(lines) + len(others) - same)


def _name(code: CodeSpan) -> str:
    return code.path.rpartition("/")[2]


def _with_copies(candidate: Candidate, shown: _Shown) -> Candidate:
    """``candidate`` with its copies, of whose files it speaks as well: where one of them is excluded, it is not sure."""
    paths = dict.fromkeys((*candidate.paths, *(copy.path for copy in shown.copies)))
    return replace(candidate, body=replace(shown.code, copies=tuple(shown.copies)), paths=tuple(paths))

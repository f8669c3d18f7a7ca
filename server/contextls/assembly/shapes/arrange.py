"""The order in which chosen candidates are read: files together, lines ascending, neighbours joined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from msgspec.structs import replace

from contextls.assembly.pieces.bodies import Absence, CodeSpan, ShownBefore
from contextls.assembly.pieces.candidate import Candidate, has_heading, parse_span, phrase, span_id
from contextls.assembly.pieces.overlap import code_of
from contextls.assembly.pieces.sections import ROWS
from contextls.assembly.shapes.copies import join_copies
from contextls.assembly.usefulness.reasons import join_reasons
from contextls.code.left_out import mark_rest
from contextls.model import Section
from contextls.text.indentation import indent_of

_READING_ORDER = {row.section: place for place, row in enumerate(ROWS)}


def arrange(chosen: Sequence[Candidate], order: Sequence[str] = ()) -> list[Candidate]:
    """``chosen`` section by section; code grouped by file (best file first), pieces that touch merged into one.

    Pieces of one class show its head once. The question comes first; of code, the note of absence, then the file with a
    piece that leads. Within a section, ids named in ``order`` come first, in that order.
    """
    content = [one for one in chosen if one.section is Section.SEMANTIC]
    rank: dict[str, int] = {}
    for one in sorted(content, key=lambda one: (not isinstance(one.body, Absence), not one.leads)):
        rank.setdefault(_first_path(one), len(rank))
    content.sort(key=lambda one: (rank[_first_path(one)], code.start_line if (code := code_of(one)) else 0))
    merged: list[Candidate] = []
    for one in content:
        if merged and (both := _join(merged[-1], one)) is not None:
            merged[-1] = both
        else:
            merged.append(one)
    merged = [_with_next_line(one, behind) for one, behind in zip_longest(merged, merged[1:])]
    others = [one for one in chosen if one.section is not Section.SEMANTIC]
    pinned = [one for one in others if one.section is Section.WORKING_SET]
    pinned.sort(key=priority)
    together = [*merged, *pinned, *(one for one in others if one.section is not Section.WORKING_SET)]
    places = _places(together, order)
    together.sort(key=lambda one: (_READING_ORDER[one.section], has_heading(one), places[one.id]))
    shown_headers: set[tuple[str, str]] = set()
    return [_without_repeated_header(one, shown_headers) for one in together]


def _with_next_line(one: Candidate, behind: Candidate | None) -> Candidate:
    """``one`` with the first line of ``behind`` where that is of the same file."""
    code, following = one.body, behind.body if behind else None
    if not (isinstance(code, CodeSpan) and isinstance(following, CodeSpan) and code.path == following.path):
        return one
    return replace(one, body=replace(code, next_line=following.start_line))


def _without_repeated_header(candidate: Candidate, shown: set[tuple[str, str]]) -> Candidate:
    """``candidate`` without a header that an earlier piece of its file has. ``shown`` are paths and headers so far."""
    code = candidate.body
    if not isinstance(code, CodeSpan) or not code.header:
        return candidate
    if (code.path, code.header) in shown:
        return replace(candidate, body=replace(code, header=""))
    shown.add((code.path, code.header))
    return candidate


def _first_path(candidate: Candidate) -> str:
    return next(iter(candidate.paths), "")


def priority(pin: Candidate) -> tuple[float, int, str]:
    """The order of pinned things, the first first."""
    return -pin.scores.relevance * pin.scores.boost, pin.rank, pin.id


def _places(candidates: Sequence[Candidate], order: Sequence[str]) -> dict[str, int]:
    """The place of each candidate in ``order``: by its id, or by the first lines there that it overlaps."""
    if not order:
        return dict.fromkeys((one.id for one in candidates), 0)
    exact = {name: place for place, name in reversed(list(enumerate(order)))}
    spans = [(place, *found) for place, name in enumerate(order) if (found := parse_span(name))]
    return {one.id: exact.get(one.id, _overlapping(one, spans, len(order))) for one in candidates}


def _overlapping(candidate: Candidate, spans: Sequence[tuple[int, str, int, int]], last: int) -> int:
    code = code_of(candidate)
    if code is None:
        return last
    found = (
        place
        for place, path, first, end in spans
        if path == code.path and first <= code.end_line and code.start_line <= end
    )
    return next(found, last)


def adjoin(first: Candidate, second: Candidate) -> bool:
    """Whether ``second`` is code that goes on right where ``first`` ends, neither a skeleton: they are shown as one."""
    head, tail = first.body, second.body
    return (
        isinstance(head, CodeSpan)
        and isinstance(tail, CodeSpan)
        and tail.start_line == head.end_line + 1
        and head.path == tail.path
        and head.last_line > 0
        and tail.last_line > 0
    )


def _join(first: Candidate, second: Candidate) -> Candidate | None:
    """Both as one where ``second`` goes on right where ``first`` ends, neither a skeleton or both shown in the same turn."""
    head, tail = first.body, second.body
    if isinstance(head, ShownBefore) and isinstance(tail, ShownBefore):
        if (head.turn, head.place) != (tail.turn, tail.place):
            return None
        both = _join(replace(first, body=head.of), replace(second, body=tail.of))
        if both is None or not isinstance(both.body, CodeSpan):
            return None
        return replace(both, body=replace(head, of=both.body))
    if not (adjoin(first, second) and isinstance(head, CodeSpan) and isinstance(tail, CodeSpan)):
        return None
    # The heading names what is worth the most of it, which need not come first.
    best = tail if (second.leads, second.scores.relevance) > (first.leads, first.scores.relevance) else head
    code = _join_code(head, tail, best.symbol)
    relevance = max(first.scores.relevance, second.scores.relevance)
    return replace(
        first,
        id=span_id(code.path, code.start_line, code.end_line),
        body=code,
        scores=replace(first.scores, relevance=relevance),
        leads=first.leads or second.leads,
        chance=max(first.chance, second.chance),
        compression=first.compression or second.compression,
        why=lambda: join_reasons([phrase(first.why), phrase(second.why)]),
    )


def _join_code(head: CodeSpan, tail: CodeSpan, best: str) -> CodeSpan:
    """Both as one, named after ``best``, where it has a name, and then after what the question mentions."""
    symbol = best or head.symbol or tail.symbol
    worth = dict((*head.worth, *tail.worth))
    named = sorted(
        dict.fromkeys((head.symbol, *head.beside, tail.symbol, *tail.beside)),
        key=lambda name: -worth.get(name, 0.0),
    )
    return replace(
        head,
        symbol=symbol,
        beside=tuple(each for each in named if each and not f"{symbol}.".startswith(f"{each}.")),
        end_line=tail.end_line,
        header=tail.header if _follows(head.header, tail) else head.header,
        worth=tuple(worth.items()),
        text=head.text + _mark_between(head, tail) + tail.text,
        shown_to=tail.last_line if head.shown_to or tail.shown_to else 0,
        tables=tuple(dict.fromkeys((*head.tables, *tail.tables))),
        copies=join_copies(head.copies, tail.copies),
    )


def _follows(header: str, tail: CodeSpan) -> bool:
    """Whether the signature at the end of ``header`` stands in ``tail``: what is shown before it lies above it."""
    signature = header.rpartition("\n")[2].strip().removesuffix("…")
    return bool(signature) and signature in " ".join(tail.text.split())


def _mark_between(head: CodeSpan, tail: CodeSpan) -> str:
    """A line that says how many lines were cut off at the end of ``head``, where any were."""
    if head.last_line == head.end_line:
        return ""
    mark = mark_rest(
        head.language,
        head.bodies,
        head.last_line,
        tail.start_line,
        tables=head.tables,
        end_line=head.end_line,
    )
    return f"{indent_of(head.text.rstrip().rpartition(chr(10))[2])}{mark}\n"

"""A chunk as a candidate for a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import CodeSpan
from contextls.assembly.pieces.candidate import Candidate, Reason, Scores, recency, span_id
from contextls.assembly.usefulness.name_words import NameWords, is_within
from contextls.code.kinds import CALLABLE, TYPE_LIKE, Kind
from contextls.code.left_out import Tables
from contextls.code.model import Definition
from contextls.memory.index.segments.outlines import Outline
from contextls.model import Section
from contextls.store.chunk_rows import ChunkRow

# What was written this minute is worth three per cent more under the usual weights: enough to win a close race, no other.
FRESH = 0.12
_TABLES = TYPE_LIKE - {Kind.EXTENSION} | {Kind.CONSTANT, Kind.TYPE}


def content_candidate(
    row: ChunkRow,
    relevance: float,
    why: Reason = "",
    outline: Outline | None = None,
    chance: float = 0.0,
    fresh: float = 0.0,
    *,
    leads: bool = False,
) -> Candidate:
    """The candidate of one chunk, which has this ``chance`` of being of use; ``outline`` is that of its file.

    ``fresh`` says in 0..1 how lately the file was written. That counts as far as the chunk is relevant: what was written
    last is not what every question is about.
    """
    code = CodeSpan(row.path, row.language, row.symbol, row.start_line, row.end_line, row.text, row.header)
    if outline is not None:
        touched = outline.touching(row.start_line, row.end_line)
        code = replace(code, bodies=outline.bodies, tables=_find_tables(row, touched, outline))
    return Candidate(
        section=Section.SEMANTIC,
        id=span_id(row.path, row.start_line, row.end_line),
        body=code,
        scores=Scores(relevance, FRESH * relevance * fresh, relevance),
        paths=(row.path,),
        why=why,
        chance=chance,
        leads=leads,
    )


def name_after_question(
    candidate: Candidate, row: ChunkRow, outline: Outline | None, names: NameWords, asked: str
) -> Candidate:
    """The ``candidate`` of a chunk, called after the definitions in it that hold words of the question.

    The one that was ``asked`` for by name comes before all others.
    """
    code = candidate.body
    if not isinstance(code, CodeSpan):
        return candidate
    inside = outline.beginning_in(row.start_line, row.end_line) if outline is not None else []
    if known := names.choose(row, inside):
        (symbol, _), *others = known
        code = replace(code, symbol=symbol, beside=tuple(name for name, _ in others), worth=known)
    if asked and asked not in row.symbol.split("."):
        symbol = next((each.qualified for each in inside if each.name == asked), asked)
        # A class is named by its member.
        beside = (name for name in (code.symbol, *code.beside) if name and not is_within(symbol, name))
        code = replace(code, symbol=symbol, beside=tuple(dict.fromkeys(beside)))
    return replace(candidate, body=code)


def _find_tables(row: ChunkRow, touched: Sequence[Definition], outline: Outline) -> Tables:
    """The ``touched`` definitions that the chunk is only a part of and that hold no functions: constants, structs."""
    if row.kind in CALLABLE - {Kind.TEST}:
        return ()
    parts = [
        (each.start_line, each.end_line)
        for each in touched
        if each.kind in _TABLES and not row.start_line <= each.start_line <= each.end_line <= row.end_line
    ]
    return tuple(
        (first, last)
        for first, last in parts
        if not any(each.kind in CALLABLE for each in outline.beginning_in(first, last))
    )


def freshness(path: str, memories: MemorySnapshot) -> float:
    """The freshness of a file in 0..1: 1 just after it was written or committed, 0 where that is not known."""
    written = memories.knowledge.catalogue.last_written(path)
    return 0.0 if written is None else recency(written, memories.now)

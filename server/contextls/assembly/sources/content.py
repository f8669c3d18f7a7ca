"""Relevant content: the chunks that answer the question, and those at the editor's position."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.overview.catalog import find_catalogued
from contextls.assembly.overview.exemplars import find_exemplar
from contextls.assembly.pieces.bodies import CodeSpan, NamedLine
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.question import Question
from contextls.assembly.request import FollowUpRequest
from contextls.assembly.source import Findings, Offer
from contextls.assembly.sources.absence import (
    absence_candidate,
    placeless_candidate,
    spans_of,
    unsure_candidate,
)
from contextls.assembly.sources.absent_names import find_absent_names
from contextls.assembly.sources.catalog import catalog_candidate
from contextls.assembly.sources.chunk_candidate import content_candidate
from contextls.assembly.sources.chunk_choice import choose_chunks
from contextls.assembly.sources.chunk_relevance import FLOOR, MAX_NEAREST, UNSURE
from contextls.assembly.sources.content_search import ContentSearch
from contextls.assembly.sources.similar_names import find_similar_names
from contextls.assembly.usefulness.known_places import KnownPlace, find_known_place, find_variables
from contextls.assembly.usefulness.missing import Missing, find_missing
from contextls.assembly.usefulness.model import Useful, UsefulnessModel
from contextls.assembly.wording.catalog_questions import find_asked_addition, find_asked_catalog
from contextls.assembly.wording.name_questions import speaks_of_names_alone
from contextls.assembly.wording.place_questions import asks_for_variable
from contextls.assembly.wording.purpose import read_purpose
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.text.gate import without_marks

# With boosts, files count that would otherwise be too far down to be looked at.
BOOSTED_POOL = 4
# Where what a question names is nowhere, further pieces are as likely as this.
LIKELY_BESIDE = 0.5
# What is shown where a name is nowhere is nearest, and seldom what was meant.
BESIDE_ABSENT = 0.25
# Next to a list of all things, little else is of use: where they are registered, at best.
BESIDE_CATALOG = 1
# If at most this many files are asked for, their code is shown.
FEW_FILES = 8
MODEL = UsefulnessModel()


class ContentSource:
    """Chunks of code and documents."""

    name = "content"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """The best chunks, without the lines of excluded symbols."""
        if question.lacks_place:
            may_say = isinstance(question.request, FollowUpRequest)  # a conversation may say which place
            return Offer(() if may_say else (placeless_candidate(),))
        target, memory = question.target, memories.content
        query = memory.read_verbatim(target.text) if target.text else question.signals.query
        limit = question.strategy.max_chunks * (BOOSTED_POOL if question.request.boosts.paths else 1)
        ranking = memory.ranking(memories.snapshot, query)
        useful = MODEL.judge(ranking, memories.snapshot, memories.graph, FLOOR / 2)
        purpose = read_purpose(question.signals.text, question.signals.intent)
        # A selected text is asked about, wherever a program starts.
        known, catalog = (KnownPlace(), None) if target.text else _find_known(question, memories, ranking)
        search = ContentSearch(question, purpose, memories, ranking, useful, known)
        candidates, left_out = choose_chunks(search, limit)
        shown = tuple(memories.exclusion.trim(candidates))
        searched = useful.searched
        # Where only a part of the workspace was searched, nothing is known of the rest.
        if catalog is not None:
            likely = [one for one in shown[:BESIDE_CATALOG] if one.chance >= LIKELY_BESIDE]
            return Offer((catalog, *likely), left_out, searched=searched)
        whole = memories.index_complete and not (target.text or question.request.filters.paths)
        plain = whole and not (known.worth or _is_placed(question, memories))
        if plain and (missing := find_missing(without_marks(question.request.query), ranking, useful.held)):
            nearest = _offer_beside(missing, useful, memories.snapshot) or shown[:MAX_NEAREST]
            within = memories.exclusion.scope.folders or ()
            told = absence_candidate(missing.words, nearest, within, only=missing.kinds)
            return Offer((told,), searched=searched)
        if names := find_absent_names(question, ranking, memories):
            shown = _tell_absence(names, query.text, shown, memories)
        elif plain and shown and max(one.chance for one in shown) < UNSURE:
            shown = (unsure_candidate(), *shown)
        return Offer(shown, left_out, searched=searched)


def _find_known(
    question: Question, memories: MemorySnapshot, ranking: Ranking
) -> tuple[KnownPlace, Candidate | None]:
    """The place, or else the catalog, that the question asks for; of a few things that it names, their code."""
    text, snapshot = question.request.query, memories.snapshot
    known = find_known_place(text, snapshot, memories.graph)
    if not known.worth and asks_for_variable(text):
        return find_variables(ranking), None
    if not known.worth and (added := find_asked_addition(text)):
        return KnownPlace.of(find_exemplar(added.names, find_catalogued(added, memories), snapshot)), None
    asked = None if known.worth else find_asked_catalog(text)
    files = find_catalogued(asked, memories) if asked else []
    if asked and asked.which and len(files) <= FEW_FILES:
        return KnownPlace.of(ref for path in files for ref in snapshot.view.chunks_of(path)), None
    return known, catalog_candidate(asked, files, question, memories) if asked and files else None


def _tell_absence(
    names: tuple[str, ...], text: str, shown: Sequence[Candidate], memories: MemorySnapshot
) -> tuple[Candidate, ...]:
    """That ``names`` of the question ``text`` are nowhere, with what of ``shown`` it may be about all the same."""
    similar = find_similar_names(names, spans_of(shown), memories.snapshot.outlines)
    if speaks_of_names_alone(text, names):
        kept = _holding(similar, shown) or shown[:MAX_NEAREST]
    else:
        # What is said of something that is not there, most of the rest is not about.
        likely = (one for one in shown[MAX_NEAREST:] if one.chance >= LIKELY_BESIDE)
        kept = (*shown[:MAX_NEAREST], *likely)
    within = memories.exclusion.scope.folders or ()
    told = absence_candidate(names, within=within, followed=bool(kept), similar=similar)
    return (told, *(replace(one, chance=min(one.chance, BESIDE_ABSENT)) for one in kept))


def _holding(named: Sequence[NamedLine], shown: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates of ``shown`` that define one of ``named``."""
    return tuple(
        one
        for one in shown
        if isinstance(span := one.body, CodeSpan)
        and any(line.path == span.path and span.start_line <= line.line <= span.end_line for line in named)
    )


def _is_placed(question: Question, memories: MemorySnapshot) -> bool:
    """Whether the question is about code in the editor that is known here."""
    position = question.position
    return position is not None and question.is_placed and position.path in memories.snapshot.view.paths


def _offer_beside(missing: Missing, useful: Useful, snapshot: Snapshot) -> tuple[Candidate, ...]:
    """The likeliest of the chunks that alone speak of what the code does not."""
    chances = {ref: useful.chances.get(ref, 0.0) for ref in missing.beside}
    best = snapshot.view.best_first(chances)[:MAX_NEAREST]
    return tuple(content_candidate(snapshot.view.row(ref), 0.0) for ref in best)

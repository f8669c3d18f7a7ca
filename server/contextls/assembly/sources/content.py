"""Relevant content: the chunks that answer the question, and those at the editor's position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from contextls import cancellation
from contextls.assembly.bodies import CodeSpan
from contextls.assembly.candidate import Candidate, Reason, Scores, recency, span_id
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.reasons import of_chunk
from contextls.assembly.signals import Intent
from contextls.assembly.source import Findings, LeftOut, Offer
from contextls.assembly.sources.absence import absence_candidate, spans_of, unsure_candidate
from contextls.assembly.sources.absent_names import find_absent_names
from contextls.assembly.sources.authorship import asks_for_authors
from contextls.assembly.sources.similar_names import find_similar_names
from contextls.assembly.targets.cursor_place import Near
from contextls.assembly.targets.implicit_target import find_near_target
from contextls.assembly.usefulness.analogue import weigh_analogue
from contextls.assembly.usefulness.definition_parts import BETWEEN, PART, add_parts, find_gaps
from contextls.assembly.usefulness.missing import Missing, find_missing
from contextls.assembly.usefulness.model import Useful, UsefulnessModel
from contextls.assembly.usefulness.name_users import weigh_named
from contextls.assembly.usefulness.routes import find_routes
from contextls.assembly.usefulness.test_helpers import weigh_test_helpers
from contextls.assembly.usefulness.worth import AROUND, weigh_chunks
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking import Ranking
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.view import ChunkRef, IndexView
from contextls.model import Section
from contextls.store.chunk_rows import ChunkRow
from contextls.text.gate import without_marks

# The active file is where the user looks: it wins close races.
ACTIVE_FILE_BOOST = 1.2
# With boosts, files count that would otherwise be too far down to be looked at.
BOOSTED_POOL = 4
# What is worth less than this stays out, however much room there is: of three such chunks two and more are noise
# (benchmarks.lines). Below MIN_CHARS, some 1,500 tokens, what is worth half as much is
# added. Where nothing is likely, the nearest few show what there is.
FLOOR = 0.11
MIN_CHARS = 5_700
NEAREST = 3
# The model has learned from questions of which some word is known; without one, its chances mean little.
UNTOLD = 0.1
# Where the best piece has less than this chance, two answers in a hundred show what is wanted (docs/relevance.md): a prompt
# says so, and ends sooner.
UNSURE, UNSURE_CHARS = 0.3, 2_500
# What was written this minute is worth three per cent more under the usual weights: enough to win a close race, no other.
FRESH = 0.12
# Of what stays out, the report names so many.
UNLIKELY = 5
MODEL = UsefulnessModel()


class ContentSource:
    """Chunks of code and documents."""

    name = "content"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """The best chunks, without the lines of excluded symbols."""
        target, memory = question.target, memories.content
        query = memory.read_verbatim(target.text) if target.text else question.signals.query
        limit = question.strategy.max_chunks * (BOOSTED_POOL if question.request.boosts.paths else 1)
        ranking = memory.ranking(memories.snapshot, query)
        useful = MODEL.judge(ranking, memories.snapshot, memories.graph, FLOOR / 2)
        candidates, left_out = content_candidates(ranking, useful, memories, question, limit)
        shown = tuple(memories.exclusion.trim(candidates))
        searched = useful.searched
        # Where only a part of the workspace was searched, nothing is known of the rest.
        whole = memories.index_complete and not (target.text or question.request.filters.paths)
        plain = whole and not question.position
        within = memories.exclusion.scope.folders or ()
        if plain and (missing := find_missing(without_marks(question.request.query), ranking, useful.held)):
            nearest = _offer_beside(missing, useful, memories.snapshot) or shown[:NEAREST]
            told = absence_candidate(missing.words, nearest, within, only=missing.kinds)
            return Offer((told,), searched=searched)
        if names := find_absent_names(question, ranking, memories):
            similar = find_similar_names(names, spans_of(shown), memories.snapshot.outlines)
            shown = (absence_candidate(names, within=within, followed=bool(shown), similar=similar), *shown)
        elif (
            whole
            and shown
            and not _is_placed(question, memories)
            and max(one.chance for one in shown) < UNSURE
        ):
            shown = (unsure_candidate(), *shown)
        return Offer(shown, left_out, searched=searched)


def _is_placed(question: Question, memories: MemorySnapshot) -> bool:
    """Whether the question was asked in a file, about which it may be."""
    position = question.position
    return position is not None and position.path in memories.snapshot.view.paths


def content_candidates(
    ranking: Ranking, useful: Useful, memories: MemorySnapshot, question: Question, limit: int
) -> tuple[list[Candidate], tuple[LeftOut, ...]]:
    """At most ``limit``, best first: the chunks that are ``useful``, and what the question points at without naming it.

    Beside them, what ``limit`` keeps out, and what came next but is not likely to be of use.
    """
    position, target, snapshot = question.position, question.target, memories.snapshot
    view = snapshot.view
    worth = weigh_chunks(useful.chances, view, FLOOR / 2, question.signals.query.kinds)
    near = find_near_target(target, snapshot, memories.graph, question.signals, position)
    # Of names in a selected text there are many, and it is shown itself.
    spelled = {} if target.text else {ref: ranking.defined[ref][1] for ref in _find_named(ranking, snapshot)}
    routes = {} if target.text else find_routes(ranking.question.requests, snapshot, memories.graph)
    named = _join(
        weigh_named(spelled, ranking, snapshot, memories.graph),
        {ref: route.worth for ref, route in routes.items()},
        {} if target.text else weigh_analogue(ranking, snapshot),
    )
    if FileKind.CHANGELOG not in ranking.question.kinds:
        named = {ref: value for ref, value in named.items() if view.file_kind(ref) is not FileKind.CHANGELOG}
    weighed = _weigh(useful, worth, named, near, memories, question)
    relevance = add_parts(weighed, view, FLOOR)
    gaps = dict.fromkeys(find_gaps(relevance, view, FLOOR), FLOOR)
    relevance |= gaps

    def is_in_a_diff(ref: ChunkRef) -> bool:
        return target.diffs.covers(view.lines(ref))

    ordered = view.best_first({ref: value for ref, value in relevance.items() if not is_in_a_diff(ref)})
    originals = _find_copies(ordered[:limit], useful, relevance)
    relevance |= {copy: relevance[first] for copy, first in originals.items()}
    shown = [*ordered[:limit], *(ref for ref in originals if not is_in_a_diff(ref))][:limit]
    others = (ref for ref in {**worth, **useful.chances} if ref not in relevance)
    unlikely = [ref for ref in islice(others, UNLIKELY) if not is_in_a_diff(ref)]
    pointed = {ref: near[ref].why for ref in shown if ref in near and near[ref].worth == relevance[ref]}
    most = 1.0 if useful.held or position is not None else UNTOLD
    searched = memories.content.evidence(ranking, [ref for ref in shown if ref not in pointed])
    leading = _find_leading(ranking, snapshot, question.signals.intent)
    candidates = []
    for ref in shown:
        cancellation.check()
        row = view.row(ref)
        outline = snapshot.outlines.get(row.path)
        bodies = outline.bodies if outline else ""
        why: Reason
        if ref in pointed:
            # What the question points at is looked at now; of the rest, what was written lately.
            why, chance, fresh = pointed[ref], near[ref].worth, 1.0
        else:
            active = position is not None and row.path == position.path
            first = originals.get(ref, ref)
            why = BETWEEN if first in gaps else PART
            if first in routes:
                why = routes[first].why
            elif first in weighed:
                why = partial(of_chunk, searched, ref, useful.calls, asked=target.name, active=active)
            chance = min(most, max(useful.chances.get(first, 0.0), named.get(first, 0.0)))
            fresh = freshness(row.path, memories)
        offered = content_candidate(
            row, relevance[ref], why, bodies, chance, fresh, leads=ref in leading, asked=spelled.get(ref, "")
        )
        candidates.append(offered)
    left_out = [LeftOut(content_candidate(view.row(ref), 0.0), "limit") for ref in ordered[limit:]]
    left_out += [LeftOut(content_candidate(view.row(ref), 0.0), "unlikely") for ref in unlikely]
    return candidates, tuple(left_out)


def _join(*worths: Mapping[ChunkRef, float]) -> dict[ChunkRef, float]:
    """The most that each chunk is worth in any of ``worths``."""
    found: dict[ChunkRef, float] = {}
    for ref, worth in chain.from_iterable(one.items() for one in worths):
        found[ref] = max(worth, found.get(ref, 0.0))
    return found


def _weigh(
    useful: Useful,
    worth: Mapping[ChunkRef, float],
    named: Mapping[ChunkRef, float],
    near: Mapping[ChunkRef, Near],
    memories: MemorySnapshot,
    question: Question,
) -> dict[ChunkRef, float]:
    """How relevant the likely chunks are, and those that the question points at, in 0..1."""
    position, target = question.position, question.target
    least = MIN_CHARS if max(useful.chances.values(), default=0.0) >= UNSURE else UNSURE_CHARS
    likely = _find_likely(worth, memories.snapshot.view, 0 if near else least)
    relevance = likely or dict(islice(useful.chances.items(), NEAREST))
    helpers: dict[ChunkRef, float] = {}
    if FileKind.TEST in question.signals.query.kinds:
        helpers = weigh_test_helpers(useful.calls.called, memories.snapshot)
    known = {ref: max(value, relevance.get(ref, 0.0)) for ref, value in {**helpers, **named}.items()}
    relevance = {**known, **relevance} | known
    if asks_for_authors(question.signals.text, memories):
        relevance = dict(islice(relevance.items(), NEAREST))  # people are the answer; the code says of what
    if position is not None:
        for ref in memories.snapshot.view.chunks_of(position.path):
            if ref in relevance:
                relevance[ref] = min(1.0, relevance[ref] * ACTIVE_FILE_BOOST)
    if near:
        relevance = {ref: target.beside * value for ref, value in relevance.items()}
        for ref, piece in near.items():
            relevance[ref] = max(piece.worth, relevance.get(ref, 0.0))
    return relevance


def _find_likely(worth: Mapping[ChunkRef, float], view: IndexView, least: int) -> dict[ChunkRef, float]:
    """Those of ``worth``, best first, that are worth enough, and what comes next up to ``least`` characters."""
    found: dict[ChunkRef, float] = {}
    chars = 0
    for ref, value in worth.items():
        if value < FLOOR and chars >= least:
            break
        found[ref] = value
        chars += view.size(ref) + AROUND
    return found


def _find_copies(
    shown: Sequence[ChunkRef], useful: Useful, known: Collection[ChunkRef]
) -> dict[ChunkRef, ChunkRef]:
    """Chunks with the same text as a shown one, each with that: one of them is written, and says where the others are."""
    found: dict[ChunkRef, ChunkRef] = {}
    for first in shown:
        for ref in useful.copies.get(first, ()):
            if ref not in known:
                found.setdefault(ref, first)
    return found


def _find_leading(ranking: Ranking, snapshot: Snapshot, intent: Intent) -> set[ChunkRef]:
    """The chunks that are read before all others: see ``_find_named``."""
    # Who asks which tests cover it wants these; who is to write one wants what it is about.
    if ranking.question.kinds - {FileKind.SOURCE} and intent is not Intent.ACTION:
        return set()
    return _find_named(ranking, snapshot)


def _find_named(ranking: Ranking, snapshot: Snapshot) -> set[ChunkRef]:
    """The chunks that define a name which the question spells and only one source file defines."""
    if any(place.frame for place in ranking.question.places):
        return set()  # a trace is read from its innermost frame
    files: dict[str, set[str]] = {}
    sources = {ref for ref in ranking.defined if snapshot.view.file_kind(ref) is FileKind.SOURCE}
    for ref in sources:
        files.setdefault(ranking.defined[ref][1], set()).add(snapshot.view.path(ref))
    return {ref for ref in sources if len(files[ranking.defined[ref][1]]) == 1}


def _offer_beside(missing: Missing, useful: Useful, snapshot: Snapshot) -> tuple[Candidate, ...]:
    """The likeliest of the chunks that alone speak of what the code does not."""
    chances = {ref: useful.chances.get(ref, 0.0) for ref in missing.beside}
    best = snapshot.view.best_first(chances)[:NEAREST]
    return tuple(content_candidate(snapshot.view.row(ref), 0.0) for ref in best)


def freshness(path: str, memories: MemorySnapshot) -> float:
    """How lately a file was written or committed, 0 where that is not known."""
    written = memories.knowledge.catalogue.last_written(path)
    return 0.0 if written is None else recency(written, memories.now)


def content_candidate(
    row: ChunkRow,
    relevance: float,
    why: Reason = "",
    bodies: str = "",
    chance: float = 0.0,
    fresh: float = 0.0,
    *,
    leads: bool = False,
    asked: str = "",
) -> Candidate:
    """The candidate of one chunk, which has this ``chance`` of being of use; ``bodies`` are those of its file.

    It is called after the definition that was ``asked`` for, where it holds several. ``fresh`` says in 0..1 how lately the
    file was written. That counts as far as the chunk is relevant: what was written last is not what every question is about.
    """
    code = CodeSpan(
        row.path, row.language, row.symbol, row.start_line, row.end_line, row.text, row.header, bodies
    )
    if asked and asked not in row.symbol.split("."):
        code = replace(code, symbol=asked, beside=(row.symbol,) if row.symbol else ())
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

"""Makes candidates of the chunks that answer a question best, each with the reason why it is there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct

from contextls import cancellation
from contextls.assembly.pieces.candidate import Candidate, Reason
from contextls.assembly.source import LeftOut
from contextls.assembly.sources.asked_by_name import NamedChunks, find_asked, find_named
from contextls.assembly.sources.chunk_candidate import content_candidate, freshness, name_after_question
from contextls.assembly.sources.chunk_relevance import FLOOR, Relevance, find_relevant
from contextls.assembly.sources.content_search import ContentSearch
from contextls.assembly.sources.excerpts import cut_excerpts
from contextls.assembly.targets.cursor_place import Near
from contextls.assembly.targets.implicit_target import find_near_target
from contextls.assembly.usefulness.definition_parts import BETWEEN, PART
from contextls.assembly.usefulness.frames import weigh_frames
from contextls.assembly.usefulness.model import Useful
from contextls.assembly.usefulness.name_words import NameWords
from contextls.assembly.usefulness.reasons import of_chunk
from contextls.assembly.usefulness.worth import weigh_chunks
from contextls.assembly.wording.signals import Intent
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.evidence import Evidences
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef

# The number of unlikely chunks that the report names.
MAX_UNLIKELY = 5


class _Grounds(Struct, frozen=True):
    """The grounds on which chunks were chosen.

    The question points at those that are ``pointed``. ``originals`` are the chunks that copies are copies of.
    """

    search: ContentSearch
    relevant: Relevance
    asked: NamedChunks
    pointed: Mapping[ChunkRef, Near]
    originals: Mapping[ChunkRef, ChunkRef]
    evidences: Evidences

    def reason(self, ref: ChunkRef, path: str) -> Reason:
        """The reason why the chunk ``ref`` of ``path`` is there."""
        if ref in self.pointed:
            return self.pointed[ref].why
        first = self.originals.get(ref, ref)
        if first in self.asked.routes:
            return self.asked.routes[first].why
        if first in self.relevant.weighed:
            question, useful = self.search.question, self.search.useful
            return partial(
                of_chunk,
                self.evidences,
                ref,
                useful.calls,
                asked=question.target.name,
                active=question.position is not None and path == question.position.path,
                implements=useful.implementations.member(first),
            )
        return BETWEEN if first in self.relevant.gaps else PART

    def chance(self, ref: ChunkRef) -> float:
        """The chance that it is of use."""
        if ref in self.pointed:
            return self.pointed[ref].worth
        first = self.originals.get(ref, ref)
        chance = max(self.search.useful.chances.get(first, 0.0), self.asked.worth.get(first, 0.0))
        return min(self.search.max_chance, chance)


def choose_chunks(search: ContentSearch, limit: int) -> tuple[list[Candidate], tuple[LeftOut, ...]]:
    """At most ``limit``, best first: the chunks that are useful, and what the question points at without naming it.

    Also what ``limit`` keeps out, and what came next but is not likely to be of use.
    """
    question, useful, view = search.question, search.useful, search.view
    diffs = question.target.diffs
    worth = weigh_chunks(
        useful.chances,
        view,
        FLOOR / 2,
        question.signals.query.kinds,
        search.purpose,
        useful.implementations.declare,
        question.signals.query.side,
    )
    near = find_near_target(
        question.target, search.snapshot, search.memories.graph, question.signals, question.position
    )
    asked = find_asked(search)
    relevant = find_relevant(search, worth, asked, near)

    def is_in_a_diff(ref: ChunkRef) -> bool:
        return bool(diffs) and diffs.covers(view.lines(ref))

    relevance = relevant.values
    ordered = view.best_first({ref: value for ref, value in relevance.items() if not is_in_a_diff(ref)})
    originals = _find_copies(ordered[:limit], useful, relevance)
    relevance = {**relevance, **{copy: relevance[first] for copy, first in originals.items()}}
    shown = [*ordered[:limit], *(ref for ref in originals if not is_in_a_diff(ref))][:limit]
    others = (ref for ref in {**worth, **useful.chances} if ref not in relevance)
    unlikely = [ref for ref in islice(others, MAX_UNLIKELY) if not is_in_a_diff(ref)]
    pointed = {ref: near[ref] for ref in shown if ref in near and near[ref].worth == relevance[ref]}
    evidences = search.memories.content.evidence(search.ranking, [ref for ref in shown if ref not in pointed])
    grounds = _Grounds(search, relevant, asked, pointed, originals, evidences)
    candidates = list(_offer(shown, relevance, grounds))
    left_out = [LeftOut(content_candidate(view.row(ref), 0.0), "limit") for ref in ordered[limit:]]
    left_out += [LeftOut(content_candidate(view.row(ref), 0.0), "unlikely") for ref in unlikely]
    return candidates, tuple(left_out)


def _offer(
    shown: Sequence[ChunkRef], relevance: Mapping[ChunkRef, float], grounds: _Grounds
) -> Iterator[Candidate]:
    """The candidate of each chunk that is ``shown``, or one for each excerpt where a part of it is asked for."""
    search, asked = grounds.search, grounds.asked
    leading = _find_leading(search.ranking, search.snapshot, search.question.signals.intent)
    names = NameWords(search.ranking.words.rarity)
    for ref in shown:
        cancellation.check()
        row = search.view.row(ref)
        outline = search.snapshot.outlines.get(row.path)
        chosen = content_candidate(
            row,
            relevance[ref],
            grounds.reason(ref, row.path),
            outline,
            grounds.chance(ref),
            # What the question points at is looked at now; of the rest, what was written lately.
            1.0 if ref in grounds.pointed else freshness(row.path, search.memories),
            leads=ref in leading,
        )
        chosen = name_after_question(chosen, row, outline, names, asked.spelled.get(ref, ""))
        wanted = asked.excerpts.get(ref)
        yield from cut_excerpts(chosen, wanted, outline) if wanted else [chosen]


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
    """The chunks that are read before all others: those that print a message alone, and see ``find_named``.

    Of a trace that is the code at its innermost frame.
    """
    alone = not ranking.question.is_long
    printing = {ref for ref, sure in ranking.printed.items() if alone and sure == 1}
    printing |= set(islice(weigh_frames(ranking.places, snapshot), 1))
    # "Which tests cover it?" asks for the tests; "write a test for it" needs the code first.
    if ranking.question.kinds - {FileKind.SOURCE} and intent is not Intent.ACTION:
        return printing
    return printing | find_named(ranking, snapshot)

"""Which chunks answer a question: the likely ones, those that it names, and those that it points at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct

from contextls import cancellation
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.candidate import Candidate, Reason
from contextls.assembly.question import Question
from contextls.assembly.source import LeftOut
from contextls.assembly.sources.asked_by_name import NamedChunks, find_asked, find_named
from contextls.assembly.sources.authorship import asks_for_authors
from contextls.assembly.sources.chunk_candidate import content_candidate, freshness
from contextls.assembly.sources.chunk_names import NameWords
from contextls.assembly.sources.excerpts import cut_excerpts
from contextls.assembly.targets.cursor_place import Near
from contextls.assembly.targets.implicit_target import find_near_target
from contextls.assembly.usefulness.analogue import wants_new
from contextls.assembly.usefulness.asked_tests import weigh_asked_tests
from contextls.assembly.usefulness.definition_parts import BETWEEN, PART, add_members, add_parts, find_gaps
from contextls.assembly.usefulness.frames import weigh_frames
from contextls.assembly.usefulness.model import Useful
from contextls.assembly.usefulness.reasons import of_chunk
from contextls.assembly.usefulness.worth import AROUND, weigh_chunks
from contextls.assembly.wording.name_questions import asks_for_users
from contextls.assembly.wording.signals import Intent
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.asked_kinds import looks_up_tests
from contextls.memory.index.ranking.evidence import Evidences
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.model import EditorPosition

# The active file is where the user looks: it wins close races.
ACTIVE_FILE_BOOST = 1.2
# What is worth less than this stays out, however much room there is: of three such chunks two and more are noise
# (benchmarks.lines). Below MIN_CHARS, some 1,400 tokens, what is worth half as much is added. Where nothing is likely, the
# nearest few show what there is.
FLOOR = 0.115
MIN_CHARS = 5_400
NEAREST = 3
# The model has learned from questions of which some word is known; without one, its chances mean little.
UNTOLD = 0.1
# Of a question in another language of which half the words could not be read, nobody knows what it is about.
MIN_UNREAD, UNREAD = 0.5, 0.25
# Where even the best piece is more likely of no use, one line in seven that is wanted is shown (docs/relevance.md): a
# prompt says so, and ends sooner.
UNSURE, UNSURE_CHARS = 0.5, 2_500
# An answer is deep in few files: where the best piece is as likely as SURE, pieces of a file of which MIN_PIECES enter take
# the room that is left, from FURTHER of the floor on. On the development questions (benchmarks.lines) coverage rises from
# .561 to .569, for 85 tokens; three sets of others gain .000 to .010.
SURE, MIN_PIECES, FURTHER = 0.65, 2, 0.65
# Who points at code wants that, what it refers to and who uses it. What a search finds beside it is worth its room where it
# is as likely as this, and of that the nearest few. Settings and data tell nothing of who reads them.
BESIDE_CURSOR = 0.5
# Of code like that at the cursor, so many pieces.
ALIKE = 8
_READ_ALONE = frozenset({FileKind.SOURCE, FileKind.TEST, FileKind.EXAMPLE, FileKind.LEGACY})
# Of what stays out, the report names so many.
UNLIKELY = 5


class _Grounds(Struct, frozen=True):
    """What speaks for each chosen chunk.

    The question points at those that are ``pointed``. ``originals`` are the chunks that copies are copies of, ``weighed``
    those that were weighed themselves, ``gaps`` what stands between two of them. No chance is above ``most``.
    """

    question: Question
    useful: Useful
    asked: NamedChunks
    pointed: Mapping[ChunkRef, Near]
    originals: Mapping[ChunkRef, ChunkRef]
    weighed: Collection[ChunkRef]
    gaps: Collection[ChunkRef]
    searched: Evidences
    most: float

    def reason(self, ref: ChunkRef, path: str) -> Reason:
        """Why the chunk ``ref`` of ``path`` is there."""
        if ref in self.pointed:
            return self.pointed[ref].why
        first = self.originals.get(ref, ref)
        if first in self.asked.routes:
            return self.asked.routes[first].why
        if first in self.weighed:
            position, name = self.question.position, self.question.target.name
            active = position is not None and path == position.path
            return partial(of_chunk, self.searched, ref, self.useful.calls, asked=name, active=active)
        return BETWEEN if first in self.gaps else PART

    def chance(self, ref: ChunkRef) -> float:
        """How likely it is of use."""
        if ref in self.pointed:
            return self.pointed[ref].worth
        first = self.originals.get(ref, ref)
        return min(self.most, max(self.useful.chances.get(first, 0.0), self.asked.worth.get(first, 0.0)))


def choose_chunks(
    ranking: Ranking, useful: Useful, memories: MemorySnapshot, question: Question, limit: int
) -> tuple[list[Candidate], tuple[LeftOut, ...]]:
    """At most ``limit``, best first: the chunks that are ``useful``, and what the question points at without naming it.

    Beside them, what ``limit`` keeps out, and what came next but is not likely to be of use.
    """
    target, snapshot = question.target, memories.snapshot
    view = snapshot.view
    changes = question.signals.intent is Intent.ACTION or asks_for_users(question.signals.text)
    kinds, tests = question.signals.query.kinds, looks_up_tests(question.signals.text)
    builds = changes or wants_new(question.signals.text)
    worth = weigh_chunks(
        useful.chances, view, FLOOR / 2, kinds, changes=changes, builds=builds, beside_source=tests
    )
    most = _find_most(useful, question)
    near = find_near_target(target, snapshot, memories.graph, question.signals, question.position)
    asked = find_asked(ranking, useful.chances, memories, target)
    weighed = _weigh(ranking, useful, worth, asked, near, memories, question)
    # Which parts of the definitions around a cursor are wanted is known; of those around a name, none.
    settled = {*(near if _is_at_code(question, view) else ()), *asked.places}
    relevance = _complete(weighed, settled, view)
    gaps = dict.fromkeys(find_gaps(relevance, view, FLOOR), FLOOR)
    relevance |= gaps

    def is_in_a_diff(ref: ChunkRef) -> bool:
        return bool(target.diffs) and target.diffs.covers(view.lines(ref))

    ordered = view.best_first({ref: value for ref, value in relevance.items() if not is_in_a_diff(ref)})
    originals = _find_copies(ordered[:limit], useful, relevance)
    relevance |= {copy: relevance[first] for copy, first in originals.items()}
    shown = [*ordered[:limit], *(ref for ref in originals if not is_in_a_diff(ref))][:limit]
    others = (ref for ref in {**worth, **useful.chances} if ref not in relevance)
    unlikely = [ref for ref in islice(others, UNLIKELY) if not is_in_a_diff(ref)]
    pointed = {ref: near[ref] for ref in shown if ref in near and near[ref].worth == relevance[ref]}
    searched = memories.content.evidence(ranking, [ref for ref in shown if ref not in pointed])
    grounds = _Grounds(question, useful, asked, pointed, originals, weighed, gaps, searched, most)
    leading = _find_leading(ranking, snapshot, question.signals.intent)
    names = NameWords(ranking.words.rarity)
    candidates = list(_offer(shown, relevance, grounds, leading, names, memories))
    left_out = [LeftOut(content_candidate(view.row(ref), 0.0), "limit") for ref in ordered[limit:]]
    left_out += [LeftOut(content_candidate(view.row(ref), 0.0), "unlikely") for ref in unlikely]
    return candidates, tuple(left_out)


def _complete(
    weighed: Mapping[ChunkRef, float], settled: Collection[ChunkRef], view: IndexView
) -> dict[ChunkRef, float]:
    """``weighed`` with further parts and members of the definitions of those that are not ``settled``."""
    unsettled = {ref: value for ref, value in weighed.items() if ref not in settled}
    relevance = add_members(add_parts(unsettled, view, FLOOR), view, FLOOR)
    return relevance | {ref: value for ref, value in weighed.items() if ref in settled}


def _offer(
    shown: Sequence[ChunkRef],
    relevance: Mapping[ChunkRef, float],
    grounds: _Grounds,
    leading: Collection[ChunkRef],
    names: NameWords,
    memories: MemorySnapshot,
) -> Iterator[Candidate]:
    """The candidate of each chunk that is ``shown``, or one for each excerpt where a part of it is asked for."""
    snapshot, asked = memories.snapshot, grounds.asked
    for ref in shown:
        cancellation.check()
        row = snapshot.view.row(ref)
        outline = snapshot.outlines.get(row.path)
        chosen = content_candidate(
            row,
            relevance[ref],
            grounds.reason(ref, row.path),
            outline,
            grounds.chance(ref),
            # What the question points at is looked at now; of the rest, what was written lately.
            1.0 if ref in grounds.pointed else freshness(row.path, memories),
            leads=ref in leading,
            asked=asked.spelled.get(ref, ""),
            names=names,
        )
        wanted = asked.excerpts.get(ref)
        yield from cut_excerpts(chosen, wanted, outline) if wanted else [chosen]


def _weigh(
    ranking: Ranking,
    useful: Useful,
    worth: Mapping[ChunkRef, float],
    asked: NamedChunks,
    near: Mapping[ChunkRef, Near],
    memories: MemorySnapshot,
    question: Question,
) -> dict[ChunkRef, float]:
    """How relevant the likely chunks are, and those that the question points at, in 0..1."""
    position, target = question.position, question.target
    view = memories.snapshot.view
    best = min(_find_most(useful, question), max(useful.chances.values(), default=0.0))
    likely = _find_likely(worth, view, 0 if near else MIN_CHARS if best >= UNSURE else UNSURE_CHARS)
    relevance = likely or dict(islice(useful.chances.items(), NEAREST))
    if asked.alone:
        relevance = {}
    elif best >= SURE and not near:
        relevance |= _find_further(likely, worth, view)
    tests: dict[ChunkRef, float] = {}
    if near and _is_at_code(question, view):
        if target.text:
            relevance = dict(islice(likely.items(), ALIKE))
        else:
            relevance = {} if question.signals.only_here else _find_beside(likely, view, position)
    elif FileKind.TEST in question.signals.query.kinds:
        tests = weigh_asked_tests(question.signals.query, ranking, useful, memories.snapshot)
    known = {ref: max(value, relevance.get(ref, 0.0)) for ref, value in {**tests, **asked.worth}.items()}
    relevance = {**known, **relevance} | known
    if asks_for_authors(question.signals.text, memories):
        relevance = dict(islice(relevance.items(), NEAREST))  # people are the answer; the code says of what
    if position is not None:
        for ref in view.chunks_of(position.path):
            if ref in relevance:
                relevance[ref] = min(1.0, relevance[ref] * ACTIVE_FILE_BOOST)
    if near:
        relevance = {ref: target.beside * value for ref, value in relevance.items()}
        for ref, piece in near.items():
            relevance[ref] = max(piece.worth, relevance.get(ref, 0.0))
    return relevance


def _find_most(useful: Useful, question: Question) -> float:
    """The highest chance that any piece has, by how much of the question is known."""
    if question.is_placed:
        return 1.0
    if not useful.held:
        return UNTOLD
    return UNREAD if question.signals.query.unread >= MIN_UNREAD else 1.0


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


def _is_at_code(question: Question, view: IndexView) -> bool:
    """Whether a question is about code at the cursor."""
    chunks = view.chunks_of(question.position.path) if question.position and question.is_at_cursor else ()
    return any(view.file_kind(ref) in _READ_ALONE for ref in chunks)


def _find_beside(
    likely: Mapping[ChunkRef, float], view: IndexView, position: EditorPosition | None
) -> dict[ChunkRef, float]:
    """The nearest of the ``likely`` that are of the active file or nearly sure."""
    active = view.chunks_of(position.path) if position else ()
    sure = {ref: value for ref, value in likely.items() if value >= BESIDE_CURSOR or ref in active}
    return dict(islice(sure.items(), NEAREST))


def _find_further(
    likely: Mapping[ChunkRef, float], worth: Mapping[ChunkRef, float], view: IndexView
) -> dict[ChunkRef, float]:
    """Further pieces of the files of which several are ``likely``; they enter behind all others."""
    pieces = Counter(map(view.path, likely))
    return {
        ref: FLOOR
        for ref, value in worth.items()
        if ref not in likely and value >= FURTHER * FLOOR and pieces[view.path(ref)] >= MIN_PIECES
    }


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
    # Who asks which tests cover it wants these; who is to write one wants what it is about.
    if ranking.question.kinds - {FileKind.SOURCE} and intent is not Intent.ACTION:
        return printing
    return printing | find_named(ranking, snapshot)

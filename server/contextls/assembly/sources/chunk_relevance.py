"""Weighs the chunks for an answer: the likely ones, those that the question names, and those that it points at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import islice

from msgspec import Struct

from contextls.assembly.sources.asked_by_name import NamedChunks
from contextls.assembly.sources.authorship import asks_for_authors
from contextls.assembly.sources.content_search import ContentSearch
from contextls.assembly.targets.cursor_place import Near
from contextls.assembly.usefulness.asked_tests import weigh_asked_tests
from contextls.assembly.usefulness.definition_parts import add_members, add_parts, find_gaps
from contextls.assembly.usefulness.worth import AROUND, join_worths
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.view import ChunkRef, IndexView

# The active file is where the user looks: it wins close races.
ACTIVE_FILE_BOOST = 1.2
# What is worth less than this stays out, however much room there is: of three such chunks two and more are noise
# (benchmarks.lines). Below MIN_CHARS, some 1,400 tokens, what is worth half as much is added. Where nothing is likely, the
# nearest few show what there is.
FLOOR = 0.115
MIN_CHARS = 5_400
MAX_NEAREST = 3
# Where even the best piece is more likely of no use, one line in seven that is wanted is shown (docs/relevance.md): a
# prompt says so, and ends sooner.
UNSURE, UNSURE_CHARS = 0.5, 2_500
# An answer is deep in few files: where the best piece is as likely as SURE, pieces of a file of which MIN_PIECES enter take
# the room that is left, from FURTHER of the floor on. On the development questions (benchmarks.lines) coverage rises from
# .561 to .569, for 85 tokens; three sets of others gain .000 to .010.
SURE, MIN_PIECES, FURTHER = 0.65, 2, 0.65
# A question that points at code wants that code, what it refers to and what uses it. What a search finds in addition has to
# be as likely as this, and of that the nearest few are shown. Settings and data say nothing of what reads them.
BESIDE_CURSOR = 0.5
# The number of pieces shown of code that is like the selected text.
MAX_ALIKE = 8
_READ_ALONE = frozenset({FileKind.SOURCE, FileKind.TEST, FileKind.EXAMPLE, FileKind.LEGACY})


class Relevance(Struct, frozen=True):
    """The relevance of each chunk, in 0..1: of those that were ``weighed``, and of what completes them.

    That is the rest of their definitions, and ``gaps`` between two of them.
    """

    values: Mapping[ChunkRef, float]
    weighed: Collection[ChunkRef]
    gaps: Collection[ChunkRef]


def find_relevant(
    search: ContentSearch, worth: Mapping[ChunkRef, float], asked: NamedChunks, near: Mapping[ChunkRef, Near]
) -> Relevance:
    """Weigh the likely chunks by their ``worth``, those ``asked`` for by name and those ``near`` what is pointed at.

    Further parts and members of their definitions are added, and what stands between them.
    """
    near_code = near if _is_at_code(search) else {}
    tests: Mapping[ChunkRef, float] = {}
    if near_code:
        relevance = _pick_beside_cursor(search, worth)
    else:
        relevance = {} if asked.alone else _pick_likely(search, worth, near)
        if asked.lead:
            relevance = dict(islice(relevance.items(), MAX_NEAREST))
        tests = _weigh_tests(search)
    relevance = join_worths({**tests, **asked.worth}, relevance)
    weighed = _weigh_by_place(search, relevance, near)
    # Which parts of the definitions around a cursor are wanted is known; of those around a name, none.
    complete = _complete(weighed, near_code.keys() | asked.places, search.view)
    gaps = dict.fromkeys(find_gaps(complete, search.view, FLOOR), FLOOR)
    return Relevance(complete | gaps, weighed.keys(), gaps.keys())


def _is_at_code(search: ContentSearch) -> bool:
    """Whether the question is about code at the cursor."""
    question, view = search.question, search.view
    chunks = view.chunks_of(question.position.path) if question.position and question.is_at_cursor else ()
    return any(view.file_kind(ref) in _READ_ALONE for ref in chunks)


def _pick_beside_cursor(search: ContentSearch, worth: Mapping[ChunkRef, float]) -> dict[ChunkRef, float]:
    """Pick what is worth its room beside the code at the cursor: code like a selected text, or what is nearly sure."""
    question, view = search.question, search.view
    likely = _find_likely(worth, view, 0)
    if question.target.text:
        return dict(islice(likely.items(), MAX_ALIKE))
    if question.signals.only_here:
        return {}
    active = view.chunks_of(question.position.path) if question.position else ()
    sure = {ref: value for ref, value in likely.items() if value >= BESIDE_CURSOR or ref in active}
    return dict(islice(sure.items(), MAX_NEAREST))


def _pick_likely(
    search: ContentSearch, worth: Mapping[ChunkRef, float], near: Mapping[ChunkRef, Near]
) -> dict[ChunkRef, float]:
    """Pick the likely chunks, with further ones of their files where the best is nearly sure; else the nearest."""
    chances, view = search.useful.chances, search.view
    best = min(search.max_chance, max(chances.values(), default=0.0))
    min_chars = MIN_CHARS if best >= UNSURE else UNSURE_CHARS
    likely = _find_likely(worth, view, 0 if near else min_chars)
    further = _find_further(likely, worth, view) if best >= SURE and not near else {}
    return (likely or dict(islice(chances.items(), MAX_NEAREST))) | further


def _find_likely(worth: Mapping[ChunkRef, float], view: IndexView, min_chars: int) -> dict[ChunkRef, float]:
    """The chunks of ``worth``, best first, that are worth enough, and the next ones up to ``min_chars``."""
    found: dict[ChunkRef, float] = {}
    chars = 0
    for ref, value in worth.items():
        if value < FLOOR and chars >= min_chars:
            break
        found[ref] = value
        chars += view.size(ref) + AROUND
    return found


def _find_further(
    likely: Mapping[ChunkRef, float], worth: Mapping[ChunkRef, float], view: IndexView
) -> dict[ChunkRef, float]:
    """Further pieces of the files of which several are ``likely``; they enter after all others."""
    pieces = Counter(map(view.path, likely))
    return {
        ref: FLOOR
        for ref, value in worth.items()
        if ref not in likely and value >= FURTHER * FLOOR and pieces[view.path(ref)] >= MIN_PIECES
    }


def _weigh_tests(search: ContentSearch) -> Mapping[ChunkRef, float]:
    """The worth of the tests that the question asks for, if it does."""
    query = search.question.signals.query
    if FileKind.TEST not in query.kinds or search.known.whole:
        return {}
    writes = not search.purpose.looks_up_tests
    return weigh_asked_tests(query, search.ranking, search.useful, search.snapshot, writes=writes)


def _weigh_by_place(
    search: ContentSearch, relevance: Mapping[ChunkRef, float], near: Mapping[ChunkRef, Near]
) -> dict[ChunkRef, float]:
    """``relevance`` with more for the active file and for what is ``near``, and less for all else where something is."""
    question = search.question
    weighed = dict(relevance)
    if asks_for_authors(question.signals.text, search.memories):
        weighed = dict(islice(weighed.items(), MAX_NEAREST))  # people are the answer; the code says of what
    if question.position is not None:
        for ref in search.view.chunks_of(question.position.path):
            if ref in weighed:
                weighed[ref] = min(1.0, weighed[ref] * ACTIVE_FILE_BOOST)
    if near:
        weighed = {ref: question.target.beside * value for ref, value in weighed.items()}
        for ref, piece in near.items():
            weighed[ref] = max(piece.worth, weighed.get(ref, 0.0))
    return weighed


def _complete(
    weighed: Mapping[ChunkRef, float], settled: Collection[ChunkRef], view: IndexView
) -> dict[ChunkRef, float]:
    """``weighed`` with further parts and members of the definitions of those that are not ``settled``."""
    unsettled = {ref: value for ref, value in weighed.items() if ref not in settled}
    relevance = add_members(add_parts(unsettled, view, FLOOR), view, FLOOR)
    return relevance | {ref: value for ref, value in weighed.items() if ref in settled}

"""Ranks the chunks that lead for a question. docs/relevance.md says why each part is there and what it is worth.

A question costs a few numpy passes over a few thousand rows and a Python pass over the few that lead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from contextls import cancellation
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.traces import Found
from contextls.memory.index.ranking.asked_definitions import find_defining
from contextls.memory.index.ranking.lexical import LexicalWeights, QuestionTerms, read_words
from contextls.memory.index.ranking.named_places import find_named_places
from contextls.memory.index.ranking.nearness import find_nearest
from contextls.memory.index.ranking.printed_messages import MessageFinder
from contextls.memory.index.ranking.scored_rows import (
    LEADING_ROWS,
    FileValues,
    RowReader,
    Rows,
    file_evidence,
    leading_chunks,
    path_agreement,
)
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.number_sets import distinct, largest, runs
from contextls.memory.index.sides import Side, weigh_side
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers
from contextls.memory.index.snapshot.view import ChunkRef, IndexView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.disk.vector_index import VectorIndex
    from contextls.memory.index.query.search_query import SearchQuery
    from contextls.memory.index.snapshot.snapshot import Snapshot


# The number of chunks that are put in order even where fewer are wanted, so that a longer list begins like a shorter one.
POOL = 200


class RankingWeights(Struct, frozen=True):
    """The weights of the ranking's parts; 0 switches a part off (1 for the factors ``unlikely`` and ``further``).

    Scores of words and of vectors are each scaled to 0..1 over the snapshot before they are added, so that a weight is
    worth that many best chunks. ``benchmarks.cross_validate`` chooses the values. ``unlikely`` is the factor of every
    kind of file but source; ``further`` that of each further chunk of a file. ``vectors_for_names``
    and ``asked`` are switches for measuring.
    """

    lexical: LexicalWeights = field(default_factory=LexicalWeights)
    vector: float = 1.5
    vectors_for_names: bool = False
    file: float = 0.5
    agreement: float = 0.75
    definition: float = 2.0
    unlikely: Mapping[FileKind, float] = field(default_factory=lambda: unlikely(0.2))
    asked: bool = True
    further: float = 0.3


def unlikely(factor: float) -> dict[FileKind, float]:
    """``factor`` for every kind of file but source."""
    return {kind: 1.0 if kind is FileKind.SOURCE else factor for kind in FileKind}


class RankedChunk(NamedTuple):
    """A chunk and its score; scores compare within one question, the best is a small multiple of 1."""

    ref: ChunkRef
    score: float


class Ranking(Struct, frozen=True, eq=False):
    """The chunks that compete for a question, and the parts of which their scores are made.

    ``rows`` are the chunks that compete, ``reader`` reads those of any others. ``factors`` says what each kind of file
    counts, by its position in ``KINDS``, ``evidence`` how much the rows of each file say together, ``agreement`` how far
    its path names what the question does. ``defined`` says which name a chunk defines and how much that says, ``placed``
    what it gains for being named by its file or lines, ``printed`` how sure it is that it prints a message which the
    question quotes. ``places`` are the files and lines that the question names.
    """

    view: IndexView
    question: SearchQuery
    rows: Rows
    reader: RowReader
    factors: NDArray[np.float32]
    evidence: FileValues
    agreement: FileValues
    defined: Mapping[ChunkRef, tuple[float, str]]
    placed: Mapping[ChunkRef, float]
    places: Sequence[Found]
    printed: Mapping[ChunkRef, float]

    @property
    def numbers(self) -> ChunkNumbers:
        """The numbers of the chunks."""
        return self.reader.numbers

    @property
    def words(self) -> QuestionTerms:
        """The words of the question."""
        return self.reader.words

    def weigh_files(self, rows: Rows) -> NDArray[np.float32]:
        """Estimate how likely the file of each of ``rows`` is what the question is about, before its text is read."""
        factors = self.factors[rows.kinds]
        side = self.question.side
        return factors * self._weigh_sides(rows, side) if side else factors

    def read(self, numbers: NDArray[np.int64]) -> Rows:
        """The rows of these living chunks, whose numbers ascend."""
        known = self.rows.has(numbers)
        held = self.rows.take(self.rows.places(numbers[known]))
        return held.join(self.reader.read(numbers[~known])) if len(held) < len(numbers) else held

    def _weigh_sides(self, rows: Rows, asked: Side) -> NDArray[np.float32]:
        files, of_row = runs(rows.files)
        weights = [weigh_side(path, asked) for path in self.numbers.paths(files)]
        return np.array(weights, np.float32)[of_row]


def rank(
    snapshot: Snapshot,
    question: SearchQuery,
    weights: RankingWeights,
    limit: int,
    leading: int = LEADING_ROWS,
    vectors: VectorIndex | None = None,
) -> list[RankedChunk]:
    """The best ``limit`` chunks for ``question``, best first; ties break by path and line.

    So many compete as are ``leading`` by their words, and as many by their vectors.
    """
    found = build_ranking(snapshot, question, weights, leading, vectors)
    if question.is_report:
        found = replace(found, agreement=path_agreement(found.numbers, found.words, of_report=True))
    scores = add_up(found, found.rows, weights.file, weights.agreement, weights.definition)
    scores *= found.weigh_files(found.rows)
    # What printed a message never goes before the code at the innermost frame of a trace.
    lift_printed(found, found.rows, scores)
    add_places(found, found.rows, scores)
    return _diverse(found.view, _top(found, scores, max(POOL, 4 * limit)), weights.further)[:limit]


def build_ranking(
    snapshot: Snapshot,
    question: SearchQuery,
    weights: RankingWeights,
    leading: int = LEADING_ROWS,
    vectors: VectorIndex | None = None,
) -> Ranking:
    """The evidence for the chunks that lead by their words or their vectors, ``leading`` by each."""
    view = snapshot.view
    numbers = ChunkNumbers.of(view)
    words = read_words(numbers, question.terms, weights.lexical, question.emphasis, view.counted)
    cancellation.check()
    nearness = find_nearest(numbers, question.vector, view.counted, leading, vectors)
    cancellation.check()
    factors = _factors(question, weights)
    named_places = find_named_places(question.places, snapshot)
    defined = find_defining(snapshot, question, words, named_places.files)
    placed = named_places.score_chunks(view)
    printed = MessageFinder(numbers, words, factors >= 1).find(question.quoted) if question.quoted else {}
    named = numbers.living(numbers.numbers({*defined, *placed, *printed}))
    chunks = distinct(np.concatenate([leading_chunks(numbers, words, nearness, leading), named]))
    scores, holds = words.read(chunks)
    best_words = float(scores.max(initial=0)) or 1.0
    reader = RowReader(numbers, words, nearness, best_words, _weigh_vectors(question, weights))
    rows = reader.complete(chunks, scores, holds)
    return Ranking(
        view=view,
        question=question,
        rows=rows,
        reader=reader,
        factors=factors,
        evidence=file_evidence(rows),
        agreement=path_agreement(numbers, words),
        defined=defined,
        placed=placed,
        places=named_places.found,
        printed=printed,
    )


def add_up(
    ranking: Ranking, rows: Rows, file: float, agreement: float, definition: float
) -> NDArray[np.float32]:
    """Score ``rows`` by words, meaning and names, with these weights for what their file and a definition add.

    What their kind of file counts and whether they are named by place is left out.
    """
    scores = rows.own * (1 + np.float32(file) * ranking.evidence.of(rows.files))
    scores += np.float32(agreement) * ranking.agreement.of(rows.files) * (rows.own > 0)
    gains = {ref: definition * strength for ref, (strength, _) in ranking.defined.items()}
    return _add(ranking, rows, scores, gains)


def add_places(ranking: Ranking, rows: Rows, scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Add to the ``scores`` of ``rows`` what those gain that the question names by file or line."""
    return _add(ranking, rows, scores, ranking.placed)


def lift_printed(ranking: Ranking, rows: Rows, scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Let those of ``rows`` count like the best by their ``scores`` that print what the question quotes."""
    chunks = ranking.numbers.numbers(ranking.printed)
    held = rows.has(chunks)
    places = rows.places(chunks[held])
    shares = np.fromiter(ranking.printed.values(), np.float32, len(chunks))[held]
    scores[places] = np.maximum(scores[places], shares * scores.max(initial=0))
    return scores


def _add(
    ranking: Ranking, rows: Rows, scores: NDArray[np.float32], gains: Mapping[ChunkRef, float]
) -> NDArray[np.float32]:
    if not gains:
        return scores
    chunks = ranking.numbers.numbers(gains)
    held = rows.has(chunks)
    scores[rows.places(chunks[held])] += np.fromiter(gains.values(), np.float32, len(gains))[held]
    return scores


def _weigh_vectors(question: SearchQuery, weights: RankingWeights) -> float:
    """The weight of the vector nearest to the question; 0 where vectors do not count."""
    counts = question.vector.any() and (weights.vectors_for_names or not question.is_symbol)
    return weights.vector if counts else 0.0


def _factors(question: SearchQuery, weights: RankingWeights) -> NDArray[np.float32]:
    """One factor per kind of file; a kind that the question asks for is not reduced."""
    asked = question.kinds if weights.asked else ()
    return np.array([1.0 if kind in asked else weights.unlikely[kind] for kind in KINDS], np.float32)


def _top(ranking: Ranking, scores: NDArray[np.float32], count: int) -> list[RankedChunk]:
    best = largest(scores, count)
    best = best[scores[best] > 0]
    refs = ranking.numbers.refs(ranking.rows.numbers[best])
    return _order(ranking.view, dict(zip(refs, scores[best].tolist(), strict=True)))


def _diverse(view: IndexView, ranked: Sequence[RankedChunk], further: float) -> list[RankedChunk]:
    """Each further chunk of a file counts ``further`` times the one before, so that other files get their say."""
    seen: dict[str, int] = defaultdict(int)
    spread: dict[ChunkRef, float] = {}
    for item in ranked:
        path = view.path(item.ref)
        spread[item.ref] = item.score * further ** seen[path]
        seen[path] += 1
    return _order(view, spread)


def _order(view: IndexView, scores: Mapping[ChunkRef, float]) -> list[RankedChunk]:
    return [RankedChunk(ref, scores[ref]) for ref in view.best_first(scores)]

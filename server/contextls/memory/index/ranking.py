"""From all chunks to the best ones. docs/relevance.md says why each part is there and what it is worth.

A question costs a few numpy passes over all chunks and a Python pass over the few that lead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from contextls import cancellation
from contextls.memory.index.files import KINDS
from contextls.memory.index.lexical import LexicalWeights, Words, read_words
from contextls.memory.index.priors import FileKind
from contextls.memory.index.traces import in_workspace
from contextls.memory.index.view import ChunkRef, IndexView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.search_query import SearchQuery
    from contextls.memory.index.snapshot import Snapshot


# Of fewer chunks than this, the mean similarity says little about what an unrelated chunk scores.
FEW_CHUNKS = 20
# So many chunks compete for their order, however few are asked for: the first ten of fifty are the first ten of ten.
POOL = 200
# What a file or, more, a line gains that a question names. All else together adds up to about 6: a line mentioned in
# prose (half the strength) leads, and so does the innermost frame of a trace before the next (half of it again).
NAMED_FILE = 3.0
NAMED_LINE = 12.0


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """The weights of the ranking's parts; 0 switches a part off (1 for the factors ``unlikely`` and ``further``).

    Scores of words and of vectors are each scaled to 0..1 over the snapshot before they are added, so that a weight is
    worth that many best chunks. ``benchmarks.cross_validate`` chooses the values. ``unlikely`` is the factor of tests,
    examples, documents, data and legacy code; ``further`` that of each further chunk of a file. ``vectors_for_names``
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


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best chunks, best first, and the parts of which their scores were made.

    ``scores`` hold one array per segment, before further chunks of a file count less; so do ``words``, ``similar`` (how near
    each vector is to the question's) and ``meaning`` (what of that counts; empty where vectors did not). The scores of words
    are on the scale of ``meaning`` once divided by ``best_words``. ``factors`` says what each kind of file counts, by its
    position in ``KINDS``, ``evidence`` how much the chunks of each file of a segment say together. ``defined`` says which
    name a chunk defines and how much that says, ``placed`` what it gains for being named by its file or lines.
    """

    view: IndexView
    question: SearchQuery
    chunks: list[RankedChunk]
    scores: list[NDArray[np.float32]]
    factors: NDArray[np.float32]
    evidence: list[NDArray[np.float32]]
    words: Words
    best_words: float
    similar: list[NDArray[np.float32]]
    meaning: list[NDArray[np.float32]]
    defined: Mapping[ChunkRef, tuple[float, str]]
    placed: Mapping[ChunkRef, float]


def rank(snapshot: Snapshot, question: SearchQuery, weights: RankingWeights, limit: int) -> list[RankedChunk]:
    """The best ``limit`` chunks for ``question``, best first; ties break by path and line."""
    return ranking(snapshot, question, weights, limit).chunks


def ranking(snapshot: Snapshot, question: SearchQuery, weights: RankingWeights, limit: int) -> Ranking:
    """As ``rank``, with what the order was made of."""
    view = snapshot.view
    counted = counted_chunks(view)
    words = read_words(view, question.terms, weights.lexical, question.emphasis, counted)
    best = _best(words.scores, view)
    similar = _similar(view, question)
    meaning = _meaning(similar, question, weights, counted)
    scores = _fuse(words.scores, best, meaning, view)
    factors = _factors(question, weights)
    evidence = _file_evidence(view, scores)
    defined = _defining(snapshot, question, words)
    placed = _score_places(view, question)
    for number, segment in enumerate(view.segments):
        cancellation.check()
        part, files = scores[number], segment.files
        part *= 1 + np.float32(weights.file) * evidence[number][files.of_chunk]
        part += np.float32(weights.agreement) * files.agreement(words.rarity)[files.of_chunk] * (part > 0)
        for ref, (strength, _) in defined.items():
            if ref.segment == number:
                part[ref.position] += np.float32(weights.definition * strength)
        part *= factors[files.kinds][files.of_chunk]
        for ref, gain in placed.items():
            if ref.segment == number:
                part[ref.position] += np.float32(gain)
    chunks = _diverse(view, _top(view, scores, max(POOL, 4 * limit)), weights.further)[:limit]
    return Ranking(
        view, question, chunks, scores, factors, evidence, words, best, similar, meaning, defined, placed
    )


def counted_chunks(view: IndexView) -> list[NDArray[np.bool_]]:
    """The chunks from which it is known how rare a word is and how near is near: all but those of data and settings.

    Thousands of chunks of translations or recordings would make every word of the code rare. Where there is nothing else,
    data counts.
    """
    beside = [KINDS.index(FileKind.DATA), KINDS.index(FileKind.SETTINGS)]
    counted = [
        mask & ~np.isin(segment.files.kinds, beside)[segment.files.of_chunk]
        for segment, mask in zip(view.segments, view.alive, strict=True)
    ]
    return counted if any(mask.any() for mask in counted) else list(view.alive)


def _best(words: Sequence[NDArray[np.float32]], view: IndexView) -> float:
    """The best score of words of all living chunks; 1 where no word is found."""
    parts = (float(part[mask].max(initial=0)) for part, mask in zip(words, view.alive, strict=True))
    return max(parts, default=0.0) or 1.0


def _similar(view: IndexView, question: SearchQuery) -> list[NDArray[np.float32]]:
    """How near each chunk's vector is to the question's; 0 where one of the two could not be embedded."""
    return [segment.similar(question.vector) for segment in view.segments]


def _meaning(
    similar: Sequence[NDArray[np.float32]],
    question: SearchQuery,
    weights: RankingWeights,
    counted: Sequence[NDArray[np.bool_]],
) -> list[NDArray[np.float32]]:
    """Vector scores of all chunks, the best one ``weights.vector``; empty where they do not count."""
    weight = weights.vector if weights.vectors_for_names or not question.is_symbol else 0.0
    if not (weight and question.vector.any() and any(mask.any() for mask in counted)):
        return []
    living = np.concatenate([part[mask] for part, mask in zip(similar, counted, strict=True)])
    # The mean is what an unrelated chunk scores.
    mean = np.float32(living.mean() * len(living) / (len(living) + FEW_CHUNKS))
    spread = np.float32(weight / max(float(living.max() - mean), 1e-6))
    return [spread * np.maximum(near - mean, 0) for near in similar]


def _fuse(
    words: Sequence[NDArray[np.float32]],
    best: float,
    meaning: Sequence[NDArray[np.float32]],
    view: IndexView,
) -> list[NDArray[np.float32]]:
    """Word and vector scores on one scale; dead chunks at 0."""
    fused = [part / np.float32(best) for part in words]
    if meaning:
        fused = [part + near for part, near in zip(fused, meaning, strict=True)]
    return [part * mask for part, mask in zip(fused, view.alive, strict=True)]


def _file_evidence(view: IndexView, scores: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """Per segment and file, the sum of its chunks' squared scores, 1 for the best file: several good ones say more."""
    sums = [
        np.bincount(segment.files.of_chunk, part * part, len(segment.files))
        for segment, part in zip(view.segments, scores, strict=True)
    ]
    best = max((float(part.max(initial=0)) for part in sums), default=0.0) or 1.0
    return [(part / best).astype(np.float32) for part in sums]


def _factors(question: SearchQuery, weights: RankingWeights) -> NDArray[np.float32]:
    """One factor per kind of file; a kind that the question asks for is not reduced."""
    asked = question.kinds if weights.asked else ()
    return np.array([1.0 if kind in asked else weights.unlikely[kind] for kind in KINDS], np.float32)


def _defining(snapshot: Snapshot, question: SearchQuery, words: Words) -> dict[ChunkRef, tuple[float, str]]:
    """The chunks that define a name which the question asks for, how much that says, in 0..1, and the name.

    It says as much as the name is of the question, and less the more files define it: 1 over the root of their number.
    """
    strengths: dict[ChunkRef, tuple[float, str]] = {}
    for name in question.identifiers:
        asked = name.replace("::", ".").replace("#", ".").replace("->", ".")
        named = snapshot.symbols.find_named(asked.rsplit(".", 1)[-1])
        exact = [item for item in named if _is_exact(item.definition.qualified, asked)] or named
        strength = words.share(question.names[name]) / max(1, len({item.path for item in named})) ** 0.5
        for item in exact:
            ref = snapshot.view.chunk_at(item.path, item.definition.start_line)
            if ref is not None:
                known = strengths.get(ref, (0.0, item.definition.name))
                strengths[ref] = max((strength, item.definition.name), known, key=itemgetter(0))
    return strengths


def _is_exact(qualified: str, asked: str) -> bool:
    return qualified.endswith(asked) or asked.endswith(qualified)


def _score_places(view: IndexView, question: SearchQuery) -> dict[ChunkRef, float]:
    """Score the chunks whose file or, more, whose lines the question names."""
    gains: dict[ChunkRef, float] = {}
    for found in in_workspace(question.places, view.paths) if question.places else ():
        for ref in view.chunks_of(found.path):
            row = view.lines(ref)
            here = found.line is not None and row.start_line <= found.line <= row.end_line
            gain = found.strength * (NAMED_LINE if here else NAMED_FILE)
            gains[ref] = max(gain, gains.get(ref, 0.0))
    return gains


def _top(view: IndexView, scores: Sequence[NDArray[np.float32]], count: int) -> list[RankedChunk]:
    found: dict[ChunkRef, float] = {}
    for number, part in enumerate(scores):
        best = np.argpartition(-part, count)[:count] if len(part) > count else np.arange(len(part))
        best = best[part[best] > 0]
        found.update(zip(map(ChunkRef, repeat(number), best.tolist()), part[best].tolist(), strict=False))
    return _order(view, found)[:count]


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

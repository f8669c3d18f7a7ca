"""From all chunks to the best ones: lexical and vector scores, file evidence, names, priors, diversity.

Work per question is a few numpy passes over all chunks and a Python pass over a few hundred candidates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.content.priors import FileKind, file_kind
from contextls.memory.content.view import ChunkRef, ContentView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.content.question import Question


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Every constant of the ranking. A weight of 0 switches its part off. docs/relevance.md says why each is there."""

    k1: float = 1.2
    b: float = 0.6
    name_weight: float = 3.0
    path_weight: float = 2.0
    doc_weight: float = 1.0
    whole_weight: float = 1.5
    vector_weight: float = 0.5
    file_weight: float = 0.5
    definition_weight: float = 2.0
    stem_weight: float = 0.5
    repeat_decay: float = 0.6
    candidates: int = 300
    priors: Mapping[FileKind, float] = field(
        default_factory=lambda: {
            FileKind.SOURCE: 1.0,
            FileKind.TEST: 0.4,
            FileKind.EXAMPLE: 0.5,
            FileKind.DOCUMENT: 0.5,
            FileKind.DATA: 0.5,
            FileKind.LEGACY: 0.6,
        }
    )


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk and its score; scores are comparable within one question, the best is at most a small multiple of 1."""

    ref: ChunkRef
    score: float


def rank(view: ContentView, question: Question, weights: RankingWeights, limit: int) -> list[RankedChunk]:
    """The best ``limit`` chunks for ``question``, best first; ties break by path and line."""
    scores = _fused_scores(view, question, weights)
    candidates = _top(view, scores, weights.candidates)
    if not candidates:
        return []
    by_file = _file_evidence(view, candidates)
    best_file = max(by_file.values())
    ranked = []
    for ref, score in candidates:
        row = view.row(ref)
        score += weights.file_weight * by_file[row.path] / best_file * score
        score += weights.definition_weight * _defines(row.symbol, question)
        score += weights.stem_weight * _stem_agreement(row.path, question)
        kind = file_kind(row.path)
        if kind not in question.kinds:
            score *= weights.priors[kind]
        ranked.append(RankedChunk(ref, score))
    return _diverse(view, ranked, weights.repeat_decay)[:limit]


def _fused_scores(
    view: ContentView, question: Question, weights: RankingWeights
) -> list[NDArray[np.float32]]:
    lexical = _lexical_scores(view, question, weights)
    top = max((float(part.max(initial=0.0)) for part in lexical), default=0.0)
    if top > 0:
        lexical = [part / np.float32(top) for part in lexical]
    if not weights.vector_weight or not question.vector.any():
        return lexical
    similar = [segment.batch.vectors @ question.vector for segment in view.segments]
    alive = np.concatenate(
        [part[mask] for part, mask in zip(similar, view.alive, strict=True)] or [np.zeros(0, np.float32)]
    )
    if not len(alive):
        return lexical
    mean, best = float(alive.mean()), float(alive.max())
    spread = np.float32(weights.vector_weight / max(best - mean, 1e-6))
    return [
        words + spread * np.maximum(part - np.float32(mean), 0)
        for words, part in zip(lexical, similar, strict=True)
    ]


def _lexical_scores(
    view: ContentView, question: Question, weights: RankingWeights
) -> list[NDArray[np.float32]]:
    """BM25F (Robertson and Zaragoza 2009): field counts are weighted and added before they saturate."""
    scores = [np.zeros(len(segment), np.float32) for segment in view.segments]
    total = max(1, len(view))
    words = sum(
        float(segment.lengths[mask].sum()) for segment, mask in zip(view.segments, view.alive, strict=True)
    )
    average = max(1.0, words / total)
    for term in question.terms:
        found = []
        frequency = 0
        for number, segment in enumerate(view.segments):
            postings = segment.postings(term.hash)
            living = view.alive[number][postings.chunks]
            found.append((number, postings.chunks[living], postings.counts[living]))
            frequency += int(living.sum())
        idf = np.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
        idf *= weights.whole_weight if term.whole else 1.0
        for number, chunks, counts in found:
            scores[number][chunks] += np.float32(idf) * _saturated(
                counts, view.segments[number].lengths[chunks] / np.float32(average), weights
            )
    return scores


def _saturated(
    counts: NDArray[np.uint32], length: NDArray[np.float32], weights: RankingWeights
) -> NDArray[np.float32]:
    body = (counts & 0xFF).astype(np.float32) / (1 - weights.b + weights.b * length)
    name = ((counts >> 8) & 0xFF).astype(np.float32)
    path = ((counts >> 16) & 0xFF).astype(np.float32)
    doc = (counts >> 24).astype(np.float32)
    weighted = body + weights.name_weight * name + weights.path_weight * path + weights.doc_weight * doc
    saturated: NDArray[np.float32] = (
        weighted * np.float32(weights.k1 + 1) / (weighted + np.float32(weights.k1))
    )
    return saturated


def _top(view: ContentView, scores: list[NDArray[np.float32]], count: int) -> list[tuple[ChunkRef, float]]:
    found: list[tuple[ChunkRef, float]] = []
    for number, part in enumerate(scores):
        living = np.where(view.alive[number], part, np.float32(0))
        best = np.argpartition(-living, count)[:count] if len(living) > count else np.arange(len(living))
        found.extend((ChunkRef(number, int(at)), float(living[at])) for at in best if living[at] > 0)
    found.sort(key=lambda item: -item[1])
    return found[:count]


def _file_evidence(view: ContentView, candidates: Iterable[tuple[ChunkRef, float]]) -> dict[str, float]:
    """The sum of each file's candidate scores: several good chunks say more than one."""
    sums: dict[str, float] = defaultdict(float)
    for ref, score in candidates:
        sums[view.row(ref).path] += score
    return sums


def _defines(symbol: str, question: Question) -> float:
    """1 when the chunk defines a name that the question asks for, less for a qualified part of it."""
    if not symbol or not question.identifiers:
        return 0.0
    last = symbol.rsplit(".", 1)[-1].lower()
    strength = 1.0 if question.is_symbol else 0.4
    for name in question.identifiers:
        asked = name.replace("::", ".").replace("#", ".").replace("->", ".").lower()
        if symbol.lower() == asked:
            return strength
        if last == asked.rsplit(".", 1)[-1]:
            return 0.8 * strength
    return 0.0


def _stem_agreement(path: str, question: Question) -> float:
    """The share of the file name's words that the question contains."""
    stem = path.rsplit("/", 1)[-1].split(".", 1)[0].lower()
    words = [term.text for term in question.terms if len(term.text) > 2]
    covered = sum(len(word) for word in words if word in stem)
    return min(1.0, covered / max(1, len(stem)))


def _diverse(view: ContentView, ranked: list[RankedChunk], decay: float) -> list[RankedChunk]:
    ranked.sort(key=lambda item: (-item.score, view.row(item.ref).path, view.row(item.ref).start_line))
    seen: dict[str, int] = defaultdict(int)
    spread = []
    for item in ranked:
        path = view.row(item.ref).path
        spread.append(RankedChunk(item.ref, item.score * decay ** seen[path]))
        seen[path] += 1
    spread.sort(key=lambda item: (-item.score, view.row(item.ref).path, view.row(item.ref).start_line))
    return spread

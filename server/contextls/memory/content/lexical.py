"""Words: how well each chunk of a snapshot matches the terms of a question.

BM25F (Robertson and Zaragoza 2009): the counts of a term in the fields of a chunk are weighted and added before they
saturate, so that a word in the name, the path and the body counts once, strongly, and not three times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.content.terms import Term, count_in
from contextls.memory.content.view import ContentView

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LexicalWeights:
    """``k1`` and ``b`` as in BM25; the others weigh a word in that field against one in the body.

    ``whole`` weighs a match of a whole identifier of several parts against a match of a part.
    """

    k1: float = 0.7
    b: float = 0.6
    name: float = 3.0
    path: float = 2.0
    doc: float = 3.0
    whole: float = 0.5


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """Per chunk of one segment: the BM25F ``score`` and the share of the question (0..1, by rarity) found in the path."""

    score: NDArray[np.float32]
    in_path: NDArray[np.float32]


def lexical_scores(
    view: ContentView,
    terms: Sequence[Term],
    weights: LexicalWeights,
    emphasis: Mapping[int, float] | None = None,
) -> list[LexicalScores]:
    """One ``LexicalScores`` per segment of ``view``; ``emphasis`` says what a term counts, by hash (1 when left out)."""
    found = [LexicalScores(np.zeros(len(s), np.float32), np.zeros(len(s), np.float32)) for s in view.segments]
    total = max(1, len(view))
    average = max(
        1.0, sum(float(s.lengths[m].sum()) for s, m in zip(view.segments, view.alive, strict=True)) / total
    )
    mass = 0.0
    for term in terms:
        places = [segment.postings(term.hash) for segment in view.segments]
        living = [mask[postings.chunks] for mask, postings in zip(view.alive, places, strict=True)]
        frequency = int(sum(mask.sum() for mask in living))
        idf = np.float32(np.log(1 + (total - frequency + 0.5) / (frequency + 0.5)))
        if emphasis:
            idf *= np.float32(emphasis.get(term.hash, 1.0))
        if term.whole:
            idf *= np.float32(weights.whole)
        else:
            mass += float(idf)
        for segment, postings, scores in zip(view.segments, places, found, strict=True):
            length = segment.lengths[postings.chunks] / np.float32(average)
            scores.score[postings.chunks] += idf * _saturated(postings.counts, length, weights)
            if not term.whole:
                scores.in_path[postings.chunks] += idf * (count_in("path", postings.counts) > 0)
    if mass > 0:
        for scores in found:
            np.divide(scores.in_path, np.float32(mass), out=scores.in_path)
    return found


def _saturated(
    counts: NDArray[np.uint32], length: NDArray[np.float32], weights: LexicalWeights
) -> NDArray[np.float32]:
    norm = (np.float32(1 - weights.b) + np.float32(weights.b) * length).astype(np.float32)
    weighted: NDArray[np.float32] = count_in("body", counts).astype(np.float32) / norm
    for field, weight in (("name", weights.name), ("path", weights.path), ("doc", weights.doc)):
        if weight:
            weighted += np.float32(weight) * count_in(field, counts).astype(np.float32)
    saturated: NDArray[np.float32] = (
        weighted * np.float32(weights.k1 + 1) / (weighted + np.float32(weights.k1))
    )
    return saturated

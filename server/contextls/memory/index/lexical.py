"""Words: how well each chunk of a snapshot matches the terms of a question.

BM25F (Robertson and Zaragoza 2009): the counts of a term in the fields of a chunk are weighted and added before they
saturate, so that a word in the head and the body counts once, strongly, and not twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.terms import Term, count_in
from contextls.memory.index.view import IndexView

if TYPE_CHECKING:
    from numpy.typing import NDArray

# BM25's textbook values (Robertson, Walker et al. 1994): not tuned here, other values are within noise.
K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class LexicalWeights:
    """``head`` weighs a word in the head of a chunk (its names, its path, its documentation) against one in the body.

    ``whole`` weighs a match of a whole identifier of several parts against a match of a part.
    """

    head: float = 5.0
    whole: float = 0.75


@dataclass(frozen=True, slots=True)
class Words:
    """The BM25F ``scores`` of the chunks, one array per segment, and the ``rarity`` of the question's terms, by hash.

    Whole identifiers have no rarity: their parts have.
    """

    scores: list[NDArray[np.float32]]
    rarity: dict[int, float]

    def share(self, terms: Sequence[int]) -> float:
        """How much of the question (0..1, by rarity) ``terms`` are."""
        return sum(self.rarity.get(term, 0.0) for term in terms) / (sum(self.rarity.values()) or 1.0)


def read_words(
    view: IndexView,
    terms: Sequence[Term],
    weights: LexicalWeights,
    emphasis: Mapping[int, float] | None = None,
    counted: Sequence[NDArray[np.bool_]] | None = None,
) -> Words:
    """Compare ``terms`` with every chunk of ``view``; ``emphasis`` says what a term counts, by hash (1 when left out).

    How rare a term is and how long a chunk is on average is told from the ``counted`` chunks (all living ones by default).
    """
    counted = view.alive if counted is None else counted
    words = Words([np.zeros(len(segment), np.float32) for segment in view.segments], {})
    total = max(1, int(sum(mask.sum() for mask in counted)))
    lengths = [float(s.lengths[mask].sum()) for s, mask in zip(view.segments, counted, strict=True)]
    average = max(1.0, sum(lengths) / total)
    for term in terms:
        places = [segment.postings(term.hash) for segment in view.segments]
        living = [mask[postings.chunks] for mask, postings in zip(counted, places, strict=True)]
        frequency = int(sum(mask.sum() for mask in living))
        idf = float(np.log(1 + (total - frequency + 0.5) / (frequency + 0.5)))
        if emphasis:
            idf *= emphasis.get(term.hash, 1.0)
        if term.whole:
            idf *= weights.whole
        else:
            words.rarity[term.hash] = idf
        for segment, postings, scores in zip(view.segments, places, words.scores, strict=True):
            length = segment.lengths[postings.chunks] / np.float32(average)
            scores[postings.chunks] += np.float32(idf) * _saturate(postings.counts, length, weights)
    return words


def _saturate(
    counts: NDArray[np.uint32], length: NDArray[np.float32], weights: LexicalWeights
) -> NDArray[np.float32]:
    norm = np.float32(1 - B) + np.float32(B) * length
    head = np.float32(weights.head) * count_in("head", counts).astype(np.float32)
    weighted = count_in("body", counts).astype(np.float32) / norm + head
    saturated: NDArray[np.float32] = weighted * np.float32(K1 + 1) / (weighted + np.float32(K1))
    return saturated

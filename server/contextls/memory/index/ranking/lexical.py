"""Scores chunks by how well they match the terms of a question.

BM25F (Robertson and Zaragoza 2009): the counts of a term in the fields of a chunk are weighted and added before they
saturate, so that a word in the head and the body counts once, strongly, and not twice.

Nothing is done for each chunk of a workspace: the best are looked for among those that hold the rarer terms, and any
others are weighed when they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.segments.number_sets import distinct, largest, meet
from contextls.memory.index.segments.segment import Postings, are_in_head, split_counts
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers
from contextls.memory.index.snapshot.counted_chunks import CountedChunks
from contextls.memory.index.terms import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

# BM25's textbook values (Robertson, Walker et al. 1994): not tuned here, other values are within noise.
K1 = 1.2
B = 0.75
# Once rarer terms have brought this many chunks, commoner ones add no others: chunks with only those are not among the best.
ENOUGH = 16_384
# For a frequent term, the chunks that count, and those with it in their head, are estimated from a sample of this size.
_SAMPLE = 16_384


class LexicalWeights(Struct, frozen=True):
    """``head`` weighs a word in the head of a chunk (its names, its path, its documentation) against one in the body.

    ``whole`` weighs a match of a whole identifier of several parts against a match of a part.
    """

    head: float = 5.0
    whole: float = 0.75


class TermUse(Struct, frozen=True):
    """The use of a term of a question in the chunks, and what it counts there.

    ``postings`` are those of each segment. ``living`` chunks hold it, the share ``in_heads`` of those in their head.
    ``weight`` is how rare it is, times what it counts in the question; ``whole`` is as in ``Term``.
    """

    hash: int
    postings: tuple[Postings, ...]
    whole: bool
    weight: float
    living: int
    in_heads: float


class QuestionTerms(Struct, frozen=True, eq=False):
    """The terms of a question, and the BM25F scores of chunks by them."""

    uses: tuple[TermUse, ...]
    _numbers: ChunkNumbers
    _average: float  # words of a chunk
    _weights: LexicalWeights

    @property
    def rarity(self) -> dict[int, float]:
        """The weight of each term, by its hash. Whole identifiers have none: their parts have."""
        return {use.hash: use.weight for use in self.uses if not use.whole}

    @property
    def bare_rarity(self) -> dict[int, float]:
        """The rarity of each term here, whatever it counts in the question, by its hash."""
        total = len(self._numbers)
        return {
            use.hash: float(np.log(1 + (total - use.living + 0.5) / (use.living + 0.5)))
            for use in self.uses
            if not use.whole
        }

    def share(self, terms: Sequence[int]) -> float:
        """The share of the question (0..1, by rarity) that ``terms`` are."""
        rarity = self.rarity
        return sum(rarity.get(term, 0.0) for term in terms) / (sum(rarity.values()) or 1.0)

    def best(self, count: int) -> NDArray[np.int64]:
        """The numbers of the ``count`` living chunks with the best scores; of all that hold a term where those are fewer.

        Where there are more, those may be missing that hold none but the most frequent terms.
        """
        found: list[NDArray[np.int64]] = []
        used: list[TermUse] = []
        seen = 0
        for use in sorted(self.uses, key=attrgetter("weight"), reverse=True):
            if seen >= ENOUGH:
                break
            found.append(self.holding(use))
            used.append(use)
            seen += len(found[-1])
        chunks = distinct(np.concatenate(found)) if found else np.zeros(0, np.int64)
        if len(chunks) <= count:
            return chunks
        return np.sort(chunks[largest(self._add_up(used, chunks), count)])

    def read(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The score of each of these chunks, whose numbers ascend, and which of ``uses`` it holds (m, uses)."""
        holds = np.zeros((len(numbers), len(self.uses)), np.bool_)
        return self._add_up(self.uses, numbers, holds), holds

    def holding(self, use: TermUse) -> NDArray[np.int64]:
        """The numbers of the living chunks that hold a term, ascending."""
        runs = zip(use.postings, self._numbers.view.alive, strict=True)
        return self._numbers.join(found.chunks[mask[found.chunks]] for found, mask in runs)

    def _add_up(
        self, uses: Sequence[TermUse], numbers: NDArray[np.int64], holds: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float32]:
        """The scores by some terms; ``holds`` are marked (m, uses)."""
        scores = np.zeros(len(numbers), np.float32)
        for number, inside, positions in self._numbers.split(numbers):
            segment, part = self._numbers.view.segments[number], scores[inside]
            norm = np.float32(1 - B) + np.float32(B) * (
                segment.lengths[positions] / np.float32(self._average)
            )
            for column, use in enumerate(uses):
                postings = use.postings[number]
                if not len(postings.chunks):
                    continue
                here, there = meet(positions, postings.chunks)
                if len(here):
                    counts = postings.counts[there]
                    part[here] += np.float32(use.weight) * _saturate(counts, norm[here], self._weights)
                    if holds is not None:
                        holds[inside][here, column] = True
        return scores


def read_words(
    numbers: ChunkNumbers,
    terms: Sequence[Term],
    weights: LexicalWeights,
    emphasis: Mapping[int, float],
    counted: CountedChunks,
) -> QuestionTerms:
    """Prepare to compare ``terms`` with chunks; ``emphasis`` says what a term counts, by hash (1 when left out).

    How rare a term is and how long a chunk is on average is told from the ``counted`` chunks.
    """
    view, total = numbers.view, max(1, counted.total)
    uses = []
    for term in terms:
        postings = tuple(segment.postings(term.hash) for segment in view.segments)
        found = [
            _count(one, told, None if whole else alive)
            for one, told, alive, whole in zip(postings, counted.masks, view.alive, view.whole, strict=True)
        ]
        frequency, living, heads = (sum(parts) for parts in zip(*found, strict=True)) if found else (0, 0, 0)
        weight = float(np.log(1 + (total - frequency + 0.5) / (frequency + 0.5)))
        weight *= emphasis.get(term.hash, 1.0) * (weights.whole if term.whole else 1.0)
        uses.append(TermUse(term.hash, postings, term.whole, weight, living, heads / max(1, living)))
    return QuestionTerms(tuple(uses), numbers, counted.average, weights)


def _count(
    postings: Postings, counted: NDArray[np.bool_], alive: NDArray[np.bool_] | None
) -> tuple[int, int, int]:
    """The number of counted chunks that hold a term, of living ones, and of those that have it in their head.

    ``alive`` is ``None`` where all are.
    """
    if not len(postings.chunks):
        return 0, 0, 0
    step = max(1, len(postings.chunks) // _SAMPLE)
    chunks = postings.chunks[::step]
    heads = are_in_head(postings.counts[::step])
    lives = len(chunks)
    if alive is not None:
        living = alive.take(chunks)
        lives = int(np.count_nonzero(living))
        heads &= living
    told, heading = (int(np.count_nonzero(mask)) for mask in (counted.take(chunks), heads))
    return told * step, lives * step, heading * step


def _saturate(
    counts: NDArray[np.uint16], norm: NDArray[np.float32], weights: LexicalWeights
) -> NDArray[np.float32]:
    body, head = split_counts(counts)
    weighted: NDArray[np.float32] = body / norm + np.float32(weights.head) * head
    saturated: NDArray[np.float32] = weighted * np.float32(K1 + 1) / (weighted + np.float32(K1))
    return saturated

"""A logistic model that estimates how likely each chunk is to be of use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field

from contextls.assembly.usefulness.calls import CallFinder, Calls
from contextls.assembly.usefulness.features import DIGITS, describe_calls, describe_pool
from contextls.assembly.usefulness.implementations import Implementations, find_implementations
from contextls.assembly.usefulness.name_words import NameWords
from contextls.assembly.usefulness.pool import Pool, gather_pool
from contextls.assembly.usefulness.weights import BIAS, WEIGHTS
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The number of chunks that are returned, however unlikely they are.
MIN_SHOWN = 50
# Calls are also followed from this many chunks that have at least this chance.
MAX_FOLLOWED, LIKELY = 8, 0.3


class Useful(Struct, frozen=True):
    """The probability of use of the likely chunks of a pool, best first, and what ties them to each other.

    ``held`` is how much of the question the chunk that holds most of it does, in 0..1, by how rare words are.
    ``copies`` are chunks with the same text as one of those, which stands for them. ``searched`` is how many chunks there
    are in the pool.
    """

    chances: Mapping[ChunkRef, float] = field(default_factory=dict)
    calls: Calls = field(default_factory=Calls)
    implementations: Implementations = field(default_factory=Implementations)
    held: float = 0.0
    copies: Mapping[ChunkRef, Sequence[ChunkRef]] = field(default_factory=dict)
    searched: int = 0


class UsefulnessModel(Struct, frozen=True):
    """A logistic model: the ``weights`` of features by name, and what it starts from."""

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    bias: float = BIAS

    def judge(self, ranking: Ranking, snapshot: Snapshot, graph: RelationGraph, least: float = 0.0) -> Useful:
        """The chance of each chunk that leads by any measure to be of use for the question of ``ranking``.

        Those below ``least`` are left out, but for the ``MIN_SHOWN`` best.
        """
        finder = CallFinder(snapshot, graph)
        pool = gather_pool(ranking, finder)
        if pool is None:
            return Useful()
        features = describe_pool(pool)
        calls = pool.calls.join(finder.follow(_find_likely(pool, self.estimate(features))))
        chances = np.round(self.estimate({**features, **describe_calls(pool, calls)}), DIGITS)
        best = np.flatnonzero(chances >= min(least, np.sort(chances)[-MIN_SHOWN:][0]))
        found = dict(zip(pool.numbers.refs(pool.chunks[best]), chances[best].tolist(), strict=True))
        words = NameWords(ranking.words.rarity)
        implementations = find_implementations(found, snapshot, words, least)
        for ref, one in implementations.implement.items():
            found[ref] = max(one.chance, found.get(ref, 0.0))
        ordered = {ref: found[ref] for ref in ranking.view.best_first(found)}
        held = float(features["terms"].max())
        copies = _copies(pool, pool.chunks[best])
        return Useful(ordered, calls, implementations, held, copies, len(pool.chunks))

    def estimate(self, features: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """The probability for each row of ``features``."""
        total = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        chances: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        return chances


def _find_likely(pool: Pool, chances: NDArray[np.float64]) -> Iterator[tuple[ChunkRef, float]]:
    """The likeliest chunks of ``pool`` among the kinds that are asked for: their calls count like those of leading ones."""
    chances = np.round(chances, DIGITS) * pool.scored.likely[pool.at]
    best = np.argsort(-chances, kind="stable")[:MAX_FOLLOWED]
    best = best[chances[best] >= LIKELY]
    return zip(pool.numbers.refs(pool.chunks[best]), chances[best].tolist(), strict=True)


def _copies(pool: Pool, chunks: NDArray[np.int64]) -> dict[ChunkRef, list[ChunkRef]]:
    """The chunks for which those of ``chunks`` stand."""
    shown = set(chunks.tolist())
    pairs = [(other, first) for other, first in pool.others.items() if first in shown]
    refs = pool.numbers.refs(np.array(pairs, np.int64).ravel())
    copies: dict[ChunkRef, list[ChunkRef]] = {}
    for other, first in zip(refs[::2], refs[1::2], strict=True):
        copies.setdefault(first, []).append(other)
    return copies

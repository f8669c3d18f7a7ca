"""How likely each chunk is to be of use: a logistic model of what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from contextls.assembly.usefulness.calls import Calls
from contextls.assembly.usefulness.features import DIGITS, describe_pool
from contextls.assembly.usefulness.pool import Pool, gather_pool
from contextls.assembly.usefulness.weights import BIAS, WEIGHTS
from contextls.memory.index.ranking import Ranking
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Useful:
    """The probability of use of the chunks of a pool, best first, and the calls that tie them to those that lead.

    ``held`` is how much of the question the chunk that holds most of it does, in 0..1, by how rare words are.
    ``copies`` are chunks with the same text as one of those, which stands for them.
    """

    chances: Mapping[ChunkRef, float] = field(default_factory=dict)
    calls: Calls = field(default_factory=Calls)
    held: float = 0.0
    copies: Mapping[ChunkRef, Sequence[ChunkRef]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UsefulnessModel:
    """A logistic model: the ``weights`` of features by name, and what it starts from."""

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    bias: float = BIAS

    def judge(self, ranking: Ranking, snapshot: Snapshot, graph: RelationGraph) -> Useful:
        """The chance of each chunk that leads by any measure to be of use for the question of ``ranking``."""
        pool = gather_pool(ranking, snapshot, graph)
        if pool is None:
            return Useful()
        features = describe_pool(pool)
        chances = np.round(self.estimate(features), DIGITS)
        found = dict(zip(pool.numbers.refs(pool.chunks), chances.tolist(), strict=True))
        ordered = {ref: found[ref] for ref in ranking.view.best_first(found)}
        return Useful(ordered, pool.calls, float(features["terms"].max()), _copies(pool))

    def estimate(self, features: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """The probability for each row of ``features``."""
        total = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        chances: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        return chances


def _copies(pool: Pool) -> dict[ChunkRef, list[ChunkRef]]:
    copies: dict[ChunkRef, list[ChunkRef]] = {}
    if pool.others:
        others, firsts = (np.array(numbers, np.int64) for numbers in zip(*pool.others.items(), strict=True))
        for other, first in zip(pool.numbers.refs(others), pool.numbers.refs(firsts), strict=True):
            copies.setdefault(first, []).append(other)
    return copies

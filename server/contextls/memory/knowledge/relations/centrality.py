"""How central a file is: PageRank over the imports, on a scale that does not depend on the size of the workspace."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The customary damping of PageRank; rustworkx calls it alpha.
DAMPING = 0.85
# How many times the rank of an unimported file the most central one has at least, before it counts as 1: among three
# files none is a star.
MIN_SPREAD = 16.0


def centrality(edges: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """The centrality of every file in 0..1: 0 for what nothing imports, 1 for the most central of a workspace.

    ``edges`` gives for each file what it imports; see ``rank_numbers``.
    """
    paths = sorted(edges)
    number = {path: at for at, path in enumerate(paths)}
    pairs = [
        (number[source], number[target]) for source in paths for target in edges[source] if target in number
    ]
    sources, targets = np.array(pairs, np.int32).reshape(-1, 2).T
    return dict(zip(paths, rank_numbers(len(paths), sources, targets).tolist(), strict=True))


def rank_numbers(count: int, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> NDArray[np.float64]:
    """The centrality of each of ``count`` files, where ``sources`` import ``targets``.

    A file's PageRank ``r`` becomes ``log(r / low) / log(high / low)``, where ``low`` is the rank of an unimported file and
    ``high`` the highest one, ``high / low`` taken as at least 16.
    """
    if not len(sources):
        return np.zeros(count, np.float64)
    import rustworkx  # 24 ms, not needed before imports change

    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.extend_from_edge_list(list(zip(sources.tolist(), targets.tolist(), strict=True)))
    ranks = rustworkx.pagerank(graph, alpha=DAMPING)
    low = min(ranks.values())
    spread = math.log(max(max(ranks.values()) / low, MIN_SPREAD))
    return np.array([round(math.log(ranks[at] / low) / spread, 4) for at in range(count)], np.float64)

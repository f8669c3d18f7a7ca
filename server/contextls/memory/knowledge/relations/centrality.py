"""The centrality of files: PageRank over the imports, on a scale that does not depend on the size of the workspace."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The customary damping of PageRank; rustworkx calls it alpha.
DAMPING = 0.85
# How many times the rank of an unimported file the most central one has at least, before it counts as 1: among three
# files none is a star.
MIN_SPREAD = 16.0


def file_centrality(
    count: int, sources: NDArray[np.int32], targets: NDArray[np.int32]
) -> NDArray[np.float64]:
    """The centrality of each of ``count`` files in 0..1, where ``sources`` import ``targets``.

    It is 0 for what nothing imports and 1 for the most central file of a workspace: a file's PageRank ``r`` becomes
    ``log(r / low) / log(high / low)``, where ``low`` is the rank of an unimported file and ``high`` the highest one,
    ``high / low`` taken as at least 16.
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

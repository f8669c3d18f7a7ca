"""How central a file is: PageRank over the imports, on a scale that does not depend on the size of the workspace."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

# The customary damping of PageRank; rustworkx calls it alpha.
DAMPING = 0.85
# How many times the rank of an unimported file the most central one has at least, before it counts as 1: among three
# files none is a star.
MIN_SPREAD = 16.0


def centrality(edges: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """The centrality of every file in 0..1: 0 for what nothing imports, 1 for the most central of a workspace.

    ``edges`` gives for each file what it imports. A file's PageRank ``r`` becomes ``log(r / low) / log(high / low)``, where
    ``low`` is the rank of an unimported file and ``high`` the highest one, ``high / low`` taken as at least 16.
    """
    import rustworkx  # 24 ms, not needed before the first question

    paths = sorted(edges)
    number = {path: at for at, path in enumerate(paths)}
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(paths)
    graph.extend_from_edge_list(
        [(number[source], number[target]) for source in paths for target in edges[source] if target in number]
    )
    if not graph.num_edges():
        return dict.fromkeys(paths, 0.0)
    ranks = rustworkx.pagerank(graph, alpha=DAMPING)
    low = min(ranks.values())
    spread = math.log(max(max(ranks.values()) / low, MIN_SPREAD))
    return {path: round(math.log(ranks[number[path]] / low) / spread, 4) for path in paths}

"""How central each definition is: a walk at random through the uses of names, and where it is found most often.

From a file the walk goes on to one of the definitions that the file uses, and so to the file of that definition. The share
of all steps that lead to a definition is its rank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from contextls import cancellation
from contextls.code.kinds import Kind
from contextls.memory.index.outlines import Outline
from contextls.memory.knowledge.relations.centrality import DAMPING
from contextls.memory.knowledge.relations.imports import ImportGraph

# A name with more definitions tells nothing about which one is meant.
MAX_DEFINITIONS = 3
# Shorter names (`x`, `id`, `T`) mean many things.
MIN_NAME_CHARS = 3
# What tests, examples and documents use is what they are about, not what the code stands on.
BESIDE = 0.2
# How sure a name means a definition in an imported file, in one of the same folder, the only one there is.
IMPORTED, BESIDE_IT, ANYWHERE = 1.0, 0.7, 0.1
DIGITS = 9


@dataclass(frozen=True, slots=True)
class SymbolRanks:
    """The rank of each file, and of each definition by its file and qualified name."""

    files: Mapping[str, float] = field(default_factory=dict)
    symbols: Mapping[tuple[str, str], float] = field(default_factory=dict)


def rank_symbols(
    outlines: Mapping[str, Outline], imports: ImportGraph, sources: Collection[str]
) -> SymbolRanks:
    """The ranks of the definitions in ``sources``; the files beside them only vote."""
    import rustworkx

    defined = _definitions(outlines, sources)
    paths = sorted(outlines)
    number = {path: at for at, path in enumerate(paths)}
    uses: dict[str, dict[tuple[str, str], float]] = {}
    edges: dict[tuple[int, int], float] = {}
    for path in paths:
        cancellation.check()
        vote = 1.0 if path in sources else BESIDE
        used = uses[path] = dict(_uses(path, outlines, defined, imports))
        for (target, _), weight in used.items():
            edge = (number[path], number[target])
            edges[edge] = edges.get(edge, 0.0) + vote * weight
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(paths)
    graph.extend_from_weighted_edge_list(
        [(source, target, weight) for (source, target), weight in edges.items()]
    )
    if not graph.num_edges():
        return SymbolRanks()
    personal = {number[path]: 1.0 if path in sources else BESIDE for path in paths}
    ranks = rustworkx.pagerank(graph, alpha=DAMPING, weight_fn=float, personalization=personal)
    files = {path: round(ranks[number[path]], DIGITS) for path in paths}
    symbols: dict[tuple[str, str], float] = {}
    for path in paths:
        total = sum(uses[path].values())
        for symbol, weight in uses[path].items():
            symbols[symbol] = symbols.get(symbol, 0.0) + files[path] * weight / total
    return SymbolRanks(files, {symbol: round(rank, DIGITS) for symbol, rank in symbols.items()})


def _definitions(
    outlines: Mapping[str, Outline], sources: Collection[str]
) -> dict[str, list[tuple[str, str]]]:
    """Where each name that others may use is defined."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(sources):
        for definition in outlines[path].definitions:
            if len(definition.name) >= MIN_NAME_CHARS and definition.kind not in (Kind.CONSTANT, Kind.MODULE):
                found.setdefault(definition.name, []).append((path, definition.qualified))
    return found


def _uses(
    path: str,
    outlines: Mapping[str, Outline],
    defined: Mapping[str, list[tuple[str, str]]],
    imports: ImportGraph,
) -> Iterator[tuple[tuple[str, str], float]]:
    """The definitions of other files that a file uses, with how sure that is."""
    outline, folder = outlines[path], path.rpartition("/")[0]
    names = frozenset(outline.references)
    visible = frozenset(imports.visible(path))
    for name in outline.references:
        places = defined.get(name)
        if places is None or any(place == path for place, _ in places):
            continue
        # `insert` and `copy` are names of many things: a member is meant where its type is used as well.
        places = [
            place
            for place in places
            if "." not in place[1] or place[1].rpartition(".")[0].rpartition(".")[2] in names
        ]
        found, sure = [place for place in places if place[0] in visible], IMPORTED
        if not found:
            found = [place for place in places if place[0].rpartition("/")[0] == folder]
            sure = BESIDE_IT
        if not found and len(places) == 1 and outlines[places[0][0]].language == outline.language:
            found, sure = places, ANYWHERE
        if len(found) <= MAX_DEFINITIONS:
            for place in found:
                yield place, sure / len(found)

"""Ranks definitions by how central they are: a random walk through the uses of names, and where it is found most often.

From a file the walk goes on to one of the definitions that the file uses, and so to the file of that definition. The share
of all steps that lead to a definition is its rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from contextls import cancellation
from contextls.code.kinds import Kind
from contextls.code.model import Definition
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.symbols import SymbolTable
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
# To read the uses of all files takes a second for every 2,000. Of more source than this only the files vote that are
# imported most, and as many of the rest, taken evenly; what one voter in USED_BY does not use is not central.
MAX_VOTERS = 4_000
USED_BY = 500
# What has more definitions is a name that everybody gives to a helper.
MAX_NAMESAKES = 50


class SymbolRanks(Struct, frozen=True):
    """The rank of each file, and of each definition by its file and qualified name.

    Where only some files vote, that of a file is how central it is among the imports.
    """

    files: Mapping[str, float] = field(default_factory=dict)
    symbols: Mapping[tuple[str, str], float] = field(default_factory=dict)


def rank_symbols(
    outlines: Mapping[str, Outline],
    imports: ImportGraph,
    symbols: SymbolTable,
    sources: Collection[str],
    max_voters: int = MAX_VOTERS,
) -> SymbolRanks:
    """The ranks of the definitions in ``sources``; other files only vote."""
    paths, all_vote = sorted(outlines), len(sources) <= max_voters
    voters = paths if all_vote else _choose_voters(imports, sources, max_voters)
    defined = _definitions(outlines, sources) if all_vote else _find_used(voters, outlines, symbols, sources)
    uses: dict[str, dict[tuple[str, str], float]] = {}
    edges: dict[tuple[str, str], float] = {}
    for path in voters:
        cancellation.check()
        vote = 1.0 if path in sources else BESIDE
        used = uses[path] = dict(_uses(path, outlines, defined, imports))
        for (target, _), weight in used.items():
            edges[path, target] = edges.get((path, target), 0.0) + vote * weight
    if not edges:
        return SymbolRanks()
    files = _rank_files(paths, edges, sources)
    found: dict[tuple[str, str], float] = {}
    for path in voters:
        total = sum(uses[path].values())
        for symbol, weight in uses[path].items():
            found[symbol] = found.get(symbol, 0.0) + files[path] * weight / total
    if not all_vote:
        files = dict(zip(imports.table.paths, imports.table.ranks.tolist(), strict=True))
    return SymbolRanks(files, {symbol: round(rank, DIGITS) for symbol, rank in found.items()})


def _rank_files(
    paths: Sequence[str], edges: Mapping[tuple[str, str], float], sources: Collection[str]
) -> dict[str, float]:
    """The PageRank of each file, where ``edges`` (from, to) say how much one uses of another."""
    import rustworkx

    number = {path: at for at, path in enumerate(paths)}
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(paths)
    graph.extend_from_weighted_edge_list(
        [(number[source], number[target], weight) for (source, target), weight in edges.items()]
    )
    personal = {number[path]: 1.0 if path in sources else BESIDE for path in paths}
    ranks = rustworkx.pagerank(graph, alpha=DAMPING, weight_fn=float, personalization=personal)
    return {path: round(ranks[number[path]], DIGITS) for path in paths}


def _choose_voters(imports: ImportGraph, sources: Collection[str], count: int) -> list[str]:
    table = imports.table
    ranked = map(table.paths.__getitem__, np.argsort(-table.ranks, kind="stable")[: count // 2].tolist())
    central = {path for path in ranked if path in sources}
    rest = sorted(set(sources) - central)
    return sorted([*central, *rest[:: -(-len(rest) // (count - len(central)))]])


def _definitions(
    outlines: Mapping[str, Outline], sources: Collection[str]
) -> dict[str, list[tuple[str, str]]]:
    """The definitions of each name that others may use."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(sources):
        for definition in filter(_counts, outlines[path].definitions):
            found.setdefault(definition.name, []).append((path, definition.qualified))
    return found


def _find_used(
    voters: Sequence[str],
    outlines: Mapping[str, Outline],
    symbols: SymbolTable,
    sources: Collection[str],
) -> dict[str, list[tuple[str, str]]]:
    """As ``_definitions``, of the names that the voters use often."""
    used: Counter[str] = Counter()
    for path in voters:
        cancellation.check()
        used.update(set(outlines[path].references))
    found: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(name for name, files in used.items() if files * USED_BY >= len(voters)):
        cancellation.check()
        places = symbols.paths_defining(name)
        if len(places) <= MAX_NAMESAKES:
            found[name] = [
                (path, definition.qualified)
                for path in places
                if path in sources
                for definition in filter(_counts, outlines[path].definitions_of(name))
                if definition.name == name
            ]
    return {name: places for name, places in found.items() if places}


def _counts(definition: Definition) -> bool:
    return len(definition.name) >= MIN_NAME_CHARS and definition.kind not in (Kind.CONSTANT, Kind.MODULE)


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

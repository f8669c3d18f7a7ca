"""Walking outwards from what a question is about: breadth first, bounded, with weights that fall on the way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec.structs import replace

from contextls.memory.knowledge.relations.model import Relation

DECAY_PER_STEP = 0.5
# Paths weaker than this say nothing any more.
MIN_WEIGHT = 0.02
# How many nodes one step may be taken from: the heaviest paths go on.
MAX_NODES = 32


def walk(
    starts: Sequence[str],
    depth: int,
    edges: Callable[[str], Iterable[Relation]],
    types: Collection[str] | None = None,
    through: Callable[[str], bool] | None = None,
) -> list[Relation]:
    """The relations up to ``depth`` steps from the entity ids ``starts``, step by step, heaviest first within a step.

    The weight of a relation is the product of the weights on the best path to it, halved with every step; each edge counts
    once. ``edges`` gives the relations at an entity; ``types`` leaves only those of these types, and only entities that
    pass ``through`` are walked on from.
    """
    reached = dict.fromkeys(starts, 1.0)
    frontier = list(reached)
    found: dict[str, Relation] = {}
    for step in range(depth):
        here: dict[str, Relation] = {}
        following: dict[str, float] = {}
        for node in frontier:
            for relation in edges(node):
                if types is not None and relation.type not in types:
                    continue
                weight = min(1.0, reached[node] * relation.weight)
                if weight < MIN_WEIGHT or relation.id in found:
                    continue
                known = here.get(relation.id)
                if known is None or known.weight < weight:
                    here[relation.id] = replace(relation, weight=weight, steps=step)
                other = relation.other(node)
                if other not in reached and (through is None or through(other)):
                    following[other] = max(following.get(other, 0.0), weight * DECAY_PER_STEP)
        found |= {one.id: one for one in sorted(here.values(), key=lambda one: (-one.weight, one.id))}
        frontier = sorted(following, key=lambda node: (-following[node], node))[:MAX_NODES]
        reached |= following
        if not frontier:
            break
    return list(found.values())

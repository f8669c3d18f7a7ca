"""Relations as plain data, and the worth of each type."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

# A hub (a module that everything imports) would fill a walk with edges that say nothing.
MAX_EDGES = 8


class RelationType(StrEnum):
    """The closed set of relations; read ``source type target``."""

    IMPORTS = "imports"  # file -> file, file -> package
    DEFINES = "defines"  # file -> symbol, manifest -> package
    CALLS = "calls"  # symbol or file -> symbol
    REFERENCES = "references"  # file -> symbol, without calling it
    TESTS = "tests"  # test -> what it tests
    CO_CHANGES = "co_changes"  # file -> file, from the history of git
    AUTHORED = "authored"  # person -> file
    RAISED_IN = "raised_in"  # error -> file or symbol
    FIXED_BY = "fixed_by"  # error or command -> the file whose change made it pass
    SUBTASK = "subtask"  # task -> a task below it


# What an edge is worth before its own evidence is counted: how sure one can be that who looks at one end needs the other.
WEIGHTS: Mapping[RelationType, float] = {
    RelationType.IMPORTS: 0.9,
    RelationType.DEFINES: 0.6,
    RelationType.CALLS: 0.9,
    RelationType.REFERENCES: 0.7,
    RelationType.TESTS: 0.9,
    RelationType.CO_CHANGES: 1.0,  # times its confidence
    RelationType.AUTHORED: 0.5,  # times the share of the file's commits
    RelationType.RAISED_IN: 0.9,
    RelationType.FIXED_BY: 0.9,  # times its smoothed rate of success
    RelationType.SUBTASK: 0.9,
}
# The importers of a file say less about it than its imports do.
IMPORTED_BY = 0.7


class Relation(Struct, frozen=True):
    """An edge from ``source`` to ``target`` (entity ids). ``weight`` lies in 0..1.

    Of ``applications`` occasions, ``support`` spoke for it (commits of a co_changes or an authored edge, failures of a
    fixed_by edge); both are 0 where nothing is counted. ``steps`` is how far from the start of a walk it was found, 0 for
    an edge at the start.
    """

    source: str
    target: str
    type: RelationType
    weight: float
    support: int = 0
    applications: int = 0
    steps: int = 0

    @property
    def id(self) -> str:
        """Stable within a workspace."""
        return f"{self.source} {self.type} {self.target}"

    def other(self, end: str) -> str:
        """The end that is not ``end``."""
        return self.target if self.source == end else self.source


def hub_share(count: int) -> float:
    """The weight of each of ``count`` edges of one kind at one node: ``min(1, sqrt(MAX_EDGES / count))``.

    Up to ``MAX_EDGES`` they count in full, one of 32 a half.
    """
    return min(1.0, math.sqrt(MAX_EDGES / count)) if count else 1.0


def cap_relations(relations: Iterable[Relation], most: int = MAX_EDGES) -> list[Relation]:
    """The ``most`` heaviest edges of one kind at one node, each divided by how common they are there (``hub_share``)."""
    found = sorted(relations, key=lambda relation: (-relation.weight, relation.id))
    share = hub_share(len(found))
    if share == 1.0:
        return found[:most]
    return [replace(relation, weight=relation.weight * share) for relation in found[:most]]

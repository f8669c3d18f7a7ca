"""Relations: typed, weighted edges between entities, read out of the code, its history and the events."""

from contextls.memory.knowledge.relations.graph import RelationGraph
from contextls.memory.knowledge.relations.model import Relation, RelationType

__all__ = ["Relation", "RelationGraph", "RelationType"]

"""Turns: a question of people with all that follows until the next one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from contextls.model import Author, ChatNode, NodeKind


class Turn(Struct, frozen=True):
    """One turn. Its id is that of its first node; ``number`` counts from 1 along the path."""

    number: int
    nodes: tuple[ChatNode, ...]

    @property
    def id(self) -> str:
        """The id of the node that it begins with."""
        return self.nodes[0].id


def group_turns(nodes: Sequence[ChatNode]) -> tuple[Turn, ...]:
    """The turns of a path, oldest first. Summaries belong to none; what people say in a row is one question."""
    groups: list[list[ChatNode]] = []
    for node in nodes:
        if node.kind is NodeKind.COMPACTION:
            continue
        begins = node.author is Author.HUMAN and groups and groups[-1][-1].author is not Author.HUMAN
        if begins or not groups:
            groups.append([])
        groups[-1].append(node)
    return tuple(Turn(number, tuple(group)) for number, group in enumerate(groups, 1))

"""A conversation as a tree in memory. When it changes, only the nodes that changed are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field

from contextls.memory.conversations.rows import CURRENT_CONTENT, NODE, Row, as_node, dump
from contextls.model import ChatNode, Edge

# Everything of a node that can change, and where it hangs: a version of a content never does.
_OUTLINE = "SELECT id, parent, version, excluded, pruned, pinned, included FROM nodes WHERE conversation = ? ORDER BY id"
_CHANGED = f"SELECT {NODE} FROM nodes {CURRENT_CONTENT} WHERE nodes.id IN (SELECT value FROM json_each(?))"  # noqa: S608

Read = Callable[[str, Sequence[int | str]], Sequence[Row]]


class ChatTree(Struct, frozen=True):
    """The nodes of one conversation by number, the pruned ones too; a node that did not change is the same object."""

    nodes: Mapping[int, ChatNode] = field(default_factory=dict)
    outline: Mapping[int, Row] = field(default_factory=dict)

    def refresh(self, conversation: int, read: Read) -> ChatTree:
        """The tree as it is now."""
        outline = {row[0]: row for row in read(_OUTLINE, (conversation,))}
        before = self.outline
        changed = [number for number, row in outline.items() if before.get(number) != row]
        nodes = {number: node for number, node in self.nodes.items() if number in outline}
        if changed:
            nodes |= {row[0]: as_node(row) for row in read(_CHANGED, (dump(changed),))}
        return ChatTree(nodes, outline)

    def path(self, tip: int) -> tuple[ChatNode, ...]:
        """The nodes from the root to ``tip``; empty where there is no such node."""
        found = []
        at: int | None = tip
        while at is not None and (row := self.outline.get(at)) is not None:
            if (node := self.nodes.get(at)) is not None:
                found.append(node)
            # A parent is older than its children; damage that says otherwise must not lead in a circle.
            at = row[1] if row[1] is not None and row[1] < at else None
        return tuple(reversed(found))

    def find(self, ids: Iterable[str]) -> dict[str, ChatNode]:
        """The nodes of these ids, those that are there."""
        wanted = set(ids)
        return {node.id: node for node in self.nodes.values() if node.id in wanted} if wanted else {}

    def notes(self, path: Sequence[ChatNode]) -> dict[str, list[ChatNode]]:
        """The included annotations of a path, by the node that each annotates."""
        notes = [node for node in self.nodes.values() if node.included and node.edge is Edge.ANNOTATION]
        if not notes:
            return {}
        inside = {node.id for node in path}
        found: dict[str, list[ChatNode]] = {}
        for note in notes:
            if note.parent_id in inside and note.id not in inside and not (note.excluded or note.pruned):
                found.setdefault(note.parent_id, []).append(note)
        return found

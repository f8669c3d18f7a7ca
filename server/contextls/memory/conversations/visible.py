"""The visible part of a path: filtered nodes, references before the node that they belong to, and the latest summary.

Pure functions over nodes; ``history`` makes messages of what they return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from contextls.memory.conversations.turns import Excluded
from contextls.model import Author, ChatNode, Edge, NodeKind, SourceRole

EXCLUDED = "excluded"
PRUNED = "pruned"
ANNOTATION = "an annotation that is not included"
NO_CALL = "the call that it answers is not shown"
NO_RESULT = "a call without its result"
SUPERSEDED = "an earlier summary; only the latest is sent"


class LatestSummary(Struct, frozen=True):
    """The latest summary on a path, and the id of the first node that is kept as it is."""

    node: ChatNode
    first_kept: str | None


class Visible(Struct, frozen=True):
    """The visible nodes of a path in the order in which they are shown.

    With a ``summary``, ``older`` are the pinned nodes among those that it stands for, which are ``covered``.
    """

    nodes: tuple[ChatNode, ...]
    instructions: tuple[str, ...]
    excluded: tuple[Excluded, ...]
    summary: ChatNode | None = None
    older: tuple[ChatNode, ...] = ()
    covered: tuple[str, ...] = ()


def explain_hidden(node: ChatNode) -> str | None:
    """The reason why a node is left out, by itself; ``None`` when nothing stands against it."""
    if node.excluded:
        return EXCLUDED
    if node.pruned:
        return PRUNED
    if node.edge is Edge.ANNOTATION and not node.included:
        return ANNOTATION
    return None


def find_summary(path: Sequence[ChatNode]) -> ChatNode | None:
    """The latest summary of a path that counts. One that was excluded gives way to the one before it."""
    return next(
        (
            node
            for node in reversed(path)
            if node.kind is NodeKind.COMPACTION and not (node.excluded or node.pruned)
        ),
        None,
    )


def select_visible(
    path: Sequence[ChatNode],
    summary: LatestSummary | None,
    sources: Mapping[str, ChatNode],
    notes: Mapping[str, Sequence[ChatNode]],
) -> Visible:
    """Filter a path. ``sources`` are the nodes that sources name, ``notes`` the included annotations of each node."""
    excluded: list[Excluded] = []
    instructions: list[str] = []
    kept_from = _first_kept(path, summary)
    older: list[ChatNode] = []
    covered: list[str] = []
    nodes: list[ChatNode] = []
    for index, node in _without_hidden(path, summary, excluded):
        references: list[ChatNode] = []
        for role, each in _source_nodes(node, sources, excluded) if node.sources else ():
            if role is SourceRole.CONTEXT:
                references.append(each)
            elif role is SourceRole.INSTRUCTION and each.content:
                instructions.append(each.content)
        if index < kept_from:
            covered.append(node.id)
            if node.pinned:
                older.append(node)
            continue
        if references:
            _put_before_primary(nodes, node, references)
        nodes.append(node)
        if node.id in notes:
            nodes += notes[node.id]
    shown = _drop_unpaired([*older, *nodes], excluded)
    pins = {node.id for node in older}
    return Visible(
        nodes=tuple(node for node in shown if node.id not in pins),
        instructions=tuple(dict.fromkeys(instructions)),
        excluded=tuple(dict.fromkeys(excluded)),
        summary=None if summary is None else summary.node,
        older=tuple(node for node in shown if node.id in pins),
        covered=tuple(each for each in covered if each not in pins),
    )


def _first_kept(path: Sequence[ChatNode], summary: LatestSummary | None) -> int:
    """The index of the first node that is shown as it is."""
    if summary is None:
        return 0
    places = {node.id: index for index, node in enumerate(path)}
    # Where the first kept turn is not on the path, everything before the summary is what it stands for.
    return places.get(summary.first_kept or "", places[summary.node.id])


def _without_hidden(
    path: Sequence[ChatNode], summary: LatestSummary | None, excluded: list[Excluded]
) -> Iterator[tuple[int, ChatNode]]:
    """The nodes of a path that nothing stands against, each with its index; summaries are no part of what was said."""
    for index, node in enumerate(path):
        if node.kind is NodeKind.COMPACTION:
            if summary is None or node.id != summary.node.id:
                excluded.append(Excluded(node.id, EXCLUDED if node.excluded else SUPERSEDED))
        elif (reason := explain_hidden(node)) is not None:
            excluded.append(Excluded(node.id, reason))
        else:
            yield index, node


def _source_nodes(
    node: ChatNode, sources: Mapping[str, ChatNode], excluded: list[Excluded]
) -> list[tuple[SourceRole, ChatNode]]:
    """The sources of a node that may be shown, each with its role."""
    found = []
    for source in node.sources:
        other = sources.get(source.node_id)
        if other is None:
            continue
        if other.excluded or other.pruned:
            excluded.append(Excluded(other.id, EXCLUDED if other.excluded else PRUNED))
        else:
            found.append((source.role, other))
    return found


def _put_before_primary(nodes: list[ChatNode], node: ChatNode, references: Sequence[ChatNode]) -> None:
    """References stand before the primary source of the edge, which is the node's parent where it is shown."""
    place = next((i for i in reversed(range(len(nodes))) if nodes[i].id == node.parent_id), len(nodes))
    shown = {each.id for each in nodes}
    nodes[place:place] = [each for each in references if each.id not in shown]


def _drop_unpaired(nodes: Sequence[ChatNode], excluded: list[Excluded]) -> list[ChatNode]:
    """Without results whose call is not shown, and calls without a result that say nothing else: no provider takes those.

    A call of the newest node is still open; a result without an id may answer any.
    """
    answered = {node.tool_call_id for node in nodes if node.author is Author.TOOL}
    newest = next((node.id for node in reversed(nodes) if node.author is not Author.TOOL), None)
    calls: set[str] = set()
    shown = []
    for node in nodes:
        made = {call.id for call in node.tool_calls}
        calls |= made
        if node.author is Author.TOOL and node.tool_call_id is not None and node.tool_call_id not in calls:
            excluded.append(Excluded(node.id, NO_CALL))
        elif made and not node.content.strip() and node.id != newest and answered.isdisjoint({None, *made}):
            excluded.append(Excluded(node.id, NO_RESULT))
        else:
            shown.append(node)
    return shown

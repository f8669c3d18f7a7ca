"""A conversation of another program as its reader understood it: nodes with keys of their own, checked to be one tree."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from contextls.errors import InvalidRequestError
from contextls.model import Author, NewNode, NodeKind, Preferences

# Whether prompts may hold what a file at this path says; an importer leaves out what tools read in others.
Shows = Callable[[str], bool]


class ParsedNode(Struct, frozen=True):
    """One node. ``key`` is its name in the file, ``parent`` the key of the node that it follows."""

    key: str
    parent: str | None
    node: NewNode
    kind: NodeKind = NodeKind.MESSAGE
    excluded: bool = False
    pruned: bool = False
    pinned: bool = False
    included: bool = False
    first_kept: str | None = None


class ParsedChat(Struct, frozen=True):
    """A whole conversation. ``head`` is the key of its current node; without it, the last one."""

    nodes: tuple[ParsedNode, ...]
    title: str = ""
    agent_context: str = ""
    system_context: str = ""
    preferences: Preferences = field(default_factory=Preferences)
    head: str | None = None
    warnings: tuple[str, ...] = ()


class SkippedTally:
    """Counts what was left out by its reason, to warn of each reason once."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, reason: str) -> None:
        """Count one more."""
        self._counts[reason] = self._counts.get(reason, 0) + 1

    def warnings(self) -> tuple[str, ...]:
        """One line for each reason."""
        return tuple(f"{count:,} × {reason}" for reason, count in self._counts.items())


def order_nodes(nodes: Sequence[ParsedNode]) -> list[ParsedNode]:
    """The nodes of one tree, each after its parent.

    Raises ``InvalidRequestError`` naming what is wrong: a key twice, an unknown parent, a node that is its own ancestor,
    a second root.
    """
    known: dict[str, ParsedNode] = {}
    for node in nodes:
        if node.key in known:
            raise InvalidRequestError("nodes", f"each id once; {node.key!r} is there twice")
        known[node.key] = node
    roots = [node.key for node in nodes if node.parent is None]
    placed: set[str] = set()
    ordered: list[ParsedNode] = []
    for node in nodes:
        if node.parent is not None and node.parent not in known:
            raise InvalidRequestError("nodes", f"the parent of {node.key!r} among the nodes", node.parent)
        way: list[str] = []
        key: str | None = node.key
        while key is not None and key not in placed:
            if key in way:
                circle = " → ".join([*way[way.index(key) :], key])
                raise InvalidRequestError("nodes", f"a tree; {key!r} is its own ancestor ({circle[:200]})")
            way.append(key)
            key = known[key].parent
        placed.update(way)
        ordered += [known[each] for each in reversed(way)]
    if len(roots) > 1:
        raise InvalidRequestError("nodes", "one root", roots[:5])
    return ordered


def author_of(role: object, field: str) -> Author:
    """The author of a message of this role. Raises ``InvalidRequestError``, naming ``field``, for an unknown role."""
    found = _AUTHORS.get(role) if isinstance(role, str) else None
    if found is None:
        raise InvalidRequestError(field, f"one of {', '.join(sorted(_AUTHORS))}", role)
    return found


def read_json(text: str, what: str) -> Any:  # noqa: ANN401 - any JSON value
    """A text as JSON. Raises ``InvalidRequestError``."""
    try:
        return json.loads(text)
    except RecursionError:
        raise InvalidRequestError("content", f"{what} as JSON (nested too deeply)") from None
    except ValueError as error:
        raise InvalidRequestError("content", f"{what} as JSON ({error})") from None


def text_of_parts(content: object, where: str) -> str:
    """The text of a message whose content is a string or a list of parts; what is no text is named in its place."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n\n".join(filter(None, (_part(part) for part in content)))
    raise InvalidRequestError(f"{where}.content", "a string or a list of parts", content)


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    for name in ("text", "refusal", "content"):
        if isinstance(part.get(name), str):
            return str(part[name])
    return f"[{part.get('type', 'part')}]"


_AUTHORS = {
    "user": Author.HUMAN,
    "human": Author.HUMAN,
    "assistant": Author.MODEL,
    "model": Author.MODEL,
    "tool": Author.TOOL,
    "function": Author.TOOL,
}

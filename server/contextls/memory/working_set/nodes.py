"""The YAML of a working set as nodes with their places in the text, read without trusting it.

Only a tree of plain nodes is built: no tag constructs anything, and a reference (``&``, ``*``) is refused, so that no small
file becomes a large one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from contextls.errors import StoreError

if TYPE_CHECKING:  # the library is loaded with the first text: most workspaces have no working set
    from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

DEEPEST = 16
# Three for each entry of the longest list that fits in the file; more are no working set, and cost time to read.
MAX_VALUES = 60_000
_NULLS = ("", "~", "null", "Null", "NULL")


_UNQUOTED = "; a path that begins with * or & stands in quotes"


class BrokenFileError(StoreError):
    """The file cannot be understood. ``line`` is 1-based, ``column`` 0-based."""

    def __init__(self, line: int, problem: str, column: int = 0) -> None:
        self.line = line
        self.column = column
        self.problem = problem
        super().__init__(f"line {line}: {problem}")


def parse_tree(text: str) -> Node | None:
    """The nodes of ``text``; ``None`` when it says nothing. Raises ``BrokenFileError``."""
    import yaml
    from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, NodeEvent

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        depth = values = 0
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor is not None):
                problem = f"references (& and *) are not read here; write the value out{_UNQUOTED}"
                raise _broken(event.start_mark, problem)
            depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
            if depth > DEEPEST:
                raise _broken(event.start_mark, f"nested more than {DEEPEST} levels deep")
            values += isinstance(event, NodeEvent)
            if values > MAX_VALUES:
                raise _broken(event.start_mark, f"more than {MAX_VALUES:,} values; pin folders")
        root: Node | None = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or "this is not YAML"
        raise _broken(mark, problem + _UNQUOTED * ("alias" in f"{error.context} {problem}")) from None
    except yaml.YAMLError as error:
        raise BrokenFileError(1, f"this is not YAML ({str(error).splitlines()[0]})") from None
    return None if root is None or is_null(root) else root


def parse_mapping(text: str) -> MappingNode | None:
    """The mapping that ``text`` is; ``None`` when it says nothing. Raises ``BrokenFileError``."""
    root = parse_tree(text)
    if root is None:
        return None
    if not is_mapping(root):
        raise _broken(root.start_mark, "expected fields such as files: and exclude:")
    names: set[str] = set()
    for key, _ in root.value:
        if not is_scalar(key) or key.value in names:
            raise _broken(key.start_mark, f"{str(plain(key))[:80]} is there twice, or is no name")
        names.add(key.value)
    return root


def list_items(root: MappingNode | None, name: str) -> list[Node]:
    """The items of the list under ``name``; none where it is absent or empty. Raises ``BrokenFileError``."""
    value = field(root, name)
    if value is None or is_null(value):
        return []
    if not is_list(value):
        raise _broken(value.start_mark, f"expected a list below {name}:")
    return list(value.value)


def field(mapping: MappingNode | None, name: str) -> Node | None:
    """The value of a field."""
    pairs: list[tuple[Node, Node]] = mapping.value if mapping else []
    return next((value for key, value in pairs if is_scalar(key) and key.value == name), None)


def is_mapping(node: Node | None) -> TypeGuard[MappingNode]:
    """Whether these are fields with values."""
    return getattr(node, "id", "") == "mapping"


def is_list(node: Node | None) -> TypeGuard[SequenceNode]:
    """Whether these are items."""
    return getattr(node, "id", "") == "sequence"


def is_scalar(node: Node | None) -> TypeGuard[ScalarNode]:
    """Whether this is a text or a number."""
    return getattr(node, "id", "") == "scalar"


def is_null(node: Node) -> bool:
    """Whether the value is left empty."""
    return is_scalar(node) and not node.style and node.value in _NULLS


def plain(node: Node | None) -> Any:  # noqa: ANN401 - YAML of any form
    """Strings, lists and dictionaries; numbers and the like stay as they are written."""
    if is_mapping(node):
        return {str(plain(key)): plain(value) for key, value in node.value}
    if is_list(node):
        return [plain(item) for item in node.value]
    return None if node is None or is_null(node) else node.value


def last_leaf(node: Node) -> Node:
    """The node that is written last within ``node``, or itself where nothing is or brackets end it."""
    while (is_mapping(node) or is_list(node)) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if is_mapping(node) else last
    return node


def _broken(mark: Any, problem: str) -> BrokenFileError:  # noqa: ANN401 - yaml's classes of marks differ
    return BrokenFileError(int(mark.line) + 1 if mark else 1, problem, int(mark.column) if mark else 0)

"""The entries of a working set as its text has them; what is wrong with one is told, and never stands in others' way."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from yaml.nodes import MappingNode, Node, ScalarNode

from contextls.memory.working_set.nodes import field, is_null, list_items, parse_mapping, plain
from contextls.memory.working_set.target_text import read_target
from contextls.model import Role, Target, TruncateStrategy, Updater

PROTOCOL = "CONTEXT-ASSEMBLY/0.1"
PRIORITY = 0.8
MAX_ENTRIES = 1_000
MAX_LINES = 10_000_000
_WHOLE = re.compile(r"[0-9]{1,8}")
_NUMBER = re.compile(r"[0-9]{1,8}(\.[0-9]{0,8})?|\.[0-9]{1,8}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One pinned thing; ``problem`` is what its fields have wrong, ``index`` its place in the list."""

    index: int
    target: Target
    priority: float = PRIORITY
    role: Role = Role.CONTEXT
    truncate_strategy: TruncateStrategy = TruncateStrategy.MIDDLE
    max_lines: int | None = None
    problem: str | None = None
    by: Updater = Updater.PERSON
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of the file. ``excluded`` goes with its places in the list; ``problems`` concern no listed entry."""

    entries: tuple[Entry, ...] = ()
    excluded: tuple[tuple[int, Target], ...] = ()
    problems: tuple[str, ...] = ()

    def find(self, target: Target) -> Entry | None:
        """The entry that pins ``target``."""
        return next((entry for entry in self.entries if entry.target.names(target)), None)


def read_manifest(text: str, is_file: Callable[[str], bool]) -> Manifest:
    """The manifest in ``text``. Raises ``BrokenFileError`` when it is none."""
    root = parse_mapping(text)
    problems: list[str] = []
    protocol = plain(field(root, "protocol"))
    if protocol is not None and (
        not isinstance(protocol, str) or not protocol.startswith("CONTEXT-ASSEMBLY/0.")
    ):
        problems.append(f"protocol: expected {PROTOCOL}; read as if it were that")
    entries: dict[tuple[str, str | None], Entry] = {}
    for index, node in enumerate(_bound_nodes(list_items(root, "files"), "files", problems)):
        entry = _entry(index, node, is_file, problems)
        if (
            entry is not None
            and entries.setdefault((entry.target.path, entry.target.symbol), entry) is not entry
        ):
            problems.append(f"{_place(node)}: {entry.target.text} is pinned twice; the first one counts")
    excluded = []
    for index, node in enumerate(_bound_nodes(list_items(root, "exclude"), "exclude", problems)):
        target = _target(_path_node(node), is_file, problems)
        if target is not None:
            excluded.append((index, target))
    return Manifest(tuple(entries.values()), tuple(excluded), tuple(problems))


def _bound_nodes(nodes: list[Node], name: str, problems: list[str]) -> list[Node]:
    if len(nodes) > MAX_ENTRIES:
        problems.append(f"{name}: only the first {MAX_ENTRIES:,} of {len(nodes):,} entries are read")
    return nodes[:MAX_ENTRIES]


def _entry(index: int, node: Node, is_file: Callable[[str], bool], problems: list[str]) -> Entry | None:
    target = _target(_path_node(node), is_file, problems)
    if target is None:
        return None
    if not isinstance(node, MappingNode):
        return Entry(index, target)
    wrong: list[str] = []

    def read(name: str) -> str | None:
        value = field(node, name)
        if value is None or is_null(value):
            return None
        return value.value if isinstance(value, ScalarNode) else ""

    def check_field(name: str, valid: Callable[[str], bool], expected: str) -> str | None:
        value = read(name)
        if value is None or valid(value):
            return value
        wrong.append(f"{name}: expected {expected}")
        return None

    priority = check_field("priority", _is_priority, "a number from 0 to 1")
    role = check_field("role", tuple(Role).__contains__, "one of " + ", ".join(Role))
    strategies = tuple(TruncateStrategy)
    strategy = check_field("truncate_strategy", strategies.__contains__, "one of " + ", ".join(strategies))
    lines = check_field("max_lines", _is_line_count, "a whole number, 1 or more")
    return Entry(
        index=index,
        target=target,
        priority=PRIORITY if priority is None else float(priority),
        role=Role(role) if role else Role.CONTEXT,
        truncate_strategy=TruncateStrategy(strategy) if strategy else TruncateStrategy.MIDDLE,
        max_lines=int(lines) if lines else None,
        problem="; ".join(wrong) or None,
        # Whatever else is written there, a person wrote it.
        by=Updater.MODEL if read("added_by") == Updater.MODEL else Updater.PERSON,
        why=read("why"),
    )


def _is_priority(value: str) -> bool:
    return bool(_NUMBER.fullmatch(value)) and 0 <= float(value) <= 1


def _is_line_count(value: str) -> bool:
    return bool(_WHOLE.fullmatch(value)) and 1 <= int(value) <= MAX_LINES


def _path_node(node: Node) -> Node:
    """Where an entry names its place: a path alone, or in the field ``path``."""
    return field(node, "path") or node if isinstance(node, MappingNode) else node


def _target(node: Node, is_file: Callable[[str], bool], problems: list[str]) -> Target | None:
    if not isinstance(node, ScalarNode) or is_null(node):
        problems.append(f"{_place(node)}: expected a path")
        return None
    try:
        return read_target(node.value, is_file)
    except ValueError as error:
        problems.append(f"{_place(node)}: {node.value[:80]!r} {error}")
        return None


def _place(node: Node) -> str:
    return f"line {node.start_mark.line + 1}"

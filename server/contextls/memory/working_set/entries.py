"""The entries of a working set as its text has them; what is wrong with one is told, and never stands in others' way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.memory.working_set import budget
from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.faults import DUPLICATE, INCLUDE, LIMIT, TARGET, VALUE, Faults, Span
from contextls.memory.working_set.nodes import (
    field,
    is_list,
    is_mapping,
    is_null,
    is_scalar,
    list_items,
    parse_mapping,
    plain,
)
from contextls.memory.working_set.target_text import read_target
from contextls.model import (
    ManifestBudget,
    ManifestFault,
    Role,
    Severity,
    Target,
    TruncateStrategy,
    Updater,
)
from contextls.regex import compile_late

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node

PROTOCOL = "CONTEXT-ASSEMBLY/0.1"
PRIORITY = 0.8
MAX_ENTRIES = 1_000
MAX_LINES = 10_000_000
MAX_INCLUDES = 16  # of one file; more are no overview
FIELDS = ("protocol", "budget", "include", "files", "exclude", "metadata")
ENTRY_FIELDS = ("path", "priority", "role", "truncate_strategy", "max_lines", "added_by", "why")
_WHOLE = compile_late(r"[0-9]{1,8}")
_NUMBER = compile_late(r"[0-9]{1,8}(\.[0-9]{0,8})?|\.[0-9]{1,8}")


class Entry(Struct, frozen=True):
    """One pinned thing; ``problem`` is what its fields have wrong, ``index`` its place in the list of its file.

    ``place`` is where its path is written.
    """

    index: int
    target: Target
    place: Span
    priority: float = PRIORITY
    role: Role = Role.CONTEXT
    truncate_strategy: TruncateStrategy = TruncateStrategy.MIDDLE
    max_lines: int | None = None
    problem: str | None = None
    by: Updater = Updater.PERSON
    why: str | None = None


class Exclusion(Struct, frozen=True):
    """One excluded thing, with its place in the list, and in the text."""

    index: int
    target: Target
    place: Span


class Include(Struct, frozen=True):
    """Another file that is read as well, as it was named, and where."""

    path: str
    place: Span


class Manifest(Struct, frozen=True):
    """The content of a file, or of several. ``faults`` is all that is wrong in the text itself."""

    entries: tuple[Entry, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    includes: tuple[Include, ...] = ()
    budget: ManifestBudget | None = None
    faults: tuple[ManifestFault, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """The faults that matter and are not reported with an entry, in words for people."""
        told = (each for each in self.faults if not each.of_entry and each.severity != Severity.INFORMATION)
        return tuple(each.text for each in told)

    def find(self, target: Target) -> Entry | None:
        """The entry that pins ``target``."""
        return next((entry for entry in self.entries if entry.target.names(target)), None)


def read_manifest(text: str, is_there: Callable[[str], bool], name: str = NAME) -> Manifest:
    """The manifest in ``text``, which is the file ``name``. Raises ``BrokenFileError`` when it is none.

    ``is_there`` knows files and folders by their paths.
    """
    root = parse_mapping(text)
    faults = Faults(name)
    if root is not None:
        faults.check_names(root, FIELDS)
    version = field(root, "protocol")
    protocol = plain(version)
    if version is not None and protocol is not None and not _is_known(protocol):
        message = f"protocol: expected {PROTOCOL}; read as if it were that"
        faults.add(version, VALUE, message, Severity.WARNING)
    entries = _read_entries(root, is_there, faults)
    excluded = []
    for index, node in enumerate(_bound_nodes(list_items(root, "exclude"), "exclude", faults)):
        target = target_at(path_node(node), is_there, faults)
        if target is not None and (target.pattern or target.lines):
            message = f"{target.text}: only files, folders and symbols can be excluded, so nothing is excluded by it"
            faults.add(path_node(node), TARGET, message)
        elif target is not None:
            excluded.append(Exclusion(index, target, Span.of(name, path_node(node))))
    spent = field(root, "budget")
    return Manifest(
        entries,
        tuple(excluded),
        _read_includes(root, faults),
        None if spent is None or is_null(spent) else budget.read_budget(root, faults),
        faults.found,
    )


def _is_known(protocol: object) -> bool:
    return isinstance(protocol, str) and protocol.startswith("CONTEXT-ASSEMBLY/0.")


def _read_entries(
    root: MappingNode | None, is_there: Callable[[str], bool], faults: Faults
) -> tuple[Entry, ...]:
    entries: dict[object, Entry] = {}
    for index, node in enumerate(_bound_nodes(list_items(root, "files"), "files", faults)):
        entry = _entry(index, node, is_there, faults)
        if entry is not None and entries.setdefault(entry.target.place, entry) is not entry:
            message = f"{entry.target.text} is pinned twice; the first one counts"
            faults.add(path_node(node), DUPLICATE, message, Severity.WARNING)
    return tuple(entries.values())


def _read_includes(root: MappingNode | None, faults: Faults) -> tuple[Include, ...]:
    """The files named below ``include``: one, or a list of them."""
    value = field(root, "include")
    if value is None or is_null(value):
        return ()
    nodes: list[Node] = list(value.value) if is_list(value) else [value]
    if len(nodes) > MAX_INCLUDES:
        message = f"include: only the first {MAX_INCLUDES} of {len(nodes):,} files are read"
        faults.add(value, LIMIT, message, Severity.WARNING)
    found = []
    for node in nodes[:MAX_INCLUDES]:
        if is_scalar(node) and not is_null(node) and node.value.strip():
            found.append(Include(node.value, Span.of(faults.name, node)))
        else:
            faults.add(node, INCLUDE, "include: expected the path of another working set, or a list of such")
    return tuple(found)


def _bound_nodes(nodes: list[Node], name: str, faults: Faults) -> list[Node]:
    if len(nodes) > MAX_ENTRIES:
        message = f"{name}: only the first {MAX_ENTRIES:,} of {len(nodes):,} entries are read"
        faults.add(path_node(nodes[MAX_ENTRIES]), LIMIT, message, Severity.WARNING)
    return nodes[:MAX_ENTRIES]


def _entry(index: int, node: Node, is_there: Callable[[str], bool], faults: Faults) -> Entry | None:
    named = path_node(node)
    target = target_at(named, is_there, faults)
    if target is None:
        return None
    place = Span.of(faults.name, named)
    if not is_mapping(node):
        return Entry(index, target, place)
    faults.check_names(node, ENTRY_FIELDS)
    wrong: list[str] = []

    def check_field(name: str, valid: Callable[[str], bool], expected: str) -> str | None:
        value = field(node, name)
        if value is None or is_null(value):
            return None
        text = value.value if is_scalar(value) else ""
        if valid(text):
            return str(text)
        wrong.append(f"{name}: expected {expected}")
        faults.add(value, VALUE, wrong[-1], of_entry=True)
        return None

    priority = check_field("priority", _is_priority, "a number from 0 to 1")
    role = check_field("role", tuple(Role).__contains__, "one of " + ", ".join(Role))
    strategies = tuple(TruncateStrategy)
    strategy = check_field("truncate_strategy", strategies.__contains__, "one of " + ", ".join(strategies))
    lines = check_field("max_lines", _is_line_count, "a whole number, 1 or more")
    return Entry(
        index=index,
        target=target,
        place=place,
        priority=PRIORITY if priority is None else float(priority),
        role=Role(role) if role else Role.CONTEXT,
        truncate_strategy=TruncateStrategy(strategy) if strategy else TruncateStrategy.MIDDLE,
        max_lines=int(lines) if lines else None,
        problem="; ".join(wrong) or None,
        # Whatever else is written there, a person wrote it.
        by=Updater.MODEL if _scalar_in(node, "added_by") == Updater.MODEL else Updater.PERSON,
        why=_scalar_in(node, "why"),
    )


def _scalar_in(node: MappingNode, name: str) -> str | None:
    value = field(node, name)
    return str(value.value) if is_scalar(value) and not is_null(value) else None


def _is_priority(value: str) -> bool:
    return bool(_NUMBER.fullmatch(value)) and 0 <= float(value) <= 1


def _is_line_count(value: str) -> bool:
    return bool(_WHOLE.fullmatch(value)) and 1 <= int(value) <= MAX_LINES


def path_node(node: Node) -> Node:
    """The node that names the place of an entry: a path alone, or the field ``path``."""
    return field(node, "path") or node if is_mapping(node) else node


def target_at(node: Node, is_there: Callable[[str], bool], faults: Faults) -> Target | None:
    """The target that a node names; ``None``, and a fault, where it names none."""
    if not is_scalar(node) or is_null(node):
        faults.add(node, TARGET, "expected a path")
        return None
    try:
        return read_target(node.value, is_there)
    except ValueError as error:
        faults.add(node, TARGET, f"{node.value[:80]!r} {error}")
        return None

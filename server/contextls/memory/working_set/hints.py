"""Hot and cold files: small lists next to the manifest which say what is at hand now and what is not.

They are the word of a program or a habit, not of a person: they decide between equals, and lean on what is retrieved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec import Struct, field

from contextls.memory.working_set.entries import MAX_ENTRIES, path_node, target_at
from contextls.memory.working_set.faults import LIMIT, TARGET, Faults
from contextls.memory.working_set.file_patterns import FileSet
from contextls.memory.working_set.nodes import is_list, is_mapping, list_items, parse_tree
from contextls.model import ManifestFault, Severity, Target

HOT_NAME = ".context/hot.yml"
COLD_NAME = ".context/cold.yml"


class HintList(Struct, frozen=True):
    """The files, folders and patterns of one list, and what is wrong in it."""

    targets: tuple[Target, ...] = ()
    faults: tuple[ManifestFault, ...] = ()


class Hints(Struct, frozen=True):
    """The files that are hot, and those that are cold. What is both is hot."""

    hot: FileSet = field(default_factory=FileSet)
    cold: FileSet = field(default_factory=FileSet)

    def __bool__(self) -> bool:
        return bool(self.hot or self.cold)

    def rank(self, path: str) -> int:
        """-1 for a hot file, 1 for a cold one, 0 for any other: the order of equals."""
        return -1 if path in self.hot else int(path in self.cold)

    def rank_all(self, paths: Collection[str]) -> int:
        """The rank of something about several files: hot where one of them is, cold where all are."""
        return min((self.rank(path) for path in paths), default=0)


def read_hints(text: str, is_there: Callable[[str], bool], name: str) -> HintList:
    """The list in ``text``: paths, alone or below ``files``. Raises ``BrokenFileError``."""
    root, faults = parse_tree(text), Faults(name)
    if is_mapping(root):
        nodes = list_items(root, "files")
    elif is_list(root):
        nodes = list(root.value)
    else:
        nodes = []
        if root is not None:
            faults.add(root, TARGET, "expected a list of paths")
    if len(nodes) > MAX_ENTRIES:
        message = f"only the first {MAX_ENTRIES:,} of {len(nodes):,} paths are read"
        faults.add(nodes[MAX_ENTRIES], LIMIT, message, Severity.WARNING)
    targets = []
    for node in nodes[:MAX_ENTRIES]:
        named = path_node(node)
        target = target_at(named, is_there, faults)
        if target is None:
            continue
        if target.symbol or target.lines:
            faults.add(named, TARGET, f"{target.text}: only whole files and folders are hot or cold")
        else:
            targets.append(target)
    return HintList(tuple(targets), faults.found)

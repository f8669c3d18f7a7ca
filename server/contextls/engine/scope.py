"""The scope of a workspace as callers of an engine see it: the folders that its questions are limited to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from contextls.memory.scope.naming import NamedFolder, list_packages
from contextls.model import ScopeFolder, ScopeView

if TYPE_CHECKING:
    from contextls.memory.memories import Memories

# More are not offered; any other folder can be named.
MAX_CHOICES = 1_000


class ScopeChoice:
    """The saved scope, shared by everyone who has the workspace; nothing of it lies in the workspace."""

    def __init__(self, memories: Memories) -> None:
        """Use ``Engine.scope``."""
        self._memories = memories

    def view(self) -> ScopeView:
        """The scope, how much of the workspace it is, and what it can be made of."""
        paths = self._memories.current().outlines.keys()
        saved = self._memories.scope
        scope = saved.current()
        packages = list_packages(self._memories.root, paths)
        inside = _count_below(paths)
        return ScopeView(
            folders=tuple(_folder(path, packages, inside) for path in scope.entries),
            files=sum(map(scope.holds, paths)),
            total_files=len(paths),
            choices=tuple(_folder(path, packages, inside) for path in _choices(inside, packages)),
            warnings=saved.warnings(),
        )

    def save(self, entries: Sequence[str]) -> ScopeView:
        """Limit questions to these folders and packages from now on; without any, to nothing.

        Raises ``InvalidRequestError`` (field ``scope``), ``StoreError``.
        """
        self._memories.scope.save(entries, self._memories.current().outlines.keys())
        return self.view()


def _count_below(paths: Collection[str]) -> Counter[str]:
    """The number of ``paths`` below each folder; a file counts as one."""
    found: Counter[str] = Counter()
    for path in paths:
        end = len(path)
        while end > 0:
            found[path[:end]] += 1
            end = path.rfind("/", 0, end)
    return found


def _choices(inside: Counter[str], packages: Sequence[NamedFolder]) -> list[str]:
    tops = {path.partition("/")[0] for path in inside if "/" in path}
    return sorted({*tops, *(one.path for one in packages)})[:MAX_CHOICES]


def _folder(path: str, packages: Sequence[NamedFolder], inside: Counter[str]) -> ScopeFolder:
    name = next((one.name for one in packages if one.path == path), "")
    return ScopeFolder(path, name, inside[path])

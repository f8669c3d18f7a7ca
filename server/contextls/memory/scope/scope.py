"""A scope: the folders of a workspace that a question is limited to, and what it points at outside of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.index.snapshot.snapshot import Snapshot

# The fields of events that name files.
_PATH_FIELDS = ("path", "from", "paths")


class Scope(Struct, frozen=True):
    """``folders`` (or single files) by path, without a slash at the end; ``None`` for the whole workspace.

    ``pointed`` are files outside of them that a question points at: they stay. ``dependencies`` are installed packages that
    questions draw on as well.
    """

    folders: tuple[str, ...] | None = None
    pointed: frozenset[str] = frozenset()
    dependencies: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return self.folders is not None

    def __contains__(self, path: object) -> bool:
        """Like ``holds``."""
        return isinstance(path, str) and self.holds(path)

    def holds(self, path: str) -> bool:
        """Whether the file at ``path`` lies in it."""
        if self.folders is None:
            return True
        return any(path == folder or path.startswith(f"{folder}/") for folder in self.folders)

    def includes(self, path: str) -> bool:
        """Whether the file at ``path`` may be shown: it lies in the scope, or is pointed at."""
        return self.holds(path) or path in self.pointed

    def pointing_at(self, paths: Iterable[str]) -> Scope:
        """The same with these files."""
        more = frozenset(paths)
        return self if not self or more <= self.pointed else replace(self, pointed=self.pointed | more)

    def searchable(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with only the chunks of files that may be shown; the rest of it stays whole."""
        outside = [path for path in snapshot.view.paths if not self.includes(path)] if self else ()
        return replace(snapshot, view=snapshot.view.without(outside)) if outside else snapshot

    def concerns(self, content: Mapping[str, Any]) -> bool:
        """Whether what happened has to do with it; what names no file always may."""
        if not self:
            return True
        named = list(_strings([content.get(name) for name in _PATH_FIELDS]))
        return not named or any(map(self.includes, named))

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries that it was made of."""
        return (*(self.folders or ()), *(f"dependency:{name}" for name in self.dependencies))

    def describe(self) -> str:
        """Its folders, as a user reads them."""
        return ", ".join(self.folders or ())


EVERYTHING = Scope()


def _strings(values: Iterable[object]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (each for each in value if isinstance(each, str))

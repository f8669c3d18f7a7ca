"""The paths of one moment, found by their ends and folders: those of an import table, but for what came and went since."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from contextls.code.path_index import PathIndex, Paths
from contextls.memory.knowledge.relations.import_table import ImportTable
from contextls.memory.knowledge.relations.test_names import key_of


class KnownPaths:
    """The lookups of ``PathIndex`` in a table instead of an index built for them."""

    def __init__(
        self,
        table: ImportTable,
        gone: Collection[str],
        came: Collection[str],
        before: KnownPaths | None = None,
    ) -> None:
        """``gone`` are in the table and are no more, ``came`` are not in it; ``before`` spares work where both agree."""
        self._table = table
        self._gone = frozenset(gone)
        self.came = frozenset(came)
        if before is None:
            self._newer = PathIndex(sorted(self.came))
        elif before.came == self.came:
            self._newer = before._newer
        else:
            self._newer = before._newer.replace(
                sorted(before.came - self.came), sorted(self.came - before.came)
            )

    @property
    def quickest(self) -> Paths:
        """The same paths, for who looks up many: where the table has none, without the way by it."""
        return self if len(self._table) else self._newer

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, str) or path in self._gone:
            return False
        return path in self._newer or self._table.find(path) >= 0

    def ending_with(self, suffix: str) -> list[str]:
        """Paths that are ``suffix`` or end with ``/suffix``."""
        tail = "/".join(suffix.split("/")[-2:])
        known = self._table.owners(self._table.tails, tail) if len(self._table) else ()
        found = [path for path in known if path == suffix or path.endswith("/" + suffix)]
        return [path for path in found if path not in self._gone] + self._newer.ending_with(suffix)

    def folders_ending_with(self, suffix: str) -> list[str]:
        """Folders with files in them that are ``suffix`` or end with ``/suffix``."""
        known = self._table.folders_called(suffix.rpartition("/")[2]) if len(self._table) else ()
        found = {folder for folder in known if folder == suffix or folder.endswith("/" + suffix)}
        if self._gone:
            found = {folder for folder in found if self._known_files(folder)}
        return sorted(found.union(self._newer.folders_ending_with(suffix)))

    def files_of(self, folder: str) -> list[str]:
        """The files directly in ``folder``, in alphabetical order."""
        return sorted([*self._known_files(folder), *self._newer.files_of(folder)])

    def keyed(self, key: str) -> list[str]:
        """The files whose names say ``key`` beside that they are tests, and now and then another one."""
        known = self._table.owners(self._table.keys, key) if len(self._table) else ()
        return [path for path in known if path not in self._gone] + list(self._newer_keys.get(key, ()))

    @cached_property
    def _newer_keys(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.came:
            found.setdefault(key_of(path), []).append(path)
        return found

    def _known_files(self, folder: str) -> list[str]:
        if not len(self._table):
            return []
        inside = self._table.owners(self._table.homes, folder)
        return [path for path in inside if path.rpartition("/")[0] == folder and path not in self._gone]

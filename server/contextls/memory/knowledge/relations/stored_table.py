"""The table of imports next to the segments: read by every process, replaced by one that may write."""

from __future__ import annotations

from contextlib import suppress

from contextls.errors import CancelledError, StoreError
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.knowledge.relations.import_table import ImportTable, from_arrays, to_arrays


class StoredTable:
    """The newest table that any process stored for a workspace."""

    def __init__(self, store: IndexStore) -> None:
        self._store = store
        self._known: tuple[str, ImportTable | None] = ("", None)

    def read(self) -> ImportTable | None:
        """The table; ``None`` when there is none that can be read."""
        derived = self._store.derived
        name = derived.name()
        if name != self._known[0]:
            arrays = derived.read()
            table = None
            if arrays is not None:
                with suppress(LookupError, ValueError, TypeError):
                    table = from_arrays(arrays, name)
            self._known = (name, table)
        return self._known[1]

    def write(self, table: ImportTable) -> ImportTable:
        """Store a table for all processes; the one to go on with, which is mapped.

        Where another process is writing, or nothing can be written, ``table`` itself: the next run stores one.
        """
        with suppress(CancelledError, StoreError), self._store.writing(lambda: True):
            self._store.derived.write(to_arrays(table))
            self._store.delete_orphans()
        return self.read() or table

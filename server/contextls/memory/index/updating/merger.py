"""Merges the segments that are due, on the disk and in what readers see."""

from __future__ import annotations

from contextls.errors import StoreError
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.disk.index_store import IndexStore


class SegmentMerger:
    """Keeps the segments of one index few."""

    def __init__(self, memory: ContentIndex, store: IndexStore) -> None:
        self._memory = memory
        self._store = store
        self.problem = ""  # what kept the newest merge from being written

    def merge(self, *, settle: bool = False) -> None:
        """Merge what is due; all small segments with ``settle``. Call it while the index lock is held.

        Of what cannot be written only the speed of searches suffers.
        """
        try:
            while (merged := self._store.merge(settle=settle)) is not None:
                self._memory.note_merged(*merged)
            self._store.delete_orphans()
            self.problem = ""
        except StoreError as error:
            self.problem = str(error)

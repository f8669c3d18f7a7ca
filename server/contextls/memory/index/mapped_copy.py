"""The mapped copy of the content index: a base that holds all chunks, and what single writes added since."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from contextls.errors import StoreError
from contextls.memory.index.stored import Change
from contextls.store.chunk_batch import ChunkBatch
from contextls.store.index_database import IndexDatabase
from contextls.store.mapped_chunks import MappedChunks

_NAMES = "copy"
_NAME = re.compile(r"[0-9a-f]+\.chunks")


class MappedCopy:
    """The files of the copy, and the list of them in the index database. Write while holding the index lock."""

    def __init__(self, folder: Path, records: IndexDatabase) -> None:
        """Nothing is opened before first use."""
        self._chunks = MappedChunks(folder)
        self._records = records

    def names(self) -> list[str]:
        """The files, the base first; none when there is no copy."""
        names = json.loads(self._records.facts().get(_NAMES, "[]"))
        return [name for name in names if isinstance(name, str) and _NAME.fullmatch(name)]

    def read(self) -> tuple[list[ChunkBatch], Callable[[], bool]]:
        """The chunks of each file, mapped; nothing when one cannot be read, as the table has it all.

        Whether they are what was written is found out meanwhile: call the second value, which waits for that, before
        anything is made of them.
        """
        names = self.names()
        try:
            parts = [self._chunks.read(name) for name in names]
        except StoreError:
            return [], lambda: False
        checking = ThreadPoolExecutor(1, "contextls-copy")
        intact = checking.submit(lambda: all(map(self._chunks.is_intact, names)))
        checking.shutdown(wait=False)
        return parts, intact.result

    def distrust(self) -> None:
        """Nobody reads the copy any more; the next indexing lays it out again."""
        with suppress(StoreError):
            self._records.set_facts({_NAMES: []})

    def write(self, batch: ChunkBatch) -> ChunkBatch:
        """Lay out all stored chunks again, and map them. Raises ``StoreError``."""
        name = self._chunks.write(batch)
        self._records.set_facts({_NAMES: [name]})
        self._chunks.delete_all_but([name])
        return self._chunks.read(name)

    def extend(self, changes: Sequence[Change]) -> None:
        """Add what was written to a copy that exists. Raises ``StoreError``."""
        added = [self._chunks.write(change.batch) for change in changes if len(change.batch)]
        if added:
            self._records.set_facts({_NAMES: [*self.names(), *added]})

    def delete(self) -> None:
        """Delete all files."""
        self._chunks.delete_all_but(())

    def size_bytes(self) -> int:
        """Bytes on disk."""
        return self._chunks.size_bytes()

"""Arrays made of what is indexed, kept next to the segments: mapped by every process, and made again when they are lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from contextls.errors import StoreError
from contextls.memory.index.disk.facts import IndexFacts
from contextls.store.array_file import Writable
from contextls.store.segment_files import DERIVED, SegmentFiles

if TYPE_CHECKING:
    from numpy.typing import NDArray


class DerivedArrays:
    """One file of arrays, named by the index database. What they are of, they say themselves."""

    def __init__(self, files: SegmentFiles, facts: IndexFacts) -> None:
        self._files = files
        self._facts = facts

    def name(self) -> str:
        """The name of the newest file; "" for none."""
        return self._place()[0]

    def read(self) -> Mapping[str, NDArray[Any]] | None:
        """The arrays, looked through once; ``None`` when there are none, or not what was written."""
        name, size = self._place()
        try:
            return self._files.map(name, size) if name and self._files.is_intact(name) else None
        except StoreError:
            return None

    def write(self, arrays: Mapping[str, Writable]) -> None:
        """Put other arrays in their place; the file before is an orphan. Call it inside ``writing()``.

        Raises ``StoreError``.
        """
        self._facts.note_derived(*self._files.write(arrays, DERIVED))

    def _place(self) -> tuple[str, int]:
        return self._facts.read().derived

"""One moment of the content memory: what every reader works on while writers prepare the next one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.snapshot.stored_outlines import StoredOutlines
from contextls.memory.index.snapshot.symbols import SymbolTable
from contextls.memory.index.snapshot.view import IndexView


class Snapshot(Struct, frozen=True):
    """Chunks, outlines and symbols that belong together."""

    files: SegmentSet = field(default_factory=SegmentSet)
    view: IndexView = field(default_factory=IndexView)
    outlines: Mapping[str, Outline] = field(default_factory=lambda: StoredOutlines(SegmentSet()))
    symbols: SymbolTable = field(default_factory=SymbolTable)

    @classmethod
    def of(cls, files: SegmentSet) -> Snapshot:
        """The moment at which these files count."""
        outlines = StoredOutlines(files)
        return cls(files, IndexView.of(files), outlines, SymbolTable(files, outlines))

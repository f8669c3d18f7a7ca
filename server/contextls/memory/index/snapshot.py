"""One moment of the content memory: what every reader works on while writers prepare the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from contextls.memory.index.outlines import Outline
from contextls.memory.index.symbols import SymbolTable
from contextls.memory.index.view import IndexView
from contextls.store.chunk_batch import ChunkBatch


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Chunks, outlines and symbols that belong together."""

    view: IndexView = field(default_factory=IndexView)
    outlines: Mapping[str, Outline] = field(default_factory=dict)
    symbols: SymbolTable = field(default_factory=SymbolTable)

    def replace(self, paths: Collection[str], batch: ChunkBatch, outlines: Iterable[Outline]) -> Snapshot:
        """The moment after ``paths`` came to hold exactly the chunks of ``batch`` and ``outlines``."""
        fresh = {outline.path: outline for outline in outlines}
        gone = [self.outlines[path] for path in paths if path in self.outlines]
        kept = dict(self.outlines)
        for path in paths:
            kept.pop(path, None)
        return Snapshot(
            view=self.view.replace(paths, batch),
            outlines={**kept, **fresh},
            symbols=self.symbols.replace(gone, fresh.values()),
        )

"""The content memory: the current snapshot, kept in step with this process's writes, other processes' and the editor's."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from contextls.errors import EmbedderError
from contextls.memory.index.evidence import Evidences, evidence
from contextls.memory.index.index_store import IndexStore
from contextls.memory.index.languages import prepare_languages
from contextls.memory.index.long_queries import gist
from contextls.memory.index.ranking import RankedChunk, Ranking, RankingWeights, rank, ranking
from contextls.memory.index.rewording import reword
from contextls.memory.index.search_query import SearchQuery, ask
from contextls.memory.index.segment import Segment
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.spelling import Dictionary
from contextls.memory.index.stored import Change
from contextls.memory.index.terms import TermSplitter
from contextls.memory.index.view import ChunkRef, IndexView
from contextls.models.embedders.base import Embedder
from contextls.store.chunk_batch import ChunkBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ContentIndex:
    """Readers take ``snapshot`` and keep it for the length of a question; writers call ``apply``."""

    def __init__(self, store: IndexStore, embedder: Embedder, weights: RankingWeights | None = None) -> None:
        """Nothing is read before the first ``catch_up``."""
        self._store = store
        self._embedder = embedder
        self._weights = weights or RankingWeights()
        self._splitter = TermSplitter()
        self._dictionary = Dictionary()
        self._guard = threading.RLock()
        self._generation = 0
        self._unsaved: set[str] = set()
        self._held: dict[str, int] = {}
        # Shown from memory, and by now stored just so: the generation under which each path was stored.
        self._stored: dict[str, int] = {}
        self.snapshot = Snapshot()
        self.version = 0  # grows whenever the snapshot comes to show something else
        self.problem = ""  # what kept the newest question from being embedded

    def catch_up(self) -> Snapshot:
        """Take in what other processes (or an earlier one) have written, and return the snapshot."""
        with self._guard:
            for change in self._news():
                own = self._unsaved | self._held.keys()
                self._generation = change.generation
                self._show(_without(change, own))
            return self.snapshot

    def apply(self, change: Change, *, overlay: bool = False) -> None:
        """Show a stored change or, as an ``overlay``, unsaved editor texts.

        A stored change does not touch what is newer than the disk index: unsaved texts and held files.
        """
        with self._guard:
            if overlay:
                self._unsaved |= change.paths
            else:
                change = _without(change, self._unsaved | self._held.keys())
            self._generation = max(self._generation, change.generation)
            self._show(change)

    def apply_held(self, change: Change) -> None:
        """Show files as they are on disk before they are stored, and hold them until ``release``."""
        with self._guard:
            for path in change.paths:
                self._held[path] = self._held.get(path, 0) + 1
            self._show(_without(change, self._unsaved))

    def unsaved(self) -> frozenset[str]:
        """The files that show unsaved editor text."""
        with self._guard:
            return frozenset(self._unsaved)

    @property
    def is_loaded(self) -> bool:
        """Whether the stored index has been taken in at least once."""
        return self._generation > 0

    def note_stored(self, change: Change) -> None:
        """Note that what is held was written as ``change``; call it while holding the index lock and before ``release``."""
        with self._guard:
            self._generation = max(self._generation, change.generation)
            for path in change.paths - self._unsaved:
                if self._held.get(path) == 1:
                    self._stored[path] = change.generation

    def drop_unsaved(self, path: str) -> None:
        """The editor's text of ``path`` no longer counts; the next ``apply`` for it is shown."""
        with self._guard:
            self._unsaved.discard(path)

    def release(self, paths: Iterable[str]) -> None:
        """Undo one ``apply_held``."""
        with self._guard:
            for path in paths:
                count = self._held.get(path, 0) - 1
                if count > 0:
                    self._held[path] = count
                else:
                    self._held.pop(path, None)

    def forget(self) -> None:
        """Show nothing but unsaved editor texts."""
        with self._guard:
            gone = self.snapshot.outlines.keys() - self._unsaved
            self._show(self._store.build_removal(sorted(gone)))

    def settle(self) -> Snapshot:
        """Make the snapshot quick to search and to add to, and return it; worth calling after a long run of writes."""
        with self._guard:
            self.snapshot = replace(self.snapshot, view=self.snapshot.view.settle())
            return self.snapshot

    def write_copy(self) -> None:
        """Lay out what is shown as files to be mapped, and go on with those. Call it while holding the index lock.

        Unsaved texts stay in memory: nothing of them is written.
        """
        with self._guard:
            view, unsaved = self.settle().view, frozenset(self._unsaved)
        if not view.segments:
            return
        (segment,), (alive,) = view.segments, view.alive
        shown = segment.batch.select(alive)
        paths = shown.rows.paths
        saved = np.array([path not in unsaved for path in paths.values], np.bool_)[paths.codes]
        batch = shown if saved.all() else shown.select(saved)
        if not len(batch):
            return
        whole = segment if batch is segment.batch else Segment(batch)
        mapped = self._store.copy.write(
            replace(batch, inverted=whole.inverted_index, generations=self._stored_generations(batch))
        )
        with self._guard:
            if self.snapshot.view is view:
                laid_out = IndexView().replace((), mapped)
                if not saved.all():
                    laid_out = laid_out.replace((), shown.select(~saved))
                self.snapshot = replace(self.snapshot, view=laid_out)

    def read_query(self, text: str) -> SearchQuery:
        """Prepare a question for ``search``: its unknown words are read as known ones.

        One whose embedding fails is answered by words alone and says so.
        """
        snapshot = self.snapshot
        reworded = reword(
            text, snapshot.view, lambda: self._dictionary.follow(snapshot.outlines), self._splitter
        )
        vector, self.problem = self._vector(gist(reworded.text))
        return ask(text, self._splitter, vector, self.problem, reworded=reworded)

    def read_verbatim(self, text: str) -> SearchQuery:
        """Prepare code or output of a program for ``search``: as ``read_query``, every word as it is."""
        vector, self.problem = self._vector(gist(text))
        return ask(text, self._splitter, vector, self.problem)

    def prepare_words(self) -> None:
        """Spell out the words of the snapshot now, so that no question waits for it."""
        self._dictionary.follow(self.snapshot.outlines)
        prepare_languages()

    def search(self, snapshot: Snapshot, question: SearchQuery, limit: int) -> list[RankedChunk]:
        """The chunks of ``snapshot`` that answer ``question``, best first."""
        return rank(snapshot, question, self._weights, limit)

    def ranking(self, snapshot: Snapshot, question: SearchQuery, limit: int) -> Ranking:
        """As ``search``, with what the order was made of."""
        return ranking(snapshot, question, self._weights, limit)

    def evidence(self, ranking: Ranking, refs: Sequence[ChunkRef]) -> Evidences:
        """Explain the rank of each of these chunks."""
        return evidence(ranking, refs, self._splitter)

    def _vector(self, text: str) -> tuple[NDArray[np.float32], str]:
        try:
            vector = self._embedder.embed_query(text)
        except EmbedderError as error:
            return np.zeros(self._embedder.dimensions, np.float32), f"answered by words alone: {error}"
        stored = {segment.batch.vectors.shape[1] for segment in self.snapshot.view.segments}
        if stored <= {len(vector)}:
            return vector, ""
        lengths = ", ".join(map(str, sorted(stored)))
        return np.zeros_like(vector), (
            f"answered by words alone: the index holds vectors of {lengths} numbers, the embedder gives {len(vector)}; "
            "`contextls clear` and `contextls index` rebuild it"
        )

    def _stored_generations(self, batch: ChunkBatch) -> NDArray[np.int64]:
        """Under which generation each chunk is stored; 0 for what is not."""
        labels = batch.rows.paths
        with self._guard:
            known = [self._stored.get(path, 0) for path in labels.values]
        return np.where(batch.generations == 0, np.array(known, np.int64)[labels.codes], batch.generations)

    def _news(self) -> tuple[Change, ...]:
        """Everything written since this process last looked; all there is at the first look."""
        if not self._generation:
            return self._store.load()
        change = self._store.changed_since(self._generation)
        return (change,) if change else ()

    def _show(self, change: Change) -> None:
        for path in change.paths & self._stored.keys():
            del self._stored[path]
        if change.paths:
            self.version += 1
            self.snapshot = self.snapshot.replace(change.paths, change.batch, change.outlines)


def _without(change: Change, paths: set[str]) -> Change:
    if not change.paths & paths:
        return change

    keep = np.fromiter((path not in paths for path in change.batch.rows.paths), np.bool_, len(change.batch))
    return Change(
        paths=change.paths - paths,
        batch=change.batch.select(keep),
        outlines=tuple(outline for outline in change.outlines if outline.path not in paths),
        generation=change.generation,
    )

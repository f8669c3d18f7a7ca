"""The content memory: the current snapshot, kept in step with this process's writes, other processes' and the editor's."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from contextls.errors import EmbedderError
from contextls.memory.index.disk.change import IndexChange
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.segments.merge import SegmentMerge
from contextls.memory.index.segments.segment import Segment
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter
from contextls.models.embedders.base import Embedder
from contextls.text.gate import clean, without_marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.query.search_query import SearchQuery
    from contextls.memory.index.ranking.evidence import Evidences
    from contextls.memory.index.ranking.ranking import RankedChunk, Ranking


class ContentIndex:
    """Readers take ``snapshot`` and keep it for the length of a question; writers call ``apply``."""

    def __init__(self, store: IndexStore, embedder: Embedder) -> None:
        """Nothing is read before the first ``catch_up``."""
        self._store = store
        self._embedder = embedder
        self._splitter = TermSplitter()
        self._guard = threading.RLock()
        self._generation = 0
        self._unsaved: set[str] = set()
        self._held: dict[str, int] = {}
        self.snapshot = Snapshot()
        self.version = 0  # grows whenever the snapshot comes to show something else
        self.problem = ""  # what kept the newest question from being embedded

    def catch_up(self) -> Snapshot:
        """Take in what other processes (or an earlier one) have written, and return the snapshot."""
        with self._guard:
            change = self._store.changed_since(self._generation)
            if change is not None:
                self._generation = change.generation
                self._show(change.without(self._unsaved | self._held.keys()))
            return self.snapshot

    def apply(self, change: IndexChange, *, overlay: bool = False) -> None:
        """Show a stored change or, as an ``overlay``, unsaved editor texts.

        A stored change does not touch what is newer than the disk index: unsaved texts and held files.
        """
        with self._guard:
            if overlay:
                self._unsaved |= change.paths
            else:
                change = change.without(self._unsaved | self._held.keys())
            self._generation = max(self._generation, change.generation)
            self._show(change)

    def apply_held(self, change: IndexChange) -> None:
        """Show files as they are on disk before they are stored, and hold them until ``release``."""
        with self._guard:
            for path in change.paths:
                self._held[path] = self._held.get(path, 0) + 1
            self._show(change.without(self._unsaved))

    def unsaved(self) -> frozenset[str]:
        """The files that show unsaved editor text."""
        with self._guard:
            return frozenset(self._unsaved)

    @property
    def is_loaded(self) -> bool:
        """Whether the stored index has been taken in at least once."""
        return self._generation > 0

    def note_stored(self, change: IndexChange) -> None:
        """Note that what is held was written as ``change``; call it while holding the index lock and before ``release``."""
        with self._guard:
            self._generation = max(self._generation, change.generation)
            newer = {path for path in change.paths if path in self._unsaved or self._held.get(path) != 1}
            stored = change.without(newer)
            # The same content, from its file instead of from memory.
            self.snapshot = Snapshot.of(self.snapshot.files.replace(stored.paths, stored.parts))

    def note_merged(self, merge: SegmentMerge, new: Segment) -> None:
        """Go on with ``new`` in the place of the segments that were merged."""
        with self._guard:
            self.snapshot = Snapshot.of(self.snapshot.files.swap(merge, new))

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
            gone = set(self.snapshot.files.paths) - self._unsaved
            self._show(IndexChange.removal(sorted(gone)))

    def read_query(self, text: str, other_words: Sequence[str] = ()) -> SearchQuery:
        """Prepare a question for ``search``: its unknown words are read as known ones, and none in a secret.

        ``other_words`` are what the code may have for what the question says otherwise.

        One whose embedding fails is answered by words alone and says so.
        """
        # What reads and ranks questions is a tenth of the time of a command that asks none.
        from contextls.memory.index.query.asides import without_asides
        from contextls.memory.index.query.asked_side import find_asked_side
        from contextls.memory.index.query.defined_words import find_asked_types, find_defined
        from contextls.memory.index.query.framing import without_difference, without_framing
        from contextls.memory.index.query.places import without_repositories
        from contextls.memory.index.query.products import read_products
        from contextls.memory.index.query.rewording import reword
        from contextls.memory.index.query.search_query import prepare_query
        from contextls.memory.index.words.spelling import Dictionary

        snapshot = self.snapshot
        asked = without_framing(without_asides(without_repositories(without_marks(clean(text)))))
        asked, side = find_asked_side(asked, snapshot.files)
        asked_types = find_asked_types(asked, snapshot.symbols)
        text = read_products(without_difference(asked), snapshot, self._splitter)
        other_words = without_marks(clean(" ".join(other_words))).split()
        reworded = reword(
            text, snapshot.view, lambda: Dictionary(snapshot.files), self._splitter, other_words
        )
        vector, self.problem = self._vector(reworded.spoken)
        is_english = not reworded.language
        return prepare_query(
            text,
            self._splitter,
            vector,
            self.problem,
            reworded=reworded,
            defined=find_defined(text, snapshot.symbols, is_english=is_english),
            asked_types=asked_types if is_english else (),
            side=side,
        )

    def read_verbatim(self, text: str) -> SearchQuery:
        """Prepare code or output of a program for ``search``: as ``read_query``, every word as it is."""
        from contextls.memory.index.query.long_queries import gist
        from contextls.memory.index.query.search_query import prepare_query

        vector, self.problem = self._vector(gist(text))
        return prepare_query(text, self._splitter, vector, self.problem)

    def prepare_words(self) -> None:
        """Read the words that questions are compared with now, so that no question waits for it."""
        from contextls.memory.index.words.languages import prepare_languages
        from contextls.memory.index.words.spelling import usual_words

        usual_words()
        prepare_languages()

    def search(self, snapshot: Snapshot, question: SearchQuery, limit: int) -> list[RankedChunk]:
        """The chunks of ``snapshot`` that answer ``question``, best first."""
        from contextls.memory.index.ranking.ranking import RankingWeights, rank

        return rank(snapshot, question, RankingWeights(), limit, vectors=self._store.vectors)

    def ranking(self, snapshot: Snapshot, question: SearchQuery) -> Ranking:
        """The evidence for the chunks of ``snapshot`` that lead by their words or their meaning."""
        from contextls.memory.index.ranking.ranking import RankingWeights, build_ranking

        return build_ranking(snapshot, question, RankingWeights(), vectors=self._store.vectors)

    def evidence(self, ranking: Ranking, refs: Sequence[ChunkRef]) -> Evidences:
        """Explain the rank of each of these chunks."""
        from contextls.memory.index.ranking.evidence import gather_evidence

        return gather_evidence(ranking, refs, self._splitter)

    def _vector(self, text: str) -> tuple[NDArray[np.float32], str]:
        try:
            vector = self._embedder.embed_query(text)
        except EmbedderError as error:
            return np.zeros(self._embedder.dimensions, np.float32), f"answered by words alone: {error}"
        stored = {
            segment.vectors.shape[1] for segment in self.snapshot.files.segments if segment.vectors.size
        }
        if stored <= {len(vector)}:
            return vector, ""
        lengths = ", ".join(map(str, sorted(stored)))
        return np.zeros_like(vector), (
            f"answered by words alone: the index holds vectors of {lengths} numbers, the embedder gives {len(vector)}; "
            "`contextls clear` and `contextls index` rebuild it"
        )

    def _show(self, change: IndexChange) -> None:
        if change.paths:
            self.version += 1
            self.snapshot = Snapshot.of(self.snapshot.files.replace(change.paths, change.parts))

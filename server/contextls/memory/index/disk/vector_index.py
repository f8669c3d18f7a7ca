"""LanceDB's index over the vectors of large segments: built and opened in the background, by processes that stay.

Below ``MIN_CHUNKS`` nothing of this happens: numpy finds more, sooner. It covers segments by their ids; what
came later is compared by numpy, and the caller leaves out what is dead. Half an index is never used: one counts
once the index database names it, and anything else in its folder is deleted.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.store.index_database import IndexDatabase
from contextls.store.index_rows import SegmentRecord
from contextls.store.segment_files import SegmentFiles
from contextls.store.vector_folders import VectorFolders
from contextls.store.vector_process import VectorProcess

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.segments.segment import Segment
    from contextls.store.vector_table import VectorTable

# docs/performance.md: up to 1.2 million chunks, the largest workspace measured, numpy finds more, sooner.
MIN_CHUNKS = 2_000_000
# Segments that are smaller than this share of that will be merged: numpy compares them.
_MIN_SEGMENT_SHARE = 1 / 16
# An index that covers less of the workspace than this is built again.
_ENOUGH = 0.7
# So often it is looked whether this process, or another one, should have or has built another.
_LOOK_AGAIN_SECONDS = 30.0
_SAID = 300
# In the place of the id of a segment that is gone; those of unsaved texts have none either.
NOBODY = 0
log = logging.getLogger(__name__)


class _Opened(Struct, frozen=True):
    table: VectorTable
    name: str
    parts: Mapping[int, int]  # of the table, by id of a segment


class VectorIndex:
    """The index of one workspace. Safe to use from several threads."""

    def __init__(
        self,
        records: IndexDatabase,
        files: SegmentFiles,
        folders: VectorFolders,
        min_chunks: int = MIN_CHUNKS,
    ) -> None:
        """Nothing is read, opened or started before ``follow``."""
        self._records = records
        self._files = files
        self._folders = folders
        self.min_chunks = min_chunks
        self._process = VectorProcess()
        self._guard = threading.Lock()
        self._worker: ThreadPoolExecutor | None = None
        self._at_work = False
        self._closed = False
        self._builds = False
        self._look_again_at = math.inf
        self._opened: _Opened | None = None
        self.problem = ""  # why it is not used
        self.build_seconds = 0.0  # of the newest build by this process

    @property
    def is_open(self) -> bool:
        """Whether questions are answered with it."""
        return self._opened is not None

    def follow(self, chunks: int, *, builds: bool) -> None:
        """Keep the index of a workspace of ``chunks`` ready from now on, and build it where ``builds`` and none is good.

        Returns at once; does nothing where the workspace is small.
        """
        if chunks < self.min_chunks:
            self._opened, self._look_again_at = None, math.inf
            return
        with self._guard:
            self._builds = builds
            if not (self._at_work or self._closed):
                self._at_work = True
                self._worker = self._worker or ThreadPoolExecutor(1, thread_name_prefix="contextls-vectors")
                self._worker.submit(self._work)

    def nearest(
        self, segments: Sequence[Segment], vector: NDArray[np.float32], count: int
    ) -> dict[int, NDArray[np.int64]]:
        """The rows near ``vector`` of the segments that are covered, by segment id; empty while there is no index.

        The rows ascend; some may be dead.
        """
        if time.monotonic() > self._look_again_at:
            self.follow(sum(map(len, segments)), builds=self._builds)
        opened = self._opened
        parts_of = opened.parts if opened else {}
        covered = [segment for segment in segments if segment.id in parts_of]
        if opened is None or not covered:
            return {}
        try:
            parts, rows = opened.table.nearest(vector, count)
        except Exception as error:  # whatever LanceDB raises, numpy answers
            self._give_up(error)
            return {}
        found = {segment.id: np.sort(rows[parts == parts_of[segment.id]]) for segment in covered}
        return {each.id: found[each.id][found[each.id] < len(each)] for each in covered}

    def delete_leftovers(self) -> None:
        """Delete indexes that do not count, or cover nothing that is left. Call it while holding the index lock."""
        name, segments = self._records.vector_index()
        if name and not self._records.segments().keys() & set(segments):
            self._records.set_vector_index("", [])
            name = ""
        self._folders.delete_leftovers(name)

    def wait(self) -> None:
        """Return when nothing is being built or opened."""
        if self._worker is not None:
            self._worker.submit(lambda: None).result()

    def close(self) -> None:
        """End what is at work, and let go of the index."""
        with self._guard:
            self._closed = True
        self._process.stop()
        if self._worker is not None:
            self._worker.shutdown(wait=True)
        self._opened = None

    def _work(self) -> None:
        try:
            if self._builds and not self._covers_enough():
                self._build()
            self._open()
            self._look_again_at = time.monotonic() + _LOOK_AGAIN_SECONDS
        except Exception as error:  # whatever LanceDB raises, numpy answers
            self._give_up(error)
        finally:
            self._at_work = False

    def _give_up(self, error: Exception) -> None:
        """Go on without; who builds makes another one after the next full run, others look again for one."""
        self._opened = None
        if self._closed:
            return
        said = str(error).strip()[:_SAID] or type(error).__name__
        self.problem = f"LanceDB's index over vectors is not used, questions take longer: {said}"
        log.warning("%s", self.problem)
        self._look_again_at = math.inf if self._builds else time.monotonic() + _LOOK_AGAIN_SECONDS
        if self._builds:
            self._records.set_vector_index("", [])

    def _covers_enough(self) -> bool:
        known = self._records.segments()
        _, segments = self._stored()
        covered = sum(known[number].chunks for number in segments if number in known)
        return covered >= _ENOUGH * sum(each.chunks for each in known.values())

    def _stored(self) -> tuple[str, Sequence[int]]:
        """The name of the index that counts and the segments that it covers; "" where there is none."""
        name, segments = self._records.vector_index()
        return (name, segments) if self._folders.has(name) else ("", ())

    def _to_cover(self) -> list[SegmentRecord]:
        least = _MIN_SEGMENT_SHARE * self.min_chunks
        return [
            each for each in self._records.segments().values() if each.chunks >= least and each.dimensions
        ]

    def _build(self) -> None:
        """Build one in a process of its own, and let it count; nothing happens while another process does."""
        with self._folders.building() as is_ours:
            chosen = self._to_cover()
            if not (is_ours and chosen) or self._covers_enough():
                return
            started = time.monotonic()
            name, folder = self._folders.begin()
            self._process.build(folder, [self._files.place(each.name) for each in chosen])
            # A part whose segment was merged away meanwhile is never asked for.
            known = self._records.segments()
            covered = [each.id if known.get(each.id) == each else NOBODY for each in chosen]
            self._records.set_vector_index(name, covered)
            self._folders.delete_all_but(name)
        self.build_seconds = time.monotonic() - started
        log.info("indexed %d vectors in %.0f s", sum(each.chunks for each in chosen), self.build_seconds)

    def _open(self) -> None:
        """Open the index that counts, unless it is open."""
        name, segments = self._stored()
        if not name:
            self._opened = None
        elif self._opened is None or self._opened.name != name:
            from contextls.store.vector_table import VectorTable  # which imports LanceDB

            table = VectorTable.load(self._folders.place(name))
            parts = {number: part for part, number in enumerate(segments) if number != NOBODY}
            self._opened = _Opened(table, name, parts)
            self.problem = ""

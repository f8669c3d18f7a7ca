"""One merge of stored segments: which are due, what of them is kept, and the records that point to the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from contextls.memory.index.disk.merge_policy import choose_merge
from contextls.memory.index.disk.segment_store import mask_of
from contextls.memory.index.segments.merge import SegmentMerge
from contextls.store.index_rows import SegmentRecord

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from contextls.memory.index.disk.segment_store import SegmentStore
    from contextls.memory.index.segments.segment import Segment
    from contextls.store.index_database import IndexDatabase

# A branch that is switched away from comes back, so former contents are kept with the newest: of at most this share of
# all files, as a search passes over their chunks, and the disk holds them.
MAX_FORMER = 0.2


def merge_due(
    store: SegmentStore, records: IndexDatabase, *, settle: bool
) -> tuple[SegmentMerge, Segment] | None:
    """Merge one lot of segments that are due, and give it with the new segment; ``None`` when none is.

    With ``settle`` all small ones are due. The index lock is held. Raises ``StoreError``.
    """
    shapes, counts = records.segments(), records.count_files()
    chosen = choose_merge([each for each in shapes.values() if counts.get(each.id)], counts, settle=settle)
    if not chosen:
        return None
    merge = _plan(records, [store.map(shapes[number]) for number in chosen], settle=settle)
    name, size = store.write(merge.columns())
    sources = [chosen[source] for source in merge.sources.tolist()]
    moves = zip(sources, merge.numbers.tolist(), strict=True)
    shape = _describe(merge, name, size)
    return merge, store.map_own(replace(shape, id=records.move(shape, moves, chosen)))


def _plan(records: IndexDatabase, segments: Sequence[Segment], *, settle: bool) -> SegmentMerge:
    """The files that count and, with ``settle``, those that may come to count again."""
    alive = [
        mask_of(each, np.array([at for at, _ in records.files_in(each.id)], np.int64)) for each in segments
    ]
    kept = _keep_former(segments, alive, records.paths_with_content()) if settle else alive
    return SegmentMerge(segments, alive, kept)


def _keep_former(
    segments: Sequence[Segment], alive: Sequence[NDArray[np.bool_]], paths: Collection[str]
) -> list[NDArray[np.bool_]]:
    """The files that are marked in ``alive``, and for each of ``paths`` the content before where ``segments`` have it.

    None of the latter where they are too many. A file that is gone, or not to be indexed any more, keeps nothing: nobody
    who deletes or ignores one expects to find its text on the disk.
    """
    kept = [mask.copy() for mask in alive]
    taken: set[str] = set()
    most = MAX_FORMER * sum(int(mask.sum()) for mask in alive)
    for segment, mask in zip(reversed(segments), reversed(kept), strict=True):  # the newest first
        for number in reversed(np.flatnonzero(~mask).tolist()):
            path = segment.paths[number]
            if (
                path in paths
                and path not in taken
                and not _is_newest(segments, alive, path, segment.digests[number])
            ):
                taken.add(path)
                mask[number] = True
    return kept if len(taken) <= most else list(alive)


def _is_newest(
    segments: Sequence[Segment], alive: Sequence[NDArray[np.bool_]], path: str, digest: NDArray[np.uint8]
) -> bool:
    """Whether the file at ``path`` that counts has these bytes too."""
    return any(
        mask[number] and np.array_equal(segment.digests[number], digest)
        for segment, mask in zip(segments, alive, strict=True)
        for number in segment.find(path)
    )


def _describe(merge: SegmentMerge, name: str, size: int) -> SegmentRecord:
    chunks = sum(
        int(mask[segment.chunk_files].sum()) for segment, mask in zip(merge.segments, merge.kept, strict=True)
    )
    dimensions = max(segment.vectors.shape[1] for segment in merge.segments)
    return SegmentRecord(0, name, size, len(merge.numbers), chunks, dimensions)

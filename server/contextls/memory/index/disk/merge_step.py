"""One merge of stored segments: which are due, what of them is kept, and the records that point to the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from contextls.memory.index.disk.former_contents import keep_former
from contextls.memory.index.disk.merge_policy import choose_merge
from contextls.memory.index.disk.segment_store import mask_of
from contextls.memory.index.segments.merge import SegmentMerge
from contextls.store.index_rows import SegmentRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextls.memory.index.disk.segment_store import SegmentStore
    from contextls.memory.index.segments.segment import Segment
    from contextls.store.index_database import IndexDatabase


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
    kept = keep_former(segments, alive, records.paths_with_content()) if settle else alive
    return SegmentMerge(segments, alive, kept)


def _describe(merge: SegmentMerge, name: str, size: int) -> SegmentRecord:
    chunks = sum(
        int(mask[segment.chunk_files].sum()) for segment, mask in zip(merge.segments, merge.kept, strict=True)
    )
    dimensions = max(segment.vectors.shape[1] for segment in merge.segments)
    return SegmentRecord(0, name, size, len(merge.numbers), chunks, dimensions)

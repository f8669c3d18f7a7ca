"""Chooses the segments that become one: few to search, and nothing written again more often than it must be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from contextls.store.index_rows import SegmentRecord

# The number of segments of one tier at which they are merged, and the factor in size from each tier to the next.
TIER = 8
_FIRST_TIER_CHUNKS = 512
# Larger segments are not merged: writing a chunk again costs 10 µs, searching one more segment about a millisecond.
MAX_CHUNKS = 600_000
# A segment of at least _LARGE chunks takes half a second to write again; it is merged only with others that add this share
# of its size.
_LARGE, _WORTH_WRITING = 50_000, 0.25
# A segment of which less than this share still counts is written again.
_WORTH_KEEPING = 0.7


def choose_merge(segments: Iterable[SegmentRecord], living: Mapping[int, int], *, settle: bool) -> list[int]:
    """The ids of the segments to merge now, the oldest first; none when nothing is due.

    ``living`` says how many files of each segment count. With ``settle`` all that fit into one are merged, but for a large
    one that little would be added to.
    """
    known = sorted(segments, key=lambda each: each.id)
    sizes = {each.id: each.chunks * living[each.id] / max(1, each.files) for each in known}
    small = [each.id for each in known if sizes[each.id] < MAX_CHUNKS / 2]
    if settle:
        wasted = [each.id for each in known if living[each.id] < _WORTH_KEEPING * each.files]
        lot = _without_large(_fill(small, sizes), sizes)
        return lot if len(lot) > 1 else wasted[:1]
    tiers: dict[int, list[int]] = {}
    for number in small:
        tiers.setdefault(_tier(sizes[number]), []).append(number)
    for _, members in sorted(tiers.items()):
        if len(members) >= TIER:
            return _fill(members, sizes)
    return []


def _fill(numbers: Iterable[int], sizes: Mapping[int, float]) -> list[int]:
    """The smallest of these segments, as many as fit into one."""
    chosen: list[int] = []
    total = 0.0
    for number in sorted(numbers, key=sizes.__getitem__):
        if chosen and total + sizes[number] > MAX_CHUNKS:
            break
        chosen.append(number)
        total += sizes[number]
    return sorted(chosen)


def _without_large(numbers: Sequence[int], sizes: Mapping[int, float]) -> list[int]:
    ordered = sorted(numbers, key=sizes.__getitem__)
    while ordered:
        largest, rest = sizes[ordered[-1]], sum(sizes[each] for each in ordered[:-1])
        if largest <= _LARGE or rest >= _WORTH_WRITING * largest:
            break
        ordered.pop()
    return sorted(ordered)


def _tier(size: float) -> int:
    tier, limit = 0, float(_FIRST_TIER_CHUNKS)
    while size >= limit:
        tier, limit = tier + 1, limit * TIER
    return tier

"""Segments are merged until they are few, and what is large is not written again for little."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.disk.merge_policy import MAX_CHUNKS, choose_merge
from contextls.store.index_rows import SegmentRecord

sizes = st.lists(st.integers(1, 20_000) | st.integers(1, MAX_CHUNKS), max_size=30)


def segments_of(chunks: list[int]) -> list[SegmentRecord]:
    return [
        SegmentRecord(number, f"{number}.segment", 0, 10, size, 256) for number, size in enumerate(chunks, 1)
    ]


def choose(chunks: list[int], *, settle: bool) -> list[int]:
    segments = segments_of(chunks)
    return choose_merge(segments, {each.id: each.files for each in segments}, settle=settle)


def settled(chunks: list[int]) -> list[int]:
    """The sizes of the segments once no merge is due."""
    while lot := choose(chunks, settle=True):
        together = sum(chunks[number - 1] for number in lot)
        chunks = [size for number, size in enumerate(chunks, 1) if number not in lot] + [together]
    return chunks


@given(sizes, st.booleans())
def test_no_merge_grows_over_the_limit(chunks: list[int], settle: bool) -> None:
    lot = choose(chunks, settle=settle)
    assert len(lot) != 1
    assert sum(chunks[number - 1] for number in lot) <= MAX_CHUNKS or not lot


@given(sizes)
def test_a_settled_index_has_few_segments(chunks: list[int]) -> None:
    left = settled(chunks)
    assert sum(left) == sum(chunks)
    small = [size for size in left if size < MAX_CHUNKS / 2]
    # Those that are left beside each other grow by four from one to the next.
    assert len(small) <= 5


def test_a_large_segment_is_not_written_again_for_a_few_saves() -> None:
    assert choose([290_000, 40, 500], settle=True) == [2, 3]
    assert choose([290_000, 40], settle=True) == []
    assert choose([290_000, 80_000], settle=True) == [1, 2]
    assert choose([3_000, 40], settle=True) == [1, 2]


def test_eight_of_a_kind_become_one_while_an_index_is_built() -> None:
    assert choose([4_000] * 7, settle=False) == []
    assert choose([4_000] * 8, settle=False) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert choose([200_000] * 8, settle=False) == [1, 2, 3]

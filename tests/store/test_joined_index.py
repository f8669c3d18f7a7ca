"""Several inverted indexes become one that says of every key what they say together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.store import joined_index
from contextls.store.inverted_index import InvertedIndex
from contextls.store.joined_index import JoinedIndex

# For each part: what each of its things is called by, and whether it stays.
parts = st.lists(st.lists(st.tuples(st.sets(st.integers(0, 12)), st.booleans()), max_size=8), max_size=4)


def index_of(things: list[tuple[set[int], bool]]) -> InvertedIndex:
    pairs = sorted((key, owner) for owner, (keys, _) in enumerate(things) for key in keys)
    keys, owners = (np.array([pair[at] for pair in pairs], np.int64) for at in (0, 1))
    counts = (keys * 7 + owners).astype(np.uint16)
    return InvertedIndex.of(keys.astype(np.uint32), owners.astype(np.int32), counts)


@given(parts, st.integers(1, 9))
def test_every_owner_that_stays_is_found_under_its_keys(
    things: list[list[tuple[set[int], bool]]], owners_per_slice: int
) -> None:
    numbers: list[np.ndarray] = []
    expected: dict[int, list[tuple[int, int]]] = {}
    number = 0
    for part in things:
        mine = np.full(len(part), -1, np.int32)
        for owner, (keys, stays) in enumerate(part):
            if stays:
                mine[owner] = number
                for key in keys:
                    expected.setdefault(key, []).append((number, key * 7 + owner))
                number += 1
        numbers.append(mine)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joined_index, "_OWNERS_PER_SLICE", owners_per_slice)
        whole = JoinedIndex([index_of(part) for part in things], numbers).whole()
    runs = {key: whole.run(key) for key in whole.keys.tolist()}
    found = {
        key: list(zip(whole.owners[run].tolist(), whole.counts[run].tolist(), strict=True))
        for key, run in runs.items()
    }
    assert found == expected
    assert whole.keys.tolist() == sorted(expected)
    assert whole.starts.dtype == np.uint32
    assert len(whole.owners) == whole.starts[-1]

"""The names of several segments become those of one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.segments.name_tables import NameTables, squeeze
from contextls.store import texts

words = st.sampled_from(["read", "file", "reader", "header", "größe", "x1", "load", "ab"])
names = st.lists(words, min_size=1, max_size=3).map("_".join)
segments = st.lists(st.tuples(st.sets(names), st.sets(words), st.sets(names)), min_size=1, max_size=4)


@given(segments, st.integers(1, 4))
def test_joined_tables_are_those_of_all_names_at_once(
    parts: list[tuple[set[str], set[str], set[str]]], range_size: int
) -> None:
    # Several names may be spellings of one word.
    tables = [
        NameTables.of(known, seen, {(squeeze(name)[:6], name) for name in spelled})
        for known, seen, spelled in parts
    ]
    every = [set().union(*(part[at] for part in parts)) for at in range(3)]
    at_once = NameTables.of(every[0], every[1], {(squeeze(name)[:6], name) for name in every[2]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_STRINGS_PER_RANGE", range_size)
        joined = NameTables.join(tables)
    assert list(joined.names) == list(at_once.names)
    assert list(joined.words) == list(at_once.words)
    assert list(joined.spellings) == list(at_once.spellings)
    for name in every[0]:
        assert list(joined.written_as(squeeze(name))) == list(at_once.written_as(squeeze(name)))
    for whole in {squeeze(name)[:6] for name in every[2]}:
        spelled = {name for name in every[2] if squeeze(name)[:6] == whole}
        assert set(joined.spellings_of(whole)) == spelled

"""The LanceDB table: what goes in comes out, what is stale goes, what is broken is said."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import StoreError
from contextls.store.chunk_batch import ChunkBatch, ChunkRow, ChunkRows
from contextls.store.content_table import ContentTable

WIDTH = 4


def batch(generation: int, *texts: tuple[str, str]) -> ChunkBatch:
    """One chunk per (path, text); the terms of chunk n are n numbers."""
    count = len(texts)
    lengths = np.arange(count, dtype=np.int64)
    total = int(lengths.sum())
    return ChunkBatch(
        rows=ChunkRows.of([ChunkRow(path, "text", "block", "", 1, 1, text, "") for path, text in texts]),
        generations=np.full(count, generation, np.int64),
        vectors=np.eye(max(count, WIDTH), WIDTH, dtype=np.float32)[:count],
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
        terms=np.arange(total, dtype=np.uint32) + np.uint32(2**32 - 1 - total),
        counts=np.arange(total, dtype=np.uint32),
    )


def contents(table: ContentTable) -> dict[tuple[str, int], str]:
    found = table.read()
    keys = zip((row.path for row in found.rows), found.generations.tolist(), strict=True)
    return dict(zip(keys, (row.text for row in found.rows), strict=True))


ODD_PATHS = [
    "it's.py",
    'q"uote.py',
    "per%cent_.py",
    "new\nline.py",
    "back\\slash.py",
    "größe/大.py",
    "a.py' OR '1'='1",
]


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    table = ContentTable(tmp_path / "lance", WIDTH)
    assert len(table.read()) == 0
    assert not table.exists()
    written = batch(7, *((path, f"text of {path} \0 😋\r\n") for path in ODD_PATHS))
    table.add(written)
    for reader in (table, ContentTable(tmp_path / "lance", WIDTH)):
        found = reader.read()
        assert list(found.rows) == list(written.rows)
        for name in ("generations", "vectors", "offsets", "terms", "counts"):
            assert np.array_equal(getattr(found, name), getattr(written, name)), name
        for number, path in enumerate(ODD_PATHS):
            one = reader.read([path])
            assert [row.path for row in one.rows] == [path]
            assert (
                one.terms.tolist()
                == written.terms[written.offsets[number] : written.offsets[number + 1]].tolist()
            )


def test_only_what_is_stale_is_deleted(tmp_path: Path) -> None:
    table = ContentTable(tmp_path / "lance", WIDTH)
    table.add(batch(1, *((path, "old") for path in [*ODD_PATHS, "kept.py"])))
    table.add(batch(2, *((path, "new") for path in ODD_PATHS)))
    table.delete_older(2, ODD_PATHS)
    assert contents(table) == {("kept.py", 1): "old"} | {(path, 2): "new" for path in ODD_PATHS}
    table.add(batch(3, ("kept.py", "written by a process that died"), ("gone.py", "of a deleted file")))
    table.delete_all_but({"kept.py": 1, **dict.fromkeys(ODD_PATHS[1:], 2)})
    assert contents(table) == {("kept.py", 1): "old"} | {(path, 2): "new" for path in ODD_PATHS[1:]}
    table.compact()
    assert len(table.read()) == len(ODD_PATHS)
    assert table.size_bytes() > 0


def test_another_handle_sees_new_rows_and_a_table_begun_anew(tmp_path: Path) -> None:
    writer, reader = (ContentTable(tmp_path / "lance", WIDTH) for _ in range(2))
    writer.add(batch(1, ("a.py", "first")))
    assert len(reader.read()) == 1
    writer.add(batch(2, ("b.py", "second")))
    assert len(reader.read()) == 2
    writer.destroy()
    assert len(reader.read()) == 0
    for table in (writer, reader):
        table.use("another")
    writer.add(batch(1, ("c.py", "third")))
    assert contents(reader) == {("c.py", 1): "third"}


def test_a_broken_table_is_a_store_error_and_can_be_moved_aside(tmp_path: Path) -> None:
    table = ContentTable(tmp_path / "lance", WIDTH)
    table.add(batch(1, ("a.py", "first")))
    for path in (tmp_path / "lance").rglob("*.manifest"):
        path.write_bytes(b"")
    fresh = ContentTable(tmp_path / "lance", WIDTH)
    with pytest.raises(StoreError, match=f"cannot read the content index at {tmp_path}"):
        fresh.read()
    fresh.quarantine()
    assert len(fresh.read()) == 0
    fresh.add(batch(2, ("a.py", "again")))
    assert contents(fresh) == {("a.py", 2): "again"}


@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=5), max_size=4),
    st.lists(st.booleans(), min_size=20, max_size=20),
)
def test_selecting_and_joining_keep_every_chunk_with_its_terms(
    parts: list[list[str]], keep: list[bool]
) -> None:
    def described(chunks: ChunkBatch) -> list[tuple[str, Mapping[int, int]]]:
        return [
            (
                row.text,
                dict(zip(chunks.terms[start:end].tolist(), chunks.counts[start:end].tolist(), strict=True)),
            )
            for row, start, end in zip(chunks.rows, chunks.offsets[:-1], chunks.offsets[1:], strict=True)
        ]

    batches = [batch(1, *((name, name) for name in part)) for part in parts] or [batch(1)]
    joined = ChunkBatch.concatenate(batches)
    assert described(joined) == [chunk for part in batches for chunk in described(part)]
    mask = np.array(keep[: len(joined)], np.bool_)
    kept = joined.select(mask)
    assert described(kept) == [chunk for chunk, wanted in zip(described(joined), mask, strict=True) if wanted]
    assert len(kept) == len(kept.vectors) == len(kept.generations) == mask.sum()

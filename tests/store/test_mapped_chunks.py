"""Chunks in files that processes map: what goes in comes out, and nothing else is taken for chunks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import StoreError
from contextls.store.chunk_batch import ChunkBatch, ChunkRow, ChunkRows, InvertedIndex, offsets_of
from contextls.store.mapped_chunks import MappedChunks

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
lines = st.integers(1, 10_000)
rows = st.lists(st.builds(ChunkRow, texts, texts, texts, texts, lines, lines, texts, texts), max_size=12)


def batch_of(found: list[ChunkRow], *, inverted: bool = False) -> ChunkBatch:
    count = len(found)
    terms = np.arange(3 * count, dtype=np.uint32)
    index = InvertedIndex(
        vocabulary=terms,
        starts=np.arange(3 * count + 1, dtype=np.int64),
        owners=np.repeat(np.arange(count, dtype=np.int32), 3),
        counts=terms + 7,
        lengths=np.ones(count, np.float32),
    )
    return ChunkBatch(
        rows=ChunkRows.of(found),
        generations=np.arange(count, dtype=np.int64) * 10**12,
        vectors=np.random.default_rng(1).random((count, 5), np.float32),
        offsets=offsets_of(np.full(count, 3, np.int64)),
        terms=terms,
        counts=terms + 1,
        inverted=index if inverted else None,
    )


def same(first: ChunkBatch, second: ChunkBatch) -> bool:
    names = ("generations", "vectors", "offsets", "terms", "counts")
    equal = all(np.array_equal(getattr(first, name), getattr(second, name)) for name in names)
    return equal and list(first.rows) == list(second.rows)


@given(rows, st.booleans())
def test_what_is_written_is_what_is_mapped(
    tmp_path_factory: pytest.TempPathFactory, found: list[ChunkRow], inverted: bool
) -> None:
    chunks = MappedChunks(tmp_path_factory.mktemp("mapped") / "files")
    written = batch_of(found, inverted=inverted)
    mapped = chunks.read(chunks.write(written))
    assert list(written.rows) == found
    assert same(written, mapped)
    assert (mapped.inverted is not None) == inverted
    if written.inverted and mapped.inverted:
        for name in InvertedIndex.__dataclass_fields__:
            assert np.array_equal(getattr(written.inverted, name), getattr(mapped.inverted, name))


@given(rows, st.data())
def test_columns_select_and_join_like_rows(found: list[ChunkRow], data: st.DataObject) -> None:
    keep = np.array([data.draw(st.booleans()) for _ in found], np.bool_)
    whole = batch_of(found)
    kept, rest = whole.select(keep), whole.select(~keep)
    assert list(kept.rows) == [row for row, is_kept in zip(found, keep, strict=True) if is_kept]
    together = ChunkBatch.concatenate([kept, rest])
    assert list(together.rows) == [*kept.rows, *rest.rows]
    assert sorted(together.generations.tolist()) == whole.generations.tolist()
    assert len(together.terms) == len(whole.terms)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_file_cut_short_is_refused(tmp_path: Path, share: float) -> None:
    chunks = MappedChunks(tmp_path)
    name = chunks.write(batch_of([ChunkRow("a.py", "python", "function", "f", 1, 2, "text" * 99, "")] * 9))
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: int(len(content) * share)])
    with pytest.raises(StoreError):
        chunks.read(name)


@given(st.binary(max_size=400))
def test_any_other_file_is_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("mapped")
    (folder / "odd").write_bytes(content)
    with pytest.raises(StoreError):
        MappedChunks(folder).read("odd")


def test_a_missing_file_is_refused_and_old_ones_are_deleted(tmp_path: Path) -> None:
    chunks = MappedChunks(tmp_path / "files")
    chunks.delete_all_but([])
    with pytest.raises(StoreError, match="cannot read"):
        chunks.read("none")
    kept, old = chunks.write(batch_of([])), chunks.write(batch_of([]))
    chunks.delete_all_but([kept])
    assert [path.name for path in (tmp_path / "files").iterdir()] == [kept]
    assert chunks.size_bytes() == (tmp_path / "files" / kept).stat().st_size
    assert old != kept

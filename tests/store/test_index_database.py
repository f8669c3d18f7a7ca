"""A later process reads where each file of an index lies, and checks that it is as stored."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.store.index_database import IndexDatabase
from contextls.store.index_rows import FilePlaces, FileRecord
from contextls.workspace.stamps import NO_STAMP

# Paths and languages as SQLite may hold them: without halves of surrogate pairs.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
RECORDS = st.builds(
    FileRecord,
    path=TEXTS,
    digest=st.sampled_from(["", "0a1b"]),
    stamp=st.just(NO_STAMP),
    language=TEXTS,
    skipped=st.sampled_from(["", "too large"]),
    generation=st.integers(1, 3),
    chunks=st.integers(0, 9),
    deleted=st.booleans(),
    segment=st.integers(0, 1 << 62),
    position=st.integers(0, 9),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(RECORDS, max_size=6, unique_by=lambda record: record.path), st.integers(0, 3))
def test_what_was_written_since_is_read_where_it_lies(records: list[FileRecord], since: int) -> None:
    with TemporaryDirectory() as folder, closing(IndexDatabase(Path(folder) / "index.db")) as database:
        database.write(records)
        newer = FilePlaces.of(record for record in records if record.generation > since)
        assert sorted(zip(*database.changed_since(since), strict=True)) == sorted(zip(*newer, strict=True))


@pytest.mark.parametrize("change", ["chunks = 3", "digest = 'ff'", "generation = generation + 1"])
def test_an_index_with_a_row_that_was_not_stored_so_is_started_over(tmp_path: Path, change: str) -> None:
    place = tmp_path / "index.db"
    with closing(IndexDatabase(place)) as database:
        database.write([FileRecord("a.py", "0a", NO_STAMP, "python", "", 1, 2, segment=7)])
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute(f"UPDATE files SET {change}")  # noqa: S608 - a constant
    with closing(IndexDatabase(place)) as database:
        assert list(database.changed_since(0).paths) == []
        assert database.paths() == []

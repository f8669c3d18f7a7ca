"""The LanceDB table of the chunks: rows in, rows out.

A row is valid when its ``generation`` is the one that the index database names for its path; writers add new rows
first, then switch the generation, then delete the old rows, so that a process killed in between leaves only rows that
nobody reads. LanceDB and pyarrow take two seconds of CPU to import: both are imported at first use.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from contextls.errors import StoreError
from contextls.store.quarantine import quarantine, remove

if TYPE_CHECKING:
    from numpy.typing import NDArray

Value = TypeVar("Value")

PATHS_PER_FILTER = 400
# Readers in other processes may still stand on a version this old.
VERSION_RETENTION = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One chunk as stored, without its vector and terms."""

    path: str
    language: str
    kind: str
    symbol: str
    start_line: int
    end_line: int
    text: str
    header: str


@dataclass(frozen=True, slots=True)
class ChunkBatch:
    """Chunks of one or more files, column by column.

    ``generations`` (n), ``vectors`` (n, d) float32 with rows of length 1; the terms of chunk ``i`` are
    ``terms[offsets[i]:offsets[i + 1]]`` (uint32) with their packed field counts beside them in ``counts``.
    """

    rows: tuple[ChunkRow, ...]
    generations: NDArray[np.int64]
    vectors: NDArray[np.float32]
    offsets: NDArray[np.int64]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.rows)

    def select(self, keep: NDArray[np.bool_]) -> ChunkBatch:
        """The chunks where ``keep`` (n) is true."""
        if keep.all():
            return self
        lengths = np.diff(self.offsets)
        inside = np.repeat(keep, lengths)
        return ChunkBatch(
            rows=tuple(row for row, kept in zip(self.rows, keep, strict=True) if kept),
            generations=self.generations[keep],
            vectors=self.vectors[keep],
            offsets=_offsets(lengths[keep]),
            terms=self.terms[inside],
            counts=self.counts[inside],
        )

    @staticmethod
    def concatenate(batches: Sequence[ChunkBatch]) -> ChunkBatch:
        """All chunks of ``batches`` (at least one), in order."""
        if len(batches) == 1:
            return batches[0]
        return ChunkBatch(
            rows=tuple(row for batch in batches for row in batch.rows),
            generations=np.concatenate([batch.generations for batch in batches]),
            vectors=_stacked([batch.vectors for batch in batches]),
            offsets=_offsets(np.concatenate([np.diff(batch.offsets) for batch in batches])),
            terms=np.concatenate([batch.terms for batch in batches]),
            counts=np.concatenate([batch.counts for batch in batches]),
        )


class ContentTable:
    """The chunks of one workspace on disk. Writers must hold the workspace's index lock."""

    def __init__(self, location: Path, dimensions: int) -> None:
        """``location`` is the folder of the database; nothing is opened or created before first use.

        ``dimensions`` is the length of a vector, 0 when the first chunks that are read or added say it.
        """
        self._location = location
        self._expected = dimensions
        self.dimensions = dimensions
        self._name = "chunks"
        self._table: Any = None

    def use(self, name: str) -> None:
        """Work on the table ``name`` from now on.

        A table that was begun anew has a new name, so that no process goes on with what it remembers of the old one.
        """
        if name != self._name:
            self._name, self._table = name, None
            self.dimensions = self._expected

    def add(self, batch: ChunkBatch) -> None:
        """Append chunks in one commit. Raises ``StoreError``."""
        if len(batch):
            length = batch.vectors.shape[1]
            if length != (self.dimensions or length):
                raise StoreError(
                    f"the content index at {self._location} holds vectors of {self.dimensions} numbers, the embedder "
                    f"now gives {length}; `contextls clear` and `contextls index` rebuild it"
                )
            self.dimensions = length
            self._guard("write", lambda: self._open(create=True).add(self._to_arrow(batch)))

    def delete_older(self, generation: int, paths: Iterable[str]) -> None:
        """Delete the rows of ``paths`` that are older than ``generation``."""
        if not self.exists():
            return
        for names in _filters(paths):
            self._delete(f"generation < {generation} AND path IN ({names})")

    def delete_all_but(self, valid: Mapping[str, int]) -> None:
        """Delete every row whose generation is not the one that ``valid`` names for its path."""
        if not self.exists():
            return
        stale: dict[int, set[str]] = {}
        for path, generation in self._guard("read", self._stamps):
            if valid.get(path) != generation:
                stale.setdefault(generation, set()).add(path)
        for generation, paths in stale.items():
            for names in _filters(paths):
                self._delete(f"generation = {generation} AND path IN ({names})")

    def delete_orphans(self) -> None:
        """Delete what a process killed in the middle of a write left behind; LanceDB itself never does."""
        for orphan in self._location.glob("*.lance/data/.tmp*"):
            with contextlib.suppress(OSError):
                remove(orphan)

    def read(self, paths: Sequence[str] | None = None) -> ChunkBatch:
        """All rows, or those of ``paths``, stale ones included."""
        if not self.exists():
            return self.empty()
        if paths is None:
            batch = self._guard("read", lambda: _from_arrow(self._latest().to_arrow()))
            self.dimensions = batch.vectors.shape[1]
            return batch
        return ChunkBatch.concatenate([self.empty(), *map(self._read_some, _filters(paths))])

    def compact(self) -> None:
        """Merge small files and drop old versions; run it when idle."""
        if self.exists():
            self._guard("compact", lambda: self._open().optimize(cleanup_older_than=VERSION_RETENTION))

    def exists(self) -> bool:
        """Whether there is a table on disk."""
        return (self._location / f"{self._name}.lance").is_dir()

    def destroy(self) -> None:
        """Delete the table and everything beside it."""
        self._table = None
        self.dimensions = self._expected
        shutil.rmtree(self._location, ignore_errors=True)

    def quarantine(self) -> None:
        """Move a damaged table aside, in place of one that was moved before. Raises ``StoreError``."""
        self._table = None
        if self._location.exists():
            quarantine(self._location, keep_all=False)

    def size_bytes(self) -> int:
        """Bytes on disk."""
        return sum(size for _, size in self._files())

    def fingerprint(self) -> str:
        """A digest of the names and sizes of all files: another one means that something happened to the table."""
        listing = "\n".join(f"{name}\0{size}" for name, size in sorted(self._files()))
        return hashlib.blake2b(listing.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()

    def _files(self) -> Iterator[tuple[str, int]]:
        for folder, _, names in os.walk(self._location):
            for name in names:
                path = f"{folder}/{name}"
                with contextlib.suppress(OSError):  # another process may be compacting
                    yield path, os.stat(path).st_size  # noqa: PTH116 - thousands of files

    def empty(self) -> ChunkBatch:
        """A batch without chunks, of this table's shape."""
        none = np.zeros(0, np.uint32)
        return ChunkBatch(
            (),
            np.zeros(0, np.int64),
            np.zeros((0, self.dimensions), np.float32),
            np.zeros(1, np.int64),
            none,
            none,
        )

    def _delete(self, where: str) -> None:
        self._guard("delete", lambda: self._open().delete(where))

    def _stamps(self) -> list[tuple[str, int]]:
        found = self._latest().search().select(["path", "generation"]).limit(None).to_arrow()
        return list(
            zip(found.column("path").to_pylist(), found.column("generation").to_pylist(), strict=True)
        )

    def _read_some(self, names: str) -> ChunkBatch:
        return self._guard(
            "read",
            lambda: _from_arrow(self._latest().search().where(f"path IN ({names})").limit(None).to_arrow()),
        )

    def _open(self, *, create: bool = False) -> Any:  # noqa: ANN401 - lancedb ships no types
        if self._table is None:
            os.environ.setdefault("LANCE_LOG", "error")
            import lancedb

            database = lancedb.connect(str(self._location))
            if create and not self.exists():
                self._table = database.create_table(self._name, schema=self._schema())
            else:
                self._table = database.open_table(self._name)
        return self._table

    def _latest(self) -> Any:  # noqa: ANN401 - lancedb ships no types
        table = self._open()
        table.checkout_latest()
        return table

    def _schema(self) -> Any:  # noqa: ANN401 - pyarrow ships no types
        import pyarrow as pa

        text = [pa.field(name, pa.string()) for name in ("path", "language", "kind", "symbol")]
        numbers = [pa.field(name, pa.int32()) for name in ("start_line", "end_line")]
        words = [pa.field(name, pa.list_(pa.uint32())) for name in ("terms", "counts")]
        return pa.schema(
            [
                *text,
                *numbers,
                pa.field("text", pa.string()),
                pa.field("header", pa.string()),
                pa.field("generation", pa.int64()),
                *words,
                pa.field("vector", pa.list_(pa.float32(), self.dimensions)),
            ]
        )

    def _to_arrow(self, batch: ChunkBatch) -> Any:  # noqa: ANN401 - pyarrow ships no types
        import pyarrow as pa

        columns: dict[str, Any] = {
            name: [getattr(row, name) for row in batch.rows]
            for name in ("path", "language", "kind", "symbol", "start_line", "end_line", "text", "header")
        }
        offsets = pa.array(batch.offsets, pa.int32())
        columns["generation"] = batch.generations
        columns["terms"] = pa.ListArray.from_arrays(offsets, pa.array(batch.terms))
        columns["counts"] = pa.ListArray.from_arrays(offsets, pa.array(batch.counts))
        columns["vector"] = pa.FixedSizeListArray.from_arrays(
            pa.array(batch.vectors.ravel()), self.dimensions
        )
        return pa.table(columns, schema=self._schema())

    def _guard(self, action: str, work: Callable[[], Value]) -> Value:
        try:
            return work()
        except Exception as error:
            # LanceDB is Rust underneath: what a damaged file makes it raise is not to be listed.
            self._table = None
            raise StoreError(f"cannot {action} the content index at {self._location}: {error}") from error


def _from_arrow(table: Any) -> ChunkBatch:  # noqa: ANN401 - pyarrow ships no types
    table = table.combine_chunks()
    names = ("path", "language", "kind", "symbol", "start_line", "end_line", "text", "header")
    columns = [table.column(name).to_pylist() for name in names]
    terms, counts, vectors = (_flat(table.column(name)) for name in ("terms", "counts", "vector"))
    lengths = (
        table.column("terms").combine_chunks().value_lengths().to_numpy(zero_copy_only=False)
        if len(table)
        else np.zeros(0, np.int64)
    )
    dimensions = table.schema.field("vector").type.list_size
    return ChunkBatch(
        rows=tuple(ChunkRow(*values) for values in zip(*columns, strict=True)),
        generations=table.column("generation").to_numpy(),
        vectors=vectors.reshape(-1, dimensions),
        offsets=_offsets(lengths),
        terms=terms,
        counts=counts,
    )


def _flat(column: Any) -> Any:  # noqa: ANN401 - pyarrow in, numpy out
    return column.combine_chunks().flatten().to_numpy(zero_copy_only=False)


def _offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _stacked(parts: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The rows of all parts; rows that were never embedded (length 0) become zero vectors beside embedded ones."""
    length = max(part.shape[1] for part in parts)
    return np.concatenate(
        [part if part.shape[1] else np.zeros((len(part), length), np.float32) for part in parts]
    )


def _filters(paths: Iterable[str]) -> Iterator[str]:
    """The paths as lists for ``IN``, short enough for one query each."""
    listed = sorted(set(paths))
    for start in range(0, len(listed), PATHS_PER_FILTER):
        yield ", ".join(map(_quoted, listed[start : start + PATHS_PER_FILTER]))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"

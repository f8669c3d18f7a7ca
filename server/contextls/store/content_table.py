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
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from contextls.errors import StoreError
from contextls.store.chunk_arrow import from_arrow, schema, to_arrow
from contextls.store.chunk_batch import ChunkBatch
from contextls.store.lancedb_import import import_lancedb
from contextls.store.quarantine import quarantine, remove
from contextls.store.state_place import kind_in_the_way

Value = TypeVar("Value")

PATHS_PER_FILTER = 400
# Readers in other processes may still stand on a version this old.
VERSION_RETENTION = timedelta(minutes=10)


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

        A table that was started over has a new name, so that no process goes on with what it remembers of the old one.
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
            self._guard("write", lambda: self._open(create=True).add(to_arrow(batch, self.dimensions)))

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
            batch = self._guard("read", lambda: from_arrow(_sound(self._latest().to_arrow())))
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
        return ChunkBatch.empty(self.dimensions)

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
            lambda: from_arrow(
                _sound(self._latest().search().where(f"path IN ({names})").limit(None).to_arrow())
            ),
        )

    def _open(self, *, create: bool = False) -> Any:  # noqa: ANN401 - lancedb ships no types
        if self._table is None:
            if create and kind_in_the_way(self._location) not in (None, "a folder"):
                remove(self._location)
            _check_files(str(self._location))
            os.environ.setdefault("LANCE_LOG", "error")
            database = import_lancedb().connect(str(self._location))
            if create and not self.exists():
                self._table = database.create_table(self._name, schema=schema(self.dimensions))
            else:
                self._table = database.open_table(self._name)
        return self._table

    def _latest(self) -> Any:  # noqa: ANN401 - lancedb ships no types
        table = self._open()
        table.checkout_latest()
        return table

    def _guard(self, action: str, work: Callable[[], Value]) -> Value:
        try:
            return work()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            # LanceDB is Rust underneath: what a damaged file makes it raise is not to be listed, and its panics are
            # no ordinary exceptions.
            self._table = None
            raise StoreError(f"cannot {action} the content index at {self._location}: {error}") from error


def _check_files(folder: str) -> None:
    """LanceDB would wait for a pipe and read a link to its end. Raises ``OSError``."""
    with contextlib.suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _check_files(entry.path)
            elif not entry.is_file(follow_symlinks=False):
                raise OSError(f"{entry.path} is no regular file")


def _sound(table: Any) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """``table`` itself; raises where its values would lead outside of its memory."""
    table.validate(full=True)
    return table


def _filters(paths: Iterable[str]) -> Iterator[str]:
    """The paths as lists for ``IN``, short enough for one query each."""
    listed = sorted(set(paths))
    for start in range(0, len(listed), PATHS_PER_FILTER):
        yield ", ".join(map(_quote, listed[start : start + PATHS_PER_FILTER]))


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"

"""The shared LanceDB table of file versions: appended to by builders, read in slices by clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from contextls.shared_index import arrow_columns as columns
from contextls.shared_index.file_rows import FileRows, from_arrow, schema, to_arrow
from contextls.shared_index.layout import Layout
from contextls.shared_index.objects import guard, storage_options
from contextls.shared_index.place import IndexLocation
from contextls.store.lancedb_import import import_lancedb
from contextls.store.times import now_ms

if TYPE_CHECKING:
    from numpy.typing import NDArray

Value = TypeVar("Value")

NAME = "files"
# What builds, clients and pruning may take at most; versions of the table are kept that long for their readers.
RETENTION = timedelta(days=1)
_KEYS_PER_DELETE = 10_000


class FileTable:
    """The table of one layout. Opened at first use; every method raises ``StoreError``."""

    def __init__(self, place: IndexLocation, layout: Layout, *, builds: bool = False) -> None:
        """``builds`` gives requests the time that large writes take."""
        self.place = place
        self._folder = place.below(layout.folder)
        self._builds = builds
        self._opened: Any = None

    @property
    def address(self) -> str:
        """Where the Lance dataset lies."""
        return f"{self._folder}/{NAME}.lance"

    def create(self) -> None:
        """Make an empty table where there is none."""
        if self._guard("open", self._open) is None:
            self._guard("create", self._create)

    def append(self, files: FileRows) -> None:
        """Add rows in one commit, which succeeds despite concurrent builds."""
        if len(files):
            rows = to_arrow(files, now_ms())
            self._guard("write", lambda: self._existing().add(rows))

    def refresh(self) -> None:
        """See what others wrote."""
        self._opened = None

    def column(self, names: Sequence[str]) -> Any:  # noqa: ANN401 - pyarrow ships no types
        """These columns of all rows and ``_rowid``, as an Arrow table; empty where there is no table."""

        def read() -> Any:  # noqa: ANN401
            table = self._open()
            if table is None:
                import pyarrow as pa

                fields = [*map(schema().field, names), pa.field("_rowid", pa.uint64())]
                return pa.schema(fields).empty_table()
            return table.search().select(list(names)).with_row_id(with_row_id=True).limit(None).to_arrow()

        return self._guard("read", read)

    def locate(self, keys: NDArray[np.int64]) -> NDArray[np.uint64]:
        """The numbers of the rows with these keys, one for each key that is there, in the order in which they lie."""
        found = self.column(("key",)).combine_chunks()
        of_rows = columns.to_numbers(found.column("key").combine_chunks(), np.int64)
        rows = columns.to_numbers(found.column("_rowid").combine_chunks(), np.uint64)
        wanted = np.flatnonzero(np.isin(of_rows, keys))
        _, first = np.unique(of_rows[wanted], return_index=True)
        return np.sort(rows[wanted[first]])

    def take(self, rows: NDArray[np.uint64]) -> FileRows:
        """The rows of these numbers."""
        wanted = [name for name in schema().names if name not in ("checksum", "written")]
        return self._guard(
            "read",
            lambda: from_arrow(self._existing().take_row_ids(rows.tolist()).select(wanted).to_arrow()),
        )

    def delete(self, keys: NDArray[np.int64]) -> None:
        """Delete the rows with these keys."""
        for start in range(0, len(keys), _KEYS_PER_DELETE):
            listed = ", ".join(map(str, keys[start : start + _KEYS_PER_DELETE].tolist()))
            where = f"key IN ({listed})"
            self._guard("delete", partial(self._existing().delete, where))

    def compact(self, keep: timedelta) -> None:
        """Merge small files, and drop versions that have no readers."""
        self._guard("compact", lambda: self._existing().optimize(cleanup_older_than=keep))

    def exists(self) -> bool:
        """Whether there is a table."""
        return self._guard("open", self._open) is not None

    def _existing(self) -> Any:  # noqa: ANN401 - lancedb ships no types
        table = self._open()
        if table is None:
            raise FileNotFoundError("there is no table")
        return table

    def _open(self) -> Any:  # noqa: ANN401 - lancedb ships no types
        if self._opened is None:
            try:
                self._opened = self._connect().open_table(NAME)
            except (FileNotFoundError, ValueError) as error:
                if "not found" not in str(error):
                    raise
        return self._opened

    def _create(self) -> None:
        self._connect().create_table(NAME, schema=schema(), exist_ok=True)

    def _connect(self) -> Any:  # noqa: ANN401 - lancedb ships no types
        return import_lancedb().connect(
            self._folder, storage_options=storage_options(self.place, builds=self._builds)
        )

    def _guard(self, action: str, work: Callable[[], Value]) -> Value:
        return guard(f"cannot {action} the rows of the shared index at {self.place}", work)


def slices(rows: NDArray[np.uint64], size: int) -> Iterator[NDArray[np.uint64]]:
    """The numbers in runs of at most ``size``."""
    return (rows[start : start + size] for start in range(0, len(rows), size))

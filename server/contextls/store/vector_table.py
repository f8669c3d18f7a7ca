"""LanceDB's index over vectors: a table that is written once, with one fragment per segment, and searched for rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from contextls.store.lancedb_import import import_lancedb

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TABLE = "vectors"
_METRIC = "dot"
_ROUNDS, _SAMPLE_RATE = 10, 64
_FRAGMENT_BITS = 32

Batches = Iterable["NDArray[np.float32]"]


class VectorLayout(Struct, frozen=True):
    """The layout of an index: ``benchmarks.vectors`` says what the values are worth.

    Another one needs another ``INDEX_FORMAT``. A number of a vector takes ``bits``; what is found by so few is compared
    again, exactly, by the caller.
    ``searched`` is the share of the partitions that a search visits: a question seldom lies where chunks do, and its
    neighbours are in many.
    """

    bits: int = 2
    rows_per_partition: int = 10_000
    searched: float = 1.0

    def partitions(self, rows: int) -> int:
        """The number of partitions for this number of rows."""
        return max(1, rows // self.rows_per_partition)


LAYOUT = VectorLayout()


class VectorTable:
    """An open table. Safe to use from several threads."""

    def __init__(self, table: Any, layout: VectorLayout) -> None:  # noqa: ANN401 - lancedb ships no types
        self._table = table
        self._visited = max(1, round(layout.searched * layout.partitions(table.count_rows())))

    @classmethod
    def load(cls, folder: Path, layout: VectorLayout = LAYOUT) -> VectorTable:
        """The table in ``folder``, in memory as far as a search needs it. Imports LanceDB; raises whatever that raises."""
        table = cls(_connect(folder).open_table(_TABLE), layout)
        table.nearest(np.ones(table.dimensions, np.float32), 1)
        return table

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""
        return int(self._table.schema.field("vector").type.list_size)

    def nearest(self, vector: NDArray[np.float32], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """About ``count`` of the nearest rows in any order: the part of each, and its row there."""
        query = self._table.search(vector).distance_type(_METRIC).limit(count).with_row_id(with_row_id=True)
        query = query.nprobes(self._visited).select(["_rowid", "_distance"])
        rows = query.to_arrow()["_rowid"].to_numpy().astype(np.int64)
        return rows >> _FRAGMENT_BITS, rows & ((1 << _FRAGMENT_BITS) - 1)


def write_vector_table(
    folder: Path, parts: Sequence[Batches], dimensions: int, layout: VectorLayout = LAYOUT
) -> None:
    """Write ``parts`` into a new table in ``folder``, and its index; the vectors are read as they are written."""
    import pyarrow as pa

    schema = pa.schema([("vector", pa.list_(pa.float32(), dimensions))])

    def batches(part: Batches) -> Iterator[Any]:
        for rows in part:
            column = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), dimensions)
            yield pa.record_batch([column], schema=schema)

    database = _connect(folder)
    table = database.create_table(_TABLE, schema=schema)
    for part in parts:
        table.add(pa.RecordBatchReader.from_batches(schema, batches(part)))
    config = import_lancedb().index.IvfRq(
        distance_type=_METRIC,
        num_bits=layout.bits,
        num_partitions=layout.partitions(table.count_rows()),
        max_iterations=_ROUNDS,
        sample_rate=_SAMPLE_RATE,
    )
    table.create_index("vector", config=config)


def _connect(folder: Path) -> Any:  # noqa: ANN401 - lancedb ships no types
    return import_lancedb().connect(folder)

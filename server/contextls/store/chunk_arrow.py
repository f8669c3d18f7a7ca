"""Chunks between our columns and Arrow tables, which is what LanceDB takes and gives. pyarrow is imported at first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from contextls.store.chunk_batch import ChunkBatch, ChunkRows, Labels, Texts, offsets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def schema(dimensions: int) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """The columns of the table, with vectors of ``dimensions`` numbers."""
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
            pa.field("vector", pa.list_(pa.float32(), dimensions)),
        ]
    )


def to_arrow(batch: ChunkBatch, dimensions: int) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """``batch`` as a table of ``schema(dimensions)``."""
    import pyarrow as pa

    rows = batch.rows
    offsets = pa.array(batch.offsets, pa.int32())
    columns = {
        "path": _from_labels(rows.paths),
        "language": _from_labels(rows.languages),
        "kind": _from_labels(rows.kinds),
        "symbol": _from_texts(rows.symbols),
        "start_line": pa.array(rows.start_lines),
        "end_line": pa.array(rows.end_lines),
        "text": _from_texts(rows.texts),
        "header": _from_labels(rows.headers),
        "generation": pa.array(batch.generations),
        "terms": pa.ListArray.from_arrays(offsets, pa.array(batch.terms)),
        "counts": pa.ListArray.from_arrays(offsets, pa.array(batch.counts)),
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(batch.vectors.ravel()), dimensions),
    }
    return pa.table(columns, schema=schema(dimensions))


def from_arrow(table: Any) -> ChunkBatch:  # noqa: ANN401 - pyarrow ships no types
    """The chunks of a table of the schema above; nothing of the table's memory is kept."""
    column = {name: table.column(name).combine_chunks() for name in table.schema.names}
    dimensions = table.schema.field("vector").type.list_size
    lengths = np.asarray(column["terms"].value_lengths().to_numpy(zero_copy_only=False), np.int64)
    return ChunkBatch(
        rows=ChunkRows(
            paths=_labels(column["path"]),
            languages=_labels(column["language"]),
            kinds=_labels(column["kind"]),
            symbols=_texts(column["symbol"]),
            start_lines=_numbers(column["start_line"], np.int32),
            end_lines=_numbers(column["end_line"], np.int32),
            texts=_texts(column["text"]),
            headers=_labels(column["header"]),
        ),
        generations=_numbers(column["generation"], np.int64),
        vectors=_numbers(column["vector"].flatten(), np.float32).reshape(-1, dimensions),
        offsets=offsets_of(lengths),
        terms=_numbers(column["terms"].flatten(), np.uint32),
        counts=_numbers(column["counts"].flatten(), np.uint32),
    )


def _from_texts(column: Texts) -> Any:  # noqa: ANN401 - pyarrow ships no types
    import pyarrow as pa

    buffers = (pa.py_buffer(column.offsets.astype(np.int32)), pa.py_buffer(np.ascontiguousarray(column.data)))
    return pa.StringArray.from_buffers(len(column), *buffers)


def _from_labels(column: Labels) -> Any:  # noqa: ANN401 - pyarrow ships no types
    import pyarrow as pa

    values = pa.array(column.values, pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(column.codes), values).dictionary_decode()


def _texts(column: Any) -> Texts:  # noqa: ANN401 - pyarrow ships no types
    """A string column, which may be a slice of a longer one, with memory of its own."""
    import pyarrow as pa

    wide = column.cast(pa.large_string())
    _, offsets, data = wide.buffers()
    if not len(wide):
        return Texts.of(())
    ends = np.frombuffer(offsets, np.int64, len(wide) + 1, 8 * wide.offset)
    held = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return Texts(held[ends[0] : ends[-1]].copy(), ends - ends[0])


def _labels(column: Any) -> Labels:  # noqa: ANN401 - pyarrow ships no types
    coded = column.dictionary_encode()
    return Labels(tuple(coded.dictionary.to_pylist()), _numbers(coded.indices, np.int32))


def _numbers(column: Any, kind: type[np.generic]) -> NDArray[Any]:  # noqa: ANN401 - pyarrow ships no types
    return np.array(column.to_numpy(zero_copy_only=False), kind)

"""Columns between numpy and Arrow: strings, labels and numbers, flat or in lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from contextls.store.chunk_batch import Labels, Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray


def lists(starts: NDArray[np.int64], values: Any) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """A column of lists: list ``i`` is ``values[starts[i]:starts[i + 1]]``."""
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), values)


def from_texts(column: Texts) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """A column of strings."""
    import pyarrow as pa

    buffers = (pa.py_buffer(column.offsets.astype(np.int32)), pa.py_buffer(np.ascontiguousarray(column.data)))
    return pa.StringArray.from_buffers(len(column), *buffers)


def from_labels(column: Labels) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """A column of strings."""
    import pyarrow as pa

    values = pa.array(column.values, pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(column.codes), values).dictionary_decode()


def blobs(starts: NDArray[np.int64], data: NDArray[Any]) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """A column of bytes: value ``i`` is those of ``data[starts[i]:starts[i + 1]]``."""
    import pyarrow as pa

    offsets = (starts * data.itemsize).astype(np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(data))]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(starts) - 1, buffers)


def to_texts(column: Any) -> Texts:  # noqa: ANN401 - pyarrow ships no types
    """The strings of a column, which may be a slice of a longer one, with memory of their own."""
    import pyarrow as pa

    wide = column.cast(pa.large_string())
    if not len(wide):
        return Texts.of(())
    _, offsets, data = wide.buffers()
    ends = np.frombuffer(offsets, np.int64, len(wide) + 1, 8 * wide.offset)
    held = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return Texts(held[ends[0] : ends[-1]].copy(), ends - ends[0])


def to_labels(column: Any) -> Labels:  # noqa: ANN401 - pyarrow ships no types
    """The strings of a column of which few differ."""
    coded = column.dictionary_encode()
    return Labels(tuple(coded.dictionary.to_pylist()), to_numbers(coded.indices, np.int32))


def to_numbers(column: Any, kind: type[np.generic]) -> NDArray[Any]:  # noqa: ANN401 - pyarrow ships no types
    """The numbers of a column, with memory of their own."""
    return np.array(column.to_numpy(zero_copy_only=False), kind)


def lengths(column: Any) -> NDArray[np.int64]:  # noqa: ANN401 - pyarrow ships no types
    """How long the lists of a column are."""
    return to_numbers(column.value_lengths(), np.int64)

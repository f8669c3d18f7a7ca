"""Columns between numpy and Arrow: numbers, flat or in lists, and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def lists(starts: NDArray[np.int64], values: Any) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """A column of lists: list ``i`` is ``values[starts[i]:starts[i + 1]]``."""
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), values)


def blobs(starts: NDArray[np.int64], data: NDArray[Any]) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """A column of bytes: value ``i`` is those of ``data[starts[i]:starts[i + 1]]``."""
    import pyarrow as pa

    offsets = (starts * data.itemsize).astype(np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(data))]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(starts) - 1, buffers)


def to_numbers(column: Any, kind: type[np.generic]) -> NDArray[Any]:  # noqa: ANN401 - pyarrow ships no types
    """The numbers of a column, with memory of their own."""
    return np.array(column.to_numpy(zero_copy_only=False), kind)


def lengths(column: Any) -> NDArray[np.int64]:  # noqa: ANN401 - pyarrow ships no types
    """How long the lists of a column are."""
    return to_numbers(column.value_lengths(), np.int64)

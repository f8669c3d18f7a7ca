"""Named arrays in one file that every process maps into memory: opening it reads nothing, pages come as they are used.

Layout: eight bytes with the length of a JSON header, the header ({name: [dtype, shape, offset]}), then the arrays, each
at a multiple of 64 bytes. ``numpy.savez`` would serve as well, but what it writes cannot be mapped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from contextls.errors import StoreError
from contextls.workspace.regular_file import map_bytes
from contextls.workspace.whole_file import replace_file

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from numpy.typing import NDArray

_ALIGNMENT = 64
_PREFIX = 8
MOST_HEADER_BYTES = 1_000_000


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write ``arrays`` to ``path``, whole or not at all, and on the disk when this returns. Raises ``StoreError``."""
    entries: dict[str, tuple[str, tuple[int, ...], int]] = {}
    at = 0
    for name, array in arrays.items():
        entries[name] = (array.dtype.str, array.shape, at)
        at += _aligned(array.nbytes)
    header = json.dumps(entries).encode()
    header += b" " * (_aligned(_PREFIX + len(header)) - _PREFIX - len(header))
    try:
        replace_file(path, _parts(header, arrays))
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror}; check free space and permissions"
        ) from error


def map_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of ``path``, read-only, backed by the file. Raises ``StoreError`` when it is missing or makes no sense."""
    try:
        whole = np.frombuffer(map_bytes(path), np.uint8)
        start = _PREFIX + int.from_bytes(whole[:_PREFIX].tobytes(), "little")
        if start > MOST_HEADER_BYTES:
            raise StoreError(f"cannot read {path}: it does not begin as such a file does")
        entries = json.loads(whole[_PREFIX:start].tobytes())
        return {name: _array(whole[start:], *entry) for name, entry in entries.items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise StoreError(f"cannot read {path}: {error}") from error


def _parts(header: bytes, arrays: Mapping[str, NDArray[Any]]) -> Iterator[ReadableBuffer]:
    yield len(header).to_bytes(_PREFIX, "little") + header
    for array in arrays.values():
        yield np.ascontiguousarray(array).data
        yield b"\0" * (_aligned(array.nbytes) - array.nbytes)


def _array(data: NDArray[np.uint8], kind: str, shape: list[int], at: int) -> NDArray[Any]:
    dtype = np.dtype(kind)
    return data[at : at + math.prod(shape) * dtype.itemsize].view(dtype).reshape(shape)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT

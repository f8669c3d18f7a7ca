"""Named arrays in one file that every process maps into memory: opening it reads nothing, pages come as they are used.

Layout: eight bytes with the length of a JSON header, the header ({name: [dtype, shape, offset]}), then the arrays, each
at a multiple of 64 bytes, and at the end a checksum of everything before it. ``numpy.savez`` would serve as well, but
what it writes cannot be mapped. A file is never changed once it has its name.
"""

from __future__ import annotations

import json
import math
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from msgspec import Struct

from contextls.errors import StoreError
from contextls.workspace.regular_file import map_bytes, open_regular
from contextls.workspace.whole_file import replace_file

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from numpy.typing import NDArray

_ALIGNMENT = 64
_PREFIX = 8
MAX_HEADER_BYTES = 1_000_000
_MARK = b"ctxcrc32"
_TRAILER = len(_MARK) + 8
# Large enough to be quick, small enough to stay in the processor's cache between being read and being summed.
_BLOCK = 1 << 18


class JoinedArray(Struct, frozen=True):
    """An array that is written piece by piece, never held as a whole; ``parts`` yields what lies along the first axis."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    parts: Callable[[], Iterator[NDArray[Any]]]

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize


Writable: TypeAlias = "NDArray[Any] | JoinedArray"


def write_arrays(path: Path, arrays: Mapping[str, Writable]) -> int:
    """Write ``arrays`` to ``path``, whole or not at all, and on the disk when this returns; its size in bytes.

    Raises ``StoreError``.
    """
    entries: dict[str, tuple[str, tuple[int, ...], int]] = {}
    at = 0
    for name, array in arrays.items():
        entries[name] = (array.dtype.str, array.shape, at)
        at += _align(array.nbytes)
    header = json.dumps(entries).encode()
    header += b" " * (_align(_PREFIX + len(header)) - _PREFIX - len(header))
    try:
        replace_file(path, _parts(header, arrays))
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror}; check free space and permissions"
        ) from error
    return len(header) + _PREFIX + at + _TRAILER


def map_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of ``path``, read-only, backed by the file. Raises ``StoreError`` when it is missing or makes no sense."""
    try:
        whole = np.frombuffer(map_bytes(path), np.uint8)[:-_TRAILER]
        start = _PREFIX + int.from_bytes(whole[:_PREFIX].tobytes(), "little")
        if start > MAX_HEADER_BYTES:
            raise StoreError(f"cannot read {path}: it does not begin as such a file does")
        entries = json.loads(whole[_PREFIX:start].tobytes())
        return {name: _array(whole[start:], *entry) for name, entry in entries.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError, SyntaxError) as error:
        raise StoreError(f"cannot read {path}: {error}") from error


def _parts(header: bytes, arrays: Mapping[str, Writable]) -> Iterator[ReadableBuffer]:
    """The file piece by piece, its checksum last."""
    summed = 0
    for part in _content(header, arrays):
        summed = zlib.crc32(part, summed)
        yield part
    yield _MARK + summed.to_bytes(8, "little")


def _content(header: bytes, arrays: Mapping[str, Writable]) -> Iterator[ReadableBuffer]:
    yield len(header).to_bytes(_PREFIX, "little") + header
    for array in arrays.values():
        for part in array.parts() if isinstance(array, JoinedArray) else (array,):
            yield np.ascontiguousarray(part).data
        yield b"\0" * (_align(array.nbytes) - array.nbytes)


def is_intact(path: Path) -> bool:
    """Whether a file holds exactly what was written to it. Reads it once, past the mapping, without the interpreter lock.

    Some 1 GB in a second.
    """
    block, summed = bytearray(_BLOCK), 0
    view = memoryview(block)
    try:
        with open_regular(path, follow=False) as file:
            left = os.fstat(file.fileno()).st_size - _TRAILER
            while left > 0:
                count = file.readinto(view[: min(_BLOCK, left)])  # type: ignore[attr-defined]
                if not count:
                    return False
                summed = zlib.crc32(view[:count], summed)
                left -= count
            return left == 0 and file.read(_TRAILER) == _MARK + summed.to_bytes(8, "little")
    except OSError:
        return False


def _array(data: NDArray[np.uint8], kind: str, shape: list[int], at: int) -> NDArray[Any]:
    dtype = np.dtype(kind)
    return data[at : at + math.prod(shape) * dtype.itemsize].view(dtype).reshape(shape)


def _align(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT

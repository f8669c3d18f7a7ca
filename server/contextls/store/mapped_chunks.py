"""Chunks in files that every process maps into memory: ready to search, shared, and without LanceDB's import.

A cache of the table's rows and of the index over their terms. Whoever reads it must check each path's generation
against the index database.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextls.errors import StoreError
from contextls.store.array_file import is_intact, map_arrays, write_arrays
from contextls.store.chunk_batch import ChunkBatch, ChunkRows, InvertedIndex, Labels, Texts
from contextls.store.quarantine import remove
from contextls.store.state_place import make_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

Arrays = dict[str, "NDArray[Any]"]

_LABELS = ("paths", "languages", "kinds", "headers")
_TEXTS = ("symbols", "texts")
_NUMBERS = ("start_lines", "end_lines")
_COLUMNS = ("generations", "vectors", "offsets", "terms", "counts")
_INVERTED = ("vocabulary", "starts", "owners", "counts", "lengths")


class MappedChunks:
    """The files of one workspace. Writers must hold the workspace's index lock."""

    def __init__(self, folder: Path) -> None:
        """Nothing is opened or created before first use."""
        self._folder = folder

    def write(self, batch: ChunkBatch) -> str:
        """Write ``batch`` to a new file and return its name. Raises ``StoreError``."""
        try:
            make_folder(self._folder)
        except OSError as error:
            raise StoreError(f"cannot create {self._folder}: {error.strerror}; check permissions") from error
        name = f"{uuid.uuid4().hex}.chunks"
        write_arrays(self._folder / name, _to_arrays(batch))
        return name

    def read(self, name: str) -> ChunkBatch:
        """The chunks of a file, mapped. Raises ``StoreError`` when it is missing or makes no sense."""
        arrays = map_arrays(self._folder / name)
        try:
            return _from_arrays(arrays)
        except (LookupError, ValueError, TypeError, OverflowError) as error:
            raise StoreError(f"{self._folder / name} makes no sense: {error!r}") from error

    def is_intact(self, name: str) -> bool:
        """Whether a file holds what was written to it; reads all of it."""
        return is_intact(self._folder / name)

    def delete_all_but(self, names: Collection[str]) -> None:
        """Delete every other file; one that a process on Windows still maps is left to the next time."""
        for path in self._files():
            if path.name not in names:
                with contextlib.suppress(OSError):
                    remove(path)

    def size_bytes(self) -> int:
        """Bytes on disk."""
        total = 0
        for path in self._files():
            with contextlib.suppress(OSError):  # another process may be deleting
                total += path.stat().st_size
        return total

    def _files(self) -> list[Path]:
        return sorted(self._folder.iterdir()) if self._folder.is_dir() else []


def _to_arrays(batch: ChunkBatch) -> Arrays:
    rows = batch.rows
    arrays: Arrays = {}
    for name in _LABELS:
        labels: Labels = getattr(rows, name)
        _put_texts(arrays, f"{name}.values", Texts.of(labels.values))
        arrays[f"{name}.codes"] = labels.codes
    for name in _TEXTS:
        _put_texts(arrays, name, getattr(rows, name))
    for name in _NUMBERS:
        arrays[name] = getattr(rows, name)
    for name in _COLUMNS:
        arrays[f"batch.{name}"] = getattr(batch, name)
    if batch.inverted is not None:
        for name in _INVERTED:
            arrays[f"inverted.{name}"] = getattr(batch.inverted, name)
    return arrays


def _from_arrays(arrays: Arrays) -> ChunkBatch:
    inverted = None
    if f"inverted.{_INVERTED[0]}" in arrays:
        inverted = InvertedIndex(**{name: arrays[f"inverted.{name}"] for name in _INVERTED})
    rows = ChunkRows(
        paths=_labels(arrays, "paths"),
        languages=_labels(arrays, "languages"),
        kinds=_labels(arrays, "kinds"),
        symbols=_texts(arrays, "symbols"),
        start_lines=arrays["start_lines"],
        end_lines=arrays["end_lines"],
        texts=_texts(arrays, "texts"),
        headers=_labels(arrays, "headers"),
    )
    columns = {name: arrays[f"batch.{name}"] for name in _COLUMNS}
    return ChunkBatch(rows, **columns, inverted=inverted)


def _labels(arrays: Arrays, name: str) -> Labels:
    return Labels(tuple(_texts(arrays, f"{name}.values")), arrays[f"{name}.codes"])


def _put_texts(arrays: Arrays, name: str, column: Texts) -> None:
    arrays[f"{name}.data"] = column.data
    arrays[f"{name}.offsets"] = column.offsets


def _texts(arrays: Arrays, name: str) -> Texts:
    return Texts(arrays[f"{name}.data"], arrays[f"{name}.offsets"])

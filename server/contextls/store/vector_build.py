"""Builds a vector table of segments, as a program of its own: what it takes of memory goes back to the system.

It reads one line of JSON, ``folder`` and the files of ``segments``, and ends when the pipe closes that the line came
through: with the process that asked for the table.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from contextls.isolation import isolate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NICE = 10
_ROWS_AT_ONCE = 4096


def main() -> None:
    """Build what standard input asks for."""
    isolate()
    if hasattr(os, "nice"):
        os.nice(_NICE)
    asked = json.loads(sys.stdin.readline())
    Thread(target=_end_with_parent, daemon=True).start()
    build(Path(asked["folder"]), [Path(each) for each in asked["segments"]])
    sys.stdout.flush()
    os._exit(0)  # LanceDB's threads have nothing left to do


def build(folder: Path, segments: list[Path]) -> None:
    """Write the table of the vectors in ``segments`` to ``folder``."""
    from contextls.store.array_file import map_arrays
    from contextls.store.vector_table import write_vector_table

    columns = [map_arrays(each) for each in segments]
    write_vector_table(folder, [_batches(each) for each in columns], columns[0]["vectors"].shape[1])


def _batches(columns: dict[str, NDArray[Any]]) -> Iterator[NDArray[np.float32]]:
    vectors, scales = columns["vectors"], columns["scales"]
    for first in range(0, len(vectors), _ROWS_AT_ONCE):
        inside = slice(first, first + _ROWS_AT_ONCE)
        yield vectors[inside] * scales[inside, None]


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()

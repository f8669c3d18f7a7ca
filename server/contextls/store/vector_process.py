"""The process that builds a vector table, as its caller sees it."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from contextls.errors import StoreError
from contextls.isolation import child_environment, python_command, safe_folder

_PROGRAM = "contextls.store.vector_build"
# Its allocator keeps one heap instead of one per thread, and LanceDB reads and hands on less at once: half the memory.
SPARING = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 17),
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "LANCE_DEFAULT_IO_BUFFER_SIZE": str(1 << 25),
    "LANCE_DEFAULT_BATCH_SIZE": "1024",
}


class VectorProcess:
    """Builds one table after the other, each in a process of its own. ``stop`` may be called from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def build(self, folder: Path, segments: Sequence[Path]) -> None:
        """Build the table of the vectors in ``segments`` in ``folder``. Raises ``StoreError``, also when it is stopped."""
        with self._guard:
            if self._stopped:
                raise StoreError("the index over vectors was given up: the workspace was closed")
            self._child = child = subprocess.Popen(  # noqa: S603 - our own program
                python_command(_PROGRAM),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=safe_folder(),
                env={**child_environment(), **SPARING},
            )
        asked = {"folder": str(folder), "segments": [str(each) for each in segments]}
        with child:
            if child.stdin and child.stderr:
                try:
                    child.stdin.write(json.dumps(asked).encode() + b"\n")
                    child.stdin.flush()  # it stays open: the child ends when it closes
                except OSError:
                    pass  # it has ended already, and says why
                said = child.stderr.read().decode("utf-8", "replace").strip()
        with self._guard:
            self._child = None
        if child.returncode:
            last = said.rpartition("\n")[2] or f"it ended with {child.returncode}"
            raise StoreError(f"the process that builds it failed: {last}")

    def stop(self) -> None:
        """End the process that is at work, and start none any more."""
        with self._guard:
            self._stopped = True
            if self._child is not None:
                self._child.kill()

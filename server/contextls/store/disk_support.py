"""The features of a disk that our state needs: locks and shared memory, which some network and shared disks lack."""

from __future__ import annotations

import mmap
import sys
import tempfile
from pathlib import Path


def describe_missing_support(folder: Path) -> str | None:
    """A message that names the feature which the disk of ``folder`` lacks, and the way out; ``None`` where none is known.

    Checked after something failed: SQLite takes a disk without locks for one that another process holds.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    lacks = "locks"
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(mmap.PAGESIZE)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                lacks = "shared memory"
                mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
            except OSError:
                return (
                    f"the disk of {folder} has no {lacks}; point CONTEXTLS_HOME to a folder on a local disk"
                )
    except OSError:  # full, or not to be written to
        pass
    return None

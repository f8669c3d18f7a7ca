"""What a disk must be able to do to hold our state, beyond keeping files: some network and shared disks cannot."""

from __future__ import annotations

import mmap
import sys
import tempfile
from pathlib import Path


def describe_missing_support(folder: Path) -> str | None:
    """What the disk of ``folder`` cannot do, and what to do about that; ``None`` where it can do all, or nobody can say.

    Looked for after something failed: SQLite takes a disk without locks for one that another process holds.
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

"""Locks between processes, as files of our own state."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import StoreError
from contextls.store.disk_support import describe_missing_support
from contextls.store.quarantine import remove
from contextls.store.state_place import kind_in_the_way

if TYPE_CHECKING:
    from filelock import FileLock


def lock_at(path: Path, *, by_thread: bool = True) -> FileLock:
    """A lock on ``path``, which the system frees when the process ends. What lies there and is no regular file goes.

    It is held by the thread that took it or, if not ``by_thread``, by the whole process. Waiting for it in vain raises
    ``TimeoutError``.
    """
    # A command of the shell's hook takes no lock, and this would be a tenth of its time.
    from filelock import FileLock

    if kind_in_the_way(path) is not None:
        with contextlib.suppress(OSError):  # then taking the lock fails, and says why
            remove(path)
    return FileLock(path, thread_local=by_thread)


def lock_failure(path: Path | str, error: OSError) -> StoreError:
    """The error for a lock at ``path`` that the system refuses."""
    advice = describe_missing_support(Path(path).parent) or "check permissions and free space"
    return StoreError(f"cannot lock {path}: {error.strerror}; {advice}")

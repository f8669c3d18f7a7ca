"""Locks between processes, as files of our own state."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import StoreError
from contextls.made_once import made_once
from contextls.store.disk_support import describe_missing_support
from contextls.store.quarantine import remove
from contextls.store.state_place import kind_in_the_way

if TYPE_CHECKING:
    from filelock import AcquireReturnProxy, FileLock


class StateLock:
    """A lock on a file, which the system frees when the process ends. What lies there and is no regular file goes."""

    def __init__(self, path: Path, *, by_thread: bool = True) -> None:
        """The thread that took it holds it and may take it again; if not ``by_thread``, the whole process holds it."""
        self.path = path
        self._by_thread = by_thread

    @property
    def is_locked(self) -> bool:
        """Whether this lock is held, by this process and thread."""
        lock = StateLock._lock.peek(self)
        return lock is not None and lock.is_locked

    def acquire(self, timeout: float) -> AcquireReturnProxy[FileLock]:
        """Take it, for the length of a ``with`` or until ``release``. Raises ``TimeoutError`` and other ``OSError``."""
        return self._lock.acquire(timeout=timeout)

    def release(self) -> None:
        """Let go of it, if it is held."""
        lock = StateLock._lock.peek(self)
        if lock is not None:
            lock.release()

    @made_once
    def _lock(self) -> FileLock:
        # Most commands write nothing, and to load this is a tenth of the time of one that records an event.
        from filelock import FileLock

        if kind_in_the_way(self.path) is not None:
            with contextlib.suppress(OSError):  # then taking the lock fails, and says why
                remove(self.path)
        return FileLock(self.path, thread_local=self._by_thread)


def lock_failure(path: Path | str, error: OSError) -> StoreError:
    """The error for a lock at ``path`` that the system refuses."""
    advice = describe_missing_support(Path(path).parent) or "check permissions and free space"
    return StoreError(f"cannot lock {path}: {error.strerror}; {advice}")

"""The role of the one process, of those that have a workspace open, that keeps its index in step with the disk."""

from __future__ import annotations

import threading
from pathlib import Path

from contextls.model import IndexWriter
from contextls.store.locks import StateLock


class WriterRole:
    """The first process that joins has it until it ends, however it ends; then the next one that asks.

    It is about who does the work, not about safety: a writer holds the ``IndexLock`` meanwhile. A process that
    never joins, such as a command, does its own work, and so does each where the system has no locks. Safe to use from
    any thread.
    """

    def __init__(self, place: Path) -> None:
        """``place`` is the lock file; nothing is taken yet."""
        self._lock = StateLock(place, by_thread=False)
        self._guard = threading.Lock()
        self._is_shared = False
        self._fell_to_us = False

    def join(self) -> None:
        """Take the role if it is free, else follow the process that has it."""
        with self._guard:
            self._is_shared = True
            self._take()

    @property
    def is_joined(self) -> bool:
        """Whether this process stays on the workspace, with the role or without."""
        return self._is_shared

    def is_ours(self) -> bool:
        """Whether this process is to do the work itself; takes the role where it has become free."""
        with self._guard:
            if self._is_shared and not self._lock.is_locked:
                self._fell_to_us = self._take()
            return self._lock.is_locked or not self._is_shared

    def took_over(self) -> bool:
        """Whether this process took over from one that ended; true once each time."""
        self.is_ours()
        with self._guard:
            fell, self._fell_to_us = self._fell_to_us, False
        return fell

    def holder(self) -> IndexWriter:
        """The process that has the role now."""
        with self._guard:
            if self._lock.is_locked:
                return IndexWriter.THIS
            if not self._take():
                return IndexWriter.ANOTHER
            if self._is_shared:
                self._fell_to_us = True
                return IndexWriter.THIS
            self._lock.release()
            return IndexWriter.NONE

    def leave(self) -> None:
        """Let another process have it."""
        with self._guard:
            self._is_shared = False
            self._lock.release()

    def _take(self) -> bool:
        try:
            self._lock.acquire(timeout=0)
        except TimeoutError:
            return False
        except OSError:
            self._is_shared = False
            return False
        return True

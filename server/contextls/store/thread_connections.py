"""The connections to one SQLite file: one for each thread, all of the same epoch."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable

from msgspec import Struct, field


class Handle(Struct):
    """A connection of one thread, whether that thread is inside a call, and which opening of the file it belongs to."""

    connection: sqlite3.Connection
    epoch: int
    busy: bool = False
    thread: threading.Thread = field(default_factory=threading.current_thread)


class ThreadConnections:
    """Gives each thread a connection of its own. A new ``epoch`` begins whenever the file is opened again."""

    def __init__(self) -> None:
        """There is no connection yet."""
        self.epoch = 0
        self.is_closed = False
        self._local = threading.local()
        self._handles: list[Handle] = []
        self._guard = threading.Lock()

    def of_thread(self) -> sqlite3.Connection | None:
        """The connection of this thread, of whichever epoch."""
        handle: Handle | None = getattr(self._local, "handle", None)
        return None if handle is None else handle.connection

    def enter(self, connect: Callable[[], sqlite3.Connection]) -> Handle:
        """The handle of this thread, to be given back with ``leave``; ``connect`` makes one where it has none."""
        with self._guard:
            handle: Handle | None = getattr(self._local, "handle", None)
            # Once closed, what was idle is about to be closed by another thread: nobody may be given it any more.
            if handle is not None and handle.epoch == self.epoch and not self.is_closed:
                handle.busy = True
                return handle
            epoch = self.epoch
        return self._adopt(Handle(connect(), epoch, busy=True))

    def add(self, connection: sqlite3.Connection) -> None:
        """Make ``connection`` that of this thread."""
        self._adopt(Handle(connection, self.epoch))

    def leave(self, handle: Handle) -> None:
        """The call has ended. A connection of an earlier epoch is closed."""
        with self._guard:
            handle.busy = False
            if not self.is_closed and handle.epoch == self.epoch:
                return
            if handle in self._handles:
                self._handles.remove(handle)
        handle.connection.close()

    def begin_epoch(self) -> None:
        """From now on no connection of an earlier epoch is used again."""
        with self._guard:
            self.epoch += 1
        self._close_idle()

    def close(self) -> None:
        """Close every connection; one in use is closed when its call ends."""
        with self._guard:
            self.is_closed = True
        self._close_idle()

    def _adopt(self, handle: Handle) -> Handle:
        # A thread that ends tells nobody: what it left open is closed when the next one comes.
        self._close_where(lambda handle: not handle.thread.is_alive())
        with self._guard:
            self._handles.append(handle)
        self._local.handle = handle
        return handle

    def _close_idle(self) -> None:
        self._close_where(lambda handle: not handle.busy)

    def _close_where(self, is_done: Callable[[Handle], bool]) -> None:
        with self._guard:
            done = [handle for handle in self._handles if is_done(handle)]
            self._handles = [handle for handle in self._handles if handle not in done]
        for handle in done:
            with contextlib.suppress(sqlite3.Error):
                handle.connection.close()

"""A lock between processes where the system gives no semaphores.

Sandboxes of coding agents, and some containers, have no writable ``/dev/shm``; Android's Python has no semaphores at all.
"""

from __future__ import annotations

import os
import threading
import time
from multiprocessing import Pipe, connection

_TOKEN = b"x"


class PipeLock:
    """A pipe with one byte in it: who reads the byte has the lock, and gives it back by writing it.

    A process that dies with the byte takes the lock with it, as it does with a semaphore.
    Reentrant within a thread, like the ``RLock`` of ``multiprocessing``, whose place it takes; POSIX only.
    """

    def __init__(self) -> None:
        self.__setstate__(Pipe(duplex=False))
        os.write(self._writer.fileno(), _TOKEN)

    def __getstate__(self) -> tuple[connection.Connection, connection.Connection]:
        """The state for another process: both ends of the pipe, and not whether this one has the lock."""
        return self._reader, self._writer

    def __setstate__(self, ends: tuple[connection.Connection, connection.Connection]) -> None:
        self._reader, self._writer = ends
        self._owner: int | None = None  # a thread of this process
        self._depth = 0
        os.set_blocking(self._reader.fileno(), False)

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        """Take the lock, waiting for it up to ``timeout`` seconds where ``block``; whether it was taken."""
        here = threading.get_ident()
        if self._owner == here:
            self._depth += 1
            return True
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._take():
            left = None if deadline is None else deadline - time.monotonic()
            if not block or (left is not None and left <= 0):
                return False
            self._reader.poll(left)
        self._owner, self._depth = here, 1
        return True

    def release(self) -> None:
        """Give the lock back, once for each time that it was taken."""
        self._depth -= 1
        if not self._depth:
            self._owner = None
            os.write(self._writer.fileno(), _TOKEN)

    def _take(self) -> bool:
        try:
            return os.read(self._reader.fileno(), 1) == _TOKEN
        except BlockingIOError:  # another has it
            return False

"""The threads that work for the server, so that its event loop only moves messages.

Three small pools: questions run side by side, writes run one after the other in the order in which they came,
and indexing has a thread of its own that holds up neither.
"""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from contextls.errors import CancelledError

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.code.pool import WorkerPool

T = TypeVar("T")

_PARSERS = 2
_MOST_SECONDS = 5.0
_QUESTIONS_AT_ONCE = 4
_NAME = "contextls-lsp-work"


class Work:
    """The server's own executors; nothing here runs on the thread that reads the client's messages."""

    def __init__(self) -> None:
        self._questions = ThreadPoolExecutor(_QUESTIONS_AT_ONCE, f"{_NAME}-question")
        self._writes = ThreadPoolExecutor(1, f"{_NAME}-write")
        self._indexing = ThreadPoolExecutor(1, f"{_NAME}-index")
        self._parsers: WorkerPool | None = None
        self._stopped = False
        self._guard = threading.Lock()
        self.queued = 0  # how many jobs were ever queued for writing

    def parsers(self, limit_seconds: float) -> WorkerPool:
        """Worker processes for texts of no workspace; they start with the first text.

        A parser gets so long, at most what somebody waits for an answer. Raises ``CancelledError`` when the server ends.
        """
        from contextls.code.pool import WorkerPool

        with self._guard:
            if self._stopped:
                raise CancelledError("the server ends")
            if self._parsers is None:
                self._parsers = WorkerPool(_PARSERS, min(limit_seconds, _MOST_SECONDS))
            return self._parsers

    async def question(self, job: Callable[[], T]) -> T:
        """Run a job that only reads. Cancelling gives up the answer, and the job if it has not begun."""
        return await asyncio.wrap_future(self._questions.submit(job))

    def write(self, job: Callable[[], T]) -> Future[T]:
        """Queue a job behind all writes before it."""
        self.queued += 1
        return self._writes.submit(job)

    async def index(self, job: Callable[[], T]) -> T:
        """Run a long job behind other indexing."""
        return await asyncio.wrap_future(self._indexing.submit(job))

    def stop(self, seconds: float) -> bool:
        """Drop what has not begun and wait for the rest; whether everything ended in time."""
        with self._guard:
            self._stopped = True
            parsers = self._parsers
        if parsers is not None:
            parsers.close()
        for pool in (self._questions, self._indexing, self._writes):
            pool.shutdown(wait=False, cancel_futures=True)
        return joined(_NAME, seconds)


def joined(name: str, seconds: float) -> bool:
    """Wait for all threads whose names begin with ``name``; whether they ended in time."""
    deadline = time.monotonic() + seconds
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(name)]
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)

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

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_QUESTIONS_AT_ONCE = 4
_NAME = "contextls-lsp-work"


class Work:
    """The server's own executors; nothing here runs on the thread that reads the client's messages."""

    def __init__(self) -> None:
        self._questions = ThreadPoolExecutor(_QUESTIONS_AT_ONCE, f"{_NAME}-question")
        self._writes = ThreadPoolExecutor(1, f"{_NAME}-write")
        self._indexing = ThreadPoolExecutor(1, f"{_NAME}-index")
        self.queued = 0  # how many jobs were ever queued for writing

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

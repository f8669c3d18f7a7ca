"""The threads that work for live workspaces, so that the event loop only moves messages.

Small pools: questions run in parallel, and quick ones in a pool of their own, so that they wait for none. Writes run one
after the other in the order in which they came; the files that they concern are analysed afterwards, so that no write waits
for that. Indexing has a thread of its own that holds up none of these. Large texts are worked on in processes
(``text_processes``).
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from contextls.cancellation import cancellable, check
from contextls.errors import BusyError
from contextls.live.text_processes import TEXTS_AT_ONCE, TextProcesses

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
Item = TypeVar("Item")

# More would only take turns under one interpreter lock, and keep the event loop waiting for its own.
_QUESTIONS_AT_ONCE = 3
_QUICK_AT_ONCE = 2
# More waiting requests than any real client sends; each waits some tens of milliseconds for those before it.
MAX_WAITING = 256
TOO_MANY = f"{MAX_WAITING} requests wait already; wait for their answers, or cancel some, and ask again"
# While thousands of messages are read, no question begins: reading would get what the questions leave of the interpreter.
_REST_SECONDS = 0.05
_MAX_REST_SECONDS = 0.5
_NAME = "contextls-live"
# How long a process that ends waits for its threads; then it ends without them.
SECONDS_TO_END = 1.0


class Executors:
    """Small pools of threads, and the processes for texts; nothing here runs on the event loop."""

    def __init__(self) -> None:
        self._questions = ThreadPoolExecutor(_QUESTIONS_AT_ONCE, f"{_NAME}-question")
        self._quick = ThreadPoolExecutor(_QUICK_AT_ONCE, f"{_NAME}-quick")
        self._texts_waiting = ThreadPoolExecutor(TEXTS_AT_ONCE, f"{_NAME}-text")
        self._writes = ThreadPoolExecutor(1, f"{_NAME}-write")
        self._following = ThreadPoolExecutor(1, f"{_NAME}-follow")
        self._indexing = ThreadPoolExecutor(1, f"{_NAME}-index")
        self.processes = TextProcesses()
        self._asked: Counter[ThreadPoolExecutor] = Counter()  # touched by the event loop alone
        self._rest_until = 0.0
        self.queued = 0  # how many jobs were ever queued for writing

    @property
    def is_full(self) -> bool:
        """Whether ``question`` would refuse."""
        return self._asked[self._questions] >= MAX_WAITING

    def rest(self) -> None:
        """Begin no question for a moment, and none later than half a second from now."""
        self._rest_until = time.monotonic() + _REST_SECONDS

    async def question(self, job: Callable[[], T]) -> T:
        """Run a job that only reads. Cancelling ends it, soon after it looks. Raises ``BusyError``."""

        def run() -> T:
            latest = time.monotonic() + _MAX_REST_SECONDS
            while (now := time.monotonic()) < min(latest, self._rest_until):
                time.sleep(min(latest, self._rest_until) - now)
                check()
            return job()

        return await self._cancellable(self._questions, run)

    async def quick(self, job: Callable[[], T]) -> T:
        """Run a job that takes no time worth mentioning; it waits for no question."""
        return await self._cancellable(self._quick, job)

    async def text(self, function: Callable[[Item], T], item: Item) -> T:
        """Apply a module-level function to a large text in a process that is killed when the request is cancelled.

        Raises ``BusyError``, ``InvalidRequestError`` from the function, and ``TextFailedError``, also after 60 s.
        """
        return await self._cancellable(self._texts_waiting, lambda: self.processes.run(function, item))

    def write(self, job: Callable[[], T]) -> Future[T]:
        """Queue a job after all earlier writes."""
        self.queued += 1
        return self._writes.submit(job)

    def follow(self, job: Callable[[], T]) -> Future[T]:
        """Queue a job that no write waits for, after those queued like this before. Raises ``RuntimeError`` at the end."""
        return self._following.submit(job)

    async def index(self, job: Callable[[], T]) -> T:
        """Run a long job after other indexing."""
        return await asyncio.wrap_future(self._indexing.submit(job))

    def stop(self, seconds: float = SECONDS_TO_END) -> bool:
        """Drop what has not begun and wait for the rest; whether everything ended in time."""
        self.processes.close()
        for threads in (
            self._questions,
            self._quick,
            self._texts_waiting,
            self._indexing,
            self._following,
            self._writes,
        ):
            threads.shutdown(wait=False, cancel_futures=True)
        return join_threads(_NAME, seconds)

    async def _cancellable(self, pool: ThreadPoolExecutor, job: Callable[[], T]) -> T:
        if self._asked[pool] >= MAX_WAITING:
            raise BusyError(TOO_MANY)
        token = threading.Event()

        def run() -> T:
            with cancellable(token):
                check()
                return job()

        self._asked[pool] += 1
        try:
            return await asyncio.wrap_future(pool.submit(run))
        except asyncio.CancelledError:
            token.set()
            raise
        finally:
            self._asked[pool] -= 1


def join_threads(name: str, seconds: float) -> bool:
    """Wait for all threads whose names begin with ``name``; whether they ended in time."""
    deadline = time.monotonic() + seconds
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(name)]
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)

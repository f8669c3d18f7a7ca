"""The processes behind a ``WorkerPool``: started with the first task, and started over when they are lost.

The system kills processes where memory is short, and not only those that are at work. They share two locks, and one that
is killed may take a lock with it: then the others are of no use any more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from concurrent.futures import CancelledError as FutureCancelled
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from contextls.code.worker_setup import CAN_END_ITSELF, prepare_worker
from contextls.errors import CancelledError, ContextlsError

if TYPE_CHECKING:
    from pebble import ProcessFuture

    from contextls.code.process_pool import WatchedPool

_MAX_STARTS = 5
_REST_SECONDS = 0.1  # what is being killed needs a moment to be gone
_CLOSED = "the worker pool was closed before the work was done"


class Scheduled(Struct, frozen=True):
    """A call on its way: what it will give, and the processes that work on it."""

    future: ProcessFuture[Any]
    pool: WatchedPool

    def check(self) -> None:
        """Raise ``BrokenExecutor`` when its processes were lost, ``FutureCancelled`` when they may lack a lock."""
        if self.future.done():
            return
        if not self.pool.active:
            raise BrokenExecutor("the worker processes ended")
        if self.pool.one_was_killed.is_set():
            raise FutureCancelled


def was_killed(error: BaseException | None) -> bool:
    """Whether a call has no result because its process was killed, which need not be the fault of what it did."""
    from pebble import ProcessExpired

    from contextls.code.process_pool import KILLED

    return isinstance(error, ProcessExpired) and error.exitcode in KILLED


class WorkerProcesses:
    """Calls functions in processes. Safe to use from several threads."""

    def __init__(self, workers: int, preload: Sequence[str], wall_seconds: float) -> None:
        """``wall_seconds`` bounds a call where a worker cannot end itself."""
        self._workers = workers
        self._preload = preload
        self._timeout = None if CAN_END_ITSELF else wall_seconds
        self._pool: WatchedPool | None = None
        self._closed = False
        self._outstanding: WeakKeyDictionary[ProcessFuture[Any], WatchedPool] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def start_soon(self) -> None:
        """See ``WorkerPool.start_soon``."""
        with self._lock:
            if not self._closed and self._pool is None:
                from contextls.code.worker_process import start_fork_server, worker_context

                worker_context(self._preload)
                start_fork_server()

    def schedule(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Scheduled:
        """Call a function in one of the processes.

        Raises ``CancelledError`` once closed, ``ContextlsError`` when they end as often as they are started.
        """
        for attempt in range(_MAX_STARTS):
            time.sleep(attempt * _REST_SECONDS)
            with self._lock:
                if self._closed:
                    raise CancelledError(_CLOSED)
                pool = self._pool = self._pool or self._new_pool()
                try:
                    future = pool.schedule(function, args=arguments, timeout=self._timeout)
                except RuntimeError:
                    pass
                else:
                    self._outstanding[future] = pool
                    return Scheduled(future, pool)
            self._drop(pool)
        raise ContextlsError(
            "worker processes end as soon as they are started; free some memory or allow more processes, and try again"
        )

    def replace(self, lost: Scheduled) -> None:
        """Let go of processes that were lost; others start with the next call. Raises ``CancelledError`` once closed."""
        if self._closed:
            raise CancelledError(_CLOSED)
        self._drop(lost.pool)

    def end_workers(self) -> None:
        """See ``WorkerPool.end_workers``."""
        with self._lock:
            pool = self._pool
            if pool is None or any(
                its is pool and not future.done() for future, its in self._outstanding.items()
            ):
                return
            self._pool = None
        _end(pool)

    def close(self) -> None:
        """Kill the processes and return when they are gone. Safe to call twice."""
        with self._lock:
            self._closed = True
            pool = self._pool
        if pool is not None:
            self._drop(pool)

    def _new_pool(self) -> WatchedPool:
        # Loaded with the first work: most commands find nothing to parse.
        from contextls.code.process_pool import WatchedPool
        from contextls.code.worker_process import worker_context

        return WatchedPool(self._workers, prepare_worker, worker_context(self._preload))

    def _drop(self, pool: WatchedPool) -> None:
        with self._lock:
            if self._pool is not pool:
                return
            self._pool = None
            outstanding = [future for future, its in self._outstanding.items() if its is pool]
        for future in outstanding:  # stopping a pool leaves those who wait for its futures waiting
            future.cancel()  # type: ignore[no-untyped-call]
        _end(pool)


def _end(pool: WatchedPool) -> None:
    from contextls.code.worker_process import ensure_tracker

    ensure_tracker()  # it is told of what goes now
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()

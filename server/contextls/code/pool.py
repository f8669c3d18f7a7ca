"""Worker processes for pure functions that may hang or crash: parsing above all.

A parser that hangs on a file holds the interpreter lock and cannot be interrupted: only killing its process ends it.
Small items travel in batches; when a batch dies, its items are tried again one by one, so that only the item at fault is
lost.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar
from weakref import WeakSet

from contextls import cancellation
from contextls.errors import CancelledError

if TYPE_CHECKING:
    from pebble import ProcessFuture, ProcessPool

Item = TypeVar("Item")
Value = TypeVar("Value")

_OUT_OF_TIME = -signal.SIGPROF if hasattr(signal, "SIGPROF") else None
_Run: TypeAlias = Callable[[list[Item]], "list[Result[Value] | Failure]"]

BATCH_WEIGHT = 150000  # of what `weigh` counts; with characters, some 50 ms of parsing
BATCH_ITEMS = 64
BATCHES_AHEAD = 4  # per worker: enough to keep it busy, little enough to hold few texts in memory
NICENESS = 10
CANCEL_SECONDS = 0.1  # how soon a cancelled request is noticed
# Objects between two collections: a tree of thousands of nodes is dropped as a whole, nothing of it is garbage before.
COLLECTED_AFTER = 50_000
# On a busy machine a worker at low priority gets a tenth of a core; one that waits for ever must end as well.
WALL_FACTOR = 10.0
GRACE_SECONDS = 5.0  # a worker whose parent is gone ends itself so long after its time limit


@dataclass(frozen=True, slots=True)
class Result(Generic[Value]):
    """The return value of the function for an item."""

    value: Value


@dataclass(frozen=True, slots=True)
class Failure:
    """No result: ``reason`` is ``timeout``, ``crash`` (the process died) or ``error`` (the function raised)."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class _Limits:
    """After what time a worker ends itself, by its own work and by the clock."""

    cpu_seconds: float
    wall_seconds: float


class WorkerPool:
    """Processes that apply module-level functions to items, each within ``timeout_seconds`` of a processor's time.

    By the clock each has ``wall_factor`` times as long. Where the system does not count a process's time, that alone holds.
    Nothing starts before the first ``map`` or ``start_soon``. Workers run at low priority, write nothing to the parent's
    standard output and end when the parent does, however it ends. Safe to use from several threads.
    """

    def __init__(
        self,
        workers: int,
        timeout_seconds: float,
        preload: Sequence[str] = ("contextls.code.parse",),
        *,
        wall_factor: float = WALL_FACTOR,
    ) -> None:
        self.workers = max(1, workers)
        self.timeout_seconds = timeout_seconds
        self._wall_seconds = timeout_seconds * wall_factor
        self._preload = list(preload)
        self._pool: ProcessPool | None = None
        self._closed = False
        self._outstanding: WeakSet[ProcessFuture[Any]] = WeakSet()
        self._lock = threading.Lock()

    def map(
        self,
        function: Callable[[Item], Value],
        items: Iterable[Item],
        weigh: Callable[[Item], int] = lambda _: BATCH_WEIGHT,
    ) -> Iterator[Result[Value] | Failure]:
        """Yield one ``Result`` or ``Failure`` per item, in the order of ``items``, as they become ready.

        ``items`` is read only a little ahead of what is yielded. ``weigh`` says how heavy an item is; light ones share a
        task. Raises ``CancelledError`` when the pool is closed meanwhile.
        """
        return self._map(partial(_run_each, function), items, weigh)

    def map_together(
        self,
        function: Callable[[list[Item]], Sequence[Value]],
        items: Iterable[Item],
        weigh: Callable[[Item], int] = lambda _: BATCH_WEIGHT,
    ) -> Iterator[Result[Value] | Failure]:
        """As ``map``, with a function that takes all items of a task at once and returns a value for each, in order."""
        return self._map(partial(_run_together, function), items, weigh)

    def _map(
        self, run: _Run[Item, Value], items: Iterable[Item], weigh: Callable[[Item], int]
    ) -> Iterator[Result[Value] | Failure]:
        pending: deque[tuple[list[Item], ProcessFuture[Any]]] = deque()
        try:
            for batch in _batches(items, weigh):
                pending.append((batch, self._schedule(run, batch)))
                if len(pending) >= self.workers * BATCHES_AHEAD:
                    yield from self._collect(run, *pending.popleft())
            while pending:
                yield from self._collect(run, *pending.popleft())
        finally:
            for _, future in pending:
                future.cancel()  # type: ignore[no-untyped-call]

    def start_soon(self) -> None:
        """Prepare for a ``map`` that is about to come: what workers import is imported meanwhile. Returns at once."""
        with self._lock:
            if not self._closed and self._pool is None:
                from contextls.code.worker_process import start_fork_server, worker_context

                worker_context(self._preload)
                start_fork_server()

    def close(self) -> None:
        """Kill the workers and return when they are gone. Safe to call twice."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
            outstanding = list(self._outstanding)
        for future in outstanding:  # stopping a pool leaves those who wait for its futures waiting
            future.cancel()  # type: ignore[no-untyped-call]
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _schedule(self, run: _Run[Item, Value], batch: list[Item]) -> ProcessFuture[Any]:
        with self._lock:
            if self._closed:
                raise CancelledError("the worker pool was closed before the work was done")
            if self._pool is None:
                # Loaded with the first work: most commands find nothing to parse.
                from pebble import ProcessPool

                from contextls.code.worker_process import worker_context

                self._pool = ProcessPool(
                    max_workers=self.workers,
                    initializer=_prepare_worker,
                    context=worker_context(self._preload),
                )
            try:
                limits = _Limits(self.timeout_seconds, self._wall_seconds + GRACE_SECONDS)
                future = self._pool.schedule(
                    _run_batch, args=[run, batch, limits], timeout=self._wall_seconds
                )
            except RuntimeError as error:
                raise CancelledError("the worker pool was closed before the work was done") from error
            self._outstanding.add(future)
            return future

    def _collect(
        self, run: _Run[Item, Value], batch: list[Item], future: ProcessFuture[Any]
    ) -> Iterator[Result[Value] | Failure]:
        from pebble import ProcessExpired

        failure: Failure
        try:
            yield from _await_result(future)
            return
        except FutureCancelled as error:
            raise CancelledError("the worker pool was closed before the work was done") from error
        except CancelledError:
            raise
        except FutureTimeout:
            failure = Failure("timeout", f"took longer than {self._wall_seconds:g} s")
        except ProcessExpired as error:
            if error.exitcode == _OUT_OF_TIME:
                failure = Failure("timeout", f"took longer than {self.timeout_seconds:g} s of a processor")
            else:
                failure = Failure("crash", f"the worker process ended with status {error.exitcode}")
        except Exception as error:
            failure = Failure("error", f"{type(error).__name__}: {error}")
        if len(batch) == 1:
            yield failure
            return
        for item in batch:
            yield from self._collect(run, [item], self._schedule(run, [item]))


def _await_result(future: ProcessFuture[Any]) -> Any:  # noqa: ANN401 - what the function returned
    """The future's result. When the request that waits for it is cancelled, its process is killed."""
    if cancellation.current() is None:
        return future.result()
    while True:
        try:
            return future.result(timeout=CANCEL_SECONDS)
        except FutureTimeout:
            if future.done():  # the limit of the pool, not ours
                raise
        try:
            cancellation.check()
        except CancelledError:
            future.cancel()  # type: ignore[no-untyped-call]
            raise


def _batches(items: Iterable[Item], weigh: Callable[[Item], int]) -> Iterator[list[Item]]:
    batch: list[Item] = []
    weight = 0
    for item in items:
        heavy = weigh(item)
        if batch and (weight + heavy > BATCH_WEIGHT or len(batch) >= BATCH_ITEMS):
            yield batch
            batch, weight = [], 0
        batch.append(item)
        weight += heavy
    if batch:
        yield batch


def _run_batch(run: _Run[Item, Value], batch: list[Item], limits: _Limits) -> list[Result[Value] | Failure]:
    _arm(limits)
    try:
        return run(batch)
    finally:
        _arm(_Limits(0, 0))


def _run_each(function: Callable[[Item], Value], batch: list[Item]) -> list[Result[Value] | Failure]:
    return [_run(function, item) for item in batch]


def _run_together(
    function: Callable[[list[Item]], Sequence[Value]], batch: list[Item]
) -> list[Result[Value] | Failure]:
    return [Result(value) for value in function(batch)]


def _run(function: Callable[[Item], Value], item: Item) -> Result[Value] | Failure:
    try:
        return Result(function(item))
    except Exception as error:
        return Failure("error", f"{type(error).__name__}: {error}")


def _arm(limits: _Limits) -> None:
    """Let the kernel end this process; a hung parser would let no Python code do it. 0 disarms."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, limits.cpu_seconds)
        signal.setitimer(signal.ITIMER_REAL, limits.wall_seconds)


def _prepare_worker() -> None:
    gc.freeze()  # what the fork server imported stays, and is not copied by looking through it
    gc.set_threshold(COLLECTED_AFTER, 20, 100)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    with contextlib.suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.close(nothing)
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A handler in Python never runs while a parser hangs: pebble would wait three seconds before it kills.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for name in ("SIGALRM", "SIGPROF"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=[parent.sentinel], daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing import connection

    connection.wait([sentinel])
    os._exit(1)

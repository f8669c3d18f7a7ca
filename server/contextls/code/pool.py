"""Worker processes for pure functions that may hang or crash: parsing above all.

A parser that hangs on a file holds the interpreter lock and cannot be interrupted: only killing its process ends it.
Small items travel in batches; when a batch dies, its items are tried again one by one, so that only the item at fault is
lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import TimeoutError as FutureTimeout
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from contextls import cancellation
from contextls.batches import make_batches
from contextls.code.worker_processes import Scheduled, WorkerProcesses, was_killed
from contextls.code.worker_setup import Limits, run_limited
from contextls.errors import CancelledError

Item = TypeVar("Item")
Value = TypeVar("Value")

_Run: TypeAlias = Callable[[list[Item]], "list[Result[Value] | TaskFailure]"]

BATCH_WEIGHT = 150000  # of what `weigh` counts; with characters, some 50 ms of parsing
BATCH_ITEMS = 64
BATCHES_AHEAD = 4  # per worker: enough to keep it busy, little enough to hold few texts in memory
CANCEL_SECONDS = 0.1  # how soon a cancelled request is noticed
# On a busy machine a worker at low priority gets a tenth of a core; one that waits for ever must end as well.
WALL_FACTOR = 10.0
LOOK_SECONDS = 1.0  # how soon it is noticed that the processes were lost
MAX_ATTEMPTS = 3


class Result(Struct, Generic[Value], frozen=True):
    """The return value of the function for an item."""

    value: Value


class TaskFailure(Struct, frozen=True):
    """No result: ``reason`` is ``timeout``, ``crash`` (the process died) or ``error`` (the function raised)."""

    reason: str
    message: str


class _Task(Struct, Generic[Item], frozen=True):
    """Items on their way to a worker, for the first time or again because the processes were lost."""

    items: list[Item]
    scheduled: Scheduled
    attempt: int


class WorkerPool:
    """Processes that apply module-level functions to items, each within ``timeout_seconds`` of a processor's time.

    By the clock each has ``wall_factor`` times as long. Where the system does not count a process's time, that alone holds.
    Where the system kills a worker, the work goes on with another.
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
        self._limits = Limits(timeout_seconds, timeout_seconds * wall_factor)
        self._processes = WorkerProcesses(self.workers, tuple(preload), self._limits.wall_seconds)

    def map(
        self,
        function: Callable[[Item], Value],
        items: Iterable[Item],
        weigh: Callable[[Item], int] = lambda _: BATCH_WEIGHT,
    ) -> Iterator[Result[Value] | TaskFailure]:
        """Yield one ``Result`` or ``TaskFailure`` per item, in the order of ``items``, as they become ready.

        ``items`` is read only a little ahead of what is yielded. ``weigh`` says how heavy an item is; light ones share a
        task. Raises ``CancelledError`` when the pool is closed meanwhile.
        """
        return self._map(partial(_run_each, function), items, weigh)

    def map_together(
        self,
        function: Callable[[list[Item]], Sequence[Value]],
        items: Iterable[Item],
        weigh: Callable[[Item], int] = lambda _: BATCH_WEIGHT,
    ) -> Iterator[Result[Value] | TaskFailure]:
        """As ``map``, with a function that takes all items of a task at once and returns a value for each, in order."""
        return self._map(partial(_run_together, function), items, weigh)

    def _map(
        self, run: _Run[Item, Value], items: Iterable[Item], weigh: Callable[[Item], int]
    ) -> Iterator[Result[Value] | TaskFailure]:
        pending: deque[_Task[Item]] = deque()
        try:
            for batch in make_batches(items, weigh, max_items=BATCH_ITEMS, max_weight=BATCH_WEIGHT):
                pending.append(self._schedule(run, batch))
                if len(pending) >= self.workers * BATCHES_AHEAD:
                    yield from self._collect(run, pending.popleft())
            while pending:
                yield from self._collect(run, pending.popleft())
        finally:
            for task in pending:
                task.scheduled.future.cancel()  # type: ignore[no-untyped-call]

    def start_soon(self) -> None:
        """Prepare for a ``map`` that is about to come: what workers import is imported meanwhile. Returns at once."""
        self._processes.start_soon()

    def end_workers(self) -> None:
        """End the workers for the memory that they hold, unless they are at work; the next ``map`` starts others."""
        self._processes.end_workers()

    def close(self) -> None:
        """Kill the workers and return when they are gone. Safe to call twice."""
        self._processes.close()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _schedule(self, run: _Run[Item, Value], batch: list[Item], attempt: int = 1) -> _Task[Item]:
        return _Task(batch, self._processes.schedule(run_limited, (run, batch, self._limits)), attempt)

    def _collect(self, run: _Run[Item, Value], task: _Task[Item]) -> Iterator[Result[Value] | TaskFailure]:
        while True:
            try:
                yield from _await_result(task.scheduled)
                return
            except FutureCancelled:  # because of another task, which is held to its attempts
                self._processes.replace(task.scheduled)
                task = self._schedule(run, task.items, task.attempt)
                continue
            except CancelledError:
                raise
            except Exception as error:
                failure = self._failure_of(error)
                are_lost, killed = isinstance(error, BrokenExecutor), was_killed(error)
            if are_lost or killed:
                self._processes.replace(task.scheduled)
            # The system chose this process and may have meant another. Of a batch, each item is tried by itself.
            blameless = are_lost or (killed and len(task.items) == 1)
            if not blameless or task.attempt == MAX_ATTEMPTS:
                break
            task = self._schedule(run, task.items, task.attempt + 1)
        if len(task.items) == 1:
            yield failure
            return
        for item in task.items:
            yield from self._collect(run, self._schedule(run, [item]))

    def _failure_of(self, error: Exception) -> TaskFailure:
        from pebble import ProcessExpired

        if isinstance(error, BrokenExecutor):
            return TaskFailure("crash", "the worker processes ended")
        if isinstance(error, FutureTimeout):
            return TaskFailure("timeout", f"took longer than {self._limits.wall_seconds:g} s")
        if not isinstance(error, ProcessExpired):
            return TaskFailure("error", f"{type(error).__name__}: {error}")
        if exceeded := self._limits.exceeded(error.exitcode):
            return TaskFailure("timeout", exceeded)
        return TaskFailure("crash", f"the worker process ended with status {error.exitcode}")


def _await_result(scheduled: Scheduled) -> Any:  # noqa: ANN401 - what the function returned
    """The result of a task. When the request that waits for it is cancelled, its process is killed."""
    seconds = LOOK_SECONDS if cancellation.current() is None else CANCEL_SECONDS
    while True:
        try:
            return scheduled.future.result(timeout=seconds)
        except FutureTimeout:
            if scheduled.future.done():  # the limit of the pool, not ours
                raise
        scheduled.check()
        try:
            cancellation.check()
        except CancelledError:
            scheduled.future.cancel()  # type: ignore[no-untyped-call]
            raise


def _run_each(function: Callable[[Item], Value], batch: list[Item]) -> list[Result[Value] | TaskFailure]:
    return [_run(function, item) for item in batch]


def _run_together(
    function: Callable[[list[Item]], Sequence[Value]], batch: list[Item]
) -> list[Result[Value] | TaskFailure]:
    return [Result(value) for value in function(batch)]


def _run(function: Callable[[Item], Value], item: Item) -> Result[Value] | TaskFailure:
    try:
        return Result(function(item))
    except Exception as error:
        return TaskFailure("error", f"{type(error).__name__}: {error}")

"""pebble's pool of processes, in which no call is lost with the process that took it.

A process says which call it takes, and pebble reads that a moment later. Where the process is gone by then, pebble takes
the call for one that runs, for ever (pebble issue 153).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from pebble import ProcessExpired, ProcessPool
from pebble.common.types import Result, ResultStatus
from pebble.pool.base_pool import PoolContext
from pebble.pool.process import PoolManager

# The exit codes of a process that the system kills, and of one that nobody knows of because its fork server was killed.
KILLED = frozenset({-9, 255})
_STOPPED = -9
# While there is something to read. A process that is killed while it writes leaves what is never read to its end.
_LOOKS = 20


class WatchedPool(ProcessPool):
    """``one_was_killed`` is set once the system killed one of the processes, whatever that was at."""

    def __init__(self, workers: int, initializer: Callable[[], None], context: Any) -> None:  # noqa: ANN401 - see worker_context
        """``context`` is one of ``multiprocessing``, which starts the processes."""
        super().__init__(max_workers=workers, initializer=initializer, context=context)
        self.one_was_killed = threading.Event()
        self._pool_manager = _Manager(self._context, context, self.one_was_killed)


class _Manager(PoolManager):
    """Ends the calls of processes that are gone, once what these wrote before has been read."""

    def __init__(self, pool: PoolContext, context: Any, one_was_killed: threading.Event) -> None:  # noqa: ANN401 - see worker_context
        super().__init__(pool, context)
        self._one_was_killed = one_was_killed
        self._exit_codes: dict[int, int] = {}
        self._looks: dict[int, int] = {}  # at calls without a process

    def update_workers(self) -> None:
        """Look after the processes, every tenth of a second, and after the calls that they took with them."""
        super().update_workers()  # type: ignore[no-untyped-call]
        workers, channel = self.worker_manager.workers, self.worker_manager.pool_channel
        enough = _LOOKS if channel is not None and channel.poll(0) else 2
        before, self._looks = self._looks, {}
        for number, call in tuple(self.task_manager.tasks.items()):
            if call.worker_id and call.worker_id not in workers:
                self._looks[number] = before.get(number, 0) + 1
                if self._looks[number] >= enough:
                    self._end(number, call.worker_id)
        if not self._looks and not KILLED.isdisjoint(self._exit_codes.values()):
            self._one_was_killed.set()

    def handle_worker_expiration(self, expiration: tuple[int, int]) -> None:
        """Note the exit code of a process that ended by itself; raise ``BrokenProcessPool`` where none is at work.

        pebble would end the call that it last knew the process to be at, which may be done.
        """
        worker, code = expiration
        self._exit_codes[worker] = code
        if not any(call.worker_id for call in tuple(self.task_manager.tasks.values())):
            super().handle_worker_expiration(expiration)

    def _end(self, number: int, worker: int) -> None:
        # There is no exit code of a process that was stopped because of another call.
        code = self._exit_codes.get(worker, _STOPPED)
        error = ProcessExpired("Abnormal termination", code=code, pid=worker)  # type: ignore[no-untyped-call]
        self.task_manager.task_done(number, Result(ResultStatus.ERROR, error))
        del self._looks[number]

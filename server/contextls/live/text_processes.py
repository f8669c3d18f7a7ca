"""The processes that work on texts of no workspace: megabytes would keep every thread of this process waiting."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from contextls.errors import CancelledError, InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.code.pool import WorkerPool

T = TypeVar("T")
Item = TypeVar("Item")

_PARSERS = 2
_MAX_PARSE_SECONDS = 5.0
TEXTS_AT_ONCE = 2
TEXT_SECONDS = 60.0


class TextFailedError(InvalidRequestError):
    """The process that worked on a text died or was too slow; ``why`` says which."""

    def __init__(self, why: str) -> None:
        super().__init__("text", f"a text that can be worked on ({why})")
        self.why = why


class TextProcesses:
    """Worker processes that start with the first text. Safe to use from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._is_closed = False
        self._parsers: WorkerPool | None = None
        self._workers: WorkerPool | None = None

    def parsers(self, limit_seconds: float) -> WorkerPool:
        """Workers for the parsing of small texts. The first caller decides how long a parser gets, within bounds.

        Raises ``CancelledError`` when the server ends.
        """
        from contextls.code.pool import WorkerPool

        with self._guard:
            self._check_open()
            if self._parsers is None:
                self._parsers = WorkerPool(_PARSERS, min(limit_seconds, _MAX_PARSE_SECONDS), wall_factor=1)
            return self._parsers

    def run(self, function: Callable[[Item], T], item: Item) -> T:
        """Apply a module-level function to a large text, in a process that is killed when this job is cancelled.

        Raises ``InvalidRequestError`` from the function, ``TextFailedError``, and ``CancelledError`` when the server ends.
        """
        from contextls.code.pool import TaskFailure

        (result,) = self._open_workers().map(_outcome, [(function, item)])
        if isinstance(result, TaskFailure):
            raise TextFailedError(f"{result.reason}: {result.message}")
        if isinstance(result.value, _Refused):
            raise InvalidRequestError(result.value.field, result.value.expected)
        return result.value

    def close(self) -> None:
        """End all of them, and start no other."""
        with self._guard:
            self._is_closed = True
            processes = [pool for pool in (self._parsers, self._workers) if pool is not None]
        for pool in processes:
            pool.close()

    def _open_workers(self) -> WorkerPool:
        from contextls.code.pool import WorkerPool

        with self._guard:
            self._check_open()
            if self._workers is None:
                preload = ("contextls.assembly.compress_text",)
                self._workers = WorkerPool(TEXTS_AT_ONCE, TEXT_SECONDS, preload, wall_factor=1)
            return self._workers

    def _check_open(self) -> None:
        if self._is_closed:
            raise CancelledError("the server ends")


class _Refused(Struct, frozen=True):
    """An ``InvalidRequestError`` on its way between two processes."""

    field: str
    expected: str


def _outcome(task: tuple[Callable[[Item], T], Item]) -> T | _Refused:
    """The function's result, or that it refused the item."""
    function, item = task
    try:
        return function(item)
    except InvalidRequestError as error:
        return _Refused(error.field, error.expected)

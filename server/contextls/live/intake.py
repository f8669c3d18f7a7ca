"""Queues events from clients for the writing thread; those that wait together share a transaction."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.errors import ContextlsError
from contextls.store.times import now_ms

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.live.executors import Executors
    from contextls.live.workspace import Workspace
    from contextls.model import NewEvent

# The most events in one transaction, so that the first does not wait for a flood of others.
_MAX_TOGETHER = 500


class Receipt(Struct, frozen=True):
    """The id under which an event was recorded, or the reason why it was not."""

    id: str | None
    reason: str = ""


class _Batch(Struct):
    """Events for one workspace that were queued with nothing else in between. ``job`` is the number of its job."""

    job: int
    events: list[tuple[NewEvent, Future[Receipt]]] = field(default_factory=list)
    is_taken: bool = False


class Intake:
    """Queues events for recording. ``add`` belongs to the event loop."""

    def __init__(self, executors: Executors) -> None:
        self._executors = executors
        self._batches: dict[Workspace, _Batch] = {}
        self._guard = threading.Lock()

    def add(self, workspace: Workspace, event: NewEvent) -> Future[Receipt]:
        """Queue an event after earlier writes; the receipt comes once it is durable.

        Without a time of its own it happened now, however late it is recorded.
        """
        if event.timestamp is None:
            event = replace(event, timestamp=now_ms())
        opened = workspace.start()
        receipt: Future[Receipt] = Future()
        with self._guard:
            batch = self._batches.get(workspace)
            if batch is not None and self._is_open(batch):
                batch.events.append((event, receipt))
                return receipt
            fresh = self._batches[workspace] = _Batch(self._executors.queued + 1, [(event, receipt)])
        self._executors.write(lambda: self._store(opened, workspace, fresh))
        return receipt

    def _is_open(self, batch: _Batch) -> bool:
        """Whether one more event may join: nothing was queued after the batch."""
        is_last = batch.job == self._executors.queued
        return is_last and not batch.is_taken and len(batch.events) < _MAX_TOGETHER

    def _store(self, opened: Future[Engine], workspace: Workspace, batch: _Batch) -> None:
        with self._guard:
            batch.is_taken = True
            if self._batches.get(workspace) is batch:
                del self._batches[workspace]
        wanted = [each for each in batch.events if each[1].set_running_or_notify_cancel()]
        try:
            engine = opened.result()
            stored = engine.record_many([event for event, _ in wanted])
        except BaseException as error:
            for _, receipt in wanted:
                receipt.set_exception(error)
            return
        for (event, receipt), kept in zip(wanted, stored, strict=True):
            if isinstance(kept, ContextlsError):
                receipt.set_exception(kept)
            elif kept is None:
                receipt.set_result(
                    Receipt(None, "ignored" if engine.upkeep.wants(event.type) else "switched off")
                )
            else:
                receipt.set_result(Receipt(kept.id))

"""``context/recordEvent``: something happened that only the client saw. A request or a notification."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from contextls.errors import ContextlsError
from contextls.lsp.params import record_params

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.lsp.work import Work
    from contextls.lsp.workspaces import Workspace
    from contextls.model import NewEvent

Answer = dict[str, Any]
# So many share a transaction at most: the first of them is not to wait for a flood behind it.
_MOST_TOGETHER = 500


async def handle(ls: ContextServer, params: Any) -> Answer:  # noqa: ANN401 - JSON
    """Record it, behind the writes before it; answered once it is durable."""
    told = record_params(params)
    workspace = ls.workspaces.choose(told.root_uri)
    return await asyncio.wrap_future(ls.intake.add(workspace, told.event))


@dataclass(slots=True)
class _Batch:
    """Events for one workspace that were queued with nothing else in between. ``job`` is the number of its job."""

    job: int
    events: list[tuple[NewEvent, Future[Answer]]] = field(default_factory=list)
    taken: bool = False


class Intake:
    """Events on their way to the writing thread: those that wait together are stored in one transaction."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._batches: dict[Workspace, _Batch] = {}
        self._guard = threading.Lock()

    def add(self, workspace: Workspace, event: NewEvent) -> Future[Answer]:
        """Queue an event behind the writes before it; the answer comes once it is durable."""
        opened = workspace.start()
        answer: Future[Answer] = Future()
        with self._guard:
            batch = self._batches.get(workspace)
            together = (
                batch is not None
                and not batch.taken
                and batch.job == self._work.queued
                and len(batch.events) < _MOST_TOGETHER
            )
            if batch is not None and together:
                batch.events.append((event, answer))
                return answer
            fresh = self._batches[workspace] = _Batch(self._work.queued + 1, [(event, answer)])
        self._work.write(lambda: self._store(opened, workspace, fresh))
        return answer

    def _store(self, opened: Future[Engine], workspace: Workspace, batch: _Batch) -> None:
        with self._guard:
            batch.taken = True
            if self._batches.get(workspace) is batch:
                del self._batches[workspace]
        told = [(event, answer) for event, answer in batch.events if answer.set_running_or_notify_cancel()]
        try:
            engine = opened.result()
            stored = engine.record_many([event for event, _ in told])
        except BaseException as error:
            for _, answer in told:
                answer.set_exception(error)
            return
        for (event, answer), kept in zip(told, stored, strict=True):
            if isinstance(kept, ContextlsError):
                answer.set_exception(kept)
            elif kept is None:
                reason = "ignored" if engine.wants(event.type) else "switched off"
                answer.set_result({"id": None, "reason": reason})
            else:
                answer.set_result({"id": kept.id})

"""The engine for programs with an event loop: the same questions and answers, in threads of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from contextls.engine.engine import Engine
from contextls.errors import ContextlsError
from contextls.model import (
    AssembledTurn,
    AssembleRequest,
    Context,
    Event,
    Filters,
    IndexProgress,
    IndexReport,
    NewEvent,
    SearchResult,
    Shape,
    Status,
    TurnRequest,
)
from contextls.settings import Settings

T = TypeVar("T")
_QUESTIONS_AT_ONCE = 2


class AsyncEngine:
    """An ``Engine`` that is awaited. Questions run side by side; what changes something runs in the order of the calls.

    ``engine`` is the engine itself; ``ask`` and ``change`` run anything that it can do and that has no method here.
    """

    def __init__(self, engine: Engine) -> None:
        """Use ``AsyncEngine.open``."""
        self.engine = engine
        self._questions = ThreadPoolExecutor(_QUESTIONS_AT_ONCE, "contextls-async-question")
        self._changes = ThreadPoolExecutor(1, "contextls-async-change")

    @classmethod
    async def open(cls, root: Path | str, settings: Settings | None = None) -> Self:
        """Open the workspace at ``root``, as ``Engine.open`` does."""
        return cls(await asyncio.to_thread(Engine.open, root, settings))

    async def ask(self, question: Callable[[Engine], T]) -> T:
        """Run what only reads."""
        return await asyncio.get_running_loop().run_in_executor(self._questions, question, self.engine)

    async def change(self, job: Callable[[Engine], T]) -> T:
        """Run a job that changes something, after the changes asked for before it."""
        return await asyncio.get_running_loop().run_in_executor(self._changes, job, self.engine)

    async def index(self, progress: Callable[[IndexProgress], None] | None = None) -> IndexReport:
        """Like ``Engine.index``; cancelling the task ends it soon, and what was finished stays.

        ``progress`` is called from a thread.
        """
        cancel = threading.Event()
        try:
            return await self.change(lambda engine: engine.index(progress, cancel))
        except asyncio.CancelledError:
            cancel.set()
            raise

    async def assemble(self, request: AssembleRequest, *, shape: Shape = Shape.MARKDOWN) -> Context:
        """Like ``Engine.assemble``."""
        return await self.ask(lambda engine: engine.assemble(request, shape=shape))

    async def assemble_turn(self, request: TurnRequest) -> AssembledTurn:
        """Like ``Engine.assemble_turn``."""
        return await self.ask(lambda engine: engine.assemble_turn(request))

    async def search(self, query: str, limit: int = 10) -> SearchResult:
        """Like ``Engine.search``."""
        return await self.ask(lambda engine: engine.search(query, limit))

    async def events(self, limit: int = 50, filters: Filters = Filters()) -> tuple[Event, ...]:
        """Like ``Engine.events``."""
        return await self.ask(lambda engine: engine.events(limit, filters))

    async def status(self) -> Status:
        """Like ``Engine.status``."""
        return await self.ask(lambda engine: engine.status())

    async def record(self, event: NewEvent) -> Event | None:
        """Like ``Engine.record``."""
        return await self.change(lambda engine: engine.record(event))

    async def record_many(self, events: Sequence[NewEvent]) -> list[Event | ContextlsError | None]:
        """Like ``Engine.record_many``."""
        return await self.change(lambda engine: engine.record_many(events))

    async def update_files(self, paths: Sequence[str]) -> None:
        """Like ``Engine.update_files``."""
        await self.change(lambda engine: engine.update_files(paths))

    async def close(self) -> None:
        """Ask running work to end soon, do what waits, and close the engine. Safe to call twice."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.engine.stop()
        for pool in (self._questions, self._changes):
            pool.shutdown(wait=True)
        self.engine.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.close()

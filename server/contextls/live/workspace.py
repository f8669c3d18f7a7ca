"""One root folder with its engine, which is opened and asked off the event loop."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import CancelledError as CancelledFuture
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from contextls.cancellation import LinkedEvent
from contextls.errors import CancelledError, ContextlsError, WorkspaceError
from contextls.live.indexing_pace import Pace
from contextls.live.opening import RETRY_MS, EngineOpener
from contextls.live.overlays import Overlays
from contextls.live.pending import PendingCount
from contextls.settings import needs_reopening

if TYPE_CHECKING:
    import threading
    from collections.abc import Awaitable, Callable
    from concurrent.futures import Future
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.live.clock import Clock
    from contextls.live.executors import Executors
    from contextls.settings import Settings

T = TypeVar("T")
log = logging.getLogger(__name__)

# How long a question waits for an edit that was heard before it: some milliseconds, unless the processors are busy.
_EDIT_SECONDS = 0.5


class Workspace:
    """One root folder and its engine. All methods belong to the event loop."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        executors: Executors,
        clock: Clock,
        warn: Callable[[str], None],
        *,
        trusted: bool | None = None,
    ) -> None:
        """Opens nothing yet: that begins with ``start`` or the first question.

        ``warn`` hears, from any thread, what became of damaged state. Without ``trusted`` the settings say whether the
        folder is.
        """
        self.root = root
        self.clock = clock
        self._warn = warn
        self.overlays = Overlays()
        self._aliases = {root}
        self._settings = settings
        self._executors = executors
        self._opening = EngineOpener(self._open, executors, clock)
        self._is_closed = False
        self._is_trusted = trusted
        self._stops: set[LinkedEvent] = set()
        self.changes = PendingCount()
        self.runs = PendingCount()
        self.pace = Pace(clock)
        self._newest_edit: Future[None] | None = None
        # Whether a watcher saw something that it did not report yet.
        self.has_unreported_changes: Callable[[], bool] = lambda: False

    @property
    def engine_if_open(self) -> Engine | None:
        """The engine, if it is open by now."""
        return self._opening.engine

    @property
    def failed_to_open(self) -> bool:
        """Whether the newest try to open the engine that has ended failed."""
        return self._opening.has_failed

    def depth_of(self, path: Path) -> int:
        """How many parts of ``path`` the root covers; 0 when the path lies outside."""
        return max((len(root.parts) for root in self._aliases if path.is_relative_to(root)), default=0)

    def start(self) -> Future[Engine]:
        """Begin to open the engine, after the writes that wait already; a second call changes nothing.

        What could not be opened is tried again after a rest. Raises ``WorkspaceError`` once the workspace was closed.
        """
        if self._is_closed:
            raise WorkspaceError(f"{self.root} is no longer open")
        return self._opening.start()

    async def engine(self) -> Engine:
        """The opened engine. Raises what opening it raised."""
        starting = self.start()
        if starting.done() and not starting.cancelled():
            return starting.result()  # each turn of the loop may wait for a thread that computes
        opening = asyncio.wrap_future(starting)
        # A caller that waits may be cancelled; asyncio would log a failure that is not taken then.
        opening.add_done_callback(lambda opened: opened.cancelled() or opened.exception())
        await asyncio.wait([opening])
        return opening.result()

    async def wait_until_open(self) -> Engine | None:
        """The engine, however many tries it takes to open it; ``None`` once the workspace was closed."""
        while not self._is_closed:
            try:
                return await self.engine()
            except Exception:
                await self.clock.sleep(RETRY_MS)
        return None

    async def ask(self, question: Callable[[Engine], T]) -> T:
        """Run a reading job with all unsaved texts in place; again when the engine was replaced meanwhile.

        It begins when the edits heard before it are recorded, or a moment later. Raises ``BusyError`` when too many wait.
        """
        if self._newest_edit is not None and not self._newest_edit.done():
            await asyncio.wait([asyncio.wrap_future(self._newest_edit)], timeout=_EDIT_SECONDS)
        return await self._ask(self._executors.question, lambda engine: self._answer(engine, question))

    async def look(self, question: Callable[[Engine], T]) -> T:
        """Run a quick reading job that needs no unsaved text: it waits for no question, unlike ``ask``."""
        return await self._ask(self._executors.quick, question)

    async def _ask(
        self, run: Callable[[Callable[[], T]], Awaitable[T]], question: Callable[[Engine], T]
    ) -> T:
        while True:
            opened = self.start()
            engine = await self.engine()
            try:
                return await run(lambda engine=engine: question(engine))  # type: ignore[misc]
            except Exception as error:
                self._check_replaced(opened, error)

    async def set_trust(self, trusted: bool) -> None:
        """Take the user's word on this folder; an engine that replaces this one goes by it as well.

        A question that comes right after it goes by it too, whatever waits to be written.
        """
        self._is_trusted = trusted
        engine = self.engine_if_open
        if engine is None:
            await self.change(lambda opened: opened.set_trust(trusted))
        else:
            engine.set_trust(trusted)

    async def is_built(self) -> bool:
        """Whether a full run has ended since the index was made."""
        return await self.look(lambda engine: engine.is_built)

    async def change(self, job: Callable[[Engine], T]) -> T:
        """Run a writing job after earlier ones, and wait for its result: it is durable then."""
        opened = self.start()
        return await asyncio.wrap_future(self._executors.write(lambda: job(opened.result())))

    def write(
        self, job: Callable[[Engine], None], name: str, done: Callable[[], None] = lambda: None
    ) -> None:
        """Queue a writing job after earlier ones; failures are logged under its ``name``.

        ``done`` is called after it, however it ends.
        """
        if self._is_closed:
            done()
        else:
            self._queue(job, name, done)

    def write_edit(self, job: Callable[[Engine], None]) -> None:
        """Queue the recording of an edit: questions that come after it wait for it."""
        if not self._is_closed:
            self._newest_edit = self._queue(job, "recording an edit", lambda: None)

    def _queue(self, job: Callable[[Engine], None], name: str, done: Callable[[], None]) -> Future[None]:
        opened = self.start()
        return self._executors.write(lambda: _run_logged(job, opened.result, name, done))

    def queue(self, job: Callable[[], object]) -> None:
        """Queue a job that reads files after earlier writes; it needs no engine, and what it raises is lost."""
        if not self._is_closed:
            self._executors.write(job)

    def follow(self, engine: Engine, job: Callable[[Engine], object], name: str) -> None:
        """Have a write followed by a job that analyses files: events are recorded meanwhile. Called by the writing thread.

        Failures are logged under its ``name``. The engine does not close before it.
        """
        done = self.changes.begin()
        try:
            self._executors.follow(lambda: _run_logged(job, lambda: engine, name, done))
        except RuntimeError:  # the process ends
            done()

    async def index(self, job: Callable[[Engine, threading.Event], T], cancel: threading.Event) -> T:
        """Run a long indexing job that ends early when ``cancel`` is set or the workspace closes.

        Where new settings replace the engine meanwhile, the job begins again with the new one.
        """
        while True:
            opened = self.start()
            engine = await self.engine()
            if self._opening.newest is not opened:
                continue
            stop = LinkedEvent(cancel)
            self._stops.add(stop)
            try:
                return await self._executors.index(partial(self._run_index, job, engine, stop))
            except asyncio.CancelledError:
                cancel.set()
                raise
            except Exception as error:
                if cancel.is_set():
                    raise
                if self._is_closed:
                    raise CancelledError(f"indexing ended, as {self.root} was closed") from error
                self._check_replaced(opened, error)
            finally:
                self._stops.discard(stop)

    def _check_replaced(self, opened: Future[Engine], error: Exception) -> None:
        """Return when the engine of a failed job was replaced, so that it can be asked again; raise otherwise."""
        if self._is_closed:
            raise WorkspaceError(f"{self.root} is no longer open") from error
        if self._opening.newest is opened:
            raise error

    def stop_indexing(self) -> None:
        """Ask the indexing that runs or waits to end soon; what was finished stays."""
        for stop in self._stops:
            stop.set()

    def adopt(self, settings: Settings) -> Future[None] | None:
        """Go by these settings: events from before still go by the old ones.

        Where the engine has to be replaced, unsaved texts move along, and closing the old one is what is returned.
        """
        before, self._settings = self._settings, settings
        if self._opening.newest is None:
            return None
        if not needs_reopening(before, settings):
            self.write(lambda engine: engine.adopt(settings), "taking over settings")
            return None
        closing = self.close()
        self._is_closed = False
        self.overlays.resend_all()
        self.start()
        return closing

    def close(self) -> Future[None] | None:
        """Stop indexing and close the engine after the writes that wait. Nothing opens it again but ``adopt``."""
        self._is_closed = True
        self.stop_indexing()
        engine, opened = self._opening.engine, self._opening.forget()
        if engine is not None:
            engine.stop()
        return None if opened is None else self._executors.write(lambda: self._close(opened))

    def _open(self) -> Engine:
        from contextls.engine import Engine

        self._aliases = {self.root, self.root.resolve()}
        engine = Engine.open(self.root, self._settings)
        engine.upkeep.consult(
            waits=lambda: bool(self.changes) or self.has_unreported_changes(), indexes=lambda: bool(self.runs)
        )
        engine.listen(self._warn)
        engine.set_trust(self._is_trusted)
        if self._settings.watch:  # a server that does not follow the disk must not keep others waiting for it
            engine.upkeep.join_writers()
        return engine

    def _answer(self, engine: Engine, question: Callable[[Engine], T]) -> T:
        self.overlays.apply(engine)
        return question(engine)

    @staticmethod
    def _run_index(job: Callable[[Engine, threading.Event], T], engine: Engine, cancel: LinkedEvent) -> T:
        if cancel.is_set():
            raise CancelledError("indexing was cancelled before it began")
        return job(engine, cancel)

    def _close(self, opened: Future[Engine]) -> None:
        if opened.exception() is None:
            with suppress(RuntimeError, CancelledFuture):  # the process ends
                self._executors.follow(lambda: None).result()
            opened.result().close()


def _run_logged(
    job: Callable[[Engine], object], engine: Callable[[], Engine], name: str, done: Callable[[], None]
) -> None:
    try:
        job(engine())
    except ContextlsError as error:
        log.warning("%s: %s", name, error)
    except Exception:
        log.exception("%s failed", name)
    finally:
        done()

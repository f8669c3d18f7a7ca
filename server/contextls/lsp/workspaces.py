"""One engine per workspace folder, opened off the event loop, and the right one for each request."""

from __future__ import annotations

import asyncio
import logging
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from contextls.errors import CancelledError, ContextlsError, InvalidRequestError, WorkspaceError
from contextls.lsp.first_index import Pace
from contextls.lsp.overlays import Overlays
from contextls.lsp.uris import from_path, to_path
from contextls.settings import opens_anew
from contextls.text.gate import MARK, clean

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from concurrent.futures import Future

    from contextls.engine import Engine
    from contextls.lsp.work import Work
    from contextls.settings import Settings

T = TypeVar("T")
log = logging.getLogger(__name__)


class _Stop(threading.Event):
    """Ends one run of a job: set by itself, or by the user's ``cancel``, which outlives the run."""

    def __init__(self, cancel: threading.Event) -> None:
        super().__init__()
        self._cancel = cancel

    def is_set(self) -> bool:
        """Whether either is set."""
        return super().is_set() or self._cancel.is_set()


class Expected:
    """Counts what is known to come: changes that wait, runs that were begun. Safe to use from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def begin(self) -> Callable[[], None]:
        """One more is known of, until what this returns is called; calling that again does nothing."""
        with self._guard:
            self._count += 1
        left = [None]

        def done() -> None:
            with self._guard:
                if left:
                    left.pop()
                    self._count -= 1

        return done


class Workspace:
    """One root folder and its engine. All methods belong to the event loop."""

    def __init__(
        self, root: Path, settings: Settings, work: Work, tell: Callable[[str], None] | None = None
    ) -> None:
        """Opens nothing yet: that begins with ``start`` or the first question.

        ``tell`` hears, from any thread, what became of damaged state.
        """
        self._tell = tell
        self.root = root
        self.overlays = Overlays()
        self._aliases = {root}
        self._settings = settings
        self._work = work
        self._engine: Future[Engine] | None = None
        self._gone = False
        self._stops: set[_Stop] = set()
        self.changes = Expected()
        self.runs = Expected()
        self.pace = Pace()
        # Whether a watcher saw something that it did not tell yet.
        self.stirred: Callable[[], bool] = lambda: False

    @property
    def uri(self) -> str:
        """The root as a ``file:`` URI."""
        return from_path(self.root)

    @property
    def opened(self) -> Engine | None:
        """The engine, if it is open by now."""
        opened = self._engine
        ready = opened is not None and opened.done() and not opened.cancelled()
        return opened.result() if opened and ready and opened.exception() is None else None

    def depth_of(self, path: Path) -> int:
        """How many parts of ``path`` the root covers; 0 when the path lies outside."""
        return max((len(root.parts) for root in self._aliases if path.is_relative_to(root)), default=0)

    def start(self) -> Future[Engine]:
        """Begin to open the engine, behind the writes that wait already; a second call changes nothing.

        Raises ``WorkspaceError`` once the workspace was closed.
        """
        if self._gone:
            raise WorkspaceError(f"{self.root} is no longer open")
        if self._engine is None:
            self._engine = self._work.write(self._open)
        return self._engine

    async def engine(self) -> Engine:
        """The opened engine. Raises what opening it raised."""
        starting = self.start()
        if starting.done() and not starting.cancelled():
            return starting.result()  # each turn of the loop may wait for a thread that computes
        opening = asyncio.wrap_future(starting)
        # Who waits may be cancelled; asyncio would log a failure that nobody takes then.
        opening.add_done_callback(lambda opened: opened.cancelled() or opened.exception())
        return await asyncio.shield(opening)

    async def ask(self, question: Callable[[Engine], T]) -> T:
        """Run a reading job with all unsaved texts in place; again when the engine was replaced meanwhile.

        Raises ``BusyError`` when too many wait.
        """
        return await self._ask(self._work.question, lambda engine: self._answer(engine, question))

    async def look(self, question: Callable[[Engine], T]) -> T:
        """As ``ask``, for what takes no time worth mentioning and needs no unsaved text: it waits for no question."""
        return await self._ask(self._work.quick, question)

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

    async def is_built(self) -> bool:
        """Whether a full run has ended since the index was made."""
        return await self.look(lambda engine: engine.content.is_built)

    def write(
        self, job: Callable[[Engine], None], what: str, done: Callable[[], None] = lambda: None
    ) -> None:
        """Queue a writing job behind those before it; failures are logged under the name ``what``.

        ``done`` is called after it, however it ends.
        """
        if self._gone:
            done()
            return
        opened = self.start()

        def run() -> None:
            try:
                job(opened.result())
            except ContextlsError as error:
                log.warning("%s: %s", what, error)
            except Exception:
                log.exception("%s failed", what)
            finally:
                done()

        self._work.write(run)

    async def index(self, job: Callable[[Engine, threading.Event], T], cancel: threading.Event) -> T:
        """Run a long indexing job that ends early when ``cancel`` is set or the workspace closes.

        Where new settings replace the engine meanwhile, the job begins again with the new one.
        """
        while True:
            opened = self.start()
            engine = await self.engine()
            if self._engine is not opened:
                continue
            stop = _Stop(cancel)
            self._stops.add(stop)
            try:
                return await self._work.index(partial(self._indexed, job, engine, stop))
            except asyncio.CancelledError:
                cancel.set()
                raise
            except Exception as error:
                if cancel.is_set():
                    raise
                if self._gone:
                    raise CancelledError(f"indexing ended, as {self.root} was closed") from error
                self._check_replaced(opened, error)
            finally:
                self._stops.discard(stop)

    def _check_replaced(self, opened: Future[Engine], error: Exception) -> None:
        """Return when the engine of a failed job was replaced, so that it can be asked again; raise otherwise."""
        if self._gone:
            raise WorkspaceError(f"{self.root} is no longer open") from error
        if self._engine is opened:
            raise error

    def stop_indexing(self) -> None:
        """Ask the indexing that runs or waits to end soon; what was finished stays."""
        for stop in self._stops:
            stop.set()

    def adopt(self, settings: Settings) -> bool:
        """Go by these settings: events that were heard before still go by the old ones.

        Returns whether the engine had to be replaced; unsaved texts move along then.
        """
        before, self._settings = self._settings, settings
        if self._engine is None:
            return False
        if not opens_anew(before, settings):
            self.write(lambda engine: engine.adopt(settings), "taking over settings")
            return False
        self.close()
        self._gone = False
        self.overlays.renew()
        self.start()
        return True

    def close(self) -> Future[None] | None:
        """Stop indexing and close the engine behind the writes that wait. Nothing opens it again but ``adopt``."""
        self._gone = True
        self.stop_indexing()
        opened, self._engine = self._engine, None
        if opened is not None and opened.done() and opened.exception() is None:
            opened.result().stop()
        return None if opened is None else self._work.write(lambda: _close(opened))

    def _open(self) -> Engine:
        from contextls.engine import Engine

        self._aliases = {self.root, self.root.resolve()}
        engine = Engine.open(self.root, self._settings)
        engine.content.freshness.listen(
            waits=lambda: bool(self.changes) or self.stirred(), indexes=lambda: bool(self.runs)
        )
        if self._tell is not None:
            engine.listen(self._tell)
        return engine

    def _answer(self, engine: Engine, question: Callable[[Engine], T]) -> T:
        self.overlays.apply(engine)
        return question(engine)

    @staticmethod
    def _indexed(job: Callable[[Engine, threading.Event], T], engine: Engine, cancel: _Stop) -> T:
        if cancel.is_set():
            raise CancelledError("indexing was cancelled before it began")
        return job(engine, cancel)


class Workspaces:
    """All open workspaces, in the order in which they were opened. Belongs to the event loop."""

    def __init__(self, work: Work, tell: Callable[[str], None] | None = None) -> None:
        self._work = work
        self._tell = tell
        self._all: dict[Path, Workspace] = {}
        self._active: Workspace | None = None

    def __iter__(self) -> Iterator[Workspace]:
        return iter(tuple(self._all.values()))

    def add(self, uri: str, settings: Settings) -> Workspace | None:
        """Take in a folder; ``None`` when it is open already or has no place on disk."""
        root = to_path(uri)
        if root is None:
            log.warning("workspace folder %s is not on this machine's disk and is left out", uri)
            return None
        if root in self._all:
            return None
        self._all[root] = Workspace(root, settings, self._work, self._tell)
        return self._all[root]

    def remove(self, uri: str) -> Workspace | None:
        """Let go of a folder; ``None`` when it was not open."""
        root = to_path(uri)
        workspace = self._all.pop(root, None) if root else None
        if workspace is not None and workspace is self._active:
            self._active = None
        return workspace

    def containing(self, path: Path | None) -> Workspace | None:
        """The workspace with the longest root that holds ``path``."""
        if path is None or not self._all:
            return None
        best = max(self._all.values(), key=lambda workspace: workspace.depth_of(path))
        return best if best.depth_of(path) else None

    def touch(self, path: Path | None) -> Workspace | None:
        """The workspace of a file that was just used; requests without a document go there from now on."""
        workspace = self.containing(path)
        if workspace is not None:
            self._active = workspace
        return workspace

    def choose(
        self, root_uri: str | None, uri: str | None = None, uri_field: str = "textDocument.uri"
    ) -> Workspace:
        """The workspace that a request means.

        ``root_uri`` names one; else the document at ``uri`` lies in one; else it is the one used last, or the
        first. Raises ``InvalidRequestError`` naming the field, or ``WorkspaceError`` when no folder is open.
        """
        if not self._all:
            raise WorkspaceError("no workspace folder is open; open a folder in the editor and ask again")
        path = to_path(self.named(uri)) if uri else None
        inside = self.containing(path)
        if path is not None and inside is None:
            raise InvalidRequestError(uri_field, f"a document inside {self._names()}", uri)
        if root_uri is None:
            return inside or self._active or next(iter(self._all.values()))
        root = to_path(self.named(root_uri))
        named = self._all.get(root) if root else None
        if named is None:
            raise InvalidRequestError("rootUri", f"one of {self._names()}", root_uri)
        if path is not None and not named.depth_of(path):
            raise InvalidRequestError(uri_field, f"a document inside {named.uri}", uri)
        return named

    def named(self, uri: str) -> str:
        """The URI that a client means, be it named only as it was answered: without the secrets in a root's path."""
        if MARK in uri:
            for workspace in self:
                shown = clean(workspace.uri)
                if uri == shown or uri.startswith(f"{shown}/"):
                    return workspace.uri + uri.removeprefix(shown)
        return uri

    def _names(self) -> str:
        return "the open workspace folders (" + ", ".join(workspace.uri for workspace in self) + ")"


def _close(opened: Future[Engine]) -> None:
    if opened.exception() is None:
        opened.result().close()

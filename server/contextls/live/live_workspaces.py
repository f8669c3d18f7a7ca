"""Open folders, what happens in them and the work that follows: everything that a live face needs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from contextls.live.attention import Attention
from contextls.live.clock import SystemClock
from contextls.live.edits import Edits
from contextls.live.executors import Executors
from contextls.live.file_changes import FileChanges
from contextls.live.file_watch import FileWatch
from contextls.live.git_watch import GitWatch
from contextls.live.heap import unfreeze_heap
from contextls.live.hook_server import HookServer
from contextls.live.indexing import index_in_background
from contextls.live.intake import Intake
from contextls.live.listener import Listeners
from contextls.live.manifest_check import ManifestCheck
from contextls.live.memory_watch import MemoryWatch
from contextls.live.open_files import OpenFiles
from contextls.live.problems import Problems
from contextls.live.texts import Texts
from contextls.live.workspaces import Workspaces
from contextls.live.writer_watch import WriterWatch
from contextls.model import ClearReport

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable
    from concurrent.futures import Future
    from pathlib import Path

    from contextls.live.clock import Clock
    from contextls.live.listener import Listener
    from contextls.live.workspace import Workspace
    from contextls.settings import Settings

log = logging.getLogger(__name__)


class LiveWorkspaces:
    """The workspaces of one user, at one face or several.

    Belongs to one event loop, which need not run yet when this is made.
    """

    def __init__(
        self, settings: Settings, listener: Listener | None = None, clock: Clock | None = None
    ) -> None:
        """``listener`` is the first of ``listeners``; without ``clock`` time passes as it does."""
        self.listeners = Listeners()
        if listener is not None:
            self.listeners.add(listener)
        self._loop: asyncio.AbstractEventLoop | None = None
        clock = clock or SystemClock()
        self.executors = Executors()
        self.workspaces = Workspaces(settings, self.executors, clock, self._warn_from_thread)
        self.edits = Edits(self.workspaces, clock)
        self.attention = Attention(self.workspaces, self.edits, clock)
        self.problems = Problems(self.workspaces, clock)
        self.manifest_check = ManifestCheck(
            self.workspaces, clock, self.listeners, self.spawn, lambda: self.open_files.texts()
        )
        self.changes = FileChanges(self.workspaces, clock, self.manifest_check.follow)
        self.intake = Intake(self.executors)
        self.texts = Texts(self.executors)
        self.open_files = OpenFiles(
            self.workspaces, self.attention, self.edits, self.changes, self.manifest_check.look_at
        )
        self.file_watch = FileWatch(self.workspaces, self.changes, self.listeners, self.spawn)
        self.git_watch = GitWatch(self.workspaces, clock)
        self.writer_watch = WriterWatch(self.workspaces, self.executors, clock, self.index)
        self.memory_watch = MemoryWatch(
            self.workspaces, self.executors, clock, self.listeners, self.manifest_check.follow
        )
        self.hook_server = HookServer(self.workspaces, self.executors, clock)
        self._has_started = False
        self._watches_memories = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._watching: list[asyncio.Task[None]] = []
        self._closing: set[asyncio.Future[None]] = set()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.workspaces.settings

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something in the background until it is done or the event loop ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def start(self, *, watch_memories: bool = False) -> None:
        """Open the folders that were added, index them if the settings say so, follow git, and answer agents' hooks.

        With ``watch_memories`` the listeners hear of changes to the memories. Each face calls this; what runs already
        goes on.
        """
        if not self._has_started:
            self._has_started = True
            for workspace in self.workspaces:
                self._open(workspace)
            self._watching.append(self.spawn(self.git_watch.run()))
            self._watching.append(self.spawn(self.writer_watch.run()))
            self._watching.append(self.spawn(self.hook_server.run()))
        if watch_memories and not self._watches_memories:
            self._watches_memories = True
            self._watching.append(self.spawn(self.memory_watch.run()))

    def change_folders(self, added: Iterable[Path], removed: Iterable[Path] = ()) -> None:
        """Close folders and take in others, which open at once or with ``start``."""
        self._loop = asyncio.get_running_loop()
        for root in removed:
            workspace = self.workspaces.remove(root)
            if workspace is not None:
                self.file_watch.remove(workspace)
                self.manifest_check.remove(workspace)
                self._close(workspace)
                unfreeze_heap()
        for root in added:
            workspace = self.workspaces.add(root)
            if workspace is not None and self._has_started:
                self._open(workspace)
                self.file_watch.add(workspace)
        self.open_files.reassign()

    def adopt(self, settings: Settings) -> None:
        """Go by these settings in every workspace; what they leave out of the index, or let in, is indexed again."""
        self.workspaces.settings = settings
        for workspace in self.workspaces:
            replaced = workspace.adopt(settings)
            if replaced is not None:
                self._await_closing(replaced)
                self._open(workspace)

    async def trust(self, trusted: bool) -> None:
        """Take the user's word on every folder, those that open later included."""
        self.workspaces.trusted = trusted
        for workspace in self.workspaces:
            await workspace.set_trust(trusted)

    def index(self, workspace: Workspace) -> None:
        """Bring an index up to date in the background, if folders are indexed when they are opened."""
        if self.settings.index_on_open:
            finish = workspace.runs.begin()

            def done() -> None:
                finish()
                self.manifest_check.follow(workspace)

            self.spawn(index_in_background(self.listeners, workspace, done))

    async def clear(
        self, workspace: Workspace, *, index: bool, events: bool, conversations: bool = False
    ) -> ClearReport:
        """Delete memories of a workspace, what waits to be written included; its index is built again in the background.

        That is, if folders are indexed when they are opened.
        """
        report = ClearReport(index=index, events=0)
        if events or conversations:
            cleared = await workspace.change(
                lambda engine: engine.clear(index=False, events=events, conversations=conversations)
            )
            report = replace(report, events=cleared.events, conversations=cleared.conversations)
        if index:
            workspace.stop_indexing()  # it would only fill what is being emptied
            await workspace.index(lambda engine, _stop: engine.clear(index=True), threading.Event())
            self.index(workspace)
        return report

    def stop(self) -> None:
        """Record what is known and notice nothing more: the user leaves."""
        self._stop_watching()
        self.attention.stop()
        self.problems.stop()
        self.edits.record_all()

    async def close(self, seconds: float) -> None:
        """Close every workspace after the writes that wait, and wait for that for a while.

        What takes longer goes on; calling this again waits on.
        """
        self._stop_watching()
        for workspace in self.workspaces:
            self._close(workspace)
        if self._closing:
            await asyncio.wait(self._closing, timeout=seconds)

    def _stop_watching(self) -> None:
        self.file_watch.stop()
        self.manifest_check.stop()
        for task in self._watching:
            task.cancel()

    def _open(self, workspace: Workspace) -> None:
        # What the index holds may be old by now: until it was looked at, no answer says that it is complete.
        done = workspace.runs.begin() if self.settings.index_on_open else lambda: None
        workspace.start()
        self.spawn(self._index_when_open(workspace, done))

    async def _index_when_open(self, workspace: Workspace, done: Callable[[], None]) -> None:
        try:
            if not await self._opens_at_once(workspace):
                done()  # no indexing is to come that a question might wait for
            if await workspace.wait_until_open() is not None:
                self.index(workspace)
        finally:
            done()
            self.manifest_check.follow(workspace)

    async def _opens_at_once(self, workspace: Workspace) -> bool:
        """Whether the first try to open a workspace succeeds; the user is warned where it does not."""
        try:
            await workspace.engine()
        except Exception as error:
            log.debug("cannot open %s", workspace.root, exc_info=True)
            problem, root = str(error) or type(error).__name__, str(workspace.root)
            self.listeners.warn(problem if root in problem else f"{root}: {problem}")
            return False
        return True

    def _close(self, workspace: Workspace) -> None:
        queued = workspace.close()
        if queued is not None:
            self._await_closing(queued)

    def _await_closing(self, queued: Future[None]) -> None:
        closing = asyncio.wrap_future(queued)
        self._closing.add(closing)
        closing.add_done_callback(self._finish_closing)

    def _finish_closing(self, closing: asyncio.Future[None]) -> None:
        self._closing.discard(closing)
        if not closing.cancelled() and (error := closing.exception()) is not None:
            log.error("a workspace did not close cleanly", exc_info=error)

    def _warn_from_thread(self, message: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self.listeners.warn, message)

"""The server: its parts, its life from ``initialize`` to ``exit``, and the two ways to reach it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from contextls import __version__
from contextls.lsp import features, memory_watch, parent, transport
from contextls.lsp.attention import Attention
from contextls.lsp.configuration import SECTION, Configuration
from contextls.lsp.decoding import DECODED_AT_ONCE, decoded
from contextls.lsp.documents import Documents
from contextls.lsp.edits import Edits
from contextls.lsp.git_watch import GitWatch
from contextls.lsp.indexing import index_in_background
from contextls.lsp.problems import Problems
from contextls.lsp.progress import Jobs
from contextls.lsp.protocol import PARSE_ERROR, ContextProtocol
from contextls.lsp.requests.record_event import Intake
from contextls.lsp.structure import strict_converter
from contextls.lsp.sync import Sync
from contextls.lsp.turns import Turns
from contextls.lsp.watch import Watch
from contextls.lsp.work import Work
from contextls.lsp.workspaces import Workspace, Workspaces
from contextls.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from contextls.access import AccessToken

log = logging.getLogger(__name__)


class ContextServer(LanguageServer):
    """One connection to one editor. Everything here belongs to the event loop."""

    protocol: ContextProtocol

    def __init__(self, settings: Settings | None = None) -> None:
        """``settings`` are what the client's own settings go on top of."""
        self.work = Work()
        self.documents = Documents()
        self.workspaces = Workspaces(self.work, self.tell)
        self.intake = Intake(self.work)
        self.configuration = Configuration(settings or Settings())
        self.sync = Sync(self)
        self.attention = Attention(self)
        self.edits = Edits(self)
        self.problems = Problems(self)
        self.git_watch = GitWatch(self)
        self.memory_watch = memory_watch.MemoryWatch(self)
        self.jobs = Jobs(self)
        self.watch = Watch(self)
        self.ended = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Future[None]] = set()
        self._warned: set[str] = set()
        self._problems: list[str] = []
        self._turns = Turns(self.work.rest)
        self._changes = itertools.count(1)
        self._newest_change = 0
        super().__init__(
            "contextls",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=ContextProtocol,
            converter_factory=strict_converter,
        )
        features.register(self)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop that this server runs on."""
        return self._loop

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.configuration.settings

    @property
    def exit_status(self) -> int:
        """What the process ends with: 0 after ``shutdown``, else 1."""
        return 0 if self.protocol.was_shut_down else 1

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Live on this loop."""
        self._loop = loop

    @property
    def questions(self) -> frozenset[str]:
        """The methods that are refused when too many of them wait."""
        return features.QUESTIONS

    def stop(self) -> None:
        """End the main loop."""
        self.ended.set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something in the background until it is done or the server ends."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def experimental_capabilities(self) -> dict[str, Any]:
        """What ``initialize`` answers under ``capabilities.experimental``."""
        ours = {
            "version": __version__,
            "methods": list(features.REQUESTS),
            "notifications": [memory_watch.METHOD],
        }
        return {"contextls": ours}

    def client_handles(self, name: str) -> bool:
        """Whether the client announced ``experimental.contextls.<name>``."""
        ours = getattr(self.client_capabilities, "experimental", None)
        section = ours.get("contextls") if isinstance(ours, dict) else None
        return isinstance(section, dict) and section.get(name) is True

    def warn(self, message: str) -> None:
        """Tell the user, once per message."""
        log.warning("%s", message)
        if message not in self._warned:
            self._warned.add(message)
            self.show(message, types.MessageType.Warning)

    def tell(self, message: str) -> None:
        """``warn`` from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self.warn, message)

    def show(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show one line to the user."""
        self.window_show_message(types.ShowMessageParams(type=kind, message=message))

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 - pygls's signature
        """Nothing to do: what went wrong was answered and is in the log already."""
        log.debug("reported by the protocol: %r", error)

    async def receive(self, body: bytes) -> None:
        """Handle one message as it came; what is no JSON is answered with an error."""
        try:
            if len(body) < DECODED_AT_ONCE:
                message = decoded(body)
            else:
                message = await self.loop.run_in_executor(None, decoded, body)
        except (ValueError, RecursionError) as error:
            self.protocol.refuse(None, PARSE_ERROR, f"not JSON: {type(error).__name__}")
            return
        await self._turns.before(message)
        self.receive_message(message)
        await self._turns.after(message)

    def receive_message(self, message: Any) -> None:  # noqa: ANN401 - JSON
        """Handle one message."""
        try:
            self.protocol.handle_message(message)
        except Exception:
            log.exception("a message could not be handled")

    def initialize(self, params: types.InitializeParams) -> None:
        """Take in settings and folders; nothing that takes time."""
        encoding = self.protocol.workspace.position_encoding or types.PositionEncodingKind.Utf16
        self.documents.encoding = str(getattr(encoding, "value", encoding))
        self._problems = self.configuration.initialize(params.initialization_options)
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and self.protocol.workspace.root_uri:
            folders = [self.protocol.workspace.root_uri]
        for uri in folders:
            self.workspaces.add(uri, self.settings)

    async def initialized(self) -> None:
        """The client is ready: open the workspaces, watch, index."""
        for problem in self._problems:
            self.warn(problem)
        if self.process_id is not None:
            self.spawn(parent.watch(self.process_id, self.stop))
        for workspace in self.workspaces:
            self._open(workspace)
        self.spawn(self.git_watch.run())
        self.spawn(self.memory_watch.run())
        await self.watch.start()

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Folders were added or removed in the editor."""
        for folder in event.removed:
            workspace = self.workspaces.remove(folder.uri)
            if workspace is not None:
                self.watch.remove(workspace)
                self._close(workspace)
        for folder in event.added:
            added = self.workspaces.add(folder.uri, self.settings)
            if added is not None:
                self._open(added)
                self.watch.add(added)
        self.sync.reroute()

    async def change_settings(self, given: object) -> None:
        """Take new settings; ``None`` asks the client: some only say that something changed.

        An answer that comes after a newer change was taken in is out of date and left alone.
        """
        number = next(self._changes)
        if given is None:
            given = await self._asked_settings()
        if number < self._newest_change:
            return
        self._newest_change = number
        before = self.settings
        for problem in self.configuration.change(given):
            self.warn(problem)
        if self.settings == before:
            return
        for workspace in self.workspaces:
            if workspace.adopt(self.settings):
                self._index(workspace)
        await self.watch.start()

    async def close(self, seconds: float) -> None:
        """Close every workspace behind the writes that wait, and wait for that for a while.

        What takes longer goes on; calling this again waits on.
        """
        for workspace in self.workspaces:
            self._close(workspace)
        if self._closing:
            await asyncio.wait(self._closing, timeout=seconds)

    def _open(self, workspace: Workspace) -> None:
        # What the index holds may be old by now: until it was looked at, no answer says that it is complete.
        done = workspace.runs.begin() if self.settings.index_on_open else lambda: None
        workspace.start()
        self.spawn(self._opened(workspace, done))

    async def _opened(self, workspace: Workspace, done: Callable[[], None]) -> None:
        try:
            await workspace.engine()
            self._index(workspace)
        except Exception as error:
            log.debug("cannot open %s", workspace.root, exc_info=True)
            self.warn(f"{workspace.root}: {error or type(error).__name__}")
        finally:
            done()

    def _close(self, workspace: Workspace) -> None:
        queued = workspace.close()
        if queued is None:
            return
        closing = asyncio.wrap_future(queued)
        self._closing.add(closing)
        closing.add_done_callback(self._closed)

    def _closed(self, closing: asyncio.Future[None]) -> None:
        self._closing.discard(closing)
        if not closing.cancelled() and (error := closing.exception()) is not None:
            log.error("a workspace did not close cleanly", exc_info=error)

    def _index(self, workspace: Workspace) -> None:
        if self.settings.index_on_open:
            self.spawn(index_in_background(self, workspace, workspace.runs.begin()))

    async def _asked_settings(self) -> object:
        capabilities = self.client_capabilities.workspace
        if capabilities is None or not capabilities.configuration:
            return None
        items = [types.ConfigurationItem(section=SECTION)]
        try:
            answer = await self.workspace_configuration_async(types.ConfigurationParams(items=items))
        except Exception as error:
            log.warning("the client gave no settings: %s", error)
            return None
        return cast("list[object]", answer)[0] if answer else None


def serve_stdio(settings: Settings | None = None) -> int:
    """Serve one client over standard input and output until it leaves; the process's exit status."""
    return transport.run_stdio(lambda: ContextServer(settings))


def serve_tcp(host: str, port: int, token: AccessToken, settings: Settings | None = None) -> int:
    """Serve the first client that connects to ``host:port`` and knows ``token`` until it leaves; the exit status.

    Port 0 takes a free one; the address is written to standard error once the server listens.
    """
    return transport.run_tcp(lambda: ContextServer(settings), host, port, token)

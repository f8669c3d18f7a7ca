"""The server: its parts, and its life from ``initialize`` to ``exit``."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from contextls import __version__
from contextls.live.live_workspaces import LiveWorkspaces
from contextls.lsp import editor_process, features
from contextls.lsp.client import Client
from contextls.lsp.client_watch import ClientWatch
from contextls.lsp.configuration import SECTION, Configuration
from contextls.lsp.decoding import DECODED_AT_ONCE, TooManyValuesError, decode
from contextls.lsp.documents import Documents
from contextls.lsp.framing import FramingError, MessageTooLargeError
from contextls.lsp.loop_turns import LoopTurns
from contextls.lsp.manifest_diagnostics import ManifestDiagnostics
from contextls.lsp.oversized import pass_over
from contextls.lsp.progress import IndexingJob, Jobs
from contextls.lsp.protocol import ContextProtocol
from contextls.lsp.response_errors import PARSE_ERROR
from contextls.lsp.structure import strict_converter
from contextls.lsp.sync import Sync
from contextls.lsp.workspace_uris import WorkspaceUris, folder_path
from contextls.requests.uris import from_path, to_path
from contextls.settings import Settings
from contextls.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence
    from pathlib import Path

    import psutil

    from contextls.model import CheckedManifest, MemoryPart

MEMORY_CAPABILITY = "didChangeMemory"
MEMORY_METHOD = "context/didChangeMemory"
log = logging.getLogger(__name__)


class ContextServer(LanguageServer):
    """One connection to one editor. Everything here belongs to the event loop."""

    protocol: ContextProtocol

    def __init__(self, settings: Settings | None = None, fault: str = "") -> None:
        """``settings`` are what the client's own settings go on top of; ``fault`` tells what is wrong with them."""
        self.configuration = Configuration(settings or Settings())
        self.live = LiveWorkspaces(self.configuration.settings, self)
        self.workspaces = WorkspaceUris(self.live.workspaces)
        self.client = Client()
        self.documents = Documents()
        self.manifest_diagnostics = ManifestDiagnostics(
            self.documents, lambda params: self.text_document_publish_diagnostics(params)
        )
        self.sync = Sync(self.documents, self.live)
        self.jobs = Jobs(self)
        self.client_watch = ClientWatch(self)
        self.ended = asyncio.Event()
        self._warned: set[str] = set()
        self._problems = [fault] if fault else []
        self._turns = LoopTurns(self.live.executors.rest)
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
        return self.live.settings

    @property
    def exit_status(self) -> int:
        """The exit status of the process: 0 after ``shutdown``, else 1."""
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
        self.live.spawn(work)

    def warn(self, message: str) -> None:
        """Tell the user, once per message."""
        log.warning("%s", message)
        if message not in self._warned:
            self._warned.add(message)
            self.show(message, types.MessageType.Warning)

    def report_memory_change(self, root: Path, changed: Sequence[MemoryPart]) -> None:
        """Tell the client which memories have changed."""
        from contextls.requests.workspace import MemoryChange

        self.protocol.notify(MEMORY_METHOD, to_wire(MemoryChange(from_path(root), tuple(changed))))

    def show_manifest_faults(self, root: Path, files: Sequence[CheckedManifest]) -> None:
        """Tell the client what is wrong in a working set."""
        self.manifest_diagnostics.show(root, files)

    async def show_indexing(self, root: Path, cancel: Callable[[], None]) -> IndexingJob:
        """Show a run of indexing, if the client can."""
        return IndexingJob(await self.jobs.start(f"Indexing {root.name}", cancel))

    def show(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show one line to the user."""
        self.window_show_message(types.ShowMessageParams(type=kind, message=message))

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 - pygls's signature
        """Nothing to do: what went wrong was answered and is in the log already."""
        log.debug("reported by the protocol: %r", error)

    def refuse(self, error: FramingError) -> None:
        """Answer what was read off the stream and is no message, or too long a one."""
        if isinstance(error, MessageTooLargeError):
            pass_over(self, error)
            return
        log.warning("the stream holds what is no message: %s", error)
        self.protocol.refuse(None, PARSE_ERROR, f"not a message: {error}")

    async def receive(self, body: bytes) -> None:
        """Handle one message as it came; what is no JSON is answered with an error."""
        try:
            if len(body) < DECODED_AT_ONCE:
                message = decode(body)
            else:
                message = await self.loop.run_in_executor(None, decode, body)
        except TooManyValuesError as error:
            self.protocol.refuse(None, PARSE_ERROR, str(error))
            return
        except RecursionError:
            self.protocol.refuse(None, PARSE_ERROR, "not JSON that can be read: nested too deeply")
            return
        except ValueError as error:
            # A UnicodeDecodeError would show the message itself.
            where = f": {error}" if isinstance(error, json.JSONDecodeError) else ", nor text in UTF-8"
            self.protocol.refuse(None, PARSE_ERROR, f"not JSON{where}")
            return
        await self._turns.before(message)
        self.receive_message(message)
        await self._turns.after(message)

    def begin(self, client: Client, process: psutil.Process | None) -> None:
        """Serve a client whose ``initialize`` was answered already; ``process`` is its own."""
        self.end_with(process)
        try:
            self.protocol.begin(client)
        except Exception:
            log.exception("a session could not be opened")

    def end_with(self, process: psutil.Process | None) -> None:
        """End once the client's ``process`` has, if that can be seen."""
        if process is not None:
            self.spawn(editor_process.watch(process, self.stop))

    def receive_message(self, message: Any) -> None:  # noqa: ANN401 - JSON
        """Handle one message."""
        try:
            self.protocol.handle_message(message)
        except Exception:
            log.exception("a message could not be handled")

    def initialize(self, client: Client) -> None:
        """Take in settings and folders; nothing that takes time."""
        self.client = client
        self.documents.encoding = client.encoding
        self._problems += self.configuration.initialize(client.options)
        self.live.adopt(self.configuration.settings)
        self.live.workspaces.trusted = self.configuration.trusted
        self.live.change_folders(_folder_paths(client.folders))

    async def initialized(self) -> None:
        """The client is ready: open the workspaces, watch, index."""
        for problem in self._problems:
            self.warn(problem)
        self.live.start(watch_memories=MEMORY_CAPABILITY in self.client.handles)
        self.live.manifest_check.start()
        await self.client_watch.start()

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Folders were added or removed in the editor."""
        removed = [root for folder in event.removed if (root := to_path(folder.uri)) is not None]
        self.live.change_folders(_folder_paths(folder.uri for folder in event.added), removed)

    async def change_settings(self, given: object) -> None:
        """Take new settings; ``None`` asks the client: some only say that something changed.

        An answer that comes after a newer change was taken in is out of date and left alone.
        """
        number = next(self._changes)
        if given is None:
            given = await self._ask_settings()
        if number < self._newest_change:
            return
        self._newest_change = number
        before, trusted = self.settings, self.configuration.trusted
        for problem in self.configuration.change(given):
            self.warn(problem)
        if self.configuration.trusted is not None and self.configuration.trusted != trusted:
            await self.live.trust(self.configuration.trusted)
        if self.configuration.settings == before:
            return
        self.live.adopt(self.configuration.settings)
        await self.client_watch.start()

    async def _ask_settings(self) -> object:
        if not self.client.gives_settings:
            return None
        items = [types.ConfigurationItem(section=SECTION)]
        try:
            answer = await self.workspace_configuration_async(types.ConfigurationParams(items=items))
        except Exception as error:
            log.warning("the client gave no settings: %s", error)
            return None
        return cast("list[object]", answer)[0] if answer else None


def _folder_paths(uris: Iterable[str]) -> list[Path]:
    return [root for uri in uris if (root := folder_path(uri)) is not None]

"""The server: live workspaces behind the protocol's requests, whatever the way to reach it."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from contextls import __version__
from contextls.errors import ContextlsError
from contextls.live.live_workspaces import LiveWorkspaces
from contextls.mcp import client_roots
from contextls.mcp.budget import Budget, fit_answer, write_json
from contextls.mcp.call import Call
from contextls.mcp.continuations import Continuations
from contextls.mcp.folders import Folders
from contextls.mcp.gate import pass_gate
from contextls.mcp.progress import IndexingDisplay, IndexingProgress
from contextls.mcp.prompts import PROMPTS, write_prompt
from contextls.mcp.resources import MIME_TYPE, RESOURCES, SHOWN_IN, TEMPLATES, read_resource
from contextls.mcp.serving import call_tool, describe_tools
from contextls.mcp.subscribers import Subscribers
from contextls.mcp.tools import INSTRUCTIONS, TOOLS
from contextls.text.gate import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mcp.server.context import ServerRequestContext

    from contextls.model import CheckedManifest, MemoryPart
    from contextls.settings import Settings

    Context = ServerRequestContext[Any, Any]
    Page = types.PaginatedRequestParams | None

log = logging.getLogger(__name__)


class ContextMcp:
    """The memory of some workspaces for the clients of one server. Belongs to the event loop."""

    def __init__(
        self, settings: Settings, roots: Sequence[Path], max_tokens: int, *, asks_client: bool
    ) -> None:
        """``roots`` are the folders of the command line; with ``asks_client`` and none of them, the client's are taken."""
        self.live = LiveWorkspaces(settings, self)
        self.folders = Folders(self.live, roots, asks_client=asks_client)
        self._budget = Budget(max_tokens, settings.tokenizer)
        self._continuations = Continuations()
        self._indexing = IndexingProgress()
        self._bus = InMemorySubscriptionBus()
        self._subscribers = Subscribers()
        self.protocol: Server[Any] = Server(
            "contextls",
            version=__version__,
            title="contextls",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribers.subscribe,
            on_unsubscribe_resource=self._subscribers.unsubscribe,
            on_subscriptions_listen=ListenHandler(self._bus),
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )
        # Alone: what the SDK brings along is telemetry.
        self.protocol.middleware[:] = [pass_gate]
        for method in ("notifications/initialized", "notifications/roots/list_changed"):
            self.protocol.add_notification_handler(method, types.NotificationParams, self._ask_roots)

    @property
    def options(self) -> Any:  # noqa: ANN401 - the SDK's
        """The answer of ``initialize``."""
        return self.protocol.create_initialization_options(NotificationOptions())

    def start(self) -> None:
        """Open the folders that are known, index and watch them. To be called on the event loop."""
        self.folders.start()
        self.live.start(watch_memories=True)
        if self.live.settings.watch:
            self.live.file_watch.start()

    async def close(self, seconds: float) -> None:
        """Record what is known and close the workspaces, for at most so long."""
        self.live.stop()
        await self.live.close(seconds)

    # -- what live workspaces tell

    def warn(self, message: str) -> None:
        """Log it: no client shows messages that it did not ask for."""
        log.warning("%s", message)

    def report_memory_change(self, root: Path, changed: Sequence[MemoryPart]) -> None:  # noqa: ARG002
        """Tell the clients which resources have changed, by whichever process."""
        for uri in dict.fromkeys(SHOWN_IN[part] for part in changed if part in SHOWN_IN):
            self.live.spawn(self._bus.publish(ResourceUpdated(uri)))
            self.live.spawn(self._subscribers.tell(uri))

    def show_manifest_faults(self, root: Path, files: Sequence[CheckedManifest]) -> None:
        """Nothing to show: prompts carry these faults."""

    async def show_indexing(self, root: Path, cancel: Callable[[], None]) -> IndexingDisplay:  # noqa: ARG002
        """Keep how far it is, for those who wait for it."""
        return self._indexing.display(root)

    # -- requests

    async def _list_tools(self, _context: Context, _params: Page) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(describe_tools()))

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS, f"no tool is called {params.name}; there are {', '.join(TOOLS)}"
            )
        if wanted := client_roots.need_roots(self.folders, context, params):
            return wanted
        return await call_tool(self._call(context), tool, params.arguments)

    async def _list_resources(self, _context: Context, _params: Page) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[types.Resource(uri=each.uri, **each.description) for each in RESOURCES]
        )

    async def _list_templates(self, _context: Context, _params: Page) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(uri_template=each.uri, **each.description) for each in TEMPLATES
            ]
        )

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        if wanted := client_roots.need_roots(self.folders, context, params):
            return wanted
        uri = str(params.uri)
        try:
            answer = await read_resource(self._call(context), uri)
            value = await self.live.executors.question(partial(fit_answer, answer, self._budget))
        except ContextlsError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        text = types.TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=write_json(value))
        return types.ReadResourceResult(contents=[text])

    async def _list_prompts(self, _context: Context, _params: Page) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=each.name,
                    title=each.title,
                    description=each.description,
                    arguments=[
                        types.PromptArgument(
                            name=each.argument, description=each.meaning, required=each.required
                        )
                    ],
                )
                for each in PROMPTS.values()
            ]
        )

    async def _get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        if wanted := client_roots.need_roots(self.folders, context, params):
            return wanted
        try:
            description, text = await write_prompt(self._call(context), params.name, params.arguments or {})
        except ContextlsError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=description, messages=[message])

    async def _ask_roots(self, context: Context, _params: types.NotificationParams) -> None:
        """The client is ready, or its roots have changed. What it answers comes later: nothing waits for it here."""
        if self.folders.asks_client:
            self.live.spawn(client_roots.ask_roots(self.folders, context))

    def _call(self, context: Context) -> Call:
        async def report(done: float, total: float | None, message: str) -> None:
            await context.session.report_progress(done, total, clean(message))

        return Call(self.live, self.folders, self._budget, self._continuations, self._indexing, report)

"""A user at a workspace that is open live, without a server, and what was recorded of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from contextls.engine import Engine
from contextls.live.indexing import index
from contextls.live.intake import Receipt
from contextls.live.listener import Listener
from contextls.live.live_workspaces import LiveWorkspaces
from contextls.live.workspace import Workspace
from contextls.model import AssembleRequest, Event, Filters, NewEvent
from contextls.settings import Settings

from .clock import TurnedClock

Recorded = dict[str, Any]


class Desk:
    """Live workspaces whose clock the test turns."""

    def __init__(self, root: Path, settings: Settings, listener: Listener | None = None) -> None:
        self.root = root
        self.clock = TurnedClock()
        self.live = LiveWorkspaces(settings, listener, self.clock)
        self.live.change_folders([root])
        self.live.start()

    @property
    def workspace(self) -> Workspace:
        """The workspace at ``root``."""
        workspace = self.live.workspaces.get(self.root)
        assert workspace is not None
        return workspace

    async def pass_time(self, ms: int) -> None:
        """Let time pass, and what it sets off be recorded."""
        await self.clock.advance(ms)
        await self.settle()

    async def settle(self) -> None:
        """Wait until everything that is queued was recorded."""
        await asyncio.wrap_future(self.live.executors.write(lambda: None))
        await asyncio.wrap_future(self.live.executors.follow(lambda: None))

    async def events(self, kind: str = "") -> list[Recorded]:
        """Everything recorded, or all of one type, oldest first."""
        await self.settle()
        filters = Filters(event_types=(kind,) if kind else None)
        found: tuple[Event, ...] = await self.workspace.look(lambda engine: engine.events(1000, filters))
        return [{"type": str(event.type), **event.content} for event in reversed(found)]

    def write(self, job: Callable[[Engine], object], root: Path | None = None) -> None:
        """Queue a write behind those before it, in the workspace at ``root``."""
        workspace = self.live.workspaces.get(root or self.root)
        assert workspace is not None

        def run(engine: Engine) -> None:
            job(engine)

        workspace.write(run, "writing")

    def open(self, name: str, text: str | None = None) -> Path:
        """Open a file in the editor."""
        path = self.root / name
        self.live.open_files.open_file(path, path.read_text("utf-8") if text is None else text)
        return path

    def type(self, path: Path, text: str) -> None:
        """Make this the text of an open file."""
        self.live.open_files.change_text(path, text)

    def save(self, path: Path, text: str) -> None:
        """Write the text of an open file to disk."""
        self.type(path, text)
        path.write_text(text, "utf-8")
        self.live.open_files.save_file(path)

    def close(self, path: Path) -> None:
        """Close a file without saving it."""
        self.live.open_files.close_file(path)

    async def record(self, event: NewEvent) -> Receipt:
        """Record an event that only the face saw."""
        return await asyncio.wrap_future(self.live.intake.add(self.workspace, event))

    async def index(self) -> None:
        """Index the workspace."""
        await index(self.live.listeners, self.workspace)

    async def ask(self, query: str) -> str:
        """The prompt for a question, unsaved texts included."""
        context = await self.workspace.ask(lambda engine: engine.assemble(AssembleRequest(query)))
        return context.content

    async def leave(self) -> None:
        """Close everything."""
        self.live.stop()
        await self.live.close(10)
        self.live.executors.stop(10)

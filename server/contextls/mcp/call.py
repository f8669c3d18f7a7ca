"""The context in which a tool, a resource or a prompt answers one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from contextls.live.live_workspaces import LiveWorkspaces
    from contextls.live.workspace import Workspace
    from contextls.mcp.budget import Budget
    from contextls.mcp.continuations import Continuations
    from contextls.mcp.folders import Folders
    from contextls.mcp.progress import IndexingProgress, Report


class Call(Struct, frozen=True):
    """One request on its way: the live workspaces, the budget of its answer, and how progress is reported."""

    live: LiveWorkspaces
    folders: Folders
    budget: Budget
    continuations: Continuations
    indexing: IndexingProgress
    report: Report

    async def workspace(self, root: str | None) -> Workspace:
        """The workspace that is meant. Raises ``WorkspaceError``, ``InvalidRequestError``."""
        return await self.folders.choose(root)

    async def indexed(self, root: str | None) -> tuple[Workspace, tuple[str, ...]]:
        """The workspace, once it is indexed or a while has passed, with a warning in the second case."""
        workspace = await self.folders.choose(root)
        warning = await self.indexing.wait(workspace, self.report)
        return workspace, (warning,) if warning else ()

    def within(self, limit: int | None) -> Call:
        """The call with a smaller budget, where the client asks for one."""
        return replace(self, budget=self.budget.within(limit))

"""Resources: the working set, what happened, and any entity, to be attached by a user or read by a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.mcp import lookups, work
from contextls.mcp.params import RecentActivity, Related
from contextls.model import MemoryPart

if TYPE_CHECKING:
    from contextls.mcp.call import Call

WORKING_SET = "context://working-set"
ACTIVITY = "context://activity"
ENTITY = "context://entity/"
MIME_TYPE = "application/json"
# What is to be read again once a memory has changed.
SHOWN_IN = {
    MemoryPart.WORKING_SET: WORKING_SET,
    MemoryPart.EVENTS: ACTIVITY,
    MemoryPart.TASKS: ACTIVITY,
}


class Resource(Struct, frozen=True):
    """One resource, or a template of many."""

    uri: str
    name: str
    title: str
    meaning: str

    @property
    def description(self) -> dict[str, Any]:
        """The description of the resource."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.meaning,
            "mime_type": MIME_TYPE,
        }


RESOURCES = (
    Resource(
        WORKING_SET, "working-set", "Working set", "What is pinned to every context, and what is excluded."
    ),
    Resource(
        ACTIVITY, "activity", "Recent activity", "What happened here, newest first, and the current tasks."
    ),
)
TEMPLATES = (
    Resource(
        ENTITY + "{+name}",
        "entity",
        "Entity",
        "A symbol, file, package, person, command, error or test, and what hangs together with it.",
    ),
)


def check_uri(uri: str) -> None:
    """Raise ``InvalidRequestError`` unless ``uri`` names a resource; whether there is such an entity is not looked up."""
    name = unquote(uri.removeprefix(ENTITY)) if uri.startswith(ENTITY) else ""
    if uri not in (WORKING_SET, ACTIVITY) and not name.strip():
        raise InvalidRequestError("uri", f"{WORKING_SET}, {ACTIVITY} or {ENTITY}NAME", uri)


async def read_resource(call: Call, uri: str) -> object:
    """Read the resource at a URI. Raises ``InvalidRequestError``."""
    check_uri(uri)
    if uri == WORKING_SET:
        workspace = await call.workspace(None)
        return work.describe_pins(await workspace.ask(lambda engine: engine.working_set.view()))
    if uri == ACTIVITY:
        return await work.list_activity(call, RecentActivity())
    return await lookups.find_related(call, Related(name=unquote(uri.removeprefix(ENTITY))))

"""Admission of events: nothing of ignored files, and paths only inside the workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.memory.events import validate_event
from contextls.memory.events.leaks import shows_ignored, without_output
from contextls.model import EventType, NewEvent
from contextls.workspace.roots import relative


def admit_event(event: NewEvent, root: Path, accepts: Callable[[str], bool]) -> NewEvent | None:
    """The event as it may be stored; ``None`` when it concerns a file that ``accepts`` turns away.

    Raises ``InvalidRequestError`` naming the field that is wrong.
    """
    validate_event(event)
    path = event.content.get("path")
    if isinstance(path, str):
        inside = relative(root, root / path)
        if inside is None:
            raise InvalidRequestError("content.path", f"a path inside {root}", path)
        if not accepts(inside):
            return None
        event = replace(event, content={**event.content, "path": inside})
    if event.type == EventType.SHELL_EXEC and shows_ignored(event.content, root, accepts):
        event = replace(event, content=without_output(event.content))
    return event

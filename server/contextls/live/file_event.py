"""An event about one file, on its way into the memory of its workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.model import EventType, NewEvent, Outcome
from contextls.store.times import now_ms
from contextls.workspace.stamps import is_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.live.workspace import Workspace


def record_file_event(
    workspace: Workspace,
    path: Path,
    kind: EventType,
    outcome: Outcome | None = Outcome.SUCCESS,
    content: Mapping[str, object] | None = None,
    *,
    must_exist: bool = False,
) -> None:
    """Queue an event with ``content`` and the file's path, to be recorded if the workspace accepts the file.

    With ``must_exist`` only where there is a file on the disk by then. It happened now, however late it is recorded.
    """
    at = now_ms()

    def record(engine: Engine) -> None:
        relative = engine.relative(path)
        if relative is None or (must_exist and not is_file(path)):
            return
        if engine.accepts(relative):
            engine.record(NewEvent(kind, {**(content or {}), "path": relative}, outcome, timestamp=at))

    workspace.write(record, f"recording a {kind}")

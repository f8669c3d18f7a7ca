"""The hook of shells, which passes each command that a person ran as arguments: shells write no JSON."""

from __future__ import annotations

from typing import Any

from contextls.agents.call import HookCall, text_of, whole_of
from contextls.model import EventType, NewEvent

NAME = "shell"


def read(payload: dict[str, Any], _event: str) -> HookCall:
    """Read what the hook of bash, zsh or fish said."""
    folder, command = text_of(payload, "cwd"), text_of(payload, "command")
    if not command.strip():
        return HookCall(folder)
    content: dict[str, Any] = {"command": command, "cwd": folder}
    for name in ("exitCode", "durationMs"):
        if (number := whole_of(payload, name)) is not None:
            content[name] = number
    return HookCall(
        folder, events=(NewEvent(EventType.SHELL_EXEC, content, timestamp=whole_of(payload, "atMs")),)
    )

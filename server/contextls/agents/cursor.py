"""Cursor: https://cursor.com/docs/hooks."""

from __future__ import annotations

from collections.abc import Callable

from contextls.agents.agent import Agent, Hooks, Json
from contextls.agents.call import (
    HookCall,
    Moment,
    command_ran,
    file_edited,
    file_read,
    list_of,
    object_in_text,
    object_of,
    text_of,
    whole_of,
)
from contextls.model import NewEvent


def read(payload: Json, _event: str) -> HookCall:
    """Read what a hook got on standard input."""
    name = text_of(payload, "hook_event_name")
    roots = [root for root in list_of(payload, "workspace_roots") if isinstance(root, str)]
    folder = (roots or [""])[0]
    if name == "sessionStart":
        return HookCall(folder, name, wants=Moment.SESSION)
    if name == "afterFileEdit":
        edits = list_of(payload, "edits")
        pieces = [(text_of(edit, "old_string"), text_of(edit, "new_string")) for edit in edits]
        return HookCall(folder, name, file_edited(text_of(payload, "file_path"), pieces))
    if name in ("postToolUse", "postToolUseFailure"):
        return HookCall(folder, name, _tool_events(payload, folder, failed=name != "postToolUse"))
    return HookCall(folder, name)


def _tool_events(payload: Json, folder: str, *, failed: bool) -> tuple[NewEvent, ...]:
    given, tool = object_of(payload, "tool_input"), text_of(payload, "tool_name")
    if tool == "Shell":
        result = object_in_text(payload, "tool_output")
        code = whole_of(result, "exitCode")
        return command_ran(
            text_of(given, "command"),
            text_of(given, "working_directory") or text_of(payload, "cwd") or folder,
            1 if failed and code is None else code,
            text_of(result, "stdout") or text_of(result, "output") or text_of(payload, "error_message"),
            stderr=text_of(result, "stderr"),
            duration_ms=whole_of(payload, "duration"),
            interrupted=payload.get("is_interrupt") is True,
        )
    if tool == "Read" and not failed:
        return file_read(text_of(given, "file_path") or text_of(given, "path"))
    return ()


def answer(_call: HookCall, context: str) -> Json:
    """Context as Cursor takes it."""
    return {"additional_context": context}


def hooks(command: Callable[[str], str]) -> Hooks:
    """The value of ``hooks`` in hooks.json."""
    return {
        "sessionStart": [{"command": command("sessionStart")}],
        "afterFileEdit": [{"command": command("afterFileEdit")}],
        "postToolUse": [{"command": command("postToolUse"), "matcher": "Shell|Read"}],
        "postToolUseFailure": [{"command": command("postToolUseFailure"), "matcher": "Shell"}],
    }


CURSOR = Agent(
    name="cursor",
    title="Cursor",
    checked="its documentation of 2026",
    user_file=".cursor/hooks.json",
    project_file=".cursor/hooks.json",
    read=read,
    answer=answer,
    hooks=hooks,
    top={"version": 1},
    afterwards="Cursor takes context when a session begins, and none at later prompts; see docs/agents.md.",
)

"""Gemini CLI: docs/hooks/reference.md in its repository."""

from __future__ import annotations

from collections.abc import Callable

from contextls.agents.agent import (
    CONTEXT_SECONDS,
    EVENT_SECONDS,
    Agent,
    Hooks,
    Json,
    answer_in_output,
    group,
)
from contextls.agents.call import (
    HookCall,
    Moment,
    command_ran,
    exit_code_in,
    file_edited,
    file_read,
    object_of,
    text_of,
)
from contextls.model import NewEvent

_TOOLS = "run_shell_command|write_file|replace|read_file"
_MS = 1000


def read(payload: Json, _event: str) -> HookCall:
    """Read what a hook got on standard input."""
    folder, name = text_of(payload, "cwd"), text_of(payload, "hook_event_name")
    if name == "SessionStart":
        return HookCall(folder, name, wants=Moment.SESSION)
    if name == "BeforeAgent":
        return HookCall(folder, name, wants=Moment.PROMPT, prompt=text_of(payload, "prompt"))
    if name == "AfterTool":
        return HookCall(folder, name, _tool_events(payload, folder))
    return HookCall(folder, name)


def _tool_events(payload: Json, folder: str) -> tuple[NewEvent, ...]:
    given, result = object_of(payload, "tool_input"), object_of(payload, "tool_response")
    path = text_of(given, "file_path") or text_of(given, "absolute_path")
    tool = text_of(payload, "tool_name")
    failed = bool(result.get("error"))
    if tool == "run_shell_command":
        said = text_of(result, "llmContent") or text_of(result, "returnDisplay")
        # It names the exit code where it is not 0.
        return command_ran(text_of(given, "command"), folder, exit_code_in(said, 1 if failed else 0), said)
    if failed:
        return ()
    if tool == "write_file":
        return file_edited(path, [("", text_of(given, "content"))])
    if tool == "replace":
        return file_edited(path, [(text_of(given, "old_string"), text_of(given, "new_string"))])
    return file_read(path) if tool == "read_file" else ()


def hooks(command: Callable[[str], str]) -> Hooks:
    """The value of ``hooks`` in settings.json; times are in milliseconds."""
    return {
        "SessionStart": [group(command("SessionStart"), CONTEXT_SECONDS * _MS, name="contextls")],
        "BeforeAgent": [group(command("BeforeAgent"), CONTEXT_SECONDS * _MS, name="contextls")],
        "AfterTool": [group(command("AfterTool"), EVENT_SECONDS * _MS, _TOOLS, name="contextls")],
    }


GEMINI = Agent(
    name="gemini",
    title="Gemini CLI",
    checked="0.61.0",
    user_file=".gemini/settings.json",
    project_file=".gemini/settings.json",
    read=read,
    answer=answer_in_output,
    hooks=hooks,
    afterwards="Sessions that begin from now on have it; /hooks lists it.",
)

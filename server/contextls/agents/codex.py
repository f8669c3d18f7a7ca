"""Codex: https://developers.openai.com/codex/hooks, and the schemas in its repository (codex-rs/hooks/schema)."""

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
    edit_event,
    exit_code_in,
    object_of,
    text_of,
    whole_of,
)
from contextls.model import EventType, NewEvent

_ADD, _UPDATE, _DELETE, _MOVE = (
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
)


def read(payload: Json, _event: str) -> HookCall:
    """Read what a hook got on standard input."""
    folder, name = text_of(payload, "cwd"), text_of(payload, "hook_event_name")
    if name == "SessionStart":
        return HookCall(folder, name, wants=Moment.SESSION)
    if name == "UserPromptSubmit":
        return HookCall(folder, name, wants=Moment.PROMPT, prompt=text_of(payload, "prompt"))
    if name != "PostToolUse":
        return HookCall(folder, name)
    command = text_of(payload, "tool_input", "command")
    if text_of(payload, "tool_name") == "apply_patch":
        return HookCall(folder, name, _patch_events(command))
    if text_of(payload, "tool_name") == "Bash":
        return HookCall(folder, name, _command_events(payload, command, folder))
    return HookCall(folder, name)


def _command_events(payload: Json, command: str, folder: str) -> tuple[NewEvent, ...]:
    """The event of a command. Its output is a string, without the exit code as a field of its own."""
    output = text_of(payload, "tool_response")
    result = object_of(payload, "tool_response")
    if not result:
        return command_ran(command, folder, exit_code_in(output, None), output)
    code = whole_of(result, "exit_code")
    said = text_of(result, "output") or text_of(result, "stdout")
    return command_ran(command, folder, code, said, stderr=text_of(result, "stderr"))


def _patch_events(patch: str) -> tuple[NewEvent, ...]:
    """The files of a patch, in its order."""
    events: list[NewEvent] = []
    path = origin = ""
    added = removed = 0

    def close() -> None:
        if path:
            if origin:
                events.append(NewEvent(EventType.FILE_RENAME, {"path": path, "from": origin}))
            events.extend(edit_event(path, added, removed))

    for line in patch.splitlines():
        for begin in (_ADD, _UPDATE, _DELETE):
            if line.startswith(begin):
                close()
                path, origin, added, removed = line.removeprefix(begin).strip(), "", 0, 0
                if begin == _DELETE:
                    events.append(NewEvent(EventType.FILE_DELETE, {"path": path}))
                    path = ""
                break
        else:
            if line.startswith(_MOVE):
                path, origin = line.removeprefix(_MOVE).strip(), path
            added += line.startswith("+")
            removed += line.startswith("-")
    close()
    return tuple(events)


def hooks(command: Callable[[str], str]) -> Hooks:
    """The value of ``hooks`` in hooks.json."""
    return {
        "SessionStart": [group(command("SessionStart"), CONTEXT_SECONDS)],
        "UserPromptSubmit": [group(command("UserPromptSubmit"), CONTEXT_SECONDS)],
        "PostToolUse": [group(command("PostToolUse"), EVENT_SECONDS, "Bash|apply_patch")],
    }


CODEX = Agent(
    name="codex",
    title="Codex",
    checked="0.169.0",
    user_file=".codex/hooks.json",
    home_variable="CODEX_HOME",
    project_file=".codex/hooks.json",
    read=read,
    answer=answer_in_output,
    hooks=hooks,
    afterwards="Codex runs a new hook only after you have trusted it: type /hooks in Codex.",
)

"""GitHub Copilot CLI: https://docs.github.com/en/copilot/reference/hooks-reference."""

from __future__ import annotations

from collections.abc import Callable

from contextls.agents.agent import CONTEXT_SECONDS, EVENT_SECONDS, Agent, Hooks, Json
from contextls.agents.call import (
    HookCall,
    Moment,
    command_ran,
    exit_code_in,
    file_edited,
    file_read,
    object_in_text,
    object_of,
    text_of,
)
from contextls.model import NewEvent

_SHELLS = ("bash", "powershell")
_TOOLS = "bash|powershell|create|edit|str_replace_editor|view"


def read(payload: Json, event: str) -> HookCall:
    """Read what a hook got on standard input; the event's name comes with the command."""
    folder = text_of(payload, "cwd")
    if event == "sessionStart":
        return HookCall(folder, event, wants=Moment.SESSION, prompt=text_of(payload, "initialPrompt"))
    if event in ("postToolUse", "postToolUseFailure"):
        return HookCall(folder, event, _tool_events(payload, folder, failed=event != "postToolUse"))
    return HookCall(folder, event)


def _tool_events(payload: Json, folder: str, *, failed: bool) -> tuple[NewEvent, ...]:
    # The arguments of a tool are an object, or one written as JSON in a string.
    given = object_of(payload, "toolArgs") or object_in_text(payload, "toolArgs")
    tool = text_of(payload, "toolName")
    path = text_of(given, "path")
    if tool in _SHELLS:
        said = text_of(payload, "error") or text_of(payload, "toolResult", "textResultForLlm")
        failed = failed or text_of(payload, "toolResult", "resultType") == "failure"
        # The text ends with "<exited with exit code 0>"; a command that still runs has no such line.
        return command_ran(text_of(given, "command"), folder, exit_code_in(said, 1 if failed else None), said)
    if failed:
        return ()
    if tool == "create":
        return file_edited(path, [("", text_of(given, "file_text"))])
    if tool in ("edit", "str_replace_editor"):
        return file_edited(path, [(text_of(given, "old_str"), text_of(given, "new_str"))])
    return file_read(path) if tool == "view" else ()


def answer(_call: HookCall, context: str) -> Json:
    """Context as Copilot takes it."""
    return {"additionalContext": context}


def hooks(command: Callable[[str], str]) -> Hooks:
    """The value of ``hooks`` in the file."""

    def hook(event: str, seconds: int, **more: object) -> Json:
        line = command(event)
        return {
            "type": "command",
            "bash": line,
            "powershell": f"& {line}",
            "timeoutSec": seconds,
            **more,
        }

    return {
        "sessionStart": [hook("sessionStart", CONTEXT_SECONDS)],
        "postToolUse": [hook("postToolUse", EVENT_SECONDS, matcher=_TOOLS)],
        "postToolUseFailure": [hook("postToolUseFailure", EVENT_SECONDS)],
    }


COPILOT = Agent(
    name="copilot",
    title="GitHub Copilot CLI",
    checked="1.0.102",
    user_file=".copilot/hooks/contextls.json",
    home_variable="COPILOT_HOME",
    project_file=".github/hooks/contextls.json",
    read=read,
    answer=answer,
    hooks=hooks,
    top={"version": 1},
    afterwards="Copilot takes context when a session begins and drops it at later prompts; see docs/agents.md.",
)

"""Claude Code: https://code.claude.com/docs/en/hooks, and the types of its SDK."""

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
    list_of,
    object_of,
    text_of,
    whole_of,
)
from contextls.model import NewEvent
from contextls.regex import compile_late

_TOOLS = "Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Read"
# What writes a prompt that nobody typed has its own context.
_TYPED = ("", "user", "sdk")
# Written above what a failed command printed.
_EXIT_CODE = compile_late(r"\AExit code \d+(?:\n|\Z)")


def read(payload: Json, _event: str) -> HookCall:
    """Read what a hook got on standard input."""
    folder, name = text_of(payload, "cwd"), text_of(payload, "hook_event_name")
    if name == "SessionStart":
        return HookCall(folder, name, wants=Moment.SESSION)
    if name == "UserPromptSubmit":
        typed = text_of(payload, "source") in _TYPED
        return HookCall(
            folder, name, wants=Moment.PROMPT if typed else None, prompt=text_of(payload, "prompt")
        )
    if name == "PostToolUse":
        return HookCall(folder, name, _tool_events(payload, folder))
    if name == "PostToolUseFailure":
        return HookCall(folder, name, _failure_events(payload, folder))
    return HookCall(folder, name)


def _tool_events(payload: Json, folder: str) -> tuple[NewEvent, ...]:
    given, result = object_of(payload, "tool_input"), object_of(payload, "tool_response")
    path = text_of(given, "file_path") or text_of(given, "notebook_path")
    match text_of(payload, "tool_name"):
        case "Bash" | "PowerShell":
            if text_of(result, "backgroundTaskId"):  # it still runs
                return command_ran(text_of(given, "command"), folder, None, "")
            return command_ran(
                text_of(given, "command"),
                folder,
                0,
                text_of(result, "stdout"),
                stderr=text_of(result, "stderr"),
                duration_ms=whole_of(payload, "duration_ms"),
                interrupted=result.get("interrupted") is True,
            )
        case "Edit":
            return file_edited(path, [(text_of(given, "old_string"), text_of(given, "new_string"))])
        case "MultiEdit":
            edits = list_of(given, "edits")
            return file_edited(
                path, [(text_of(edit, "old_string"), text_of(edit, "new_string")) for edit in edits]
            )
        case "Write":
            return file_edited(path, [(text_of(result, "originalFile"), text_of(given, "content"))])
        case "NotebookEdit":
            return file_edited(path, [("", text_of(given, "new_source"))])
        case "Read":
            return file_read(path)
    return ()


def _failure_events(payload: Json, folder: str) -> tuple[NewEvent, ...]:
    """A failed command comes as text that holds its exit code and output."""
    if text_of(payload, "tool_name") not in ("Bash", "PowerShell"):
        return ()
    said = text_of(payload, "error")
    return command_ran(
        text_of(payload, "tool_input", "command"),
        folder,
        exit_code_in(said, 1),
        _EXIT_CODE.sub("", said, count=1),
        duration_ms=whole_of(payload, "duration_ms"),
        interrupted=payload.get("is_interrupt") is True,
    )


def hooks(command: Callable[[str], str]) -> Hooks:
    """The value of ``hooks`` in settings.json."""
    return {
        "SessionStart": [group(command("SessionStart"), CONTEXT_SECONDS)],
        "UserPromptSubmit": [group(command("UserPromptSubmit"), CONTEXT_SECONDS)],
        # In the background: what was done is not waited for.
        "PostToolUse": [group(command("PostToolUse"), EVENT_SECONDS, _TOOLS, **{"async": True})],
        "PostToolUseFailure": [
            group(command("PostToolUseFailure"), EVENT_SECONDS, "Bash|PowerShell", **{"async": True})
        ],
    }


CLAUDE_CODE = Agent(
    name="claude-code",
    title="Claude Code",
    checked="2.1.330",
    user_file=".claude/settings.json",
    home_variable="CLAUDE_CONFIG_DIR",
    project_file=".claude/settings.local.json",
    read=read,
    answer=answer_in_output,
    hooks=hooks,
    afterwards="Sessions that begin from now on have it; /hooks lists it.",
)

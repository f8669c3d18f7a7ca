"""The description of an agent: how its hooks are read, answered and set up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from contextls.agents.call import HookCall

# Seconds after which the agent gives a hook up; ours gives up by itself before that.
CONTEXT_SECONDS = 20
EVENT_SECONDS = 10

Json = dict[str, Any]
Hooks = Mapping[str, list[Json]]


class Agent(Struct, frozen=True):
    """One coding agent.

    ``checked`` is the version whose formats these are. ``user_file`` is below the home folder, or below the folder that
    ``home_variable`` names; ``project_file`` is below the root of a workspace. ``hooks`` gives for a way to write commands
    what the file holds under ``hooks``; ``top`` is what else the file must say.
    """

    name: str
    title: str
    checked: str
    user_file: str
    project_file: str
    read: Callable[[Json, str], HookCall]
    answer: Callable[[HookCall, str], Json]
    hooks: Callable[[Callable[[str], str]], Hooks]
    home_variable: str = ""
    top: Mapping[str, Any] | None = None
    afterwards: str = ""


def answer_in_output(call: HookCall, context: str) -> Json:
    """Context as Claude Code, Codex and Gemini CLI take it."""
    return {"hookSpecificOutput": {"hookEventName": call.name, "additionalContext": context}}


def group(command: str, seconds: int, matcher: str | None = None, **more: object) -> Json:
    """A group of one hook, as Claude Code, Codex and Gemini CLI write them."""
    hook = {"type": "command", "command": command, "timeout": seconds, **more}
    return {"hooks": [hook]} if matcher is None else {"matcher": matcher, "hooks": [hook]}

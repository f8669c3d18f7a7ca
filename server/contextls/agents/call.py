"""The call of a hook in one form for all agents, and the readers of what each agent sends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from contextls.errors import INTERRUPTED
from contextls.model import EventType, NewEvent, Outcome
from contextls.regex import compile_late
from contextls.text.kept_ends import keep_both_ends
from contextls.text.line_diff import count_changed_lines

# The beginning of an output says what ran, the end how it went.
_CHARS_OF_EACH_END = 64 * 1024
# A line of its own: "Exit code 1", "Process exited with code 1", "<exited with exit code 1>".
_EXIT_CODE = compile_late(
    r"^[^\w\n]{0,9}(?:(?:command|process) )?exit(?:ed)?(?: with)?(?: non-zero)?(?: status)?(?: exit)?(?: code)?:? "
    r"(\d{1,5})[^\w\n]{0,9}$",
    re.IGNORECASE | re.MULTILINE,
)
_NEAR = 200  # characters


class Moment(StrEnum):
    """When an agent asks for context."""

    SESSION = "session"
    PROMPT = "prompt"


class HookCall(Struct, frozen=True):
    """One call of a hook.

    ``folder`` is where the agent works, ``name`` the agent's word for what happened, ``wants`` the context it takes now.
    Paths in ``events`` are as the agent gave them, absolute or from ``folder``.
    """

    folder: str = ""
    name: str = ""
    events: tuple[NewEvent, ...] = ()
    wants: Moment | None = None
    prompt: str = ""


def text_of(value: object, *names: str) -> str:
    """The string that is reached through objects by ``names``; empty where there is none."""
    found = _follow(value, names)
    return found if isinstance(found, str) else ""


def object_of(value: object, *names: str) -> Mapping[str, Any]:
    """The object that is reached through objects by ``names``; empty where there is none."""
    found = _follow(value, names)
    return found if isinstance(found, Mapping) else {}


def object_in_text(value: object, name: str) -> Mapping[str, Any]:
    """The object that is written as JSON in the string ``name``; empty where there is none."""
    try:
        read = json.loads(text_of(value, name) or "{}")
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def list_of(value: object, name: str) -> list[Any]:
    """The list that an object has under ``name``; empty where there is none."""
    found = _follow(value, (name,))
    return found if isinstance(found, list) else []


def whole_of(value: object, name: str) -> int | None:
    """The whole number that an object has under ``name``; ``None`` where there is none."""
    found = _follow(value, (name,))
    if isinstance(found, float) and found.is_integer():
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _follow(value: object, names: Sequence[str]) -> object:
    """The value that is reached through objects by ``names``; ``None`` where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def exit_code_in(output: str, otherwise: int | None) -> int | None:
    """The exit code that an agent wrote around the output of a command, on a line of its own."""
    for part in (output[:_NEAR], output[-_NEAR:]):
        if found := _EXIT_CODE.search(part):
            return int(found[1])
    return otherwise


def command_ran(
    command: str,
    folder: str,
    exit_code: int | None,
    stdout: str,
    *,
    stderr: str = "",
    duration_ms: int | None = None,
    interrupted: bool = False,
) -> tuple[NewEvent, ...]:
    """The event of a command; none without a command. ``exit_code`` is ``None`` where the agent does not tell it."""
    if not command.strip():
        return ()
    content: dict[str, Any] = {"command": command}
    if folder:
        content["cwd"] = folder
    code = INTERRUPTED if interrupted else exit_code
    if code is not None:
        content["exitCode"] = code
    for name, output in (("stdout", stdout), ("stderr", stderr)):
        if output:
            content[name] = keep_both_ends(output, _CHARS_OF_EACH_END)
    if code == 0 and not (stdout or stderr):
        content["stdout"] = ""  # it is known that nothing was printed
    if duration_ms is not None and duration_ms >= 0:
        content["durationMs"] = duration_ms
    return (NewEvent(EventType.SHELL_EXEC, content),)


def file_read(path: str) -> tuple[NewEvent, ...]:
    """The event of a file that the agent read."""
    return (NewEvent(EventType.FILE_READ, {"path": path}),) if path.strip() else ()


def file_edited(path: str, pieces: Iterable[tuple[str, str]]) -> tuple[NewEvent, ...]:
    """The event of an edit: ``pieces`` are texts before and after, empty where nothing was or is."""
    if not path.strip():
        return ()
    counts = [count_changed_lines(before.splitlines(), after.splitlines()) for before, after in pieces]
    return edit_event(path, sum(added for added, _ in counts), sum(removed for _, removed in counts))


def edit_event(path: str, added: int, removed: int) -> tuple[NewEvent, ...]:
    """The event of an edit that added and removed these numbers of lines."""
    content = {"path": path, "summary": f"edited (+{added} −{removed})", "added": added, "removed": removed}
    return (NewEvent(EventType.FILE_EDIT, content, Outcome.SUCCESS),)

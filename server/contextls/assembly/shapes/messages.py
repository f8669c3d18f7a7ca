"""The shapes around a turn: ``messages``, whose current one has all that moves in it, and ``document``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from contextls.assembly.shapes.system_prompt import write_rules
from contextls.text.fence import fence, inline, one_line
from contextls.text.own_words import RETRIEVED, RULES_HEAD
from contextls.workspace.rules.rules_file import RulesFile

_GAP = "\n\n"


def write_time(time: str, timezone: str) -> str:
    """When it is."""
    return f"Current time: {one_line(time)}\nTimezone: {one_line(timezone)}"


def write_platform(platform: str, actions: Sequence[str]) -> str:
    """Say where the user speaks, and what can be done there."""
    lines = [f"Platform: {one_line(platform)}"]
    if actions:
        lines.append(f"Available actions: {', '.join(map(one_line, actions))}")
    return "\n".join(lines)


def write_hook(name: str, value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write the value of a hook in a fence: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return f"Hook {inline(name)}:\n{fence(value, 'text')}"
    return f"Hook {inline(name)}:\n{fence(json.dumps(value, ensure_ascii=False, sort_keys=True), 'json')}"


def write_file_rules(files: Sequence[RulesFile]) -> str:
    """Rules for the files that this message is about, the nearest last."""
    return _GAP.join([RULES_HEAD, *map(write_rules, files)])


def write_retrieved(content: str) -> str:
    """Retrieved pieces under a line that says what they are."""
    return f"{RETRIEVED}{_GAP}{content}" if content else ""


def join_parts(parts: Sequence[str]) -> str:
    """Parts with a blank line between them; empty ones leave no trace."""
    return _GAP.join(filter(None, parts))


def tools_text(tools: Sequence[Mapping[str, Any]]) -> str:
    """The definitions of tools as a provider gets them, to be counted."""
    return json.dumps(list(tools), ensure_ascii=False, separators=(",", ":")) if tools else ""


def write_document(before: Sequence[str], texts: Sequence[str], separator: str, buffer: str) -> str:
    """Continuous text without roles: ``before``, then ``texts``, and the unsaved end right after them.

    Nothing follows the buffer, not even a line end: there the model goes on.
    """
    text = separator.join([*texts, *([buffer] if buffer else [])])
    return join_parts([*before, text])

"""Writes our hooks into the settings file of an agent, and leaves everything else in that file alone."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

from msgspec import Struct

from contextls.agents.agent import Agent, Json
from contextls.errors import InvalidRequestError, WorkspaceError
from contextls.isolation import python_command
from contextls.regex import compile_late
from contextls.user_files import read_small_file

ENTRY = "contextls.cli.agent_hook"
_INDENT = compile_late(r'^([ \t]+)"', re.MULTILINE)


class FileChange(Struct, frozen=True):
    """A planned change of a file."""

    path: Path
    # The text of the file; ``None`` where there is none.
    before: str | None
    # Its text after the change; ``None`` where the file is deleted.
    after: str | None

    def diff(self) -> str:
        """The change as a unified diff; empty when there is none."""
        old, new = ((text or "").splitlines() for text in (self.before, self.after))
        lines = unified_diff(old, new, str(self.path), str(self.path), lineterm="")
        return "\n".join(lines)


def command_line(agent: Agent, budget: int | None, root: Path | None) -> Callable[[str], str]:
    """The command that the agent runs for an event: by full paths, isolated from the folder it runs in."""
    options = [] if budget is None else [f"--budget={budget}"]
    options += [] if root is None else [f"--root={root}"]
    return lambda event: shlex.join(python_command(ENTRY, agent.name, event, *options))


def hooks_of(agent: Agent, command: Callable[[str], str]) -> Json:
    """The content that the agent's file must have."""
    return {**(agent.top or {}), "hooks": dict(agent.hooks(command))}


def user_file(agent: Agent) -> Path:
    """The user's own file, links followed: people keep such files in a folder of their own."""
    first, _, rest = agent.user_file.partition("/")
    named = os.environ.get(agent.home_variable, "") if agent.home_variable else ""
    folder = Path(named) if named and Path(named).is_absolute() else Path.home() / first
    return (folder / rest).resolve()


def project_file(agent: Agent, root: Path) -> Path:
    """The file below ``root`` (resolved). Raises ``WorkspaceError`` when a link stands on the way to it."""
    path = root
    for part in Path(agent.project_file).parts:
        path /= part
        if path.is_symlink():
            raise WorkspaceError(
                f"{path}: a link, which may lead anywhere; put a folder or file in its place"
            )
    return path


def plan_change(path: Path, wanted: Json | None, top: Mapping[str, Any] | None) -> FileChange:
    """Plan to put the hooks of ``wanted`` in place of ours; without ``wanted``, to take ours out.

    ``top`` are the fields that an agent needs in addition to its hooks. A file that would be left with nothing else goes,
    unless a copy says that it was there before our hooks. Raises ``InvalidRequestError`` when the file is not understood.
    """
    before = _read(path)
    held = {} if before is None else _parse(path, before)
    result = _replace_hooks(path, held, wanted or {})
    if result == held:
        return FileChange(path, before, before or "")
    others = {name: value for name, value in result.items() if value != (top or {}).get(name)}
    if wanted is None and others == {"hooks": {}} and not copy_of(path).exists():
        return FileChange(path, before, None)
    indent = _INDENT.search(before or "")
    text = json.dumps(result, indent=indent[1] if indent else 2, ensure_ascii=False)
    return FileChange(path, before, text + "\n")


def _replace_hooks(path: Path, held: Mapping[str, Any], wanted: Json) -> Json:
    """The content ``held`` by the file with the hooks of ``wanted`` in place of ours, and its fields where they lack."""
    hooks = held.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise InvalidRequestError(str(path), "hooks to be an object of lists")
    kept = {event: _without_ours(groups) for event, groups in hooks.items()}
    for event, groups in wanted.get("hooks", {}).items():
        kept[event] = [*kept.get(event, []), *groups]
    result = {**{name: value for name, value in wanted.items() if name not in held}, **held}
    # An event that is left without hooks goes, unless the user wrote it so.
    result["hooks"] = {
        event: groups for event, groups in kept.items() if groups or (event in hooks and not hooks[event])
    }
    if not result["hooks"] and "hooks" not in held:
        del result["hooks"]
    return result


def copy_of(path: Path) -> Path:
    """The copy of a file from before its first change."""
    return path.with_name(f"{path.name}.before-contextls")


def _read(path: Path) -> str | None:
    try:
        return read_small_file(path)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequestError(str(path), f"a file that can be read ({error})") from None


def _parse(path: Path, text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise InvalidRequestError(
            str(path), f"JSON without comments ({error}); add the hooks by hand, as printed without --install"
        ) from None
    if not isinstance(value, dict):
        raise InvalidRequestError(str(path), "a JSON object")
    return value


def _without_ours(groups: Iterable[Any]) -> list[Any]:
    """The groups without our hooks; a group that held no others is left out."""
    kept = []
    for group in groups:
        inner = group.get("hooks") if isinstance(group, dict) else None
        if not isinstance(inner, list):
            kept += [] if _is_ours(group) else [group]
            continue
        others = [hook for hook in inner if not _is_ours(hook)]
        if others or not inner:
            kept.append({**group, "hooks": others})
    return kept


def _is_ours(hook: object) -> bool:
    if not isinstance(hook, dict):
        return False
    return any(ENTRY in str(hook.get(name, "")) for name in ("command", "bash", "powershell"))

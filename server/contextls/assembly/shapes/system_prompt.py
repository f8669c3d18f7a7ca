"""The parts of a system prompt as text: each is the same as long as what it is made of is."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.model import AgentRole
from contextls.text.fence import fence, inline, one_line
from contextls.workspace.capabilities import Capability, CapabilityGroup
from contextls.workspace.host import Host
from contextls.workspace.rules.rules_file import RulesFile

MAX_DESCRIPTION_CHARS = 200
_MANAGER = """## Messaging

You talk to the person and direct the work.
- Answer the person yourself; what a worker reports is not yet an answer.
- Give a task that stands on its own to a worker, with everything it needs to know.
- Use only the actions that the platform of the current message offers."""

_WORKER = """# Subagent context

You are a worker that was started for one task.

## Your task

{task}

## Rules

1. Stay with the task; do nothing else.
2. Finish it; your last message reports to the manager.
3. Begin nothing of your own accord.
4. You may be ended once it is done; what must last belongs in files or in the report.

You do not talk to people, send no messages unless the task says so, and change nothing outside of it."""


def write_role(role: AgentRole, task: str | None) -> str:
    """The instructions for a manager or a worker; empty for a model that is both."""
    if role is AgentRole.WORKER:
        return _WORKER.format(task=fence(task or "", "text"))
    return _MANAGER if role is AgentRole.MANAGER else ""


def write_rules(file: RulesFile) -> str:
    """A rules file under its name, in a fence that it cannot break out of."""
    return f"## Rules: {inline(file.path)}\n{fence(file.text, 'markdown')}"


def write_offered(files: Sequence[RulesFile]) -> str:
    """Rules that a model asks for itself, by what they are about."""
    lines = (
        f"- {inline(file.path)}: {one_line(file.description)[:MAX_DESCRIPTION_CHARS] or 'no description'}"
        for file in files
    )
    return "\n".join(["## Rules on request\nRead them when they concern the work:", *lines])


def write_persona(title: str, text: str) -> str:
    """A file about the agent or the user, under a title."""
    return f"## {title}\n{fence(text, 'markdown')}"


def write_permissions(rows: Sequence[str]) -> str:
    """Write the granted permissions, one row a line."""
    lines = "\n".join(f"- {inline(row)}" for row in rows) or "- nothing"
    return f"## Permissions\nYou were shown, and may use, only:\n{lines}"


def write_capabilities(groups: Sequence[CapabilityGroup]) -> str:
    """Write what can be run, one line for each kind."""
    lines = (f"{group.title}: {_entries(group)}" for group in groups)
    return "\n".join(["## Capabilities", *lines])


def write_host(host: Host) -> str:
    """The machine in one line."""
    return f"## Host\n{one_line(host.name)} · {one_line(host.system)} · {one_line(host.machine)}"


def _entries(group: CapabilityGroup) -> str:
    """Names; of what needs something to run, those that are ready first."""
    if not group.title.startswith("MCP"):
        return ", ".join(entry.name for entry in group.entries)
    ready = [entry.name for entry in group.entries if not entry.needs]
    broken = [_broken(entry) for entry in group.entries if entry.needs]
    return " | ".join([*([f"{', '.join(ready)} ✅"] if ready else []), *broken])


def _broken(entry: Capability) -> str:
    return f"{entry.name} 🔧 (needs {entry.needs})"

"""The system layer: what a workspace asks for, who speaks with whom, what can be run and where.

Everything here is the same from turn to turn until a file, a setting or the role changes: nothing of the question, of time
or of what was retrieved may enter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.admission.permissions import PermissionKind, Permissions
from contextls.assembly.layers.parts import PartCollector
from contextls.assembly.pieces.preface_parts import RULES_ON_REQUEST
from contextls.assembly.shapes.system_prompt import (
    write_capabilities,
    write_host,
    write_offered,
    write_permissions,
    write_persona,
    write_role,
    write_rules,
)
from contextls.model import AgentRole, Layer, TurnOptions
from contextls.text.hidden import take_out_hidden
from contextls.workspace.capabilities import CapabilityGroup, read_capabilities
from contextls.workspace.host import Host
from contextls.workspace.read import digest
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.rules.find import Rules, find_rules, list_rules
from contextls.workspace.rules.rules_file import RULES_BYTES, RulesScope

# Title, where the user keeps it, where a workspace may say otherwise, and what a row must grant.
_PERSONA = (
    ("Agent: soul", "agent/SOUL.md", ".context/agent/SOUL.md", PermissionKind.PERSONA),
    ("Agent: identity", "agent/IDENTITY.md", ".context/agent/IDENTITY.md", PermissionKind.PERSONA),
    ("User: identity", "user/IDENTITY.md", "", PermissionKind.IDENTITY),
)
UNTRUSTED = "the folder is not trusted"


class TurnPlace(Struct, frozen=True):
    """The place of a turn: the folder and whether it is trusted, the user's own folder, the machine."""

    root: Path
    trusted: bool
    user_folder: Path
    host: Host
    environment: Mapping[str, str]
    shows: Callable[[str], bool]


def gather_system_layer(
    place: TurnPlace,
    options: TurnOptions,
    permissions: Permissions,
    granted: Sequence[str] | None,
    into: PartCollector,
) -> Rules:
    """Put the parts of the system prompt ``into`` the turn, in the order in which they are read.

    The model is told the rows that the request ``granted``, if it names any. Returns the rules that were found, of which
    some wait for the files that they are for.
    """
    is_worker = options.role is AgentRole.WORKER
    if is_worker:
        into.add(Layer.PERSONA, "role: worker", write_role(options.role, options.worker_task))
    rules = read_rules(place, permissions, into)
    for file in rules.of_scope(RulesScope.ALWAYS):
        into.add(Layer.WORKSPACE, file.path, write_rules(file), file.digest)
    if offered := rules.of_scope(RulesScope.ON_REQUEST):
        into.add(Layer.WORKSPACE, RULES_ON_REQUEST, write_offered(offered))
    _gather_persona(place, permissions, into)
    if granted is not None:
        into.add(Layer.PERSONA, "permissions", write_permissions(granted))
    _gather_capabilities(place, options, permissions, into)
    if permissions.allow(PermissionKind.HOST):
        into.add(Layer.WORKSPACE, "host", write_host(place.host))
    else:
        into.omit(Layer.WORKSPACE, "host", "permission")
    if not is_worker:
        into.add(Layer.PERSONA, f"role: {options.role}", write_role(options.role, None))
    return rules


def read_rules(place: TurnPlace, permissions: Permissions, into: PartCollector) -> Rules:
    """The rules that a workspace may instruct a model with: none of a folder that is not trusted.

    What stays out, and what is wrong with a file, goes ``into`` the report.
    """
    if not place.trusted:
        found = list_rules(place.root)
        for path in found:
            into.omit(Layer.WORKSPACE, path, UNTRUSTED)
        if found:
            into.warnings.append(f"{place.root} is not trusted: {_name_some(found)} not read")
        return Rules()
    rules = find_rules(place.root, place.shows)
    into.warnings += rules.warnings
    for one in rules.left_out:
        into.omit(Layer.WORKSPACE, one.path, one.reason)
    shown = tuple(file for file in rules.files if permissions.allow(PermissionKind.RULES, [file.path]))
    for file in rules.files:
        if file not in shown:
            into.omit(Layer.WORKSPACE, file.path, "permission")
    rules = replace(rules, files=shown)
    for file in rules.of_scope(RulesScope.ON_REQUEST):
        into.omit(Layer.WORKSPACE, file.path, "on request: only its description is sent")
    return rules


def _gather_persona(place: TurnPlace, permissions: Permissions, into: PartCollector) -> None:
    for title, own, shared, kind in _PERSONA:
        text, name = _read_persona(place, own, shared, into)
        if text and permissions.allow(kind):
            into.add(Layer.PERSONA, name, write_persona(title, text), digest(text.encode()))
        elif text:
            into.omit(Layer.PERSONA, name, "permission")


def _read_persona(place: TurnPlace, own: str, shared: str, into: PartCollector) -> tuple[str, str]:
    """The text of a file about agent or user and its name: the workspace's, where it is trusted, before the user's own."""
    places = [(place.user_folder / own, place.user_folder, own)]
    if shared and (place.root / shared).exists():
        if place.trusted:
            places.insert(0, (place.root / shared, place.root, shared))
        else:
            into.omit(Layer.PERSONA, shared, UNTRUSTED)
    for path, within, name in places:
        try:
            raw = read_bytes(path, RULES_BYTES, within=within)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            into.omit(Layer.PERSONA, name, error.strerror or type(error).__name__)
            into.warnings.append(f"{name}: {error.strerror}; it was left out")
            continue
        text, hidden = take_out_hidden(raw.decode("utf-8", "replace"))
        if hidden is not None:
            into.warnings.append(
                f"{name}: {hidden.count:,} hidden characters taken out, the first in line {hidden.line:,}"
            )
        if text.strip():
            return text.strip("\n"), name
    return "", ""


def _gather_capabilities(
    place: TurnPlace, options: TurnOptions, permissions: Permissions, into: PartCollector
) -> None:
    if not place.trusted:
        into.omit(Layer.WORKSPACE, "capabilities", UNTRUSTED)
        return
    if not permissions.allow(PermissionKind.CAPABILITIES):
        into.omit(Layer.WORKSPACE, "capabilities", "permission")
        return
    groups = read_capabilities(place.root, place.shows, place.environment)
    if options.role is AgentRole.WORKER:
        groups = _of_task(groups, options.worker_task or "")
    if groups:
        text = write_capabilities(groups)
        into.add(Layer.WORKSPACE, "capabilities", text, digest(text.encode()))


def _of_task(groups: Sequence[CapabilityGroup], task: str) -> tuple[CapabilityGroup, ...]:
    """The capabilities that a worker needs: those for tests, and those that its task names."""
    words = task.lower()
    kept = (
        group
        if group.title == "Tests"
        else replace(group, entries=tuple(entry for entry in group.entries if entry.name.lower() in words))
        for group in groups
    )
    return tuple(group for group in kept if group.entries)


def _name_some(paths: Sequence[str]) -> str:
    listed = ", ".join(paths[:5])
    more = f" and {len(paths) - 5} more" if len(paths) > 5 else ""
    return f"{listed}{more} {'was' if len(paths) == 1 else 'were'}"

"""The current message holds all that differs from turn to turn: the time, hooks, and rules for single files."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from contextls.assembly.admission.permissions import PermissionKind, Permissions
from contextls.assembly.layers.parts import PartCollector
from contextls.assembly.layers.system_layer import TurnPlace
from contextls.assembly.shapes.messages import write_file_rules, write_hook, write_platform, write_time
from contextls.model import AgentRole, Layer, TurnOptions
from contextls.workspace.rules.find import Rules, find_nested_rules
from contextls.workspace.rules.rules_file import RulesFile, RulesScope

MAX_HOOKS = 50


def gather_moment(options: TurnOptions, now: int, into: PartCollector) -> None:
    """Put time, platform and hooks into the turn; a worker does not get the platform."""
    circumstances = options.circumstances
    into.add(Layer.EVENT, "time", write_time(circumstances.time or _iso(now), circumstances.timezone))
    if circumstances.platform and options.role is not AgentRole.WORKER:
        into.add(
            Layer.EVENT, "platform", write_platform(circumstances.platform, circumstances.platform_actions)
        )
    elif circumstances.platform:
        into.omit(Layer.EVENT, "platform", "not for a worker")
    for number, (name, value) in enumerate(sorted(circumstances.hook_data.items())):
        if number < MAX_HOOKS:
            into.add(Layer.EVENT, f"hook {name}", write_hook(name, value))
        else:
            into.omit(Layer.EVENT, f"hook {name}", f"more than {MAX_HOOKS} hooks")


class FileRules:
    """Rules that are for some files only: each is sent once, when a turn first concerns one of its files."""

    def __init__(self, place: TurnPlace, rules: Rules, permissions: Permissions) -> None:
        """``rules`` are those at the root, of which some name the files that they are for."""
        self._place = place
        self._permissions = permissions
        self._waiting = list(rules.of_scope(RulesScope.FILES))
        self._known: set[str] = set()

    def take(self, paths: Iterable[str], into: PartCollector) -> list[RulesFile]:
        """The rules for these files that were not taken before, those of nested folders last, the nearest very last."""
        concerned = list(dict.fromkeys(paths))
        if not (self._place.trusted and concerned):
            return []
        chosen = [file for file in self._waiting if any(map(file.concerns, concerned))]
        nested = find_nested_rules(self._place.root, concerned, self._place.shows)
        into.warnings += [warning for warning in nested.warnings if warning not in into.warnings]
        for one in nested.left_out:
            if one.path not in self._known:
                into.omit(Layer.WORKSPACE, one.path, one.reason)
                self._known.add(one.path)
        taken = []
        for file in (*chosen, *nested.files):
            if file.path in self._known:
                continue
            self._known.add(file.path)
            if self._permissions.allow(PermissionKind.RULES, [file.path]):
                taken.append(file)
            else:
                into.omit(Layer.WORKSPACE, file.path, "permission")
        return taken

    def name_unused(self, into: PartCollector) -> None:
        """Put what no file of the turn asked for into the report."""
        for file in self._waiting:
            if file.path not in self._known:
                into.omit(Layer.WORKSPACE, file.path, "for other files")


def write_rules_for(files: list[RulesFile]) -> str:
    """The text of rules for single files; "" for none."""
    return write_file_rules(files) if files else ""


def _iso(now: int) -> str:
    return datetime.fromtimestamp(now / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

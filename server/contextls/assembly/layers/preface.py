"""The text before the pieces of a tagged prompt: rules files, and what the boot header names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from contextls.assembly.admission.permissions import PermissionKind, Permissions
from contextls.assembly.layers.current_message import FileRules
from contextls.assembly.layers.parts import PartCollector
from contextls.assembly.layers.system_layer import TurnPlace, read_rules
from contextls.assembly.pieces.preface_parts import Preface, RulesBlock, checksum
from contextls.assembly.shapes.system_prompt import write_offered
from contextls.memory.working_set.disk import MAX_BYTES, NAME
from contextls.model import Role
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.rules.find import Rules
from contextls.workspace.rules.rules_file import RulesScope

HINTS = (".context/hot.yml", ".context/cold.yml")


class PrefaceSource:
    """Reads the preface of one prompt; rules for single files join it when their files are known."""

    def __init__(
        self, place: TurnPlace, permissions: Permissions, session: str = "", conversation: str = ""
    ) -> None:
        """Reads what is the same for every question."""
        self._found = PartCollector(len)
        rules = read_rules(place, permissions, self._found)
        self._file_rules = FileRules(place, rules, permissions)
        self._preface = Preface(
            root=place.root.name or str(place.root),
            trusted=place.trusted,
            rules=tuple(_read_always(rules)),
            working_set=_find_working_set(place) if permissions.allow(PermissionKind.CODE, [NAME]) else None,
            hints=tuple(path for path in HINTS if _is_named(path, place, permissions)),
            session=session,
            conversation=conversation,
        )

    def preface(self, paths: Iterable[str]) -> Preface:
        """The preface of a prompt about these files, and those named before."""
        known = tuple(dict.fromkeys((*self._preface.paths, *paths)))
        taken = self._file_rules.take(known, self._found)
        more = tuple(RulesBlock(Role.DEVELOPER, file.path, file.text) for file in taken)
        self._preface = replace(
            self._preface,
            rules=(*self._preface.rules, *more),
            omitted=tuple(one.item for one in self._found.omitted),
            warnings=tuple(self._found.warnings),
            paths=known,
        )
        return self._preface


def _read_always(rules: Rules) -> Iterator[RulesBlock]:
    """The system text of a workspace: its rules for everything, and which others there are."""
    for file in rules.of_scope(RulesScope.ALWAYS):
        yield RulesBlock(Role.SYSTEM, file.path, file.text)
    if offered := rules.of_scope(RulesScope.ON_REQUEST):
        yield RulesBlock(Role.SYSTEM, "", write_offered(offered))


def _is_named(path: str, place: TurnPlace, permissions: Permissions) -> bool:
    return permissions.allow(PermissionKind.CODE, [path]) and os.path.lexists(place.root / path)


def _find_working_set(place: TurnPlace) -> tuple[str, str] | None:
    try:
        raw = read_bytes(place.root / NAME, MAX_BYTES, within=place.root)
    except OSError:  # there is none, or none that is read
        return None
    return NAME, checksum(raw)

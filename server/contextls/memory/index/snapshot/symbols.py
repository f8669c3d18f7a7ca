"""The names that the workspace defines, with their places: looked up in the segments, so nothing is built per process."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct, field

from contextls.code.model import Definition
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.name_users import NameUsers
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.terms import hash_term

MAX_REMEMBERED = 4096
Value = TypeVar("Value")


class Located(Struct, frozen=True):
    """A definition and the file that holds it."""

    path: str
    definition: Definition

    @property
    def id(self) -> str:
        """The entity id: ``path#Qualified.name``."""
        return f"{self.path}#{self.definition.qualified}"


class SymbolTable(Struct, frozen=True, eq=False):
    """Definitions by case-folded name, and how many files refer to each name."""

    _files: SegmentSet = field(default_factory=SegmentSet)
    _outlines: Mapping[str, Outline] = field(default_factory=dict)
    _found: dict[str, tuple[Located, ...]] = field(default_factory=dict)
    _users: dict[str, NameUsers] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def find_named(self, name: str) -> tuple[Located, ...]:
        """The definitions whose own name is ``name``, case ignored, in path and line order."""
        folded = name.lower()
        known = self._found.get(folded)
        if known is None:
            located = [
                Located(path, definition)
                for path in self.paths_defining(folded)
                for definition in self._outlines[path].definitions_of(folded)
            ]
            known = tuple(sorted(located, key=lambda item: (item.path, item.definition.start_line)))
            self._remember(self._found, folded, known)
        return known

    def paths_defining(self, name: str) -> list[str]:
        """The files with a definition whose own name is ``name``, case ignored, in order.

        Two names in a million are taken for each other.
        """
        return sorted(
            path
            for segment, files in self._files.holding("definitions", hash_term(name.lower()))
            for path in segment.paths.some(files)
        )

    def uses(self, name: str) -> int:
        """The number of files that refer to ``name``."""
        return len(self.users(name))

    def users(self, name: str) -> NameUsers:
        """The files that refer to ``name``."""
        known = self._users.get(name)
        if known is None:
            known = NameUsers(self._files, name)
            self._remember(self._users, name, known)
        return known

    def _remember(self, known: dict[str, Value], name: str, value: Value) -> None:
        with self._guard:
            if len(known) >= MAX_REMEMBERED:
                known.clear()
            known[name] = value

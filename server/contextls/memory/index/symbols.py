"""Which names the workspace defines, and where: an immutable table that follows single files cheaply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from contextls.code.model import Definition
from contextls.memory.index.outlines import Outline


@dataclass(frozen=True, slots=True)
class Located:
    """A definition and the file that holds it."""

    path: str
    definition: Definition

    @property
    def id(self) -> str:
        """The entity id: ``path#Qualified.name``."""
        return f"{self.path}#{self.definition.qualified}"


@dataclass(frozen=True, slots=True)
class SymbolTable:
    """Definitions by case-folded name, and how many files refer to each name."""

    _by_name: Mapping[str, tuple[Located, ...]] = field(default_factory=dict)
    _uses: Mapping[str, int] = field(default_factory=dict)

    def find_named(self, name: str) -> tuple[Located, ...]:
        """The definitions whose own name is ``name``, case ignored, in path and line order."""
        return self._by_name.get(name.lower(), ())

    def uses(self, name: str) -> int:
        """The number of files that refer to ``name``."""
        return self._uses.get(name, 0)

    def replace(self, old: Iterable[Outline], new: Iterable[Outline]) -> SymbolTable:
        """The table after the files of ``old`` became those of ``new``."""
        by_name, uses = dict(self._by_name), dict(self._uses)
        for outline in old:
            for name in {definition.name.lower() for definition in outline.definitions}:
                kept = tuple(item for item in by_name.get(name, ()) if item.path != outline.path)
                if kept:
                    by_name[name] = kept
                else:
                    by_name.pop(name, None)
            for reference in outline.references:
                uses[reference] = uses.get(reference, 1) - 1
        added: dict[str, list[Located]] = {}
        for outline in new:
            for definition in outline.definitions:
                added.setdefault(definition.name.lower(), []).append(Located(outline.path, definition))
            for reference in outline.references:
                uses[reference] = uses.get(reference, 0) + 1
        for name, items in added.items():
            together = [*by_name.get(name, ()), *items]
            by_name[name] = tuple(sorted(together, key=lambda item: (item.path, item.definition.start_line)))
        return SymbolTable(by_name, uses)

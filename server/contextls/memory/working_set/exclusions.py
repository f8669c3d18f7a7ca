"""The exclusions: paths and symbols that appear in no prompt."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.working_set.disk import NAME
from contextls.model import Target

MAX_REMEMBERED = 10_000
MAX_REMEMBERED_CHARS = 1_000  # characters


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Excluded files, folders (without a slash at the end) and symbols by path. The working set's own file is one."""

    files: frozenset[str] = frozenset({NAME})
    symbols: Mapping[str, frozenset[str]] = field(default_factory=dict)
    _named: dict[tuple[str | None, str], bool] = field(default_factory=dict, compare=False)
    _lines: dict[str, tuple[Outline, frozenset[int]]] = field(default_factory=dict, compare=False)
    _pattern: re.Pattern[str] | None = field(default=None, compare=False)

    @classmethod
    def of(cls, targets: Iterable[Target]) -> Exclusions:
        """The exclusions of a manifest. A path counts as a folder as well: what it names may be one by now."""
        files = {NAME}
        symbols: dict[str, set[str]] = {}
        for target in targets:
            if target.symbol is None:
                files.add(target.path)
            else:
                symbols.setdefault(target.path, set()).add(target.symbol)
        words = "|".join(map(_spell_path, sorted(files - {NAME}, key=lambda path: (-len(path), path))))
        return cls(
            files=frozenset(files),
            symbols={path: frozenset(names) for path, names in symbols.items()},
            _pattern=re.compile(rf"(?<![\w.-])(?:{words})(?![\w-])") if words else None,
        )

    def __bool__(self) -> bool:
        """Whether anything is excluded."""
        return bool(self.symbols) or len(self.files) > 1

    def hides(self, path: str) -> bool:
        """Whether the file at ``path``, or a folder above it, is excluded."""
        return _or_above(path, "/", self.files)

    def named_in(self, text: str, key: str | None = None) -> bool:
        """Whether ``text`` mentions an excluded file or folder; remembered under ``key``, or under a short text itself."""
        if self._pattern is None:
            return False
        asked = (None, text) if key is None else (key, "")
        known = self._named.get(asked)
        if known is None:
            if len(self._named) >= MAX_REMEMBERED:
                self._named.clear()
            known = self._pattern.search(text) is not None
            if key is not None or len(text) <= MAX_REMEMBERED_CHARS:
                self._named[asked] = known
        return known

    def hides_symbol(self, path: str, name: str) -> bool:
        """Whether the symbol, or one around it, is excluded, or its file is."""
        excluded = self.symbols.get(path)
        return self.hides(path) or (excluded is not None and _or_above(name, ".", excluded))

    def hides_entity(self, entity: str) -> bool:
        """The same of the id of an entity: ``path`` or ``path#symbol``."""
        path, mark, name = entity.partition("#")
        return self.hides_symbol(path, name) if mark else self.hides(path)

    def searchable(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with only the chunks that hold something that is not excluded; the rest of it stays whole."""
        known = snapshot.view.paths
        paths = [path for path in (known if len(self.files) > 1 else self.files) if self.hides(path)]
        view = snapshot.view
        if any(path in known for path in paths):
            view = view.without(paths)
        refs = set()
        for path in self.symbols:
            lines = self.lines(snapshot.outlines.get(path))
            for ref in view.chunks_of(path) if lines else ():
                row = view.lines(ref)
                if all(line in lines for line in range(row.start_line, row.end_line + 1)):
                    refs.add(ref)
        if refs:
            view = view.without_chunks(refs)
        return snapshot if view is snapshot.view else replace(snapshot, view=view)

    def lines(self, outline: Outline | None) -> frozenset[int]:
        """The lines of a file that belong to excluded symbols, 1-based."""
        names = self.symbols.get(outline.path) if outline else None
        if not names or outline is None:
            return frozenset()
        known = self._lines.get(outline.path)
        if known is None or known[0] is not outline:
            spans = [item for item in outline.definitions if item.qualified in names]
            lines = frozenset(line for item in spans for line in range(item.start_line, item.end_line + 1))
            known = self._lines[outline.path] = (outline, lines)
        return known[1]


def _or_above(name: str, separator: str, known: Collection[str]) -> bool:
    """Whether ``name``, or what it lies in, is among ``known``."""
    end = len(name)
    while end >= 0:
        if name[:end] in known:
            return True
        end = name.rfind(separator, 0, end)
    return False


def _spell_path(path: str) -> str:
    """``path`` as texts spell it; a bare word (``docs``) means a file or folder only before ``/``, ``:`` or a tick."""
    bare = "/" not in path and "." not in path
    return re.escape(path) + ("(?=[/:`])" if bare else "")

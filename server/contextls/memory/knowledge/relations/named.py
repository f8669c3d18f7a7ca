"""The definitions of a name, file by file: of one that thousands of files define, those are read that are asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from contextls.code.kinds import Kind
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.symbols import Located, SymbolTable

# A name in more files than this has more than one definition.
MAX_OF_ONE = 16
# To ask of each which type has it takes longer than it tells.
MAX_OF_FEW = 8


class NamedDefinitions:
    """The definitions of one moment that are no constants, by name."""

    def __init__(self, outlines: Mapping[str, Outline], symbols: SymbolTable) -> None:
        self._outlines = outlines
        self._symbols = symbols
        self._paths: dict[str, frozenset[str]] = {}
        self._folders: dict[str, dict[str, list[str]]] = {}
        self._inside: dict[tuple[str, str], Sequence[Located]] = {}

    def paths(self, name: str) -> frozenset[str]:
        """The files that may define ``name``: they define one that differs in case at most."""
        found = self._paths.get(name)
        if found is None:
            found = self._paths[name] = frozenset(self._symbols.paths_defining(name))
        return found

    def inside(self, name: str, path: str) -> Sequence[Located]:
        """The definitions of ``name`` in a file, in line order."""
        if path not in self.paths(name):
            return ()
        found = self._inside.get((name, path))
        if found is None:
            found = self._inside[name, path] = [
                Located(path, definition)
                for definition in self._outlines[path].definitions_of(name)
                if definition.name == name and definition.kind != Kind.CONSTANT
            ]
        return found

    def among(self, name: str, paths: frozenset[str]) -> Iterator[Located]:
        """The definitions of ``name`` in ``paths``, in order."""
        for path in sorted(self.paths(name) & paths):
            yield from self.inside(name, path)

    def beside(self, name: str, folder: str) -> Iterator[Located]:
        """The definitions of ``name`` in the files right in ``folder``, in order."""
        folders = self._folders.get(name)
        if folders is None:
            folders = self._folders[name] = {}
            for path in sorted(self.paths(name)):
                folders.setdefault(path.rpartition("/")[0], []).append(path)
        for path in folders.get(folder, ()):
            yield from self.inside(name, path)

    def few(self, name: str) -> Iterator[Located]:
        """The definitions of ``name``, in order; none where many files define it."""
        paths = self.paths(name)
        if len(paths) <= MAX_OF_FEW:
            yield from self.among(name, paths)

    def only(self, name: str) -> Located | None:
        """The definition of ``name``, where the workspace has a single one."""
        paths = self.paths(name)
        if not 0 < len(paths) <= MAX_OF_ONE:
            return None
        found = list(islice((item for path in paths for item in self.inside(name, path)), 2))
        return found[0] if len(found) == 1 else None

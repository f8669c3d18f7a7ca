"""Who calls whom: names looked up where the caller can see them.

A name in a file means a definition in that file before one in a file that it imports, that before one in its folder (a
package in many languages), and only a name that has a single definition in the workspace may come from anywhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from contextls.code.kinds import Kind
from contextls.code.languages import default_languages
from contextls.code.model import Definition
from contextls.memory.calls import Calls
from contextls.memory.outlines import Outline
from contextls.memory.relations.imports import ImportGraph
from contextls.memory.relations.model import WEIGHTS, Relation, RelationType
from contextls.memory.symbols import Located, SymbolTable

# How sure a name means a definition: in the same file, in an imported one, in the same folder, the only one anywhere.
SCOPES = (1.0, 0.9, 0.7, 0.4)
ANYWHERE = 3
OUT_OF_SIGHT = 4  # another language, not imported
SHORTEST_ANYWHERE = 4
MOST_NAMES = 60
MOST_USERS = 200
MOST_TARGETS = 3


class Uses:
    """Calls and references between the definitions of one moment."""

    def __init__(self, outlines: Mapping[str, Outline], symbols: SymbolTable, imports: ImportGraph) -> None:
        self._outlines = outlines
        self._symbols = symbols
        self._imports = imports
        self._calls: dict[str, Calls] = {}

    def meaning(self, name: str, path: str, inside: str = "") -> list[tuple[Located, float]]:
        """The definitions that ``name`` in the file ``path`` may mean, with how sure that is.

        ``inside`` is the qualified name around the use: a method of the same class comes before one of another.
        """
        named = [
            (self._scope(path, item.path), item)
            for item in self._symbols.named(name)
            if item.definition.name == name and item.definition.kind != Kind.CONSTANT
        ]
        nearest = min((scope for scope, _ in named), default=OUT_OF_SIGHT)
        if nearest == OUT_OF_SIGHT:
            return []
        if nearest == ANYWHERE and (len(named) > 1 or len(name) < SHORTEST_ANYWHERE):
            return []
        found = [item for scope, item in named if scope == nearest]
        if nearest == 0 and len(found) > 1:
            around = inside.rpartition(".")[0]
            found = [
                item for item in found if item.definition.qualified.rpartition(".")[0] == around
            ] or found
        if len(found) > MOST_TARGETS:
            return []
        return [(item, SCOPES[nearest] / len(found)) for item in found]

    def called_by(self, path: str, definition: Definition) -> list[Relation]:
        """``calls`` edges from the definition to what it calls."""
        own = f"{path}#{definition.qualified}"
        weights: dict[str, float] = {}
        names = self._calls_in(path).between(definition.start_line, definition.end_line)
        for name in names[:MOST_NAMES]:
            for item, certainty in self.meaning(name, path, definition.qualified):
                if item.id != own:
                    weights[item.id] = max(certainty, weights.get(item.id, 0.0))
        base = WEIGHTS[RelationType.CALLS]
        return [Relation(own, other, RelationType.CALLS, base * sure) for other, sure in weights.items()]

    def users_of(self, path: str, definition: Definition) -> list[Relation]:
        """``calls`` and ``references`` edges to the definition, from the definitions or files that use it."""
        own = f"{path}#{definition.qualified}"
        found: dict[str, Relation] = {}
        for user in self._users(path, definition.name):
            certainty = self._certainty(user, path, definition)
            if not certainty:
                continue
            lines = self._calls_in(user).lines(definition.name)
            callers = {self._around(user, line) for line in lines} - {own}
            for caller in callers:
                weight = WEIGHTS[RelationType.CALLS] * certainty
                found[caller] = Relation(caller, own, RelationType.CALLS, weight)
            if not lines and user != path:
                weight = WEIGHTS[RelationType.REFERENCES] * certainty
                found[user] = Relation(user, own, RelationType.REFERENCES, weight)
        return list(found.values())

    def _certainty(self, user: str, path: str, definition: Definition) -> float:
        meant = self.meaning(definition.name, user)
        return max(
            (sure for item, sure in meant if item.path == path and item.definition == definition), default=0.0
        )

    def _users(self, path: str, name: str) -> Iterator[str]:
        """Files that refer to ``name`` and can see ``path``, near ones first."""
        near = dict.fromkeys(
            [path, *self._imports.viewers(path), *self._imports.paths.files_of(_folder(path))]
        )
        users = [other for other in near if self._refers(other, name)]
        yield from users[:MOST_USERS]
        total = self._symbols.uses(name)
        alone = len(self._symbols.named(name)) == 1 and len(name) >= SHORTEST_ANYWHERE
        if alone and len(users) < total <= MOST_USERS:
            yield from sorted(
                other for other in self._outlines if other not in near and self._refers(other, name)
            )

    def _refers(self, path: str, name: str) -> bool:
        outline = self._outlines.get(path)
        if outline is None:
            return False
        at = bisect_left(outline.references, name)
        return at < len(outline.references) and outline.references[at] == name

    def _calls_in(self, path: str) -> Calls:
        found = self._calls.get(path)
        if found is None:
            outline = self._outlines.get(path)
            found = self._calls[path] = Calls(outline.calls if outline else "")
        return found

    def _around(self, path: str, line: int) -> str:
        """The id of the innermost definition around a line, else of the file."""
        inner = None
        for definition in self._outlines[path].definitions:
            if definition.start_line <= line <= definition.end_line and definition.kind != Kind.CONSTANT:
                inner = definition
        return f"{path}#{inner.qualified}" if inner else path

    def _scope(self, user: str, path: str) -> int:
        if user == path:
            return 0
        if self._imports.sees(user, path):
            return 1
        if not _related(self._outlines[user].language, self._outlines[path].language):
            return OUT_OF_SIGHT
        return 2 if _folder(user) == _folder(path) else ANYWHERE


def _related(first: str, second: str) -> bool:
    """Whether code of one language can use names of the other without importing its file."""
    if first == second:
        return True
    known = default_languages()
    families = []
    for language in (first, second):
        facts = known.facts(language)
        families.append({language, *(facts.inherits if facts else ())})
    return not families[0].isdisjoint(families[1])


def _folder(path: str) -> str:
    return path.rpartition("/")[0]

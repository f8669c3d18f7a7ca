"""Calls between symbols: names looked up where the caller can see them.

A name in a file means a definition in that file before one in a file that it imports, that before a member of a type that
the file names (Ruby and C# import no files), that before one in its folder (a package in many languages), and only a name
that has a single definition in the workspace may come from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from contextls.code.kinds import Kind
from contextls.code.languages import default_languages
from contextls.code.model import Definition
from contextls.memory.index.segments.calls import PackedCalls
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.name_users import NameUsers
from contextls.memory.index.snapshot.symbols import Located, SymbolTable
from contextls.memory.knowledge.relations.import_words import is_front
from contextls.memory.knowledge.relations.imports import ImportGraph
from contextls.memory.knowledge.relations.model import WEIGHTS, Relation, RelationType
from contextls.memory.knowledge.relations.named import NamedDefinitions

# How sure a name means a definition: in the same file, in an imported one, of a type that is named, in the same folder, the
# only one anywhere.
SCOPES = (1.0, 0.9, 0.7, 0.7, 0.4)
ANYWHERE = 4
# The same of a call whose name is all that is known, where no other is known to mean the definition.
POSSIBLE = 0.7
MIN_CHARS_ANYWHERE = 4
MAX_NAMES = 60
MAX_USERS = 200
MAX_TARGETS = 3
# The imports of at most this many users of a name are read; a name with more users means nothing in particular.
MAX_ASKED = 2000
MAX_REMEMBERED = 50_000


class Uses:
    """Calls and references between the definitions of one moment."""

    def __init__(self, outlines: Mapping[str, Outline], symbols: SymbolTable, imports: ImportGraph) -> None:
        self._outlines = outlines
        self._symbols = symbols
        self._imports = imports
        self._calls: dict[str, PackedCalls] = {}
        self._named = NamedDefinitions(outlines, symbols)
        self._seen: dict[str, frozenset[str]] = {}
        self._seers: dict[str, Sequence[Sequence[str]]] = {}
        self._folders: dict[str, Sequence[str]] = {}
        self._nearest_known: dict[tuple[str, str], tuple[Sequence[Located], int]] = {}

    def meaning(self, name: str, path: str, inside: str = "") -> list[tuple[Located, float]]:
        """The definitions that ``name`` in the file ``path`` may mean, with how sure that is.

        ``inside`` is the qualified name around the use: a method of the same class comes before one of another.
        """
        found, nearest = self._nearest(name, path)
        if nearest == 0 and len(found) > 1:
            around = inside.rpartition(".")[0]
            found = [
                item for item in found if item.definition.qualified.rpartition(".")[0] == around
            ] or found
        if not 0 < len(found) <= MAX_TARGETS:
            return []
        return [(item, SCOPES[nearest] / len(found)) for item in found]

    def calls_between(self, path: str, first: int, last: int, inside: str) -> Iterator[tuple[Located, float]]:
        """The definitions that lines ``first`` to ``last`` call, with how sure that is; ``inside`` is around them."""
        for name in self._calls_in(path).between(first, last)[:MAX_NAMES]:
            yield from self.meaning(name, path, inside)

    def call_sites(self, path: str, definition: Definition) -> Iterator[tuple[str, int, float]]:
        """The file and line of each call of the definition, with how sure that is; near files first."""
        for user in self._users(path, definition):
            lines = self._calls_in(user).lines(definition.name)
            if lines and (certainty := self._certainty(user, path, definition)):
                for line in lines:
                    yield user, line, certainty

    def possible_calls(self, path: str, definition: Definition) -> Iterator[tuple[str, int, float]]:
        """As ``call_sites``, the calls by the definition's name that may mean it, in ``MAX_USERS`` files.

        What is called on a value from elsewhere says nothing of its type. Left out are files where the name means
        something of another owner.
        """
        for user in islice(self._symbols.users(definition.name), MAX_USERS):
            if self._share_language(user, path):
                meant = [item.definition.qualified for item, _ in self.meaning(definition.name, user)]
                if not meant or definition.qualified in meant:
                    for line in self._calls_in(user).lines(definition.name):
                        yield user, line, POSSIBLE

    def calls_by_name(self, path: str, definition: Definition) -> Iterator[tuple[str, int]]:
        """The file and line of each call by the definition's name in its language, in ``MAX_USERS`` files."""
        for user in islice(self._symbols.users(definition.name), MAX_USERS):
            if self._share_language(user, path):
                for line in self._calls_in(user).lines(definition.name):
                    yield user, line

    def called_by(self, path: str, definition: Definition) -> list[Relation]:
        """``calls`` edges from the definition to what it calls."""
        own = f"{path}#{definition.qualified}"
        weights: dict[str, float] = {}
        called = self.calls_between(path, definition.start_line, definition.end_line, definition.qualified)
        for item, certainty in called:
            if item.id != own:
                weights[item.id] = max(certainty, weights.get(item.id, 0.0))
        base = WEIGHTS[RelationType.CALLS]
        return [Relation(own, other, RelationType.CALLS, base * sure) for other, sure in weights.items()]

    def users_of(self, path: str, definition: Definition, most: int) -> list[Relation]:
        """``calls`` and ``references`` edges to the definition, from the definitions or files that use it.

        Of the files that name it, the ``most`` nearest are looked at.
        """
        own = f"{path}#{definition.qualified}"
        found: dict[str, Relation] = {}
        for user in self._users(path, definition, most):
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

    def _users(self, path: str, definition: Definition, most: int = MAX_USERS) -> Iterator[str]:
        """``most`` files that refer to a definition of ``path`` by name and can see it, near ones first."""
        name = definition.name
        users = self._symbols.users(name)
        most = min(len(users), most)
        if not most:
            return
        seen: set[str] = set()
        near = chain(
            users.among([path]),
            self._viewers(path, users),
            self._beside(path, users),
            self._naming(owner_of(definition), users),
        )
        for other in near:
            if other not in seen:
                seen.add(other)
                yield other
                if len(seen) == most:
                    return
        more = len(name) >= MIN_CHARS_ANYWHERE and len(seen) < len(users) <= MAX_USERS
        if more and len(self._named.paths(name)) == 1 and len(self._symbols.find_named(name)) == 1:
            yield from (other for other in users if other not in seen)

    def _viewers(self, path: str, users: NameUsers) -> Iterator[str]:
        """The ``users`` that see ``path``, nearest first; some may come twice."""
        seers = self._known_seers(path)
        if seers is not None:
            for each in seers:
                yield from users.among(each)
            return
        # While it is not known who imports a file, users are asked, of whom there are few.
        asked = list(islice(users, MAX_ASKED))
        yield from (other for other in asked if path in self._imports.of(other))
        seeing = [other for other in asked if path in self._visible(other)]
        fronts = [(front, other) for other in seeing for front in self._imports.fronts_to(other, path)]
        yield from (other for _, other in sorted(fronts))

    def _known_seers(self, path: str) -> Sequence[Sequence[str]] | None:
        """The files that import ``path``, then those that import each file that does and stands for a package."""
        found = self._seers.get(path)
        if found is None:
            importers = self._imports.known_importers(path)
            if importers is None:
                return None
            fronts = sorted(filter(is_front, importers))
            found = (importers, *(self._imports.known_importers(front) or () for front in fronts))
            self._seers[path] = found
        return found

    def _beside(self, path: str, users: NameUsers) -> Iterator[str]:
        """The ``users`` in the folder of ``path``."""
        folder = _folder(path)
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = self._imports.paths.files_of(folder)
        yield from users.among(found)

    def _naming(self, owner: str, users: NameUsers) -> Iterator[str]:
        """The ``users`` that name the type ``owner``; none where it is empty or too many do."""
        naming = self._symbols.users(owner) if owner else None
        if naming is not None and min(len(naming), len(users)) <= MAX_ASKED:
            yield from users.both(naming)

    def _calls_in(self, path: str) -> PackedCalls:
        found = self._calls.get(path)
        if found is None:
            outline = self._outlines.get(path)
            found = self._calls[path] = PackedCalls(outline.calls if outline else "")
        return found

    def _around(self, path: str, line: int) -> str:
        """The id of the innermost definition around a line, else of the file."""
        around = self._outlines[path].touching(line, line)
        inner = [each.qualified for each in around if each.kind != Kind.CONSTANT]
        return f"{path}#{inner[-1]}" if inner else path

    def _nearest(self, name: str, user: str) -> tuple[Sequence[Located], int]:
        """The definitions of ``name`` in the nearest scope that has any, and which scope that is."""
        found = self._nearest_known.get((name, user))
        if found is None:
            if len(self._nearest_known) >= MAX_REMEMBERED:
                self._nearest_known.clear()
            found = self._nearest_known[name, user] = self._find_nearest(name, user)
        return found

    def _find_nearest(self, name: str, user: str) -> tuple[Sequence[Located], int]:
        named = self._named
        own = named.inside(name, user)
        if own or not named.paths(name):
            return own, 0
        # One more than a name may mean is as good as all.
        imported = list(islice(named.among(name, self._visible(user)), MAX_TARGETS + 1))
        if imported:
            return imported, 1
        members = [item for item in named.few(name) if self._names_owner(user, item)]
        if members:
            return members, 2
        alike = (item for item in named.beside(name, _folder(user)) if self._share_language(user, item.path))
        beside = list(islice(alike, MAX_TARGETS + 1))
        if beside:
            return beside, 3
        only = named.only(name) if len(name) >= MIN_CHARS_ANYWHERE else None
        if only is not None and self._share_language(user, only.path):
            return [only], ANYWHERE
        return (), ANYWHERE

    def _names_owner(self, user: str, item: Located) -> bool:
        """Whether a file names the type that a definition is a member of."""
        owner = owner_of(item.definition)
        return bool(owner) and self._share_language(user, item.path) and user in self._symbols.users(owner)

    def _visible(self, user: str) -> frozenset[str]:
        seen = self._seen.get(user)
        if seen is None:
            seen = self._seen[user] = frozenset(self._imports.visible(user))
        return seen

    def _share_language(self, user: str, path: str) -> bool:
        return _are_related(self._outlines[user].language, self._outlines[path].language)


def _are_related(first: str, second: str) -> bool:
    """Whether code of one language can use names of the other without importing its file."""
    if first == second:
        return True
    known = default_languages()
    families = []
    for language in (first, second):
        facts = known.facts(language)
        families.append({language, *(facts.inherits if facts else ())})
    return not families[0].isdisjoint(families[1])


def owner_of(definition: Definition) -> str:
    """The name of what a definition is a member of; empty where it is none."""
    return definition.qualified.rpartition(".")[0].rpartition(".")[2]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]

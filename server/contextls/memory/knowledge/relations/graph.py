"""The relations that can be read out of the code of one snapshot: imports, tests, calls, and how central each file is."""

from __future__ import annotations

from contextls.code.kinds import TYPE_LIKE
from contextls.code.model import Definition
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.knowledge.relations.import_table import ImportTable, empty_table
from contextls.memory.knowledge.relations.imports import MAX_UNSETTLED, ImportGraph
from contextls.memory.knowledge.relations.model import (
    IMPORTED_BY,
    MAX_EDGES,
    WEIGHTS,
    Relation,
    RelationType,
    cap_relations,
    hub_share,
)
from contextls.memory.knowledge.relations.symbol_rank import SymbolRanks, rank_symbols
from contextls.memory.knowledge.relations.table_build import build_table
from contextls.memory.knowledge.relations.testing import TestPairs
from contextls.memory.knowledge.relations.uses import MAX_USERS, Uses

# Up to this many files ranks are computed again whenever an import changed (7 ms at most); in a larger workspace only once
# the imports of one file in a hundred changed, or when there is time (``prepare``).
FEW_FILES = 1_000


class RelationGraph:
    """The relations of one snapshot, read from a table of its imports and resolved on demand where that is older."""

    def __init__(
        self, snapshot: Snapshot, before: RelationGraph | None = None, table: ImportTable | None = None
    ) -> None:
        """``before`` is the graph of an earlier snapshot, ``table`` one of its imports instead of that of ``before``."""
        self.snapshot = snapshot
        known = before.all_imports.table if table is None and before is not None else table
        self.all_imports: ImportGraph
        self._look_at(
            ImportGraph(
                snapshot.files,
                snapshot.outlines,
                empty_table() if known is None else known,
                before.all_imports if before is not None else None,
            )
        )
        self._symbol_ranks: SymbolRanks | None = None

    def _look_at(self, imports: ImportGraph) -> None:
        self.all_imports = imports
        self._tests = TestPairs(imports, self.snapshot.files.kind)
        # Calls and references between definitions.
        self.uses = Uses(self.snapshot.outlines, self.snapshot.symbols, imports)

    @property
    def table(self) -> ImportTable:
        """The table of imports that answers for what did not change since."""
        return self.all_imports.table

    @property
    def unsettled(self) -> int:
        """The number of files that have to be resolved because the table is older."""
        return len(self.all_imports.unsettled) + len(self.all_imports.difference.gone)

    def imports(self, path: str) -> tuple[str, ...]:
        """The workspace files that ``path`` imports."""
        return self.all_imports.of(path)

    def importers(self, path: str) -> tuple[str, ...]:
        """The workspace files that import ``path``."""
        return self.all_imports.importers(path)

    def is_test(self, path: str) -> bool:
        """Whether ``path`` is a file of tests."""
        return self._tests.is_test(path)

    def prepare(self) -> None:
        """Make a table of now, if what changed since that one takes time whenever a process begins."""
        few = len(self.snapshot.files) <= FEW_FILES
        if self.unsettled > MAX_UNSETTLED or (few and self.unsettled):
            self._settle()

    def centrality(self, path: str) -> float:
        """The centrality of a file among the imports of the workspace, 0..1; 0 for what is not indexed."""
        count = len(self.snapshot.files)
        if self.all_imports.drift > (0 if count <= FEW_FILES else count // 100):
            self._settle()
        number = self.table.find(path)
        return (
            0.0 if number < 0 or path in self.all_imports.difference.gone else float(self.table.ranks[number])
        )

    def symbol_ranks(self) -> SymbolRanks:
        """The centrality of each file and definition of the source; what tests and documents use counts little."""
        if self._symbol_ranks is None:
            now, kinds = self.snapshot, self.snapshot.files.kinds()
            sources = {path for path, kind in kinds.items() if kind is FileKind.SOURCE}
            self._symbol_ranks = rank_symbols(now.outlines, self.all_imports, now.symbols, sources)
        return self._symbol_ranks

    def of_file(self, path: str, most: int = MAX_EDGES) -> list[Relation]:
        """The imports and tests at a file, ``most`` of each kind."""
        imported, importers = self.imports(path), self.importers(path)
        weight = WEIGHTS[RelationType.IMPORTS] * hub_share(len(imported))
        found = [Relation(path, other, RelationType.IMPORTS, weight) for other in imported[:most]]
        weight = IMPORTED_BY * hub_share(len(importers))
        found += [Relation(other, path, RelationType.IMPORTS, weight) for other in importers[:most]]
        tests = WEIGHTS[RelationType.TESTS]
        found += cap_relations(
            (
                Relation(other, path, RelationType.TESTS, tests * sure)
                for other, sure in self._tests.tests(path)
            ),
            most,
        )
        found += cap_relations(
            (
                Relation(path, other, RelationType.TESTS, tests * sure)
                for other, sure in self._tests.subjects(path)
            ),
            most,
        )
        return found

    def of_symbol(self, path: str, definition: Definition, most: int) -> list[Relation]:
        """The relations at a definition: calls from and to it, mentions, tests, the file that defines it and its members.

        There are ``most`` of each kind. What a class calls is left to its methods.
        """
        own = f"{path}#{definition.qualified}"
        users = self.uses.users_of(path, definition, max(most, MAX_USERS))
        plain = [edge for edge in users if not self._is_test_of(edge.source, path)]
        tests = [
            Relation(edge.source, own, RelationType.TESTS, edge.weight)
            for edge in users
            if self._is_test_of(edge.source, path)
        ]
        calls = [edge for edge in plain if edge.type is RelationType.CALLS]
        mentions = [edge for edge in plain if edge.type is RelationType.REFERENCES]
        defines = WEIGHTS[RelationType.DEFINES]
        is_type = definition.kind in TYPE_LIKE
        members = self._members(path, definition)[:most] if is_type else []
        return [
            Relation(path, own, RelationType.DEFINES, defines),
            *(Relation(own, member, RelationType.DEFINES, defines) for member in members),
            *cap_relations(() if is_type else self.uses.called_by(path, definition), most),
            *cap_relations(calls, most),
            *cap_relations(mentions, most),
            *cap_relations(tests, most),
        ]

    def _members(self, path: str, definition: Definition) -> list[str]:
        """The members that a class defines directly, the most used names first."""
        symbols = self.snapshot.symbols
        inside = [
            item
            for item in self.snapshot.outlines[path].definitions
            if item.qualified.rpartition(".")[0] == definition.qualified
        ]
        inside.sort(key=lambda item: (-symbols.uses(item.name), item.start_line))
        return [f"{path}#{item.qualified}" for item in inside]

    def _is_test_of(self, user: str, path: str) -> bool:
        return self.is_test(user.partition("#")[0]) and not self.is_test(path)

    def _settle(self) -> None:
        snapshot = self.snapshot
        table = build_table(self.all_imports)
        self._look_at(ImportGraph(snapshot.files, snapshot.outlines, table))

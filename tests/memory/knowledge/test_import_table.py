"""Whatever happens to a workspace: what imports what, and how central files are, is what reading it anew would say."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.code import trees
from contextls.code.imports import resolve
from contextls.code.path_index import PathIndex
from contextls.engine import Engine
from contextls.memory.index.segments.analysis import Analysis, AnalysisTask, analyse
from contextls.memory.index.segments.arrays import from_arrays
from contextls.memory.index.segments.build import build_segment
from contextls.memory.index.segments.merge import SegmentMerge
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.knowledge.relations import RelationGraph, import_table
from contextls.memory.knowledge.relations.centrality import file_centrality
from contextls.memory.knowledge.relations.import_table import ImportTable
from contextls.models.embedders.base import NoVectors
from contextls.store.array_file import JoinedArray, Writable
from contextls.store.locations import locate

from ..workspaces import SHOP, opened, write

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Small trees of several languages in which files of one name, folders of one name and files for folders get in each other's
# way, and imports name files, folders, what is in them, and places that they do not name.
TREES = {
    "python": (
        "a/x.py a/y.py a/b/x.py a/b/y.py a/b.py a/__init__.py a/b/__init__.py x.py b/x.py src/x.py tests/test_x.py "
        "a/test_b.py a/größe.py a/b/_in.py lib/a/x.py",
        "import a.x|import x|import b|import a.b.y.z|from a import x, y|from . import x|from .. import y|from .b import x|"
        "from a.b import *|from .größe import g|from . import *|from .. import *|from a.b._in import i",
    ),
    "javascript": (
        "a/x.js a/index.js a/b/index.ts a/b/x.ts a/b.js index.js src/x.ts a/x.test.js a/b/c/d.js a.js a/b.json a/$.js "
        "a/[id].js src/a/index.js",
        "import './x'|import '..'|import '.'|import '../'|import './b'|import '../x.js'|import '@/x'|import './$'|"
        "import './[id]'|import '../../a'|import '@/a'|import './b.json'",
    ),
    "go": (
        "m/a/x.go m/a/y.go m/a/x_test.go b/a/z.go a/r.go a/README.md c/m/a/n.txt m/b/q.go",
        'import "e.com/m/a"|import "m/a"|import "a"|import "e.com/u/m/b"|import "b/a"',
    ),
    "rust": (
        "src/lib.rs src/main.rs src/a.rs src/a/mod.rs src/a/b.rs src/a/c/mod.rs k/src/lib.rs src/b.rs k/src/a.rs tests/a.rs",
        "use crate::a::B;|use super::*;|use self::*;|mod b;|use k::T;|use crate::*;|use super::b::{self, c};|"
        "use crate::a::{b, c::D};|use super::super::*;|use crate::B;|use super::B;",
    ),
    "php": (
        "src/A/One.php src/B/One.php src/A/Two.php One.php A/One.php lib/Two.php",
        "<?php use L\\A\\One;|<?php use A\\{One, Two};|<?php require 'One.php';|<?php use L\\M\\B\\One;",
    ),
    "c": ("include/a/x.h a/x.h x.h a/x.c b/a/x.h a/y.c", '#include "x.h"|#include <a/x.h>|#include "../x.h"'),
    "java": (
        "j/A.java k/j/A.java k/j/B.java A.java",
        "import j.A;|import static j.A.f;|import k.j.B;|import j.*;",
    ),
}


AFTERWARDS = ("nothing", "table", "stored", "merged")


@dataclass(frozen=True)
class Moment:
    """What becomes of files (``None``: deleted), and what the writer of the workspace does once it has seen it."""

    changes: Mapping[str, str | None]
    afterwards: str


def _moments(tree: str) -> st.SearchStrategy[list[Moment]]:
    paths, imports = st.sampled_from(TREES[tree][0].split()), st.sampled_from(TREES[tree][1].split("|"))
    text = st.lists(imports, min_size=1, max_size=3).map("\n".join)
    some, few = (
        st.dictionaries(paths, text, min_size=4, max_size=10),
        st.dictionaries(paths, st.none() | text, min_size=1, max_size=2),
    )
    later = st.lists(st.builds(Moment, few, st.sampled_from(AFTERWARDS)), min_size=1, max_size=5)
    return st.builds(lambda first, rest: [Moment(first, "table"), *rest], some, later)


@dataclass
class Writer:
    """What an indexer keeps, without a disk: each change is a segment, all of them are merged now and then."""

    files: SegmentSet = field(default_factory=SegmentSet)
    ids: Iterator[int] = field(default_factory=lambda: count(1))

    def see(self, changes: Mapping[str, str | None]) -> Snapshot:
        analyses = [_analysis(path, text) for path, text in changes.items() if text is not None]
        parts = []
        if analyses:
            segment = replace(build_segment(analyses, NoVectors(4)), id=next(self.ids))
            parts.append((segment, np.ones(len(analyses), np.bool_)))
        self.files = self.files.replace(changes.keys(), parts)
        return Snapshot.of(self.files)

    def merge(self) -> None:
        merge = SegmentMerge(self.files.segments, self.files.alive, self.files.alive)
        columns = {name: _whole(column) for name, column in merge.columns().items()}
        self.files = self.files.swap(merge, from_arrays(columns, next(self.ids)))


def _whole(column: Writable) -> NDArray[Any]:
    if not isinstance(column, JoinedArray):
        return column
    return np.concatenate([np.zeros((0, *column.shape[1:]), column.dtype), *column.parts()])


@pytest.fixture(autouse=True)
def parsing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts of these tests are known to crash no parser."""
    monkeypatch.setattr(trees, "may_parse", lambda: True)


@functools.cache
def _analysis(path: str, text: str) -> Analysis:
    (found,) = analyse([AnalysisTask("", path, text)])
    assert isinstance(found, Analysis)
    return found


def read_plainly(snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """What each file imports: every import of every file is looked at, nothing is remembered."""
    index = PathIndex(snapshot.files.paths)
    found = {}
    for path, outline in snapshot.outlines.items():
        targets = (
            target for item in outline.imports for target in resolve(path, item, outline.language, index)
        )
        found[path] = tuple(dict.fromkeys(target for target in targets if target != path))
    return found


def rank_plainly(imports: dict[str, tuple[str, ...]]) -> dict[str, float]:
    """How central each file is where these are all imports."""
    paths = sorted(imports)
    number = {path: at for at, path in enumerate(paths)}
    edges = [(number[path], number[target]) for path in paths for target in imports[path]]
    sources, targets = np.array(edges, np.int32).reshape(-1, 2).T
    return dict(zip(paths, file_centrality(len(paths), sources, targets).tolist(), strict=True))


def _stored(table: ImportTable) -> ImportTable:
    return import_table.from_arrays(import_table.to_arrays(table), "stored")


@pytest.mark.parametrize("tree", TREES)
def test_imports_of_a_changing_workspace_are_those_of_a_fresh_one(tree: str) -> None:
    @given(_moments(tree))
    def check(moments: list[Moment]) -> None:
        writer, graph = Writer(), RelationGraph(Snapshot())
        for moment in moments:
            snapshot = writer.see(moment.changes)
            graph = RelationGraph(snapshot, graph)
            plain = read_plainly(snapshot)
            for path in [*plain, "a/none.py"]:
                assert graph.imports(path) == plain.get(path, ())
                assert graph.importers(path) == tuple(sorted(p for p in plain if path in plain[p]))
                assert sorted(graph.all_imports.importing_tests(path)) == list(
                    filter(graph.is_test, graph.importers(path))
                )
            fresh = RelationGraph(snapshot)
            assert {p: graph.of_file(p) for p in plain} == {p: fresh.of_file(p) for p in plain}
            if moment.afterwards != "nothing":
                graph.prepare()
                assert {path: graph.centrality(path) for path in plain} == rank_plainly(plain)
            if moment.afterwards == "stored":
                graph = RelationGraph(snapshot, None, _stored(graph.table))
                assert graph.unsettled == 0
            if moment.afterwards == "merged" and plain:
                writer.merge()

    check()


def test_a_later_process_reads_what_an_earlier_one_resolved(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    with opened(tmp_path):
        pass
    with Engine.open(tmp_path) as later:
        graph = later._memories.known_now().graph
        assert graph.table.name
        assert graph.unsettled == 0
        assert graph.importers("shop/prices.py") == ("shop/cart.py",)
        assert graph.centrality("shop/prices.py") > graph.centrality("shop/cart.py") == 0


def test_files_that_came_and_went_change_the_edges_of_others(tmp_path: Path) -> None:
    write(tmp_path, {"use.py": "import money\n", "lib/money.py": "x = 1\n"})
    with opened(tmp_path) as engine:
        assert engine._memories.known_now().graph.imports("use.py") == ("lib/money.py",)
        write(tmp_path, {"money.py": "x = 2\n"})
        engine.update_files(["money.py"])
        assert engine._memories.known_now().graph.imports("use.py") == ("money.py",)
        (tmp_path / "money.py").unlink()
        (tmp_path / "lib/money.py").rename(tmp_path / "money.txt")
        engine.update_files(["money.py", "lib/money.py", "money.txt"])
        graph = engine._memories.known_now().graph
        assert graph.imports("use.py") == ()
        assert graph.centrality("use.py") == 0


@pytest.mark.parametrize("damage", ["missing", "other bytes", "other columns"])
def test_a_table_that_is_lost_is_made_again(tmp_path: Path, damage: str) -> None:
    write(tmp_path, SHOP)
    with opened(tmp_path) as engine:
        store = engine._memories.content.store
        name = store.derived.name()
        place = locate(tmp_path.resolve()).segments / name
        if damage == "missing":
            place.unlink()
        elif damage == "other bytes":
            data = bytearray(place.read_bytes())
            data[len(data) // 2] ^= 1
            place.write_bytes(data)
        else:
            with store.writing():
                store.derived.write({"paths": np.zeros(3, np.int8)})
            name = store.derived.name()
    with Engine.open(tmp_path) as later:
        assert later._memories.known_now().graph.importers("shop/prices.py") == ("shop/cart.py",)
        later.prepare()
        store = later._memories.content.store
        assert store.derived.name() not in ("", name)
        assert store.derived.read() is not None
        assert [each.name for each in place.parent.glob("*.derived")] == [store.derived.name()]

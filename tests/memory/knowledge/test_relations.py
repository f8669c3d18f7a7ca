"""Relations of small real workspaces: read out of code, history and events, walked within bounds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.code.model import Reference
from contextls.engine import Engine
from contextls.memory.index.segments.calls import PackedCalls, pack
from contextls.memory.knowledge.base import Knowledge
from contextls.memory.knowledge.relations import Relation, RelationType
from contextls.memory.knowledge.relations.centrality import file_centrality
from contextls.memory.knowledge.relations.model import MAX_EDGES, WEIGHTS, cap_relations
from contextls.memory.knowledge.relations.walk import MAX_NODES, walk
from contextls.model import AssembleRequest, Filters, NewEvent, Section

from ...repositories import git
from ..workspaces import SHOP, knowledge_of, opened, write

MORE = {
    "shop/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    "admin/report.py": "import shop.cart\nfrom shop.prices import discounted\n\n\n"
    "def report():\n    return discounted(3) + shop.cart.Cart().total()\n",
    "other/cart.py": "class Cart:\n    pass\n",
    "web/router.spec.ts": "import { registerRoute } from './router';\n\nit('routes', () => registerRoute('/', f));\n",
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["requests"]\n',
    "net/client.py": "import requests\n\n\ndef fetch():\n    return requests.get('x')\n",
}


def ends(relations: list[Relation], kind: str) -> set[tuple[str, str]]:
    return {(one.source, one.target) for one in relations if one.type == kind}


def test_imports_resolve_both_ways(knowledge: Knowledge) -> None:
    graph = knowledge.graph
    assert graph.imports("shop/cart.py") == ("shop/prices.py",)
    assert graph.importers("shop/prices.py") == ("admin/report.py", "shop/cart.py")
    assert graph.imports("README.md") == graph.imports("no/such.py") == ()


def test_calls_lead_to_what_the_caller_can_see(knowledge: Knowledge) -> None:
    edges = knowledge.edges("shop/prices.py#discounted")
    assert ends(edges, "calls") == {
        ("shop/cart.py#Cart.total", "shop/prices.py#discounted"),
        ("admin/report.py#report", "shop/prices.py#discounted"),
    }
    out = ends(knowledge.edges("admin/report.py#report"), "calls")
    assert ("admin/report.py#report", "shop/prices.py#discounted") in out
    assert ("admin/report.py#report", "shop/cart.py#Cart") in out
    assert not any(target.startswith("other/") for _, target in out)


def test_a_package_passes_on_what_it_imports(tmp_path: Path) -> None:
    files = {
        "kit/__init__.py": "from kit.core import launch\n",
        "kit/core.py": "def launch():\n    pass\n",
        "old/core.py": "def launch():\n    pass\n",
        "use/main.py": "from kit import launch\n\n\ndef start():\n    launch()\n",
    }
    with opened(write(tmp_path, files)) as engine:
        edges = knowledge_of(engine).edges("kit/core.py#launch")
    assert ends(edges, "calls") == {("use/main.py#start", "kit/core.py#launch")}


def test_callers_of_what_hundreds_of_files_call_are_found_near_ones_first(tmp_path: Path) -> None:
    files = {
        "lib/tool.py": "def reach(value):\n    return value\n",
        "lib/own.py": "from lib.tool import reach\n\n\ndef own():\n    return reach(1)\n",
        "far/stranger.py": "def reach(value):\n    return 2\n\n\ndef far():\n    return reach(2)\n",
    }
    for number in range(300):
        files[f"users/u{number:03}.py"] = (
            f"from lib.tool import reach\n\n\ndef use_{number}():\n    return reach({number})\n"
        )
    with opened(write(tmp_path, files)) as engine:
        for prepared in (False, True):
            graph = knowledge_of(engine).catalogue.graph
            if prepared:
                graph.prepare()
            (reach,) = graph.snapshot.outlines["lib/tool.py"].definitions
            callers = [path for path, _, _ in graph.uses.call_sites("lib/tool.py", reach)]
            assert {"lib/own.py", "users/u000.py"} <= set(callers)
            assert "far/stranger.py" not in callers
            assert callers == list(dict.fromkeys(callers)) == sorted(callers)


def test_a_call_from_a_test_is_a_test(knowledge: Knowledge) -> None:
    edges = knowledge.edges("shop/cart.py#Cart.total")
    assert ends(edges, "tests") == {("shop/test_cart.py#test_total", "shop/cart.py#Cart.total")}


def test_what_every_file_imports_no_test_is_about_that_is_not_named_after_it(tmp_path: Path) -> None:
    files = {
        "press.h": "int fold(int sheet);\n",
        "fold.c": '#include "press.h"\n\nint fold(int sheet) { return sheet / 2; }\n',
        "tests/fuzz-ink.c": '#include "press.h"\n#include "../ink.h"\n\nint main(void) { return mix(1); }\n',
        "ink.h": "int mix(int ink);\n",
        "ink.c": '#include "press.h"\n#include "ink.h"\n\nint mix(int ink) { return ink; }\n',
        **{f"part{number}.c": '#include "press.h"\n' for number in range(20)},
    }
    with opened(write(tmp_path, files)) as engine:
        known = knowledge_of(engine)
        assert not ends(known.edges("press.h"), "tests")
        assert ends(known.edges("ink.h"), "tests") == {("tests/fuzz-ink.c", "ink.h")}


def test_what_every_file_imports_is_tested_by_what_is_named_after_it(tmp_path: Path) -> None:
    files = {
        "press/marks.py": "FOLD = 1\n",
        "tests/test_marks.py": "from press.marks import FOLD\n\n\ndef test_fold():\n    assert FOLD\n",
        "tests/test_ink.py": "from press.marks import FOLD\n\n\ndef test_ink():\n    assert FOLD\n",
        **{f"press/part{number}.py": "from press.marks import FOLD\n" for number in range(20)},
    }
    with opened(write(tmp_path, files)) as engine:
        edges = knowledge_of(engine).edges("press/marks.py")
    assert ends(edges, "tests") == {("tests/test_marks.py", "press/marks.py")}


def test_tests_are_paired_with_what_they_are_named_after_and_import(knowledge: Knowledge) -> None:
    by_file = {one.target: one.weight for one in knowledge.edges("shop/test_cart.py") if one.type == "tests"}
    assert by_file == {"shop/cart.py": WEIGHTS[RelationType.TESTS]}
    assert ends(knowledge.edges("web/router.ts"), "tests") == {("web/router.spec.ts", "web/router.ts")}


@pytest.mark.parametrize(
    ("test", "subject"),
    [
        ("tests/test_money.py", "app/money.py"),
        ("tests/unit/money_test.py", "app/money.py"),
        ("src/test/java/a/MoneyTest.java", "src/main/java/a/Money.java"),
        ("pkg/money_test.go", "pkg/money.go"),
        ("src/money.test.tsx", "src/money.ts"),
        ("src/__tests__/money.ts", "src/money.ts"),
        ("src/__tests__/Money.spec.ts", "src/Money.vue"),
        ("spec/models/money_spec.rb", "app/models/money.rb"),
        ("tests/MoneyTests.cs", "src/Money.cs"),
        ("tests/money.rs", "src/money.rs"),
    ],
)
def test_naming_conventions_of_many_languages(test: str, subject: str, tmp_path: Path) -> None:
    other = subject.replace("money", "cart").replace("Money", "Cart")
    with opened(write(tmp_path, {test: "x\n", subject: "y\n", other: "z\n"})) as engine:
        pairs = ends(knowledge_of(engine).edges(subject), "tests")
    assert pairs == {(test, subject)}


def test_packages_know_their_manifest_and_their_users(knowledge: Knowledge) -> None:
    edges = knowledge.edges("package:requests")
    assert ends(edges, "defines") == {("pyproject.toml", "package:requests")}
    assert ends(edges, "imports") == {("net/client.py", "package:requests")}


def test_a_walk_goes_as_far_as_asked_and_weakens(knowledge: Knowledge) -> None:
    imports = {RelationType.IMPORTS}
    assert knowledge.walk(["shop/prices.py"], 0) == []
    near = knowledge.walk(["shop/prices.py"], 1, imports)
    assert ends(near, "imports") == {
        ("admin/report.py", "shop/prices.py"),
        ("shop/cart.py", "shop/prices.py"),
    }
    far = knowledge.walk(["shop/prices.py"], 2, imports)
    assert far[: len(near)] == near
    assert ("shop/test_cart.py", "shop/cart.py") in ends(far, "imports")
    assert max(edge.weight for edge in far[len(near) :]) < min(edge.weight for edge in near)
    assert {edge.steps for edge in far} == {0, 1}


def test_history_tells_what_changes_together_and_who_wrote_it(tmp_path: Path) -> None:
    root = write(tmp_path, SHOP)

    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "Begin", author="Ada Lovelace")
    for number in range(6):
        for path in ("shop/cart.py", "shop/prices.py"):
            write(root, {path: SHOP[path] + f"\n# {number}\n"})
        git(root, "commit", "-am", f"Change {number}", author="Grace Hopper")
    with opened(root) as engine:
        engine.read_history()
        knowledge = knowledge_of(engine)
        (together,) = [one for one in knowledge.edges("shop/cart.py") if one.type == "co_changes"]
        assert (together.target, together.support, together.applications) == ("shop/prices.py", 7, 7)
        assert ends(knowledge.edges("shop/mail.py"), "authored") == {("person:Ada Lovelace", "shop/mail.py")}
        assert ("person:Grace Hopper", "shop/cart.py") in ends(
            knowledge.edges("person:Grace Hopper"), "authored"
        )
        assert [one.entity.id for one in knowledge.find_mentioned(["Hopper"])] == ["person:Grace Hopper"]
        cart, mail = knowledge.catalogue.file("shop/cart.py"), knowledge.catalogue.file("shop/mail.py")
        assert cart.churn > mail.churn
        plain = engine.assemble(
            AssembleRequest("what is affected when a cart computes the total?", 2000)
        ).content
        asked = engine.assemble(AssembleRequest("who is the author of shop/cart.py?", 2000)).content
        assert "`shop/cart.py` changes together with `shop/prices.py` (7 of 7 commits)" in plain
        assert "Grace Hopper" not in plain, "people are named only when they are asked for"
        assert "Grace Hopper" in asked
        assert "ann@example.org" not in asked + plain


def test_a_filter_of_entity_types_holds_for_relations_too(engine: Engine) -> None:
    def relations(types: tuple[str, ...] | None) -> list[str]:
        request = AssembleRequest(
            "how is `discounted` of shop/prices.py used?", 8000, filters=Filters(entity_types=types)
        )
        return [one.source for one in engine.assemble(request).components if one.type is Section.RELATION]

    assert any("#" in source for source in relations(None))
    only_files = relations(("file",))
    assert only_files
    assert not any("#" in source or "test" in source for source in only_files)


def test_failures_tell_where_they_were_raised_and_what_fixed_them(tmp_path: Path) -> None:
    with opened(write(tmp_path, SHOP)) as engine:
        steps = (
            NewEvent("shell_exec", {"command": "pytest", "exitCode": 1}),
            NewEvent(
                "error", {"message": "KeyError: 1", "path": "shop/cart.py", "line": 14, "command": "pytest"}
            ),
            NewEvent("file_write", {"path": "shop/prices.py"}),
            NewEvent("shell_exec", {"command": "pytest", "exitCode": 0}),
        )
        for step in steps:
            engine.record(step)
        knowledge = knowledge_of(engine)
        (error,) = [one.entity.id for one in knowledge.find_mentioned(["KeyError"])]
        edges = knowledge.edges(error)
        assert ends(edges, "raised_in") == {(error, "shop/cart.py#Cart.total"), (error, "shop/cart.py")}
        (fix,) = [one for one in edges if one.type == "fixed_by"]
        assert (fix.target, fix.support, fix.applications) == ("shop/prices.py", 1, 1)
        assert ends(knowledge.edges("command:pytest"), "fixed_by") == {("command:pytest", "shop/prices.py")}
        assert ends(knowledge.edges("shop/prices.py"), "fixed_by") == {
            ("command:pytest", "shop/prices.py"),
            (error, "shop/prices.py"),
        }
        assert ends(knowledge.edges("shop/cart.py"), "raised_in") == {(error, "shop/cart.py")}


NODES = [f"n{number}" for number in range(60)]
EDGES = st.lists(
    st.tuples(
        st.sampled_from(NODES), st.sampled_from(NODES), st.sampled_from(list(RelationType)), st.floats(0, 1)
    ),
    max_size=300,
)


@given(EDGES, st.lists(st.sampled_from(NODES), max_size=4), st.integers(0, 4))
def test_every_walk_is_bounded_and_never_heavier_than_its_edges(
    edges: list[tuple[str, str, RelationType, float]], starts: list[str], depth: int
) -> None:
    found = walk(starts, depth, lambda node: [Relation(*edge) for edge in edges if node in edge[:2]])
    assert len({one.id for one in found}) == len(found)
    assert all(one.steps < max(depth, 1) for one in found)
    assert [one.steps for one in found] == sorted(one.steps for one in found)
    heaviest: dict[str, float] = {}
    for source, target, kind, weight in edges:
        one = Relation(source, target, kind, weight)
        heaviest[one.id] = max(weight, heaviest.get(one.id, 0.0))
    for one in found:
        assert 0 <= one.weight <= heaviest[one.id] * 0.5**one.steps + 1e-9


def test_a_hub_does_not_explode() -> None:
    spokes = [Relation(f"user{number:03}", "hub", RelationType.IMPORTS, 0.9) for number in range(500)]
    asked = []

    def edges(node: str) -> list[Relation]:
        asked.append(node)
        return cap_relations(spokes) if node == "hub" else [Relation(node, "hub", RelationType.IMPORTS, 0.9)]

    found = walk(["hub"], 3, edges)
    assert len(found) == MAX_EDGES
    assert len(asked) <= 1 + MAX_NODES
    assert found[0].weight < 0.2, "an edge of a hub says little"


@given(st.lists(st.floats(0, 1), max_size=40))
def test_edges_are_capped_by_weight_and_divided_by_their_number(weights: list[float]) -> None:
    edges = [Relation(f"a{at:02}", "b", RelationType.CALLS, weight) for at, weight in enumerate(weights)]
    kept = cap_relations(edges)
    assert len(kept) == min(len(weights), MAX_EDGES)
    best = sorted(weights, reverse=True)[: len(kept)]
    share = min(1.0, (MAX_EDGES / max(1, len(weights))) ** 0.5)
    assert [one.weight for one in kept] == pytest.approx([weight * share for weight in best])


@given(st.integers(1, 40), st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=60))
def test_centrality_lies_in_range_and_what_nothing_imports_is_not_central(
    count: int, imports: list[tuple[int, int]]
) -> None:
    edges = [(source, target) for source, target in imports if max(source, target) < count]
    sources, targets = np.array(edges, np.int32).reshape(-1, 2).T
    found = file_centrality(count, sources, targets).tolist()
    assert len(found) == count
    assert all(0 <= value <= 1 for value in found)
    unimported = set(range(count)) - set(targets.tolist())
    assert all(found[file] <= min(found) + 1e-4 for file in unimported)


LINES = st.lists(
    st.tuples(st.sampled_from(["add", "go", "größe", "x!"]), st.integers(1, 9), st.booleans()), max_size=12
)


@given(LINES, st.integers(1, 9), st.integers(1, 9))
def test_packed_calls_say_the_same_as_the_references(
    references: list[tuple[str, int, bool]], first: int, last: int
) -> None:
    calls = PackedCalls(pack(Reference(*one) for one in references))
    for name, _, _ in references:
        assert calls.lines(name) == tuple(
            sorted({line for other, line, call in references if call and other == name})
        )
    inside = {name for name, line, call in references if call and first <= line <= last}
    assert set(calls.between(first, last)) == inside

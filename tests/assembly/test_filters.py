"""What a request restricts and boosts, and the names under which strategies can be given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.strategies import archetypes, describe_archetypes, strategy_for
from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest, Boosts, Context, Filters, NewEvent, Section
from contextls.settings import MIN_TOKENS
from contextls.workspace.globs import Globs

from ..memory.workspaces import SHOP, age, opened, write

QUERY = "how is the total price of a cart computed, which route does a handler register, when may goods be returned?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("shop"), SHOP)
    age(root)
    with opened(root) as engine:
        engine.record(NewEvent("file_write", {"path": "shop/cart.py"}))
        engine.record(NewEvent("file_write", {"path": "web/router.ts"}))
        engine.record(NewEvent("shell_exec", {"command": "make cart", "exitCode": 1}))
        yield engine


def files(context: Context) -> set[str]:
    """The workspace files whose code is in a prompt."""
    return {each.source.rpartition(":")[0] for each in context.components if each.type is Section.SEMANTIC}


def ask(engine: Engine, **fields: Any) -> Context:  # noqa: ANN401 - the fields of a request
    return engine.assemble(AssembleRequest(QUERY, 4000, **fields))


@pytest.mark.parametrize(
    ("patterns", "inside"),
    [
        (("web/**",), {"web/router.ts"}),
        (("shop/",), {"shop/cart.py", "shop/prices.py", "shop/mail.py"}),
        (("*.py", "!mail.py"), {"shop/cart.py", "shop/prices.py"}),
        (("nowhere/",), set()),
    ],
)
def test_path_patterns_restrict_code(engine: Engine, patterns: tuple[str, ...], inside: set[str]) -> None:
    assert files(ask(engine, filters=Filters(paths=patterns))) <= inside
    if inside:
        assert files(ask(engine, filters=Filters(paths=patterns)))


def test_path_patterns_restrict_every_section_and_leave_what_speaks_of_no_file(engine: Engine) -> None:
    filters = Filters(paths=("web/",), event_types=("file_write", "shell_exec"))
    context = ask(engine, filters=filters, additional_context="Prices are in euros.")
    assert "shop/cart.py" not in context.content
    assert "web/router.ts" in context.content
    assert "make cart" in context.content
    assert "Prices are in euros." in context.content
    assert any(each.reason == "excluded" for each in context.report.omitted)


def test_a_boosted_file_comes_first_and_one_boosted_to_nothing_last(engine: Engine) -> None:
    up = ask(engine, boosts=Boosts(paths={"web/**": 10.0}))
    code = [each for each in up.components if each.type is Section.SEMANTIC]
    assert code[0].source.startswith("web/router.ts")
    down = engine.assemble(AssembleRequest(QUERY, 200, boosts=Boosts(paths={"shop/cart.py": 0.0})))
    assert "shop/cart.py" not in files(down)


def test_a_boosted_section_and_source_score_higher(engine: Engine) -> None:
    def score(boosts: Boosts) -> float:
        components = ask(engine, boosts=boosts).components
        return next(each.relevance_score for each in components if each.source == "shop/cart.py:1-14")

    plain = score(Boosts())
    assert score(Boosts(sections={Section.SEMANTIC: 0.5})) == pytest.approx(plain / 2, abs=1e-4)
    assert score(Boosts(sources={"shop/cart.py:1-14": 0.25})) == pytest.approx(plain / 4, abs=1e-4)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"boosts": Boosts(paths={"a": 11.0})}, "boosts.paths.a"),
        ({"boosts": Boosts(sources={"a": -1.0})}, "boosts.sources.a"),
        ({"boosts": Boosts(sections={Section.RECENT: float("nan")})}, "boosts.sections.recent"),
        ({"boosts": Boosts(paths={f"f{n}": 1.0 for n in range(101)})}, "boosts.paths"),
        ({"filters": Filters(paths=("",))}, "filters.paths"),
        ({"filters": Filters(paths=("src/", "[z-a]"))}, "filters.paths"),
        ({"boosts": Boosts(paths={"[z-a]": 1.0})}, "boosts.paths.[z-a]"),
        ({"filters": Filters(paths=("a",) * 101)}, "filters.paths"),
    ],
)
def test_bad_filters_and_boosts_are_named(engine: Engine, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        ask(engine, **fields)
    assert caught.value.field == field


patterns = st.lists(st.text("ab/*!?[]\\.é", min_size=1, max_size=12), min_size=1, max_size=4)


@given(
    patterns,
    st.dictionaries(st.text("shop/*.py", min_size=1, max_size=8), st.floats(0, 10)),
    st.integers(MIN_TOKENS, 800),
)
def test_any_patterns_and_boosts_keep_the_budget_or_are_refused(
    engine: Engine, paths: list[str], boosts: dict[str, float], most: int
) -> None:
    request = AssembleRequest(QUERY, most, filters=Filters(paths=tuple(paths)), boosts=Boosts(paths=boosts))
    refused = ""
    try:
        context = engine.assemble(request)
    except InvalidRequestError as error:
        refused = error.field
    if refused:
        assert refused.startswith(("filters.paths", "boosts.paths"))
        return
    assert context.token_count <= most
    assert all(0 <= each.relevance_score <= 1 for each in context.components)
    globs = Globs(paths, "filters.paths")
    assert all(map(globs.match, files(context)))


def test_the_names_of_the_specification_are_understood() -> None:
    given = {
        "salientWeight": 0.7,
        "budgetAllocation": {"recent": 20, "semantic": 40, "entities": 20, "relations": 10},
    }
    strategy = strategy_for("code", given)
    assert strategy.salience_weight == 0.7
    assert dict(strategy.shares) == {
        Section.RECENT: 20,
        Section.SEMANTIC: 40,
        Section.ENTITY: 20,
        Section.RELATION: 10,
        Section.PATTERN: 10,
    }


@pytest.mark.parametrize(
    "allocation", [{"semantic": 101}, {"code": 5}, {"semantic": 50, "patterns": 10}, {"recent": 1.5}, 5]
)
def test_a_wrong_allocation_is_named(allocation: Any) -> None:  # noqa: ANN401 - any JSON
    with pytest.raises(InvalidRequestError) as caught:
        strategy_for("code", {"budgetAllocation": allocation})
    assert caught.value.field == "strategy.budgetAllocation"


def test_every_archetype_says_what_it_is_good_for() -> None:
    assert [each.name for each in describe_archetypes()] == list(archetypes())
    assert all(
        each.description and sum(each.strategy.shares.values()) == 100 for each in describe_archetypes()
    )

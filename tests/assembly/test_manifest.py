"""The manifest of the working set in prompts: its budget and allocation, patterns, lines, includes, hot and cold files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.assembly.pieces.bodies import Line, PinnedSpan
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.pieces.pinned import limit_lines
from contextls.assembly.selection.adjustments import weigh_by_hints
from contextls.assembly.selection.prompt_room import PromptRoom
from contextls.assembly.selection.select import _fill_pinned, select
from contextls.assembly.shapes.markdown import Markdown
from contextls.assembly.strategies import archetypes
from contextls.engine import Engine
from contextls.engine.working_set import MAX_USUAL_TOKENS
from contextls.memory.working_set.file_patterns import FileSet
from contextls.memory.working_set.hints import Hints
from contextls.model import (
    Allotment,
    Boosts,
    Component,
    Context,
    GivenMessage,
    ManifestBudget,
    MessageRole,
    Reserves,
    Role,
    Section,
    Target,
    TruncateStrategy,
    TurnOptions,
    TurnRequest,
)
from contextls.model import AssembleRequest as Ask
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import SHOP, opened, write
from .test_parts import piece
from .test_working_set import LOG, LONG, manifest

QUERY = "how is the total price of a cart computed?"
FILES = {
    **SHOP,
    "notes/long.py": LONG,
    "notes/server.txt": LOG,
    "docs/one.md": "# One\n\nFIRSTWORD of the documents.\n",
    "docs/two.md": "# Two\n\nSECONDWORD of the documents.\n",
    "docs/deep/three.md": "# Three\n\nTHIRDWORD of the documents.\n",
    ".gitignore": "private/\n",
    "private/plan.md": "# Plan\n\nPRIVATEWORD\n",
    ".env": "TOKEN=PRIVATEWORD\n",
}
TOKENS = get_tokenizer("o200k_base")


@pytest.fixture(scope="module")
def opened_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("manifest") / "shop", FILES)) as engine:
        engine.prepare()
        yield engine


@pytest.fixture
def shop(opened_shop: Engine) -> Iterator[Engine]:
    manifest(opened_shop, "")
    yield opened_shop
    manifest(opened_shop, "")
    for name in ("hot.yml", "cold.yml", "team.yml"):
        (opened_shop.root / ".context" / name).unlink(missing_ok=True)


def beside(engine: Engine, name: str, text: str) -> None:
    (engine.root / ".context" / name).write_text(text)


def ask(engine: Engine, max_tokens: int = 4000, **fields: Any) -> Context:  # noqa: ANN401 - the fields of a request
    return engine.assemble(Ask(QUERY, max_tokens, **fields))


def pinned(context: Context) -> list[Component]:
    return [each for each in context.components if each.type is Section.WORKING_SET]


def sources(components: Sequence[Component]) -> list[str]:
    return [each.source for each in components]


def left_out(context: Context) -> set[tuple[str, str]]:
    return {(each.source, each.reason) for each in context.report.omitted}


@pytest.mark.parametrize(
    ("budget", "usual"),
    [
        ("", 4_000),
        ("budget: {max_tokens: 28000, reserved_for_response: 4000}", 24_000),
        ("budget: {max_tokens: 3000}", 3_000),
        ("budget: {max_tokens: 900000}", MAX_USUAL_TOKENS),
        ("budget: {reserved_for_response: 4000}", 4_000),
        ("budget: {max_tokens: plenty}", 4_000),
    ],
)
def test_the_budget_is_that_of_a_prompt_for_whose_size_nobody_asked(
    shop: Engine, budget: str, usual: int
) -> None:
    manifest(shop, f"{budget}\n")
    assert shop.working_set.usual_budget(4_000) == usual
    assert shop.working_set.usual_budget(64_000) == (usual if usual in (24_000, 3_000) else 64_000)


def test_and_no_prompt_is_larger_whatever_was_asked_for(shop: Engine) -> None:
    manifest(shop, "budget: {max_tokens: 700, reserved_for_response: 200}\nfiles: [notes/long.py]\n")
    context = ask(shop, 4000)
    assert context.token_count <= 500
    assert "the budget of the working set allows 500 tokens; 4,000 were asked for" in context.report.warnings
    assert ask(shop, 4000).report.cached
    within = ask(shop, 300)
    assert within.token_count <= 300
    assert within.report.warnings == ()


def test_a_wrong_budget_is_told_with_its_line_and_bounds_nothing(shop: Engine) -> None:
    manifest(shop, "budget:\n  max_tokens: 12\n")
    context = ask(shop)
    (warning,) = context.report.warnings
    assert warning.startswith(
        ".context/working-set.yml, line 2: budget.max_tokens: expected a whole number from 32"
    )
    assert context.token_count > 100


def turn(engine: Engine, **options: Any) -> Any:  # noqa: ANN401 - the fields of a turn
    return engine.assemble_turn(TurnRequest(Ask(QUERY), TurnOptions(model="gpt-4o", **options)))


def test_of_a_turn_the_response_has_one_reserve_and_the_rest_of_the_budget_bounds_all(shop: Engine) -> None:
    usual = turn(shop).token_budget
    manifest(shop, "budget: {reserved_for_response: 5000}\n")
    budget = turn(shop).token_budget
    assert (budget.reserve_response, budget.available) == (
        5000,
        usual.available + usual.reserve_response - 5000,
    )
    assert turn(shop, reserves=Reserves(response=600)).token_budget.reserve_response == 600, (
        "the request's own word"
    )
    manifest(shop, "budget: {max_tokens: 28000, reserved_for_response: 5000}\n")
    assert turn(shop).token_budget.available == 23_000
    assert turn(shop, max_tokens=9_000).token_budget.available == 9_000
    answer = turn(shop, max_tokens=90_000)
    assert answer.token_budget.available == 23_000
    assert (
        "the budget of the working set allows 23,000 tokens; 90,000 were asked for" in answer.report.warnings
    )
    manifest(shop, "budget: {reserved_for_response: 1000000}\n")
    assert turn(shop).token_budget.reserve_response == 64_000, "half of the window, and never a failure"


def test_of_a_turn_the_history_has_its_allocation(shop: Engine) -> None:
    said = tuple(
        GivenMessage(role=role, content=f"{number} " + "words of a long talk " * 60)
        for number in range(20)
        for role in (MessageRole.USER, MessageRole.ASSISTANT)
    )
    whole = turn(shop, history=said)
    manifest(shop, "budget: {max_tokens: 28000, allocation: {history: 4000}}\n")
    bound = turn(shop, history=said)
    assert whole.token_budget.used.history > 8_000
    assert bound.token_budget.used.history <= 4_000
    assert turn(shop, history=said, layer_budgets={"session": 6_000}).token_budget.used.history > 4_000


def test_an_allocation_bounds_what_pins_of_a_role_take_and_nothing_else(shop: Engine) -> None:
    files = "files:\n  - {path: notes/server.txt, role: system}\n  - {path: notes/long.py, priority: 0.5}\n"
    manifest(shop, files)
    system, code = pinned(ask(shop, 3000))
    assert system.tokens > 1000
    manifest(shop, f"budget: {{allocation: {{system: 400}}}}\n{files}")
    context = ask(shop, 3000)
    system, code = pinned(context)
    assert system.tokens <= 400
    assert code.tokens > 1000, "a role without one shares the 60 % as ever"
    manifest(shop, f"budget: {{allocation: {{system: 10%, context: 20%}}}}\n{files}")
    system, code = pinned(ask(shop, 3000))
    assert system.tokens <= 300
    assert code.tokens <= 600
    manifest(shop, f"budget: {{allocation: {{system: 0}}}}\n{files}")
    context = ask(shop, 3000)
    assert sources(pinned(context)) == ["notes/long.py"]
    assert ("notes/server.txt", "limit") in left_out(context)
    manifest(
        shop,
        f"budget: {{allocation: {{system: 0}}}}\n{files.replace('role', 'priority: 1, truncate_strategy: never, role')}",
    )
    assert sources(pinned(ask(shop, 9000)))[0] == "notes/server.txt", "what must always be there is"


def test_an_allocation_in_tokens_is_of_the_whole_budget_and_shrinks_with_a_smaller_prompt(
    shop: Engine,
) -> None:
    manifest(
        shop,
        "budget: {max_tokens: 24000, allocation: {context: 20000}}\nfiles: [notes/long.py, notes/server.txt]\n",
    )
    context = ask(shop, 3000)
    assert context.report.section_tokens["working_set"] <= 2_500
    assert context.report.section_tokens["semantic"] > 100, "memories keep their part"


def test_a_pattern_brings_its_files_and_never_one_that_is_ignored_or_secret(shop: Engine) -> None:
    manifest(shop, "files:\n  - docs/**/*.md\n  - 'private/*'\n  - '.e*'\n  - '**/plan.md'\n")
    context = ask(shop)
    assert sources(pinned(context)) == ["docs/deep/three.md", "docs/one.md", "docs/two.md"]
    assert "PRIVATEWORD" not in context.content
    told = [warning for warning in context.report.warnings if "matches no indexed file" in warning]
    assert len(told) == 3
    manifest(shop, "files:\n  - docs/**/*.md\nexclude: [docs/one.md]\n")
    assert sources(pinned(ask(shop))) == ["docs/deep/three.md", "docs/two.md"]


def test_a_pattern_follows_files_that_come_and_go(shop: Engine) -> None:
    manifest(shop, "files: ['docs/*.md']\n")
    new = shop.root / "docs" / "zero.md"
    new.write_text("# Zero\n\nNEWWORD\n")
    shop.update_files(["docs/zero.md"])
    assert sources(pinned(ask(shop))) == ["docs/one.md", "docs/two.md", "docs/zero.md"]
    new.unlink()
    shop.update_files(["docs/zero.md"])
    assert sources(pinned(ask(shop))) == ["docs/one.md", "docs/two.md"]


def test_lines_of_a_file_are_shown_with_their_numbers_and_the_rest_stays_to_be_found(shop: Engine) -> None:
    manifest(shop, "files:\n  - 'notes/server.txt:11-13'\n  - 'notes/long.py:9999'\n")
    context = ask(shop)
    (component,) = pinned(context)
    assert (component.source, component.start_line, component.end_line) == ("notes/server.txt:11-13", 11, 13)
    assert re.findall(r"\d{3} request", component.content) == ["010 request", "011 request", "012 request"]
    assert any(
        "pinned notes/long.py:9999-9999: its file has only 480 lines" in each
        for each in context.report.warnings
    )
    manifest(shop, "files:\n  - {path: 'notes/server.txt:390-500', truncate_strategy: start, max_lines: 2}\n")
    (component,) = pinned(ask(shop))
    assert re.findall(r"\d{3} request", component.content) == ["398 request", "399 request"]


def test_pins_of_included_files_are_in_prompts_and_a_change_there_counts_at_once(shop: Engine) -> None:
    beside(shop, "team.yml", "files: [docs/one.md]\nexclude: [docs/two.md]\n")
    manifest(shop, "include: team.yml\nfiles: [docs]\n")
    assert sources(pinned(ask(shop))) == ["docs/deep/three.md", "docs/one.md"]
    beside(shop, "team.yml", "files: [{path: docs/two.md, priority: 1}]\n")
    assert sources(pinned(ask(shop)))[0] == "docs/two.md"
    beside(shop, "team.yml", "files: [\n")
    assert any(each.startswith(".context/team.yml, line 2: ") for each in ask(shop).report.warnings)


def test_hot_files_win_close_races_among_what_is_retrieved_and_say_so(shop: Engine) -> None:
    before = {each.source: each for each in ask(shop).components if each.type is Section.SEMANTIC}
    beside(shop, "hot.yml", "- shop/\n")
    beside(shop, "cold.yml", "files: [web/**, README.md]\n")
    after = {each.source: each for each in ask(shop).components if each.type is Section.SEMANTIC}
    hot = [each for source, each in after.items() if source.startswith("shop/") and source in before]
    assert hot
    for each in hot:
        assert each.relevance_score >= before[each.source].relevance_score
        assert each.why.startswith("hot; ")
    for source, each in after.items():
        if not source.startswith("shop/") and source in before:
            assert each.relevance_score <= before[source].relevance_score


def test_hot_files_of_a_folder_come_first_and_a_prompt_of_pins_follows_the_hints_at_once(
    shop: Engine,
) -> None:
    manifest(shop, "files: [docs]\n")
    assert sources(pinned(ask(shop))) == ["docs/deep/three.md", "docs/one.md", "docs/two.md"]
    beside(shop, "hot.yml", "- docs/two.md\n")
    beside(shop, "cold.yml", "- docs/deep/\n")
    assert sources(pinned(ask(shop))) == ["docs/two.md", "docs/one.md", "docs/deep/three.md"]
    beside(shop, "hot.yml", "- [\n")
    context = ask(shop)
    assert any(each.startswith(".context/hot.yml, line 2: ") for each in context.report.warnings)
    assert sources(pinned(context))[0] == "docs/two.md", "what it said before still counts"


def span(name: str, lines: int, strategy: TruncateStrategy, role: Role) -> PinnedSpan:
    text = tuple(Line(number, f"{name} line {number} of some words") for number in range(1, lines + 1))
    shown = limit_lines(PinnedSpan(name, "python", "", 1, lines, text, (), strategy, role, None))
    assert shown is not None
    return shown


pins = st.lists(
    st.tuples(
        st.integers(1, 60), st.sampled_from((0.0, 0.1, 0.5, 0.8, 1.0)), st.sampled_from(tuple(TruncateStrategy)),
        st.sampled_from(tuple(Role)),
    ),
    max_size=8,
)  # fmt: skip
retrieved = st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1), st.floats(0, 10)), max_size=8)
allocations = st.dictionaries(
    st.sampled_from(tuple(map(str, Role))),
    st.one_of(
        st.integers(0, 900).map(lambda tokens: Allotment(tokens=tokens)),
        st.floats(0, 100).map(lambda percent: Allotment(percent=percent)),
    ),
    max_size=3,
)


def candidate_of(name: str, spec: tuple[int, float, TruncateStrategy, Role]) -> Candidate:
    lines, priority, strategy, role = spec
    scores = Scores(priority, priority, priority)
    return Candidate(Section.WORKING_SET, name, span(name, lines, strategy, role), scores, (name,))


@given(pins=pins, others=retrieved, budget=st.integers(40, 1500), parts=allocations)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_what_a_person_pinned_is_never_displaced_by_anything_retrieved_and_never_is_all_or_nothing(
    pins: list[tuple[int, float, TruncateStrategy, Role]],
    others: list[tuple[int, float, float]],
    budget: int,
    parts: dict[str, Allotment],
) -> None:
    strategy, shape = archetypes()["code"], Markdown(TOKENS)
    ours = [candidate_of(f"pin{number}.py", spec) for number, spec in enumerate(pins)]
    found = []
    for number, (lines, relevance, boost) in enumerate(others):
        one = piece(f"found{number}.py", 1, lines, relevance)
        found.append(Candidate(one.section, one.id, one.body, Scores(relevance, 1.0, 1.0, boost), one.paths))
    found = weigh_by_hints(found, Hints(FileSet([Target("found*", pattern=True)]), FileSet()))
    allocation = ManifestBudget(allocation=parts)
    room = PromptRoom(budget, shape, shape.shrink, lambda one: one)
    alone = sorted(ours, key=lambda one: (-one.scores.relevance, one.id))
    _fill_pinned(alone, room, allocation)
    chosen = select([*found, *ours], strategy, budget, shape, allocation=allocation).chosen
    kept = {one.id: one.body for one in chosen}
    for pin in room.taken:
        assert kept[pin.id] == pin.body, "as if nothing had been retrieved"
    bodies = {one.id: one.body for one in ours}
    for one in chosen:
        whole = bodies.get(one.id)
        if isinstance(whole, PinnedSpan) and whole.strategy is TruncateStrategy.NEVER:
            assert one.body == whole
    for part in parts:
        spent = sum(
            shape.measure(one.body)
            for one in chosen
            if isinstance(one.body, PinnedSpan)
            and one.body.role == part
            and not (one.body.strategy is TruncateStrategy.NEVER and one.scores.relevance >= 1)
        )
        assert spent <= (allocation.tokens_of(part, budget) or 0)


written = st.lists(
    st.fixed_dictionaries(
        {
            "path": st.sampled_from(
                ("notes/server.txt", "notes/long.py", "docs/**", "README.md", "shop/*.py", "docs/one.md:1-2")
            )
        },
        optional={
            "priority": st.sampled_from((0, 0.3, 0.8, 1)),
            "truncate_strategy": st.sampled_from(tuple(TruncateStrategy)),
        },
    ),
    max_size=5,
    unique_by=lambda entry: entry["path"],
)  # fmt: skip


@given(
    files=written, budget=st.integers(100, 4000), boost=st.sampled_from((0.0, 1.0, 10.0)), hot=st.booleans()
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_never_is_all_or_nothing_in_a_prompt_and_no_boost_nor_hint_takes_a_pin_out_of_it(
    shop: Engine, files: list[dict[str, Any]], budget: int, boost: float, hot: bool
) -> None:
    entries = "".join(
        "  - {" + ", ".join(f"{name}: '{value}'" for name, value in each.items()) + "}\n" for each in files
    )
    manifest(shop, f"files:\n{entries}")
    beside(shop, "hot.yml", "- web/\n- tests/\n" if hot else "")
    plain = ask(shop, budget)
    raised = ask(shop, budget, boosts=Boosts(sections={Section.SEMANTIC: boost, Section.RECENT: boost}))
    strategies = {str(each["path"]): each.get("truncate_strategy") for each in files}
    for context in (plain, raised):
        assert context.token_count <= budget
        for component in pinned(context):
            if strategies.get(component.source) == "never":
                assert component.compression is None
                text = (shop.root / (component.path or "")).read_text().splitlines()
                assert all(line in component.content for line in text[: component.end_line])
    share = budget * 60 // 100 - 60  # what its heading and seams may take of it
    room = 0
    for component in pinned(plain):
        room += component.tokens
        if room <= share and component.compression is None:
            assert component.source in sources(pinned(raised))

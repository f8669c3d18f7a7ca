"""Answers given again and brought up to date: the cache never hides a change, an update never breaks the budget."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.assembly.answer.cache import LIFETIME_MS, MAX_ANSWERS, AnswerCache
from contextls.assembly.answer.result import Assembled
from contextls.assembly.answer.update import update
from contextls.assembly.pieces.bodies import EventRun
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.request import BudgetedRequest
from contextls.assembly.shapes.markdown import Markdown
from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest, Boosts, Context, Event, Filters, NewEvent, Section
from contextls.settings import MIN_TOKENS
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import SHOP, age, opened, write

TOKENS = get_tokenizer("o200k_base")
NOTE = NewEvent("note", {"text": "the total of the cart must be rounded"})
FAILED = NewEvent(
    "shell_exec",
    {
        "command": "pytest shop",
        "exitCode": 1,
        "stdout": "\n".join(f"line {n} of the cart" for n in range(400)),
    },
)
QUERIES = ("how is the total of a cart computed?", "fix the failing test", "who sends the receipt?")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("shop"), SHOP)
    age(root)
    with opened(root) as engine:
        yield engine


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("quiet"), SHOP)
    age(root)
    with opened(root) as engine:
        yield engine


def comparable(context: Context) -> Context:
    """The context without what is measured anew each time."""
    report = replace(context.report, step_ms={}, cached=False)
    return replace(context, report=report, metadata=replace(context.metadata, assembly_time_ms=0.0))


def fresh(engine: Engine, request: AssembleRequest, now: int) -> Context:
    engine._questions._prompts._cache.forget()
    return engine.assemble(request, now=now)


def test_the_same_question_is_answered_from_the_cache_and_says_so(engine: Engine) -> None:
    request = AssembleRequest(QUERIES[0])
    engine._questions.forget(turns=False)
    first, second = engine.assemble(request), engine.assemble(request)
    assert (first.report.cached, second.report.cached) == (False, True)
    assert comparable(first) == comparable(second)


def test_an_answer_is_given_again_for_half_a_minute_only() -> None:
    cache, version, answer = AnswerCache(), "first", empty()
    cache.put(version, answer.request, 1000, answer)
    assert cache.get(version, answer.request, 1000 + LIFETIME_MS, exact=False) is answer
    assert cache.get(version, answer.request, 1001 + LIFETIME_MS, exact=False) is None
    assert cache.get(version, answer.request, 999, exact=False) is None, "a clock that went back"
    assert cache.get(version, answer.request, 1001, exact=True) is None


def test_the_cache_keeps_a_bounded_number_of_answers() -> None:
    cache, version = AnswerCache(), "first"
    for number in range(MAX_ANSWERS + 1):
        cache.put(version, AssembleRequest(f"question {number}"), 0, empty())
    assert cache.get(version, AssembleRequest("question 0"), 0, exact=False) is None
    assert cache.get(version, AssembleRequest("question 1"), 0, exact=False) is not None


def test_an_answer_in_which_something_failed_is_made_again() -> None:
    cache, version, answer = AnswerCache(), "first", empty()
    cache.put(version, answer.request, 0, replace(answer, flawed=True))
    assert cache.get(version, answer.request, 0, exact=False) is None


changes = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), st.sampled_from(sorted(SHOP)), st.integers(0, 3)),
        st.tuples(st.just("unsaved"), st.sampled_from(sorted(SHOP)), st.integers(0, 3) | st.none()),
        st.tuples(st.just("record"), st.sampled_from([NOTE, FAILED]), st.none()),
        st.tuples(st.just("push"), st.sampled_from(["ship the cart", "round totals"]), st.none()),
        st.tuples(st.just("pop"), st.none(), st.none()),
        st.tuples(st.just("feedback"), st.sampled_from(["shop/cart.py:4-7", "README.md:1-3"]), st.booleans()),
        st.tuples(st.just("wipe"), st.none(), st.none()),
        st.tuples(st.just("nothing"), st.none(), st.none()),
    ),
    min_size=1,
    max_size=8,
)


def change(engine: Engine, what: str, subject: Any, value: Any) -> None:  # noqa: ANN401 - as drawn
    if what == "edit":
        write(engine.root, {subject: SHOP[subject] + f"# total of cart {value}\n"})
        engine.update_files([subject])
    elif what == "unsaved":
        engine.set_overlay(
            subject, None if value is None else f"# cart total unsaved {value}\n" + SHOP[subject]
        )
    elif what == "record":
        engine.record(subject)
    elif what == "push":
        engine.tasks.push(subject)
    elif what == "pop" and engine.tasks.peek():
        engine.tasks.pop("done with it")
    elif what == "feedback":
        engine.feedback(subject, helpful=value)
    elif what == "wipe":
        engine.clear(index=False, events=True)


@given(changes, st.sampled_from(QUERIES), st.sampled_from(["code", "debug"]))
@settings(max_examples=15)
def test_whatever_happens_between_a_cached_answer_equals_a_fresh_one(
    engine: Engine, steps: list[tuple[str, Any, Any]], query: str, archetype: str
) -> None:
    request = AssembleRequest(query, 1500, archetype=archetype, session_id="s")
    now = 1_900_000_000_000
    for step in steps:
        engine._memories.content.indexer.flush()  # what is stored late is a change of its own
        before = engine.assemble(request, now=now)
        change(engine, *step)
        given_again = engine.assemble(request, now=now)
        assert comparable(given_again) == comparable(fresh(engine, request, now)), step
        if step[0] == "nothing":
            assert given_again.report.cached
            assert comparable(given_again) == comparable(before)


def test_another_process_that_records_makes_the_answer_new(engine: Engine) -> None:
    request = AssembleRequest("why are umbrellas sold out?")
    engine.assemble(request)
    with opened(engine.root, index=False) as other:
        other.record(NewEvent("error", {"message": "umbrellas are sold out"}))
    assert "umbrellas are sold out" in engine.assemble(request).content


def test_requests_that_differ_anywhere_do_not_share_an_answer(engine: Engine) -> None:
    base = AssembleRequest(QUERIES[0])
    variants = [
        base,
        replace(base, max_tokens=500),
        replace(base, filters=Filters(paths=("web/**",))),
        replace(base, boosts=Boosts(paths={"web/**": 5.0})),
        replace(base, strategy_overrides={"recencyWeight": 0.9}),
        replace(base, additional_context="euros"),
    ]
    engine._questions.forget(turns=False)
    for request in variants:
        assert not engine.assemble(request).report.cached
    assert engine.assemble(base).report.cached


# ---- updates


def item(number: int, words: int, relevance: float, section: Section = Section.RECENT) -> Candidate:
    text = f"entry {number} " + " ".join(f"word{number}" for _ in range(words))
    event = Event(f"event-{number}", "note", "s", 0, {"text": text}, None)
    scores = Scores(relevance, relevance, relevance)
    return Candidate(section, f"{section}-{number}", EventRun(event, 1), scores)


def empty(*chosen: Candidate, left: tuple[Candidate, ...] = ()) -> Assembled:
    """An answer that holds ``chosen``, made by the update itself from a real, empty one."""
    from contextls.assembly.strategies import archetypes
    from contextls.model import Metadata, Report

    report = Report((), (), {}, {}, "o200k_base", tokenizer_exact=True, index_complete=True)
    context = Context(
        content="",
        components=(),
        token_count=0,
        truncated=False,
        strategy=archetypes()["code"],
        metadata=Metadata("q", 0, 0, 0, 0.0),
        report=report,
        id="context-0",
    )
    return Assembled(context, BudgetedRequest("q", 4000), Markdown(TOKENS), tuple(chosen), left)


def greedy(items: list[Candidate], strategy: Any, most: int, first: Candidate) -> list[Candidate]:  # noqa: ANN401
    """A rebuild from the same candidates by the plainest rule: best first, each that still fits."""
    chosen = [first]
    for each in sorted(items, key=lambda each: (-each.score(strategy), each.id)):
        if TOKENS.count(rendered([*chosen, each])) <= most:
            chosen.append(each)
    return chosen


def rendered(chosen: list[Candidate]) -> str:
    shape = Markdown(TOKENS)
    return shape.render(shape.arrange(chosen))


scores = st.floats(0, 1).map(lambda value: round(value, 3))
items = st.lists(
    st.tuples(st.integers(1, 40), scores, st.sampled_from([Section.RECENT, Section.ENTITY])), max_size=14
)


@given(items, items.map(lambda drawn: drawn[:4]), st.integers(1, 120), st.integers(MIN_TOKENS, 900))
def test_an_update_stays_within_the_budget_and_is_no_worse_than_a_rebuild(
    inside: list[Any], outside: list[Any], words: int, most: int
) -> None:
    numbers = itertools.count(1)
    chosen = [item(next(numbers), *drawn) for drawn in inside]
    left = tuple(item(next(numbers), *drawn) for drawn in outside)
    news = item(0, words, 1.0)
    before = empty(*chosen, left=left)
    after = update(before, news, most)
    strategy = before.context.strategy
    assert after.context.token_count == TOKENS.count(after.context.content) <= most
    if TOKENS.count(rendered([news])) <= most // 2:
        assert after.context.components[0].source == news.id
        rebuilt = greedy(chosen, strategy, most, news)
        total = sum(each.score(strategy) for each in after.chosen)
        assert total >= sum(each.score(strategy) for each in rebuilt) - 1e-9
    told = {omission.source for omission in after.context.report.omitted}
    assert {each.id for each in (*chosen, *left, news)} == told | {each.id for each in after.chosen}
    assert after.context.truncated == bool(told)


def test_an_event_comes_first_and_what_counts_least_goes(shop: Engine) -> None:
    context = shop.assemble(AssembleRequest(QUERIES[0], 400))
    assert context.id.startswith("context-")
    after = shop.update(context.id, NOTE)
    assert "must be rounded" in after.components[0].content
    assert after.components[0].relevance_score == 1.0
    assert after.token_count <= 400
    gone = {each.source for each in context.components} - {each.source for each in after.components}
    assert gone <= {omission.source for omission in after.report.omitted}
    assert shop.events(1)[0].id == after.components[0].source, "the event is recorded"


def test_updates_chain_and_hold_the_budget(shop: Engine) -> None:
    context = shop.assemble(AssembleRequest(QUERIES[1], 300))
    seen = {context.id}
    for number in range(6):
        event = FAILED if number == 3 else NewEvent("note", {"text": f"step {number} of the cart work"})
        context = shop.update(context.id, event)
        assert context.token_count == TOKENS.count(context.content) <= 300
        assert context.id not in seen
        seen.add(context.id)
    assert "step 5" in context.content


def test_a_long_output_is_folded_so_that_the_rest_keeps_its_place(shop: Engine) -> None:
    context = shop.assemble(AssembleRequest(QUERIES[0], 600))
    after = shop.update(context.id, FAILED)
    assert after.components[0].type is Section.RECENT
    assert any(each.type is Section.SEMANTIC for each in after.components)


def test_a_larger_budget_brings_back_what_did_not_fit(shop: Engine) -> None:
    small = shop.assemble(AssembleRequest(QUERIES[0], 120))
    assert small.truncated
    assert len(shop.update(small.id, NOTE, 4000).components) > len(small.components) + 1


def test_an_unknown_context_is_refused_before_anything_is_recorded(shop: Engine) -> None:
    count = shop.status().events
    with pytest.raises(InvalidRequestError, match="assemble again") as caught:
        shop.update("context-0123", NOTE)
    assert caught.value.field == "contextId"
    assert shop.status().events == count


def test_an_update_says_which_files_changed_meanwhile(shop: Engine) -> None:
    context = shop.assemble(AssembleRequest("what does Cart total?", 2000))
    assert not shop.update(context.id, NOTE).report.warnings
    write(shop.root, {"shop/cart.py": SHOP["shop/cart.py"] + "# changed again\n"})
    shop.update_files(["shop/cart.py"])
    (warning,) = shop.update(context.id, NOTE).report.warnings
    assert "shop/cart.py" in warning


def test_an_event_of_an_ignored_file_changes_nothing(shop: Engine) -> None:
    context = shop.assemble(AssembleRequest(QUERIES[2], 500))
    after = shop.update(context.id, NewEvent("file_write", {"path": ".env"}))
    assert after.content == context.content
    assert "left out" in after.report.warnings[0]


def test_a_file_that_is_ignored_by_now_leaves_at_the_next_update(tmp_path: Path) -> None:
    with opened(write(tmp_path / "shop", SHOP)) as engine:
        context = engine.assemble(AssembleRequest("how are receipts sent to a customer by mail?", 3000))
        assert "shop/mail.py" in context.content
        write(engine.root, {".gitignore": "mail.py\n"})
        engine.update_files([".gitignore"])
        assert "def send_receipt" not in engine.update(context.id, NOTE).content

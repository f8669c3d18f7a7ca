"""The task stack in prompts: each part keeps to its share, the budget holds, and without a task nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.pieces.bodies import TaskLine, TaskPart
from contextls.assembly.question import search_text
from contextls.assembly.selection.task_shares import SHARES, cut_tasks
from contextls.assembly.shapes.markdown import Markdown
from contextls.assembly.sources.tasks import task_candidates, without_released
from contextls.engine import Engine
from contextls.memory.tasks.stack import TaskView
from contextls.model import AssembleRequest, Context, Event, Filters, NewEvent, Section, TaskFrame, TaskStatus
from contextls.settings import MIN_TOKENS
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import SHOP, opened, write

NOW = 1_800_000_000_000
TOKENIZERS = ("o200k_base", "cl100k_base", "estimate")


def frame(
    number: int, goal: str, depth: int, result: str | None = None, *, complete: bool = False
) -> TaskFrame:
    status = TaskStatus.COMPLETE if complete else TaskStatus.ACTIVE
    parent = f"task-{number - 1}" if depth else None
    return TaskFrame(
        f"task-{number}", goal, parent, (), status, result, None, depth, 0, 1 if complete else None
    )


words = st.text(
    st.sampled_from("find fix the α大😋 `x`\n#-_ parser_of Quoted.Fields {}"), min_size=1, max_size=2000
)
goals = st.one_of(words, st.text(min_size=1, max_size=80), st.builds("word ".__mul__, st.integers(1, 400)))


@st.composite
def views(draw: st.DrawFn) -> TaskView:
    path = tuple(
        frame(n, goal, n, draw(st.none() | goals), complete=done)
        for n, (goal, done) in enumerate(
            draw(st.lists(st.tuples(goals, st.booleans()), min_size=1, max_size=8))
        )
    )
    siblings = tuple(
        frame(100 + n, goal, len(path), result, complete=True)
        for n, (goal, result) in enumerate(draw(st.lists(st.tuples(goals, st.none() | goals), max_size=8)))
    )
    return TaskView(path, siblings, frozenset())


@given(
    view=views(),
    max_tokens=st.integers(MIN_TOKENS, 400) | st.integers(32, 50_000),
    name=st.sampled_from(TOKENIZERS),
)
def test_no_part_of_the_stack_exceeds_its_share(view: TaskView, max_tokens: int, name: str) -> None:
    tokenizer = get_tokenizer(name)
    shape = Markdown(tokenizer)
    lines, omitted = cut_tasks(task_candidates(view), max_tokens, shape)
    used = dict.fromkeys(TaskPart, 0)
    siblings = {each.id for each in view.siblings}
    for each in lines:
        assert isinstance(each.body, TaskLine)
        used[each.body.part] += shape.measure(each.body) + 1
        assert (each.body.part is TaskPart.SIBLINGS) == (each.id in siblings)
        assert "\n" not in shape.write(each.body)
        assert each.section is Section.TASK
    for part, share in SHARES.items():
        assert used[part] <= max_tokens * share // 100
    told = [each.id for each in lines] + [left.source for left in omitted]
    assert sorted(told) == sorted(each.id for each in (*view.path, *view.siblings)), "nothing goes silently"
    line = f"- {'Goal' if len(view.path) > 1 else 'Now'}: {' '.join(view.path[0].goal.split())}"
    if (
        view.path[0].status is TaskStatus.ACTIVE
        and tokenizer.count(line) < max_tokens * SHARES[TaskPart.ROOT] // 100 - 2
    ):
        assert lines[0].id == view.path[0].id, "a root goal that fits is always there"
    depths = [int(each.id.partition("-")[2]) for each in lines if each.id not in siblings]
    assert depths == sorted(depths), "from the root to what is done now"


def test_a_goal_too_long_is_cut_and_the_current_one_has_the_first_claim() -> None:
    shape = Markdown(get_tokenizer("o200k_base"))
    path = tuple(frame(n, f"goal {n} " + "of many words " * 60, n) for n in range(5))
    lines, omitted = cut_tasks(task_candidates(TaskView(path, (), frozenset())), 1000, shape)
    texts = {each.id: shape.write(each.body) for each in lines}
    assert texts["task-0"].startswith("- Goal: goal 0 of many words")
    assert texts["task-0"].endswith("…")
    assert texts["task-4"].startswith("- Now: goal 4")
    assert {left.source for left in omitted} == {"task-1", "task-2", "task-3"}


def test_tasks_are_written_as_goal_path_current_and_done() -> None:
    path = (frame(0, "ship", 0, "shipped once", complete=True), frame(1, "test", 1), frame(2, "fix\nit", 2))
    siblings = (frame(9, "look", 2, "it was\n\nthe cache", complete=True), frame(8, "ask", 2, complete=True))
    shape = Markdown(get_tokenizer("o200k_base"))
    lines, _ = cut_tasks(task_candidates(TaskView(path, siblings, frozenset())), 10_000, shape)
    assert [shape.write(each.body) for each in lines] == [
        "- Goal: ship → shipped once",
        "- Within: test",
        "- Now: fix it",
        "- Done: look → it was the cache",
        "- Done: ask",
    ]


def test_only_a_question_that_says_too_little_leans_on_the_goal() -> None:
    view = TaskView((frame(0, "fix the parser", 0),), (), frozenset())
    for short in ("continue", "go on", "what is next?"):
        assert search_text(short, view) == f"{short}\nfix the parser"
        assert search_text(short, None) == short
    for clear in (
        "Cart.total",
        "shop/cart.py",
        "where is add_item",
        "readHeader",
        "how is the price of a cart computed",
    ):
        assert search_text(clear, view) == clear


def test_the_detail_of_a_completed_task_is_let_go_failures_too() -> None:
    view = TaskView((frame(0, "now", 0),), (), frozenset({"task-7"}))
    events = [
        Event(f"event-{n}", "error", "s", n, {"message": "x"}, None, task)
        for n, task in enumerate(("task-7", "task-0", None, "task-8"))
    ]
    assert [event.id for event in without_released(events, view)] == ["event-1", "event-2", "event-3"]
    assert without_released(events, None) == events


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root: Path = write(tmp_path_factory.mktemp("stack") / "shop", dict(SHOP))
    with opened(root) as engine:
        for number in range(4):
            engine.record(NewEvent("file_write", {"path": "shop/cart.py"}, timestamp=NOW - number * 60_000))
            command = {"command": f"make part{number}", "exitCode": number % 2}
            engine.record(NewEvent("shell_exec", command, timestamp=NOW - number * 60_000))
        yield engine


QUESTION = "how is the total price of a cart computed?"


def ask(engine: Engine, query: str = QUESTION, **fields: object) -> Context:
    return engine.assemble(AssembleRequest(query, **fields), now=NOW)  # type: ignore[arg-type]


@given(
    tasks=st.lists(
        st.tuples(goals.filter(str.strip), st.sampled_from(["stay", "pop", "block"])), min_size=1, max_size=6
    ),
    max_tokens=st.integers(MIN_TOKENS, 300) | st.integers(MIN_TOKENS, 6000),
    tokenizer=st.sampled_from(TOKENIZERS),
    query=st.sampled_from(["continue", "how is the total price of a cart computed?", "fix it", "Cart"]),
)
def test_the_budget_holds_for_any_stack(
    engine: Engine, tasks: list[tuple[str, str]], max_tokens: int, tokenizer: str, query: str
) -> None:
    engine.tasks.wipe()
    for goal, then in tasks:
        engine.tasks.push(goal)
        if then == "pop":
            engine.tasks.pop(goal[::-1])
        elif then == "block":
            engine.tasks.block(goal)
    context = ask(engine, query, max_tokens=max_tokens, tokenizer=tokenizer)
    assert context.token_count <= max_tokens
    assert context.token_count == get_tokenizer(tokenizer).count(context.content)
    assert all(each.startswith("read ") for each in context.report.warnings), (
        "a goal may be misspelt, nothing fails"
    )
    told = [part for part in context.components if part.type is Section.TASK]
    assert bool(told) <= (engine.tasks.peek() is not None)
    assert headings(context)[:1] == ["## Task"] or not told
    assert ("## Task" in headings(context)) == bool(told)
    left = sum(part.tokens + 1 for part in told)
    assert left <= max_tokens * sum(SHARES.values()) // 100
    assert ask(engine, query, max_tokens=max_tokens, tokenizer=tokenizer).content == context.content


def test_without_an_active_task_the_prompt_is_the_same_to_the_byte(engine: Engine) -> None:
    engine.tasks.wipe()
    before = ask(engine)
    engine.tasks.push("something else")
    with_task = ask(engine)
    rest = before.content.removeprefix(f"{QUESTION}\n\n")
    assert with_task.content == f"{QUESTION}\n\n## Task\n\n- Now: something else\n\n{rest}"
    engine.tasks.pop("it is done")
    after = ask(engine)
    assert after.content == before.content
    assert after.components == before.components


def headings(context: Context) -> list[str]:
    return [line for line in context.content.splitlines() if line.startswith("## ")]


def test_what_the_stack_leaves_unused_goes_to_the_rest(engine: Engine) -> None:
    engine.tasks.wipe()
    before = ask(engine, max_tokens=140)
    assert before.truncated
    engine.tasks.push("x")
    spent = ask(engine, max_tokens=140)
    assert spent.token_count > 0.85 * before.token_count


def test_a_task_can_be_excluded_by_its_id(engine: Engine) -> None:
    engine.tasks.wipe()
    task = engine.tasks.push("hide me")
    context = ask(engine, filters=Filters(exclude=(task.id,)))
    assert "hide me" not in context.content
    assert (task.id, "excluded") in {(left.source, left.reason) for left in context.report.omitted}


def test_recorded_events_carry_the_active_task(engine: Engine) -> None:
    engine.tasks.wipe()
    task = engine.tasks.push("count")
    recorded = engine.record(NewEvent("note", {"text": "hello"}))
    named = engine.record(NewEvent("note", {"text": "hello"}, task_id="task-of-a-client"))
    engine.tasks.pop()
    loose = engine.record(NewEvent("note", {"text": "hello"}))
    assert recorded is not None
    assert named is not None
    assert loose is not None
    assert (recorded.task_id, named.task_id, loose.task_id) == (task.id, "task-of-a-client", None)
    assert [event.task_id for event in engine.events(3)] == [None, "task-of-a-client", task.id]

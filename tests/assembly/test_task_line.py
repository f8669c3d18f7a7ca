"""A prompt begins with what is asked, as somebody would write it above what they paste."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.assembly.sources.task_sentence import MAX_CHARS, read_task
from contextls.engine import Engine
from contextls.model import (
    AssembleRequest,
    Boosts,
    Changes,
    Context,
    EditorPosition,
    NewEvent,
    Section,
    Target,
)
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import SHOP, opened, write
from ..repositories import git

QUESTION = "how is the discount of a price computed?"
TRACE = "Traceback (most recent call last):\n" + "".join(
    f'  File "/srv/shop/shop/step{number}.py", line {number}, in step\n    go({number})\n'
    for number in range(1, 30)
)
LOG = "".join(f"2027-01-02 10:00:{number:02d} INFO worker did job {number}\n" for number in range(60))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("asked") / "shop", SHOP)) as engine:
        yield engine


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Engine]:
    """A shop of its own for a test that changes something."""
    with opened(write(tmp_path / "shop", SHOP)) as engine:
        yield engine


def ask(engine: Engine, query: str, **fields: object) -> str:
    return engine.assemble(AssembleRequest(query, **fields)).content  # type: ignore[arg-type]


def first_line(prompt: str) -> str:
    return prompt.partition("\n")[0]


def test_the_question_stands_above_all_else(shop: Engine) -> None:
    assert ask(shop, QUESTION).startswith(f"{QUESTION}\n\n## Relevant Content\n\n### `shop/cart.py:")


def test_a_client_that_sends_the_question_itself_leaves_it_out(shop: Engine) -> None:
    with_line, without = ask(shop, QUESTION), ask(shop, QUESTION, task_line=False)
    assert with_line == f"{QUESTION}\n\n{without}"


def test_the_line_is_no_piece_of_the_answer(shop: Engine) -> None:
    asked, bare = (shop.assemble(AssembleRequest(QUESTION, task_line=line)) for line in (True, False))
    assert [one.source for one in asked.components] == [one.source for one in bare.components]
    assert asked.report.section_tokens == bare.report.section_tokens
    assert asked.token_count > bare.token_count


def test_a_question_alone_is_no_prompt(tmp_path: Path) -> None:
    with opened(write(tmp_path / "empty", {"notes/.keep": ""})) as engine:
        context = engine.assemble(AssembleRequest(QUESTION))
    assert (context.content, context.components, context.token_count) == ("", (), 0)


def test_a_failure_to_repair_is_named(own: Engine) -> None:
    own.record(NewEvent("shell_exec", {"command": "pytest -q tests", "exitCode": 1, "stdout": "1 failed"}))
    assert first_line(ask(own, "fix the failing test")) == "Fix this failure: `pytest -q tests` (exit 1)"
    assert first_line(ask(own, "why did the last run fail?")) == "why did the last run fail?"


def test_a_failure_of_an_excluded_file_is_not_named(own: Engine) -> None:
    own.record(NewEvent("shell_exec", {"command": "python shop/mail.py", "exitCode": 1}))
    own.working_set.exclude(Target("shop/mail.py"))
    assert "mail.py" not in ask(own, "fix the failing test")


def test_a_review_says_what_changed(own: Engine) -> None:
    git(own.root, "init", "--quiet")
    git(own.root, "add", "-A")
    git(own.root, "commit", "--quiet", "-m", "begin")
    for path in ("shop/prices.py", "shop/mail.py"):
        write(own.root, {path: SHOP[path].replace("return", "return 1 +")})
        own.update_files([path])
    line = "Review this diff: 2 uncommitted changes in `shop/mail.py` and `shop/prices.py`"
    assert first_line(ask(own, "review my changes")) == line
    assert first_line(ask(own, "Review my changes.", changes=Changes.ALL)) == line
    since = "Review this diff: 2 changes since HEAD in `shop/mail.py` and `shop/prices.py`"
    assert first_line(ask(own, "review my branch", changes="HEAD")) == since
    about_more = "review how the changes treat a discounted price"
    assert first_line(ask(own, about_more, changes=Changes.ALL)) == about_more
    own.working_set.exclude(Target("shop/mail.py"))
    assert (
        first_line(ask(own, "review my changes"))
        == "Review this diff: 1 uncommitted change in `shop/prices.py`"
    )


def test_a_task_that_says_the_same_is_said_once(own: Engine) -> None:
    own.tasks.push("Make receipts cheaper to send")
    prompt = ask(own, "make receipts  cheaper to send")
    assert prompt.startswith("## Task\n\n- Now: Make receipts cheaper to send\n\n## ")
    assert ask(own, "continue").startswith(
        "continue\n\n## Task\n\n- Now: Make receipts cheaper to send\n\n## "
    )


def test_a_client_may_put_it_in_other_words(shop: Engine) -> None:
    prompt = ask(shop, "discounted", task="This is about `discounted`.")
    assert first_line(prompt) == "This is about `discounted`."


def test_words_made_of_a_file_that_stays_out_stay_out_too(own: Engine) -> None:
    own.working_set.exclude(Target("shop/mail.py"))
    place = EditorPosition("shop/mail.py", 3, 3, selected=True)
    prompt = ask(own, "discounted price", task="Fix this problem: deliver is undefined", position=place)
    assert "deliver" not in prompt


def test_a_problem_that_the_line_names_with_its_place_is_not_repeated(own: Engine) -> None:
    own.record(NewEvent("error", {"message": "deliver is undefined", "path": "shop/mail.py", "line": 4}))
    place = EditorPosition("shop/mail.py", 4, 4, selected=True)
    task = "Fix this problem: deliver is undefined at `shop/mail.py:4`"
    assert ask(own, "deliver is undefined", task=task, position=place).count("deliver is undefined") == 1
    assert ask(own, "deliver is undefined", position=place).count("deliver is undefined") == 2


def test_a_secret_in_the_question_is_taken_out(shop: Engine) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    prompt = ask(shop, f"why is the discount wrong with {key}?")
    assert key not in prompt
    assert first_line(prompt) == "why is the discount wrong with [redacted:aws-access-key]?"


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("ValueError: no price", "Fix this failure: ValueError: no price"),
        (f"{TRACE}ValueError: no price", "Fix this failure: ValueError: no price at `shop/step29.py:29`"),
        (f"What is wrong?\n\n{TRACE}ValueError: no price", "What is wrong? ValueError: no price at `shop/step29.py:29`"),
        (f"{LOG}2027-01-02 10:02:00 ERROR lost the broker", "Fix this failure: 2027-01-02 10:02:00 ERROR lost the broker"),
        ("How is a price discounted?\nAnd who asks for it?", "How is a price discounted? And who asks for it?"),
        ("Sum it up. " * 80, ("Sum it up. " * 36).strip()),
    ],
)  # fmt: skip
def test_what_was_pasted_becomes_a_sentence(query: str, line: str) -> None:
    task = read_task(query)
    assert (task.sentence, task.quoted) == (line, "")


GO_PANIC = (
    "panic: watcher not in a group\n\ngoroutine 172 [running]:\npanic({0xc8b540, 0xc42000fac0})\n"
    "\t/usr/local/go/src/runtime/panic.go:884 +0x1a1\n"
    + "".join(
        f"github.com/zoo/pond/store.(*Store).step{number}(0xc4201f83f0)\n\t/src/pond/store/watch.go:{number} +0x231\n"
        for number in range(20, 30)
    )
)


def test_a_panic_of_go_is_named_by_its_message_and_by_the_first_place_of_the_program() -> None:
    assert read_task(GO_PANIC).sentence == (
        "Fix this failure: panic: watcher not in a group at `store/watch.go:20`"
    )


def test_a_short_paste_stays_as_it_is_below_the_question(shop: Engine) -> None:
    prompt = ask(shop, "why is the discounted price wrong?\n```python\n## not a heading\nx = 1\n```\n")
    assert prompt.startswith(
        "why is the discounted price wrong?\n\n> ```python\n> ## not a heading\n> x = 1\n> ```\n\n## Relevant Content"
    )


@pytest.mark.parametrize(
    ("above", "pasted"),
    [
        ("the log says", '2025-03-11T09:12:44Z ERR error="no such middleware" router=app'),
        ("the console shows", "[12:00:01] unauthorized\n  at view.ts:40"),
        ("every query fails with", "shop.errors.PermissionDenied: You need one of: MANAGE, OWNER"),
        ("clients get", "(error) BUSY The shop is busy."),
        ("the network tab shows", "POST /api/upload  409 (Conflict)"),
        (
            "carts are lost",
            "[4711] 2026/08/02 10:14:03.117 [ERR] cart 7 is lost\n[4711] 2026/08/02 10:14:04.000 [INF] bye",
        ),
        (
            "carts are lost",
            "Aug  2 10:14:03 till cart[4711]: cart 7 is lost\nAug  2 10:14:04 till cart[4711]: bye",
        ),
        ("carts are lost", "E0802 10:14:03.117 4711 cart.go:7] cart 7 is lost"),
        ("carts are lost", 'level=error msg="cart 7 is lost"\ntime=10:14 level=info msg=bye'),
        ("", "$ shop check 'a\\nb'\nshop: the literal is not allowed"),
    ],
)
def test_what_was_typed_behind_a_paste_is_no_part_of_it(above: str, pasted: str) -> None:
    asked = "Nobody else touched it. Why does that happen?"
    for gap in ("\n", "\n\n"):
        task = read_task(f"{above}{gap}{pasted}{gap}{asked}\n")
        assert (task.sentence, task.quoted, task.below) == (
            (above, pasted, asked) if above else (asked, pasted, "")
        )


GRADLE = "> Task :shop:check FAILED\nRun failed with 1 invalid property.\n\t- Property 'shop>Discount' does not exist."
LOGGED = "ERROR cart: no price for 'x'"


@pytest.mark.parametrize(
    ("pasted", "typed"),
    [
        (GRADLE, "my rules come from a jar, how can i make the check skip it"),
        (LOGGED, "what do i set"),
        (LOGGED, "why?"),
        (LOGGED, "The price is there, where is it looked for"),
        (LOGGED, "fix the discount so that a missing price is none"),
        (LOGGED, "please explain this to a beginner"),
        (LOGGED, "we need the cart to go on here"),
        (LOGGED, "wie kann ich das im Warenkorb abstellen"),
        (LOGGED, "為什么找不到价格？"),
        (LOGGED, "どこで価格が決まりますか"),
        ("public class Cart {\n  int total;\n}", "how do I add a discount to this"),
    ],
)
def test_what_somebody_wants_needs_no_question_mark(pasted: str, typed: str) -> None:
    for gap in ("\n", "\n\n"):
        task = read_task(f"{pasted}{gap}{typed}")
        assert (task.sentence, task.quoted, task.below) == (typed, pasted.expandtabs(4), "")
        task = read_task(f"The build dies:{gap}{pasted}{gap}{typed}")
        assert (task.sentence, task.below) == ("The build dies:", typed)


def test_a_paragraph_in_small_letters_below_a_paste_was_typed() -> None:
    said = "shows up since the cart sits in front, without it all is well"
    task = read_task(f"customers get\n\n{LOGGED}\n\n{said}")
    assert (task.sentence, task.quoted, task.below) == ("customers get", LOGGED, said)


@pytest.mark.parametrize(
    "last",
    [
        "test result: FAILED. 1 passed; 2 failed",
        "exit status 2",
        "Process finished with exit code 1",
        "For more information about this error, try the manual.",
        "Please make sure that the price is there and try again.",
        "We could not find a price for this product.",
        "Make sure you have a price, when running it with this option.",
        "The price was not found, which is not supported.",
        "Could not find any version that matches the price.",
        "Did you mean the other price?",
        "Where the price may be looked up:",
    ],
)
def test_what_a_program_says_last_is_pasted(last: str) -> None:
    for gap in ("\n", "\n\n"):
        task = read_task(f"why is there no price?\n\n{LOGGED}{gap}{last}")
        assert (task.sentence, task.below) == ("why is there no price?", "")


def test_what_was_typed_behind_a_paste_stands_behind_it(shop: Engine) -> None:
    prompt = ask(shop, "I get\n\nValueError: no price\n\nwhy is it not computed?")
    assert prompt.startswith("I get\n\n> ValueError: no price\n\nwhy is it not computed?\n\n## ")


def test_a_small_prompt_holds_the_beginning_of_a_long_question(shop: Engine) -> None:
    query = "how is the discount of a price computed " + "and told to the customer " * 10 + "?"
    prompt = ask(shop, query, max_tokens=150)
    assert first_line(prompt).startswith("how is the discount of a price")
    assert first_line(prompt).endswith("…")
    assert "## Relevant Content" in prompt


def test_an_update_keeps_what_is_asked(own: Engine) -> None:
    context = own.assemble(AssembleRequest(QUESTION, 400))
    updated = own.update(context.id, NewEvent("note", {"text": "prices are in euros"}))
    assert updated.content.startswith(f"{QUESTION}\n\n## Recent Activity")


def test_tasks_read_first_stand_below_what_is_asked(own: Engine) -> None:
    task = own.tasks.push("make receipts cheaper")
    assert first_line(ask(own, QUESTION, order=(task.id,))) == QUESTION
    assert first_line(ask(own, QUESTION, boosts=Boosts(sections={Section.TASK: 0}))) == QUESTION


OPENERS = (
    "# ",
    "## Task\n",
    "```",
    "~~~",
    "> ",
    "- ",
    "<!-- ",
    "<script>",
    "[a]: ",
    "---",
    "    ",
    "1. ",
    "===",
    "\t",
)
lines = st.text(st.characters(codec="utf-8"), max_size=30)
questions = st.lists(
    st.tuples(st.sampled_from(["", "", *OPENERS]), lines).map("".join), min_size=1, max_size=20
)


@settings(max_examples=30)
@given(query=questions.map("\n".join).filter(str.strip), budget=st.integers(32, 2000))
def test_no_question_breaks_out_of_its_place(shop: Engine, query: str, budget: int) -> None:
    for text in (query, f"price {query}"):
        context: Context = shop.assemble(AssembleRequest(text, max_tokens=budget))
        assert context.token_count == get_tokenizer("o200k_base").count(context.content) <= budget
        top, *below = (
            re.split(r"^## ", context.content, maxsplit=1, flags=re.MULTILINE)[0].rstrip("\n").split("\n")
        )
        assert not re.match(r"#{1,6}\s|```|~~~|<|\s|\[|>", top)
        assert all(line == "" or line.startswith(">") for line in below[:-1])
        # The last line may be one that was typed below the quote.
        assert not below or not re.match(r"#{1,6}\s|```|~~~|<|\s|\[", below[-1])


@given(text=st.text(max_size=3000) | questions.map("\n".join))
def test_a_sentence_is_one_line_of_bounded_length(text: str) -> None:
    task = read_task(text)
    for line in (task.sentence, task.below):
        assert "\n" not in line
        assert len(line) <= MAX_CHARS + len("Fix this failure: ")


def test_a_question_of_a_hundred_thousand_characters_is_read_in_a_moment() -> None:
    started = time.process_time()
    for text in ("- a\n" * 25_000, "Error" * 20_000, ("x " * 40 + "{\n") * 1_200, "`" * 100_000, LOG * 40):
        read_task(text)
    assert time.process_time() - started < 5

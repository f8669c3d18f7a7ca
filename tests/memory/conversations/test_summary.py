"""A summary without a model quotes what was asked, decided, touched, run, broken and left open, each with its turn."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.conversations.facts import Fact, FactKind, find_facts
from contextls.memory.conversations.grouping import group_turns
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.summary import summarize_by_rules
from contextls.model import NewNode, ToolCall
from contextls.text.tokens import get_tokenizer

from .chats import H, M, T, fresh_chat, say

COUNTER = get_tokenizer("o200k_base")
PYTEST = """\
F.
____ test_total ____

    def test_total():
>       assert total() == 5
E       assert 4 == 5

tests/test_cart.py:7: AssertionError
1 failed, 1 passed in 0.1s
"""


def call(name: str, number: int, **arguments: str) -> NewNode:
    return NewNode(M, "", tool_calls=(ToolCall(f"c{number}", name, json.dumps(arguments)),))


def result(number: int, text: str, *, failed: bool | None = None) -> NewNode:
    return NewNode(T, text, tool_call_id=f"c{number}", metadata={} if failed is None else {"failed": failed})


def a_session(store: Conversations, chat: str) -> list[Fact]:
    store.append_many(
        chat,
        [
            NewNode(H, "Why is the total wrong? See shop/cart.py."),
            call("read_file", 1, path="shop/cart.py"),
            result(1, "def total(): ..."),
            call("bash", 2, command="pytest  tests/test_cart.py"),
            result(2, PYTEST, failed=True),
            NewNode(M, "The root cause is rounding. Shall I use Decimal?"),
            NewNode(H, "Yes, use Decimal instead of float."),
            call("edit_file", 3, file_path="shop/cart.py"),
            result(3, "ok", failed=False),
            call("bash", 4, command="pytest tests/test_cart.py"),
            result(4, "2 passed in 0.1s\nexit code 0"),
            NewNode(M, "Done. Still need a test for negative prices."),
            NewNode(H, "Can it be faster?"),
        ],
    )
    return find_facts(group_turns(store.path(chat)))


def of(facts: list[Fact], kind: FactKind) -> list[tuple[str, tuple[int, ...]]]:
    return [(fact.text, fact.turns) for fact in facts if fact.kind is kind]


def test_what_happened_is_found_with_its_turns(store: Conversations, chat: str) -> None:
    facts = a_session(store, chat)
    assert of(facts, FactKind.REQUEST) == [
        ("Why is the total wrong?", (1,)),
        ("Can it be faster?", (3,)),
    ]
    assert of(facts, FactKind.DECISION) == [
        ("The root cause is rounding.", (1,)),
        ("Yes, use Decimal instead of float.", (2,)),
    ]
    assert of(facts, FactKind.FILE) == [("shop/cart.py: read", (1,)), ("shop/cart.py: edited", (2,))]
    assert of(facts, FactKind.COMMAND) == [
        ("`pytest tests/test_cart.py`: failed (1 failure)", (1,)),
        ("`pytest tests/test_cart.py`: succeeded", (2,)),
    ]
    assert len(of(facts, FactKind.ERROR)) == 1
    assert "assert 4 == 5" in of(facts, FactKind.ERROR)[0][0]
    assert of(facts, FactKind.QUESTION) == [
        ("Still need a test for negative prices.", (2,)),
        ("Can it be faster?", (3,)),
    ]


def test_a_question_that_was_answered_is_not_open(store: Conversations, chat: str) -> None:
    say(
        store,
        chat,
        (H, "go"),
        (M, "Shall I rename the parser?"),
        (H, "The parser keeps its name, thank you very much."),
    )
    say(
        store,
        chat,
        (M, "Which encoding do the exports have?"),
        (H, "Please look at the failing build in the other job first."),
    )
    say(store, chat, (M, "ok"))
    assert of(find_facts(group_turns(store.path(chat))), FactKind.QUESTION) == [
        ("Which encoding do the exports have?", (2,))
    ]


def test_code_is_not_read_as_sentences_but_shell_code_as_commands(store: Conversations, chat: str) -> None:
    answer = "Run this:\n```sh\n# all tests\n$ make test\n```\n```python\nalways = 'never'\n```\nsee a.b.c and docs/use.md"
    say(store, chat, (H, "how do I test?"), (M, answer))
    facts = find_facts(group_turns(store.path(chat)))
    assert of(facts, FactKind.COMMAND) == [("`make test`: proposed", (1,))]
    assert of(facts, FactKind.DECISION) == []
    assert of(facts, FactKind.FILE) == [("docs/use.md: mentioned", (1,))]


def test_of_a_message_as_it_was_sent_only_what_the_user_said_is_summed_up(
    store: Conversations, chat: str
) -> None:
    sent = (
        "Current time: 2026-11-23T05:00:00Z\nTimezone: UTC\n\nRetrieved from the workspace:\n\n## Relevant Content\n\n"
        "### `docs/use.md:1-2`\n```markdown\nNever do this.\n```\n\n- `shop/cart.py:1-9`: shown in turn 1, unchanged\n\n"
        "How is the total computed?"
    )
    say(store, chat, (H, sent), (M, "In cents."))
    facts = find_facts(group_turns(store.path(chat)))
    assert [(fact.kind, fact.text) for fact in facts] == [(FactKind.REQUEST, "How is the total computed?")]


def test_a_summary_says_that_no_model_made_it(store: Conversations, chat: str) -> None:
    a_session(store, chat)
    text = summarize_by_rules(group_turns(store.path(chat)), 2_000, COUNTER)
    assert text.splitlines()[0] == (
        "Extracted from turns 1 to 3 by rules, without a model: every line is quoted from the conversation."
    )
    assert [line for line in text.splitlines() if line.endswith(":") and not line.startswith("-")] == [
        "Requests:",
        "Decisions:",
        "Files:",
        "Commands:",
        "Errors:",
        "Open questions:",
    ]
    assert "- shop/cart.py: edited (turn 2)" in text


def test_what_does_not_fit_is_counted(store: Conversations, chat: str) -> None:
    a_session(store, chat)
    text = summarize_by_rules(group_turns(store.path(chat)), 80, COUNTER)
    assert COUNTER.count(text) <= 80
    assert "further lines left out)" in text
    assert "use Decimal instead of float" in text, "decisions enter first"


@given(
    lines=st.lists(
        st.text("ab?!. `~\n/:$", min_size=1, max_size=60).filter(str.strip), min_size=1, max_size=10
    ),
    room=st.integers(0, 300),
)
def test_a_summary_never_exceeds_its_room(lines: list[str], room: int) -> None:
    with fresh_chat() as (store, chat):
        say(store, chat, *[((H, M)[place % 2], line) for place, line in enumerate(lines)])
        text = summarize_by_rules(group_turns(store.path(chat)), room, COUNTER)
        assert COUNTER.count(text) <= room


def test_consecutive_questions_of_people_are_one_turn(store: Conversations, chat: str) -> None:
    said = say(store, chat, (H, "a"), (H, "b"), (M, "c"), (M, "d"), (H, "e"))
    assert [(turn.id, len(turn.nodes)) for turn in group_turns(store.path(chat))] == [
        (said[0].id, 4),
        (said[4].id, 1),
    ]

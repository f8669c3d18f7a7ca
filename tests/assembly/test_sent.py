"""What an earlier turn of a conversation shows is not sent again: one line says where it stands."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import (
    AssembledTurn,
    AssembleRequest,
    Author,
    GivenMessage,
    Injection,
    InjectionFormat,
    Layer,
    MessageRole,
    NewNode,
    Shape,
    Truncation,
    TurnOptions,
    TurnRequest,
)

from ..memory.workspaces import SHOP, opened, write

NOW = 1_800_000_000_000
DISCOUNT = "how is the discount of a price computed?"
RECEIPT = "who sends the receipt?"
TOTAL = "what is the total of the cart?"
BODY = "    return price - price * percent / 100"
OPTIONS = TurnOptions(model="gpt-4o")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(write(tmp_path / "shop", SHOP)) as engine:
        yield engine


class Chat:
    """A conversation whose turns are kept as they were sent."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.id = engine.conversations.create("talk").id
        self.asked: list[str] = []

    def look(self, query: str, **options: Any) -> AssembledTurn:  # noqa: ANN401
        """The turn for a question that is not kept."""
        given = replace(OPTIONS, conversation_id=self.id, **options)
        return self.engine.assemble_turn(TurnRequest(AssembleRequest(query), given), now=NOW)

    def ask(self, query: str, **options: Any) -> AssembledTurn:  # noqa: ANN401
        """The turn for a question, which is kept with an answer to it."""
        turn = self.look(query, **options)
        content = turn.current_message.content
        self.asked.append(self.engine.conversations.append(self.id, NewNode(Author.HUMAN, content)).id)
        self.engine.conversations.append(self.id, NewNode(Author.MODEL, f"That is answer {len(self.asked)}."))
        return turn


def edit(engine: Engine, path: str, text: str) -> None:
    (engine.root / path).write_text(text)
    engine.update_files([path])


def test_what_a_turn_showed_is_pointed_to_in_the_next(engine: Engine) -> None:
    chat = Chat(engine)
    first = chat.ask(DISCOUNT)
    assert BODY in first.content
    second = chat.ask(DISCOUNT)
    assert BODY not in second.content
    pieces = second.content.split("## Relevant Content\n\n")[1].split("\n\n")[0].splitlines()
    assert "- `shop/prices.py:1-6` `discounted`: shown in turn 1, unchanged" in pieces
    assert all(line.startswith("- `") and line.endswith(": shown in turn 1, unchanged") for line in pieces)
    assert BODY in second.history[0].content
    assert second.current_message.tokens < first.current_message.tokens / 2
    (memory,) = (use for use in second.report.layers if use.layer is Layer.MEMORY)
    item = next(item for item in memory.items if item.name == "shop/prices.py:1-6")
    assert item.reason == "semantic: shown in turn 1, unchanged"
    assert item.original_tokens is not None
    assert item.original_tokens > item.tokens
    assert not second.truncated


def test_a_turn_that_was_shown_where_it_pointed_is_not_pointed_to(engine: Engine) -> None:
    chat = Chat(engine)
    for _ in range(3):
        chat.ask(DISCOUNT)
    assert "`discounted`: shown in turn 1, unchanged" in chat.look(DISCOUNT).content


def test_single_facts_are_not_repeated_and_the_report_says_so(engine: Engine) -> None:
    chat = Chat(engine)
    first = chat.ask("who calls `discounted`?")
    facts = {one.source for one in first.components if one.type == "relation"}
    assert facts
    second = chat.ask("who calls `discounted`?")
    assert not facts & {one.source for one in second.components}
    assert facts <= {one.source for one in second.report.omitted if one.reason == "earlier"}


def test_what_changed_since_is_sent_again(engine: Engine) -> None:
    chat = Chat(engine)
    chat.ask(DISCOUNT)
    edit(engine, "shop/prices.py", SHOP["shop/prices.py"].replace("percent=10", "percent=15"))
    again = chat.ask(DISCOUNT)
    assert "percent=15" in again.content
    assert BODY in again.content
    edit(engine, "shop/prices.py", SHOP["shop/prices.py"])
    back = chat.ask(DISCOUNT)
    assert BODY in back.content, "turn 2 shows these lines otherwise"
    assert "shown in turn 3, unchanged" in chat.look(DISCOUNT).content


def test_what_only_moved_is_pointed_to_where_it_stood(engine: Engine) -> None:
    steps = "".join(f"    value = value + {number} * rate\n" for number in range(90))
    duty = f"def import_duty(value, rate):\n{steps}    return value\n"
    tax = f"def sales_tax(value, rate):\n{steps.replace('+', '-')}    return value\n"
    edit(engine, "shop/tax.py", f"{duty}\n\n{tax}")
    chat = Chat(engine)
    first = chat.ask("which sales tax is owed?")
    assert "value - 89 * rate" in first.content
    edit(engine, "shop/tax.py", f"# All taxes.\n\n{duty}\n\n{tax}")
    again = chat.ask("which sales tax is owed?")
    assert "value - 89 * rate" not in again.content
    assert (
        "- `shop/tax.py:3-188` `sales_tax`: shown in turn 1 at `shop/tax.py:1-186`, unchanged"
        in again.content
    )


def test_a_turn_that_a_model_no_longer_sees_shows_nothing(engine: Engine) -> None:
    chat = Chat(engine)
    chat.ask(DISCOUNT)
    engine.conversations.mark(chat.id, chat.asked[0], excluded=True)
    assert BODY in chat.look(DISCOUNT).content
    engine.conversations.mark(chat.id, chat.asked[0], excluded=False)
    assert BODY not in chat.look(DISCOUNT).content
    for _ in range(6):
        chat.ask(RECEIPT)
    engine.conversations.compact(chat.id, target=200)
    summed_up = chat.look(DISCOUNT)
    assert summed_up.history[0].content.startswith("[Previous conversation summary]")
    assert BODY in summed_up.content


def test_a_turn_that_was_cut_away_shows_nothing_and_turns_keep_their_numbers(engine: Engine) -> None:
    chat = Chat(engine)
    chat.ask(DISCOUNT)
    chat.ask(RECEIPT)
    whole = chat.look(f"{DISCOUNT} {RECEIPT}")
    assert "`discounted`: shown in turn 1" in whole.content
    assert "`send_receipt`: shown in turn 2" in whole.content
    room = whole.token_budget.used.total - 20
    cut = chat.look(
        f"{DISCOUNT} {RECEIPT}",
        max_tokens=max(room, 900),
        truncation_strategy=Truncation.ROLLING_WINDOW,
        injection=Injection(max_tokens=300),
    )
    while any(BODY in one.content for one in cut.history):
        room -= 50
        cut = chat.look(
            f"{DISCOUNT} {RECEIPT}",
            max_tokens=room,
            truncation_strategy=Truncation.ROLLING_WINDOW,
            minimum_recent_nodes=1,
            injection=Injection(max_tokens=300),
        )
    assert "`discounted`: shown in turn" not in cut.content
    if any("send_receipt" in one.content for one in cut.history):
        assert "`send_receipt`: shown in turn 2" in cut.content


def test_messages_that_a_client_sends_along_count_as_well(engine: Engine) -> None:
    question = TurnRequest(AssembleRequest(DISCOUNT), OPTIONS)
    shown = engine.assemble_turn(question, now=NOW).content
    history = (
        GivenMessage(role=MessageRole.USER, content="hello"),
        GivenMessage(role=MessageRole.ASSISTANT, content="Hello!"),
        GivenMessage(role=MessageRole.USER, content=shown),
        GivenMessage(role=MessageRole.ASSISTANT, content=f"It is\n```python\n{BODY}\n```"),
    )
    turn = engine.assemble_turn(replace(question, options=replace(OPTIONS, history=history)), now=NOW)
    assert "`discounted`: shown in turn 2, unchanged" in turn.content
    quoted = replace(OPTIONS, history=history[:2] + history[3:])
    assert BODY in engine.assemble_turn(replace(question, options=quoted), now=NOW).content


def test_one_text_points_to_the_conversation_as_well(engine: Engine) -> None:
    chat = Chat(engine)
    chat.ask(DISCOUNT)
    options = TurnOptions(shape=Shape.MARKDOWN, conversation_id=chat.id)
    context = engine.follow_up(TurnRequest(AssembleRequest(DISCOUNT), options), now=NOW)
    assert "`discounted`: shown in turn 1, unchanged" in context.content
    assert BODY not in context.content
    assert BODY in engine.assemble(AssembleRequest(DISCOUNT), now=NOW).content


def test_pieces_as_json_are_known_again(engine: Engine) -> None:
    chat = Chat(engine)
    as_json = Injection(format=InjectionFormat.STRUCTURED)
    assert "percent / 100" in chat.ask(DISCOUNT, injection=as_json).content
    again = chat.ask(DISCOUNT, injection=as_json)
    assert "percent / 100" not in again.content
    assert '"text": "shown in turn 1, unchanged"' in again.content


@pytest.mark.parametrize(
    "message",
    [
        f"### `shop/prices.py:1-6`\n```python\n{SHOP['shop/prices.py']}",  # a fence that never ends
        f"### `shop/cart.py:1-6`\n```python\n{SHOP['shop/prices.py']}```",  # another file
        f"### `shop/prices.py:x-6`\n```python\n{SHOP['shop/prices.py']}```",
        SHOP["shop/prices.py"],  # without its place
        '{"path": "shop/prices.py", "lines": [1, 6], "text": 3}\n{"path": [}\n{"path": ' + "[" * 5000,
        "### `a:1-1`\n```\n" * 3000,
    ],
)
def test_what_only_looks_like_a_piece_shows_nothing(engine: Engine, message: str) -> None:
    history = (GivenMessage(role=MessageRole.USER, content=message),)
    options = replace(OPTIONS, history=history)
    turn = engine.assemble_turn(TurnRequest(AssembleRequest(DISCOUNT), options), now=NOW)
    assert BODY in turn.content


ACTS = st.lists(
    st.tuples(st.sampled_from(("ask", "edit", "exclude", "compact")), st.integers(0, 5)),
    min_size=2,
    max_size=8,
)
FILES = ("shop/cart.py", "shop/prices.py", "shop/mail.py")
QUESTIONS = (DISCOUNT, RECEIPT, TOTAL)


@settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(acts=ACTS)
def test_every_pointer_holds_whatever_happened_before(engine: Engine, acts: list[tuple[str, int]]) -> None:
    for path in FILES:
        edit(engine, path, SHOP[path])
    chat = Chat(engine)
    for act, number in acts:
        if act == "ask":
            chat.ask(QUESTIONS[number % 3])
        elif act == "edit":
            path = FILES[number % 3]
            edit(
                engine,
                path,
                f"STEP = {number}\n{SHOP[path]}"
                if number < 3
                else SHOP[path].replace("    return", "    return 1 +"),
            )
        elif act == "exclude" and chat.asked:
            engine.conversations.mark(chat.id, chat.asked[number % len(chat.asked)], excluded=True)
        elif act == "compact" and len(chat.asked) > 3:
            with contextlib.suppress(InvalidRequestError):  # where a summary gains nothing
                engine.conversations.compact(chat.id, target=100)
        check_pointers(engine, chat.look(QUESTIONS[number % 3]))


def check_pointers(engine: Engine, turn: AssembledTurn) -> None:
    """A pointer names text that a message before it shows, as it is on disk now; nothing stands there twice."""
    before = [one.content for one in turn.history if one.role is MessageRole.USER]
    for one in turn.components:
        if one.type != "semantic" or one.path is None or one.start_line is None or one.end_line is None:
            continue
        lines = (engine.root / one.path).read_text().splitlines()[one.start_line - 1 : one.end_line]
        text = "\n".join(lines).strip("\n")
        if one.compression == "earlier":
            assert any(text in message for message in before), one
            assert text not in turn.content
            assert f"`{one.source}`" in turn.content
        elif one.compression is None:
            assert text in turn.content
            newest = next((message for message in reversed(before) if f"### `{one.path}:" in message), "")
            assert text not in newest, one

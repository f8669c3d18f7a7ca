"""Plain words of a question that the workspace defines are its names: "what is a parcel?", "an open Send", `Send`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.index.query.defined_words import find_asked_types, find_defined
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

DEEDS = ("load", "lock", "mark", "move", "open", "pack", "scan", "sort", "split", "trace", "wait", "weigh")
FILES = {
    "post/parcel.py": "class Parcel:\n    def __init__(self, weight, sender):\n        self.weight = weight\n"
    "        self.sender = sender\n",
    "post/piggy_bank.py": "class PiggyBank:\n    coins = 0\n",
    "post/send.rs": "pub struct Send {\n    pub key: String,\n    pub max_access_count: Option<i32>,\n}\n",
    "post/mail.rs": "pub fn send(letter: &str) -> bool {\n    !letter.is_empty()\n}\n",
    "post/state.py": "class State:\n    name = ''\n",
    **{
        f"post/{deed}.py": f"def {deed}_parcel(parcel, belt):\n    parcel.{deed} = belt.{deed}(parcel)\n    return parcel\n"
        for deed in DEEDS
    },
}


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("post"), FILES)) as engine:
        yield engine


def paths_for(engine: Engine, question: str) -> list[str | None]:
    return [
        piece.path for piece in engine.assemble(AssembleRequest(question, 4_000)).components if piece.path
    ]


@pytest.mark.parametrize(
    "question",
    [
        "what is a parcel?",
        "What's a parcel here?",
        "ok, so what are parcels",
        "what exactly is the parcel used for?",
        "what is `Parcel`?",
        "explain the Parcel model",
        "how does the parcel class look?",
        "which fields does a parcel have?",
    ],
)
def test_who_asks_what_a_thing_is_gets_its_definition_and_little_else(post: Engine, question: str) -> None:
    found = paths_for(post, question)
    assert found[0] == "post/parcel.py"
    assert len(found) <= 4


def test_who_asks_what_is_done_with_a_thing_gets_the_code(post: Engine) -> None:
    assert len(paths_for(post, "what is done with a parcel?")) > 6


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("what are piggy banks?", "post/piggy_bank.py"),
        ("who may open a Send with a password", "post/send.rs"),
        ("does `Send` expire?", "post/send.rs"),
        ("does `send` expire?", "post/mail.rs"),
    ],
)
def test_a_word_is_the_name_that_the_workspace_defines(post: Engine, question: str, path: str) -> None:
    assert paths_for(post, question)[0] == path


def test_a_type_that_server_and_client_have_is_shown_as_both_have_it(tmp_path: Path) -> None:
    files = FILES | {"web/parcel.ts": "export interface Parcel {\n  weight: number;\n}\n"}
    with opened(write(tmp_path, files)) as engine:
        assert {"post/parcel.py", "web/parcel.ts"} <= set(
            paths_for(engine, "add a stamp to the Parcel model")
        )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("who sends a parcel", ()),
        ("Parcel is slow", ()),  # a sentence begins with a capital
        ("why does Parcel's weight change", ()),
        ("call `send()` for `letters`", ("send",)),
        ("a Send of a Parcel, a Letter", ("Send", "Parcel")),
    ],
)
def test_a_capital_within_a_sentence_and_backticks_mark_names(
    post: Engine, text: str, names: tuple[str, ...]
) -> None:
    symbols = post._memories.current().symbols
    assert find_defined(text, symbols, is_english=True) == names


def test_capitals_of_other_languages_mark_nothing(post: Engine) -> None:
    symbols = post._memories.current().symbols
    assert find_defined("wo wird das Parcel gewogen", symbols, is_english=False) == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("what is a state?", ("State",)),
        ("what is the state?", ()),  # of the work
        ("what is the weight of a parcel?", ()),
        ("what is a parcel and who weighs it?", ()),
        ("what is wrong with parcels?", ()),
        ("where is a parcel?", ()),
        ("which parcel does the scan belt move?", ()),
        ("the piggy bank model", ("PiggyBank",)),
        ("what's the difference between a parcel and a piggy bank?", ("Parcel", "PiggyBank")),
        ("whats the difference between parcels and piggy banks in this code", ("Parcel", "PiggyBank")),
        ("piggy bank vs. parcel", ("PiggyBank", "Parcel")),
        ("what's the difference between a parcel and a stamp?", ()),
    ],
)
def test_only_a_question_for_the_thing_alone_asks_what_it_is(
    post: Engine, text: str, names: tuple[str, ...]
) -> None:
    assert find_asked_types(text, post._memories.current().symbols) == names


def test_who_asks_for_a_difference_gets_both_and_no_diff(post: Engine) -> None:
    asked = AssembleRequest("what's the difference between a parcel and a piggy bank?")
    first, second, *_ = post.assemble(asked).components
    assert {first.symbol, second.symbol} == {"Parcel", "PiggyBank"}

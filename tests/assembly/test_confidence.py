"""An answer says how sure it is, and where nothing matches a plain sentence says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Changes, Context, EditorPosition, Filters, NewEvent

from ..memory.workspaces import SHOP, opened, write
from ..repositories import git
from .digest import TOPICS

LETTERS = ("asdkjh qwoeiu zmxncb", "hjkl", "qwertyuiop asdfghjkl?", "flurb the snozzcumber")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("sure") / "shop", SHOP)) as engine:
        yield engine


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Engine]:
    """A shop of its own for a test that changes something."""
    with opened(write(tmp_path / "shop", SHOP)) as engine:
        yield engine


def ask(engine: Engine, query: str, **fields: object) -> Context:
    return engine.assemble(AssembleRequest(query, **fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("query", LETTERS)
def test_letters_struck_at_random_get_a_sentence_and_no_confidence(shop: Engine, query: str) -> None:
    context = ask(shop, query)
    (told,) = context.components
    words = [word for word in query.strip("?").split() if word != "the"]
    named = " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    assert told.body.startswith(f"Nothing in this workspace mentions {named}.")
    assert context.confidence == 0
    assert context.token_count <= 200


def test_of_a_language_of_which_half_the_words_could_not_be_read_little_is_sure(shop: Engine) -> None:
    read = ask(shop, "Warum bekommt der Kunde eine Bestellung ohne Preis?")
    assert read.confidence > 0.3
    unread = ask(shop, "Warum verplempert der Kunde eine Drehorgel ohne Preis?")
    assert unread.confidence <= 0.25
    assert any("may not answer" in one.content for one in unread.components)


def test_beside_a_name_that_is_nowhere_little_is_sure(shop: Engine) -> None:
    known = ask(shop, "how is the total of an order counted?")
    assert known.confidence > 0.5
    absent = ask(shop, "how is the total of an order counted for `GreenGrocers`?")
    assert "There is no `GreenGrocers` in this workspace." in absent.content
    assert absent.confidence <= 0.25


def test_nothing_changed_and_nothing_found_are_two_sentences(shop: Engine) -> None:
    changes, words = ask(shop, "flurb the snozzcumber", changes="staged").components
    assert changes.body == "There are no staged changes to show."
    assert words.body.startswith("Nothing in this workspace mentions flurb or snozzcumber.")


@pytest.mark.parametrize(
    "query",
    [
        "continue where I left off",
        "what did I change?",
        "what did we commit recently?",
        "write a commit message",
        "where was I?",
    ],
)
def test_where_nothing_was_done_a_question_about_the_work_gets_a_sentence(shop: Engine, query: str) -> None:
    context = ask(shop, query)
    (told,) = context.components
    assert told.body.startswith("Nothing is known here of what was done")
    assert (context.confidence, context.report.warnings) == (0, ())


@pytest.mark.parametrize(
    "query",
    [
        "how is the discount computed?",
        "authenticate the buyer",
        "sum up what is bought",
        "why is this too much?",
        "Cart.total",
        "wich discont?",
    ],
)
def test_what_may_be_said_in_other_words_is_shown(shop: Engine, query: str) -> None:
    components = ask(shop, query).components
    assert all(one.path or one.source == "unsure" for one in components)
    assert any(one.path for one in components)


@pytest.mark.parametrize("query", ["authenticate the buyer", "why is this too much?"])
def test_where_no_piece_is_likely_to_answer_a_sentence_says_so_first(shop: Engine, query: str) -> None:
    context = ask(shop, query)
    assert context.confidence < 0.3
    assert context.components[0].body == (
        "This may not answer the question: what follows is only the nearest that was found."
    )
    assert all(one.path for one in context.components[1:])


@pytest.mark.parametrize("query", ["how is the seasonal discount of a price computed?", "Cart.total"])
def test_where_a_piece_is_likely_to_answer_nothing_says_otherwise(shop: Engine, query: str) -> None:
    assert all(one.path for one in ask(shop, query).components)


def test_who_asks_in_the_words_of_the_code_is_answered_with_more_confidence(shop: Engine) -> None:
    sure = ask(shop, "how is the seasonal discount of a price computed?").confidence
    unsure = ask(shop, "make it less chatty").confidence
    assert 0 < unsure <= 0.1
    assert 0.5 < sure <= 1


def test_what_is_pointed_at_is_sure(own: Engine) -> None:
    place = EditorPosition("shop/mail.py", 1, 2, selected=True)
    assert ask(own, "why is it so?", position=place).confidence > 0.9
    own.record(NewEvent("shell_exec", {"command": "pytest", "exitCode": 1, "stdout": "shop/mail.py:3: boom"}))
    assert ask(own, "fix the failing test").confidence > 0.9
    assert ask(own, "what was I doing?").confidence > 0.9


def test_changes_that_are_asked_for_are_sure(own: Engine) -> None:
    git(own.root, "init", "--quiet")
    git(own.root, "add", "-A")
    assert ask(own, "review this", changes=Changes.STAGED).confidence > 0.9


def test_pins_and_tasks_say_nothing_of_the_question(own: Engine) -> None:
    own.working_set.pin(own.working_set.target("README.md"))
    own.tasks.push("flurb the snozzcumber")
    context = ask(own, "where does the zmxncb asdkjh qwoeiu hjkl go?")
    assert [one.type for one in context.components] == ["task", "working_set", "semantic"]
    assert context.confidence == 0


def test_where_only_a_part_was_searched_nothing_is_said_of_the_rest(shop: Engine) -> None:
    content = ask(shop, "where is the receipt mailed?", filters=Filters(paths=("web/**",))).content
    assert "Nothing in this workspace" not in content


def test_what_happened_with_a_word_that_no_code_holds_is_told_instead(own: Engine) -> None:
    own.record(NewEvent("error", {"message": "UmbrellaError: zmxncb is asdkjh", "stack": "at shop"}))
    context = ask(own, "zmxncb asdkjh")
    assert "UmbrellaError: zmxncb is asdkjh" in context.content
    assert "Nothing in this workspace" not in context.content


NEAREST = "What follows is nearest to the question."
ABSENT = "There is no {} in this workspace."
DISCOUNTED = " Similar names: `discounted` (`shop/prices.py:4`)."


@pytest.mark.parametrize(
    ("query", "name", "similar"),
    [
        ("what calls computeDiscount?", "`computeDiscount`", DISCOUNTED),
        ("who uses `Cart.apply_discount`?", "`Cart.apply_discount`", DISCOUNTED),
        ("where are totalPrice and discount_of computed?", "`totalPrice` or `discount_of`", DISCOUNTED),
        ('what uses the cart "Basket"?', "`Basket`", ""),
        ("where are OFX prices discounted?", "`OFX`", ""),
        ("which GTFSs does the cart send?", "`GTFSs`", ""),
        ("add a test for computeDiscount", "`computeDiscount`", DISCOUNTED),
        ("write tests for the class `PriceDiscount`, please", "`PriceDiscount`", DISCOUNTED),
        ("add caching to computeDiscount, rounded like totalSum", "`computeDiscount`", DISCOUNTED),
        (
            "where is computeDiscount, to rename `getPrices` to bestPrice?",
            "`getPrices` or `computeDiscount`",
            DISCOUNTED,
        ),
    ],
)
def test_a_name_that_is_nowhere_is_said_to_be_before_what_is_nearest(
    shop: Engine, query: str, name: str, similar: str
) -> None:
    for position in (None, EditorPosition("shop/mail.py", 2, 2)):
        content = ask(shop, query, position=position).content
        relevant = content.partition("## Relevant Content\n\n")[2]
        assert relevant.startswith(f"{ABSENT.format(name)}{similar} {NEAREST}\n\n### ")


def test_beside_a_name_that_is_nowhere_little_is_shown_that_is_not_likely(tmp_path: Path) -> None:
    readers = {
        f"shop/{topic}.py": f"def lay_{topic}(files, lamp):\n    return lamp.lay(files)\n" for topic in TOPICS
    }
    with opened(write(tmp_path / "shop", {**SHOP, **readers})) as engine:
        unlikely = ask(engine, "where does an OFX feed turn into files?")
        likely = ask(engine, "where does lay_parcel lay OFX files?")
    assert len([one for one in unlikely.components if one.path]) < len(TOPICS) // 2
    assert "shop/parcel.py" in [one.path for one in likely.components]


def test_of_similar_names_those_of_the_same_thing_come_first_and_no_hidden_one(tmp_path: Path) -> None:
    adapters = "".join(
        f"def {name}(adapter):\n    return adapter\n\n\n"
        for name in ("new_context", "get_adapter", "register_adapter")
    )
    with opened(write(tmp_path / "shop", {**SHOP, "shop/adapters.py": adapters})) as engine:
        places = "`get_adapter` (`shop/adapters.py:5`), `register_adapter` (`shop/adapters.py:9`)"
        assert f"Similar names: {places}. {NEAREST}" in ask(engine, "what calls NewAdapter?").content
        engine.working_set.exclude(engine.working_set.target("shop/adapters.py#get_adapter"))
        content = ask(engine, "what calls NewAdapter?").content
        assert "Similar names: `register_adapter` (`shop/adapters.py:9`). " in content
        assert "get_adapter" not in content


@pytest.mark.parametrize(
    "query",
    [
        "what calls discounted?",
        "who uses `Discounted`?",
        "who uses Cart.total()?",
        "who calls sendReceipt?",
        "where is register_route used?",
        "what is in `cart.py`?",
        "add a method computeDiscount to the cart",
        "I want the cart to have computeDiscount, which rounds",
        "fix computeDiscount",
        "new pricing rule NoDiscountAtNight with its tests, where do I begin?",
        "where do I put a new rule `NoDiscountAtNight`?",
        "a new handler called computeDiscount that rounds, where are the others?",
        "how do I rename discounted to computeDiscount, which callers break?",
        "introduce computeDiscount and a test that the cart calls it, where are prices?",
        "add an option to convert prices to RoundedEuro",
        "allow the cart to send to PostOffice, which prints",
        "what is a discount in the API?",
        "HOW IS A CART DISCOUNTED",
        "which CI runner sends receipts?",
        "add a reader of OFX files",
        "which URLs, IDs or PDFs, e.g. of returns, i.e. goods, are there?",
    ],
)
def test_no_note_of_absence_for_names_that_exist_or_are_to_be_made(shop: Engine, query: str) -> None:
    assert "There is no" not in ask(shop, query).content


def test_where_only_a_part_was_searched_no_name_is_said_to_be_nowhere(shop: Engine) -> None:
    within = Filters(paths=("web/**",))
    assert "There is no" not in ask(shop, "what route calls sendReceipt?", filters=within).content
    scoped = ask(shop, "what route calls sendReceipt?", scope=("web",)).content
    assert "There is no `sendReceipt` in `web`." in scoped


def test_a_name_of_what_happened_is_known(own: Engine) -> None:
    query = "when does the cart raise UmbrellaFault?"
    assert ABSENT.format("`UmbrellaFault`") in ask(own, query).content
    own.record(NewEvent("error", {"message": "UmbrellaFault: too wet", "stack": "at shop"}))
    assert "There is no" not in ask(own, query).content


def test_an_update_keeps_the_confidence_of_what_it_keeps(own: Engine) -> None:
    context = ask(own, "how is the discount computed?", max_tokens=400)
    assert own.update(context.id, NewEvent("note", {"text": "in euros"})).confidence == context.confidence

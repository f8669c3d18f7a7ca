"""Entities of a small real workspace: what people write finds them, and what matters is salient."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.memory.index.query.traces import places_in
from contextls.memory.knowledge.base import Knowledge
from contextls.memory.knowledge.entities.event_stats import Activity, error_id
from contextls.memory.knowledge.entities.mentions import MAX_MENTIONS, MAX_PER_NAME, MentionMatch
from contextls.memory.knowledge.entities.salience import HALF_LIFE_MS, activity, name_centrality, salience
from contextls.model import NewEvent

from ..workspaces import NOW, SHOP, knowledge_of, opened, write

MORE = {
    "shop/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    "admin/report.py": "import numpy\nimport shop.cart\nfrom shop.prices import discounted\n\n"
    "TOTAL = shop.cart.Cart().total()\n",
    "other/cart.py": "class Cart:\n    pass\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "2.0"\ndependencies = ["numpy>=1.26", "unused"]\n',
}


def names(words: list[str], knowledge: Knowledge, **how: bool) -> list[str]:
    return [one.entity.id for one in knowledge.find_mentioned(words, loose=how.get("loose", False))]


def test_symbols_and_files_are_recognised_by_what_people_write(knowledge: Knowledge) -> None:
    assert names(["discounted"], knowledge) == ["shop/prices.py#discounted"]
    assert names(["discounted()"], knowledge) == ["shop/prices.py#discounted"]
    assert names(["Cart.total"], knowledge) == ["shop/cart.py#Cart.total"]
    assert names(["cart::total"], knowledge) == ["shop/cart.py#Cart.total"]
    assert names(["prices.discounted"], knowledge) == ["shop/prices.py#discounted"]
    assert names(["shop.cart.Cart.total"], knowledge) == ["shop/cart.py#Cart.total"]
    assert names(["prices.py"], knowledge) == ["shop/prices.py"]
    assert names(["./shop/cart.py"], knowledge) == ["shop/cart.py"]
    assert names(["shop/prices"], knowledge) == ["shop/prices.py"]
    assert names(["shop.mail"], knowledge) == ["shop/mail.py"]
    assert set(names(["cart.py"], knowledge)) == {"shop/cart.py", "other/cart.py"}
    assert set(names(["Cart"], knowledge)) == {"shop/cart.py#Cart", "other/cart.py#Cart"}
    assert names(["a", "is", "nothing_like_it", "../../etc/passwd", ""], knowledge) == []


def test_the_name_of_many_files_means_none_of_them(tmp_path: Path) -> None:
    files = {f"queries/{topic}/indents.scm": "(block) @indent\n" for topic in ("c", "go", "lua", "rust")}
    with opened(write(tmp_path, files | {"src/rules.py": "def rules():\n    pass\n"})) as engine:
        knowledge = knowledge_of(engine)
        assert names(["indents.scm"], knowledge) == []
        assert names(["go/indents.scm"], knowledge) == ["queries/go/indents.scm"]
        assert len(names(["indents.scm"], knowledge, loose=True)) == MAX_PER_NAME


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        ('File "/home/me/shop/cart.py", line 5, in total', "shop/cart.py"),
        ('File "/app/tasks/cart.py", line 5, in total', ""),
        ('File "/app/setup.py", line 1, in <module>', "setup.py"),
        ('File "/usr/lib/python3/setup.py", line 1, in <module>', ""),
    ],
)
def test_a_frame_is_named_only_where_it_is_one_of_the_workspace(
    tmp_path: Path, frame: str, found: str
) -> None:
    with opened(write(tmp_path, {**SHOP, "setup.py": "VERSION = 1\n"})) as engine:
        knowledge = knowledge_of(engine)
        mentions = knowledge.find_mentioned([], text="", places=places_in(f"  {frame}\n"))
        assert {one.entity.path for one in mentions} == ({found} if found else set())


def test_names_in_another_style_or_nearly_right_are_recognised(knowledge: Knowledge) -> None:
    assert names(["sendReceipt"], knowledge) == ["shop/mail.py#send_receipt"]
    assert names(["register_route"], knowledge) == ["web/router.ts#registerRoute"]
    assert names(["registerRuote"], knowledge) == ["web/router.ts#registerRoute"]
    assert names(["send_reciept"], knowledge) == ["shop/mail.py#send_receipt"]
    assert names(["discuonted"], knowledge) == [], "a word of prose is not taken for a misspelt name"
    assert names(["discuonted"], knowledge, loose=True) == ["shop/prices.py#discounted"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Crat", "Cart"),
        ("Acrt", "Cart"),
        ("Cart.ttoal", "Cart.total"),
        ("prcies", "shop/prices.py"),
        ("Cxat", ""),
    ],
)
def test_two_letters_that_changed_places_tell_a_short_name(
    knowledge: Knowledge, written: str, meant: str
) -> None:
    found = names([written], knowledge, loose=True)
    assert any(each.endswith(meant) for each in found) if meant else found == []


def test_names_written_as_separate_words_are_recognised(knowledge: Knowledge) -> None:
    found = knowledge.find_mentioned([], text="where do we send receipt mails and register route handlers?")
    assert [one.entity.id for one in found] == ["shop/mail.py#send_receipt", "web/router.ts#registerRoute"]
    assert {one.match for one in found} == {MentionMatch.SPLIT}


def test_surer_matches_come_first(knowledge: Knowledge) -> None:
    found = knowledge.find_mentioned(["send_reciept", "sendReceipt", "cart.total", "cart", "discounted"])
    matches = [one.match for one in found]
    assert matches == sorted(matches)
    assert found[0].entity.id == "shop/prices.py#discounted"


def test_a_line_of_a_file_means_the_definition_around_it(knowledge: Knowledge) -> None:
    trace = 'Traceback:\n  File "/home/me/project/shop/cart.py", line 14, in total\nKeyError: 1\n'
    for text in ("see shop/cart.py:14", trace):
        found = knowledge.find_mentioned([], places=places_in(text))
        assert [one.entity.id for one in found][:2] == ["shop/cart.py#Cart.total", "shop/cart.py"]


def test_what_many_files_use_is_salient(knowledge: Knowledge) -> None:
    by_id = {one.entity.id: one.entity for one in knowledge.find_mentioned(["discounted", "send_receipt"])}
    assert by_id["shop/prices.py#discounted"].salience > by_id["shop/mail.py#send_receipt"].salience
    assert by_id["shop/prices.py#discounted"].signature.startswith("def discounted(price")
    assert by_id["shop/prices.py#discounted"].doc == "The price after the seasonal discount."


def test_tests_and_packages_are_entities_of_their_own(knowledge: Knowledge) -> None:
    assert [one.entity.type for one in knowledge.find_mentioned(["shop/test_cart.py", "test_total"])] == [
        "test",
        "test",
    ]
    (numpy,) = knowledge.find_mentioned(["numpy"])
    assert (numpy.entity.id, numpy.entity.type) == ("package:numpy", "package")
    facts = dict(numpy.entity.properties)
    assert facts["version"] == ">=1.26"
    assert facts["imported by"] == "1 file"
    unused = knowledge.entity("package:unused")
    assert unused is not None
    assert unused.salience < numpy.entity.salience


def test_every_entity_is_found_again_by_its_id(knowledge: Knowledge) -> None:
    everything = list(knowledge.catalogue.everything())
    assert {entity.type for entity in everything} >= {
        "file",
        "function",
        "class",
        "method",
        "package",
        "test",
    }
    for entity in everything:
        assert knowledge.entity(entity.id) == entity
        assert 0 <= entity.salience <= 1
    for gone in (
        "no/such.py",
        "shop/cart.py#Nothing",
        "package:nothing",
        "person:Nobody",
        "command:x",
        "error:x",
        "#",
    ):
        assert knowledge.entity(gone) is None


def test_work_makes_salient_and_fades(tmp_path: Path) -> None:
    with opened(write(tmp_path, SHOP)) as engine:
        before = knowledge_of(engine).catalogue.file("shop/mail.py")
        for _ in range(3):
            engine.record(NewEvent("file_write", {"path": "shop/mail.py"}, timestamp=NOW))
        fresh = knowledge_of(engine).catalogue.file("shop/mail.py")
        old = knowledge_of(engine, NOW + HALF_LIFE_MS).catalogue.file("shop/mail.py")
        assert before.activity == 0
        assert fresh.activity == pytest.approx(0.5)
        assert old.activity == pytest.approx(1.5 / 4.5, abs=1e-3)
        assert fresh.salience > old.salience > before.salience
        engine.clear(index=False, events=True)
        for _ in range(5):
            engine.record(NewEvent("file_write", {"path": "shop/cart.py"}, timestamp=NOW))
        assert knowledge_of(engine).catalogue.file("shop/mail.py").activity == 0
        assert knowledge_of(engine).catalogue.file("shop/cart.py").activity > 0.5


def test_commands_and_errors_become_entities(tmp_path: Path) -> None:
    with opened(write(tmp_path, SHOP)) as engine:
        for number in (17, 99):
            engine.record(NewEvent("shell_exec", {"command": "pytest  -q", "exitCode": 1}, timestamp=NOW))
            message = f"KeyError: 'item {number}' at 0x7f{number}\nmore"
            engine.record(
                NewEvent("error", {"message": message, "path": "shop/cart.py", "line": 14}, timestamp=NOW)
            )
        knowledge = knowledge_of(engine)
        (command,) = [one.entity for one in knowledge.find_mentioned(["pytest -q"])]
        assert (command.id, command.type) == ("command:pytest -q", "command")
        assert dict(command.properties) == {"runs": "2, 2 failed", "last": "failed"}
        (error,) = [one.entity for one in knowledge.find_mentioned(["KeyError"])]
        assert (error.type, error.path, error.line) == ("error", "shop/cart.py", 14)
        assert dict(error.properties)["times"] == "2", "messages that differ in numbers are one error"


def test_errors_of_files_that_are_ignored_by_now_are_not_shown(tmp_path: Path) -> None:
    with opened(write(tmp_path, SHOP)) as engine:
        engine.record(
            NewEvent("error", {"message": "SecretError: no", "path": "shop/mail.py"}, timestamp=NOW)
        )
        assert [one.entity.type for one in knowledge_of(engine).find_mentioned(["SecretError"])] == ["error"]
        write(tmp_path, {".gitignore": "mail.py\n"})
        engine.index()
        assert knowledge_of(engine).find_mentioned(["SecretError"]) == []


def test_an_edit_moves_entities_and_uses(tmp_path: Path) -> None:
    with opened(write(tmp_path, SHOP)) as engine:
        before = engine._memories.content.memory.snapshot.symbols.uses("discounted")
        assert names(["Cart"], knowledge_of(engine)) == ["shop/cart.py#Cart"]
        write(tmp_path, {"shop/cart.py": "\n\n\ndef fill_basket():\n    return 1\n"})
        engine.update_files(["shop/cart.py"])
        after = engine._memories.content.memory.snapshot
        assert after.symbols.uses("discounted") == before - 1
        assert after.symbols.find_named("Cart") == ()
        (located,) = after.symbols.find_named("FILL_BASKET")
        assert (located.path, located.definition.start_line) == ("shop/cart.py", 4)
        assert names(["fillBasket"], knowledge_of(engine)) == ["shop/cart.py#fill_basket"]


@given(st.text(max_size=80), st.lists(st.text(max_size=30), max_size=8))
def test_whatever_is_asked_mentions_are_bounded_and_in_order(
    engine: Engine, text: str, words: list[str]
) -> None:
    knowledge = knowledge_of(engine)
    found = knowledge.find_mentioned(words, text=text, places=places_in(text))
    assert len(found) <= MAX_MENTIONS
    assert len({one.entity.id for one in found}) == len(found)
    assert [one.match for one in found] == sorted(one.match for one in found)
    assert found == knowledge_of(engine).find_mentioned(words, text=text, places=places_in(text))
    for word in words:
        assert len(knowledge.find_mentioned([word])) <= MAX_PER_NAME


PART = st.floats(0, 1)


@given(PART, PART, PART, PART)
def test_salience_stays_in_range_and_grows_with_each_part(
    central: float, active: float, churn: float, more: float
) -> None:
    base = salience(central, active, churn)
    assert 0 <= base <= 1
    assert salience(max(central, more), active, churn) >= base
    assert salience(central, max(active, more), churn) >= base
    assert salience(central, active, max(churn, more)) >= base


@given(st.floats(0, 10_000), st.floats(0, 10_000), PART)
def test_a_name_used_in_more_files_is_more_central(uses: float, more: float, of_file: float) -> None:
    assert 0 <= name_centrality(uses, of_file) <= name_centrality(uses + more, of_file) <= 1


@given(st.lists(st.tuples(st.floats(0.1, 1), st.integers(0, 10 * HALF_LIFE_MS)), max_size=12), st.randoms())
def test_activity_does_not_depend_on_the_order_of_events(
    events: list[tuple[float, int]], chance: Random
) -> None:
    shuffled = list(events)
    chance.shuffle(shuffled)
    sums = []
    for order in (events, shuffled):
        total = Activity()
        for weight, when in order:
            total = total.plus(weight, when)
        sums.append(total)
    later = 10 * HALF_LIFE_MS
    assert sums[0].now(later) == pytest.approx(sums[1].now(later), abs=2e-4)
    exact = activity(sum(weight * 2 ** ((when - later) / HALF_LIFE_MS) for weight, when in events))
    assert sums[0].now(later) == pytest.approx(exact, abs=2e-4)


def test_errors_are_one_kind_whatever_varies_in_them() -> None:
    assert error_id("index 4 out of range\n  at x") == error_id("index 17 out of range\nelsewhere")
    assert error_id("KeyError: 'a'") == error_id('KeyError: "b"')
    assert error_id("KeyError: 'a'") != error_id("ValueError: 'a'")

"""Why each piece is in the prompt: one short phrase that is true, for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.assembly.usefulness.reasons import join_reasons
from contextls.engine import Engine
from contextls.memory.index.terms import TermSplitter
from contextls.model import AssembleRequest, Boosts, Component, EditorPosition, NewEvent, Section

from ..memory.workspaces import SHOP, opened, write

NOW = 1_800_000_000_000
HIDDEN = {
    ".gitignore": "vault/\n",
    "vault/ledger.py": "def open_ledger():\n    return 'receipt total'\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
}
FAILED = {"command": "pytest", "exitCode": 1, "stdout": 'File "tests/test_cart.py", line 5, in test_total\n'}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("why"), {**SHOP, **HIDDEN})) as engine:
        engine.record(NewEvent("note", {"text": "vault/ledger.py is gone"}, timestamp=NOW - 5))
        engine.record(NewEvent("file_write", {"path": "shop/mail.py"}, timestamp=NOW - 4, session_id="old"))
        engine.record(
            NewEvent("file_edit", {"path": "shop/cart.py", "symbols": ["Cart.total"]}, timestamp=NOW - 3)
        )
        engine.record(NewEvent("shell_exec", FAILED, timestamp=NOW - 2))
        engine.prepare()
        yield engine


def components(shop: Engine, query: str, **fields: object) -> tuple[Component, ...]:
    request = AssembleRequest(query, max_tokens=3000, **fields)  # type: ignore[arg-type]
    return shop.assemble(request, now=NOW).components


def whys(shop: Engine, query: str, section: Section, **fields: object) -> dict[str, str]:
    """The reasons of one section by the file or id that they are of."""
    found = components(shop, query, **fields)
    return {each.source.partition(":")[0]: each.why for each in found if each.type is section}


def test_code_says_what_the_question_and_it_have_in_common(shop: Engine) -> None:
    found = whys(shop, "who calls send_receipt?", Section.SEMANTIC)
    assert found["shop/mail.py"].startswith("defines `send_receipt`")
    found = whys(shop, "the seasonal discount of prices", Section.SEMANTIC)
    assert "words: " in found["shop/prices.py"]
    assert "seasonal" in found["shop/prices.py"]
    found = whys(shop, "what is wrong at shop/prices.py:4 now?", Section.SEMANTIC)
    assert found["shop/prices.py"].startswith("the question names the place")
    assert (
        "a test, as asked for"
        in whys(shop, "which test covers the total?", Section.SEMANTIC)["tests/test_cart.py"]
    )


def test_a_function_word_is_no_reason(shop: Engine) -> None:
    found = whys(shop, "receipts being sent without an address, although no order was made", Section.SEMANTIC)
    told = " ".join(found.values())
    assert "receipts" in found["shop/mail.py"]
    assert not {"being", "without", "although", "no"}.intersection(re.findall(r"\w+", told))


def test_code_at_the_cursor_says_so(shop: Engine) -> None:
    at = EditorPosition("shop/cart.py", 13, 13)
    found = whys(shop, "explain this and what it calls", Section.SEMANTIC, position=at)
    assert "around the cursor" in found["shop/cart.py"]
    assert found["shop/prices.py"] == "defines `discounted`, used around the cursor"
    tests = whys(shop, "which tests cover this?", Section.SEMANTIC, position=at)
    assert tests["tests/test_cart.py"] in ("test of `total`", "test of `cart.py`")
    users = whys(shop, "who uses this?", Section.SEMANTIC, position=EditorPosition("shop/prices.py", 4, 4))
    assert "uses `discounted`" in users["shop/cart.py"]


def test_a_failure_leads_to_the_failing_line_and_what_was_edited_before(shop: Engine) -> None:
    found = whys(shop, "fix the failing test", Section.SEMANTIC)
    assert "at the failing line" in found["tests/test_cart.py"]
    assert "edited before the failure" in found["shop/cart.py"]
    events = whys(shop, "fix the failing test", Section.RECENT)
    assert "the latest failure" in events.values()
    assert any(why.startswith("before the latest failure; edited in this session") for why in events.values())


def test_other_memories_say_where_their_pieces_come_from(shop: Engine) -> None:
    events = whys(shop, "what was I doing?", Section.RECENT).values()
    assert any(why.startswith("noted in this session") for why in events)
    assert any("saved in another session" in why for why in events)
    query = "how does `Cart.add` work with discounted prices and the note?"
    shop.tasks.push("sell more")
    found = components(shop, query, additional_context="Mind the tax.")
    shop.tasks.pop()
    assert [each.why for each in found if each.type is Section.CUSTOM] == ["given with the question"]
    assert [each.why for each in found if each.type is Section.TASK] == ["the current task"]
    assert set(whys(shop, "is there a `registerRoute` here?", Section.ENTITY).values()) <= {
        "named in the question",
        "defined in code that was found",
    }
    relations = whys(shop, "who calls `discounted`?", Section.RELATION).values()
    assert relations
    assert all(re.search(r"named in the question|which was found|joins files", why) for why in relations)


def test_a_boost_and_an_update_are_told(shop: Engine) -> None:
    boosts = Boosts(paths={"shop/mail.py": 3.0})
    assert whys(shop, "mail the receipt", Section.SEMANTIC, boosts=boosts)["shop/mail.py"].endswith(
        "; raised by the request"
    )
    context = shop.assemble(AssembleRequest("mail the receipt"))
    after = shop.update(context.id, NewEvent("shell_exec", {"command": "make", "exitCode": 0}))
    assert after.components[0].why == "recorded just now"
    assert all(each.why for each in after.components)


WORDS = (
    "fix", "receipt", "ledger", "vault/ledger.py", "open_ledger", "Cart.add", "`total`", "discounted", "route",
    "shop/cart.py:5", "which test", "returns", "customer's", "registerRoute", "how", "ÄRGER", "\n", "this",
)  # fmt: skip


@given(
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join).filter(str.strip),
    line=st.none() | st.integers(1, 20),
    budget=st.integers(200, 3000),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_every_piece_has_a_true_short_reason_without_an_ignored_path(
    shop: Engine, query: str, line: int | None, budget: int
) -> None:
    position = None if line is None else EditorPosition("shop/cart.py", line, line)
    request = AssembleRequest(query, max_tokens=budget, position=position)
    context = shop.assemble(request, now=NOW)
    for each in context.components:
        assert each.why.strip() == each.why != ""
        assert "\n" not in each.why
        assert len(each.why) < 300
        assert "vault/" not in each.why
        assert "ledger.py" not in each.why
        if each.path is not None and each.type is Section.SEMANTIC:
            check_words(shop.root, each)
    again = shop.assemble(AssembleRequest(query + " ", max_tokens=budget, position=position), now=NOW)
    assert [each.why for each in again.components] == [each.why for each in context.components]


def check_words(root: Path, component: Component) -> None:
    """Every word and name in the reason of a chunk is one of its file or of its path."""
    path = component.source.rpartition(":")[0]
    text = (root / path).read_text()
    splitter = TermSplitter()
    held = {term.hash for word in splitter.words(f"{path} {text}") for term in splitter.stems(word)}
    listed = re.search(r"words(?: of the failure)?: ([^;]*)", component.why)
    for word in listed[1].split(", ") if listed else ():
        assert {term.hash for term in splitter.stems(word)} <= held, component.why
    for name in re.findall(r"(?:defines|names|uses) `([^`]+)`", component.why):
        assert name.rpartition(".")[2] in text, component.why


def test_words_that_a_question_only_means_are_told_apart(tmp_path: Path) -> None:
    posting = {
        "shop/post.py": "def post_with_backoff(parcel):\n    for wait in (1, 2, 4):\n        post(parcel, wait)\n"
    }
    with opened(write(tmp_path / "shop", {**SHOP, **posting})) as engine:
        found = whys(engine, "when is a parcel given a second chance?", Section.SEMANTIC)
    assert "words: parcel" in found["shop/post.py"]
    assert "in other words: backoff" in found["shop/post.py"]


def test_misspelt_words_are_told_as_they_were_read_and_in_full(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"shop/recovery.py": "def regenerate_recovery_codes(user):\n    return user.recovery_codes\n"},
    )
    with opened(tmp_path) as engine:
        found = whys(engine, "wher are teh recovry codes regenrated", Section.SEMANTIC)
    assert "recovery" in found["shop/recovery.py"]
    assert "regenerat" in found["shop/recovery.py"]
    assert not re.search(r"\b(?:recoveri|regener)\b", found["shop/recovery.py"])


def test_pieces_that_are_shown_as_one_tell_their_words_once() -> None:
    reasons = ["close in meaning; words: failed, job", "words: tried, failed; in other words: retry"]
    assert join_reasons(reasons) == "close in meaning; words: failed, job, tried; in other words: retry"

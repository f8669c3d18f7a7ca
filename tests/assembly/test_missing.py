"""A question about what no code here speaks of gets a sentence; one that code may answer gets code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from contextls.assembly.usefulness.subjects import find_subject, known_subjects
from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, EditorPosition, Filters

from ..memory.workspaces import SHOP, opened, write

# Besides the code there are files that name what it has nothing to do with.
FILES: Mapping[str, str] = {
    **SHOP,
    "tests/test_total.py": (
        "def test_lines_may_say_anything():\n"
        '    assert total(["rent", "payroll in S3"]) == 2\n\n\n'
        "def test_nothing_is_nothing():\n    assert total([]) == 0\n"
    ),
    "docs/links.md": "# Links\n\n- [Parcels](https://parcels.example): a server that speaks HTTP/2.\n",
    "docs/storage.md": "".join(
        f"# Storage {number}\n\nKeep your goods in Cassandra, in table {number}.\n\n" for number in range(5)
    ),
    "data/goods.json": '{"name": "a book on kafka"}\n',
    "shop/screens.py": "from com.google.android.gms import cast\n\n\ndef show(goods):\n    return cast.send(goods)\n",
    "shop/waiting.py": "def show_loading(page):\n    return page.dim()\n",
    "shop/vouchers.py": "def redeem(promo):\n    return promo.value\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("missing") / "shop", FILES)) as engine:
        yield engine


def ask(engine: Engine, query: str) -> Context:
    return engine.assemble(AssembleRequest(query))


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            "when do invoices go out by mail?",
            "Nothing in this workspace mentions `invoices`. Nearest: `shop/mail.py:",
        ),
        (
            "how is the backoff of a mail configured?",
            "Nothing in this workspace mentions `backoff`. Nearest: ",
        ),
        (
            "where is the payroll of the people paid?",
            "Only tests mention `payroll`: `tests/test_total.py:1-6` ",
        ),
        ("how long are the links to S3 valid?", "Only tests mention `S3`: `tests/test_total.py:1-6` "),
        (
            "where is the table of HTTP/2 headers shrunk?",
            "Only documents mention `HTTP/2`: `docs/links.md:1-3` `Links`.",
        ),
        ("show me how payroll is paid", "Only tests mention `payroll`: `tests/test_total.py:1-6` "),
        ("what currency does the receipt use?", "Nothing in this workspace mentions `currency`. Nearest: "),
        ("where are the goods synced to Zettle?", "Nothing in this workspace mentions `Zettle`. Nearest: "),
        (
            "where are the goods sent to Google Keep?",
            "Nothing in this workspace mentions `Google Keep`. Nearest: ",
        ),
        ("where is the consumer of kafka started?", "Only data mention `kafka`: `data/goods.json:1-1` "),
    ],
)
def test_what_code_does_not_speak_of_is_said(shop: Engine, query: str, told: str) -> None:
    context = ask(shop, query)
    assert [one.content.startswith(told) for one in context.components] == [True], context.content
    assert context.token_count <= 200
    assert context.confidence == 0


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("where is the redis server that sends a receipt?", "not known here: `redis`"),
        ("where is the payroll of the people paid?", "known in tests alone: `payroll`"),
    ],
)
def test_the_reason_says_which_word_is_not_known(shop: Engine, query: str, why: str) -> None:
    assert [one.why for one in ask(shop, query).components] == [why]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Wann werden Rechnungen verschickt?", "invoice"),
        ("Wo ist der Redis-Server?", "Redis"),
        ("Gibt es eine GraphQL-Schnittstelle?", "GraphQL"),
        ("Existe-t-il une intégration avec Redis ?", "Redis"),
        ("¿Existe soporte para Kerberos?", "Kerberos"),
        ("Há suporte para GraphQL?", "GraphQL"),
        ("Есть ли поддержка GraphQL?", "GraphQL"),
        ("有没有 GraphQL 支持", "GraphQL"),
        ("GraphQLのサポートはありますか", "GraphQL"),
        ("Wie funktionieren die Newsletter des Shops?", "Newsletter"),
        ("où sont envoyées les factures ?", "invoice"),
        ("¿dónde se envían las facturas?", "invoice"),
        ("Onde são enviadas as faturas?", "invoice"),
        ("Dove vengono inviate le fatture?", "invoice"),
        ("Где отправляется счёт?", "invoice"),
    ],
)
def test_who_asks_in_another_language_is_told_the_same(shop: Engine, query: str, named: str) -> None:
    context = ask(shop, query)
    assert context.components[0].content.startswith(f"Nothing in this workspace mentions `{named}`.")
    assert context.token_count <= 200
    assert context.confidence == 0


@pytest.mark.parametrize(
    "query",
    [
        "Wie wird ein Gutschein eingelöst?",
        "Füge Rechnungen hinzu",
        "Wo ist die E-Mail?",
        "Gibt es Gutscheine?",
    ],
)
def test_who_asks_in_another_language_for_what_is_here_gets_it(shop: Engine, query: str) -> None:
    assert "Nothing in this workspace" not in ask(shop, query).content


@pytest.mark.parametrize(
    "query", ["explain this function", "write a test for this", "where else do we do this?", "fix this"]
)
def test_who_points_at_an_editor_that_says_no_place_is_told_so(shop: Engine, query: str) -> None:
    context = ask(shop, query)
    assert context.content.startswith(f"{query}\n")
    assert context.content.rstrip().endswith(
        "The question points at code in an editor, and no cursor, selection or file came with it to say which."
    )
    assert len(context.components) == 1
    assert context.confidence == 0


@pytest.mark.parametrize(
    "place",
    [
        {"position": EditorPosition("shop/vouchers.py", 1, 1)},
        {"filters": Filters(paths=("shop/vouchers.py",))},
        {"scope": ("shop",)},
        {"additional_context": "def redeem(promo): ..."},
    ],
)
def test_who_points_at_code_that_came_with_the_question_is_not_told_so(
    shop: Engine, place: dict[str, Any]
) -> None:
    context = shop.assemble(AssembleRequest("explain this function", **place))
    assert "came with it to say which" not in context.content


@pytest.mark.parametrize(
    "query",
    [
        "where is a coupon redeemed?",  # code calls it a voucher
        "We run it behind Kerberos and a receipt appears when people pay. What does the receipt hold?",
        "the spinner beside the receipt never goes away",  # code calls it loading
        "which of the tests have payroll in them?",
        "where is it documented how HTTP/2 is spoken?",
        "where do we keep goods in Cassandra?",  # documents say much of it
        "send an invoice by mail",  # wants it
        "where should I add invoices?",
        "our invoice was refused, where is a route registered?",
        "behind nginx, how is the path of a route read?",
        "sync the goods to Zettle",
        "where is the mail sent to Google Cast?",
        "where are the goods kept, as in Google Keep?",
        "which mail was changed since Thursday?",
        "what did Morten change in the receipt?",
        "after we moved to Zettle, how is a mail sent?",
    ],
)
def test_what_something_here_may_answer_is_shown(shop: Engine, query: str) -> None:
    assert all(one.path for one in ask(shop, query).components)


def test_headings_of_an_issue_template_are_no_words_that_are_asked_for(shop: Engine) -> None:
    report = "Where is the quokka zoned?\n\n### Steps to reproduce\nzonk it\n\n**Expected behavior**\n\nblorp"
    content = ask(shop, report).content
    assert "Nothing in this workspace mentions `quokka`, `zoned`, `zonk` or `blorp`." in content


def test_a_subject_is_known_in_the_singular_and_the_plural() -> None:
    assert find_subject("Invoices") == find_subject("invoice") is not None
    assert find_subject("currencies") == find_subject("currency") is not None
    assert find_subject("HTTP/2") == find_subject("http2") is not None
    assert find_subject("fit") is find_subject("cart") is None


def test_every_subject_can_be_looked_for(shop: Engine) -> None:
    for subject in known_subjects().values():
        for word in (*subject.words, *subject.as_names):
            context = ask(shop, f"where is the {word}?")
            assert context.content, word
            assert not any("Error" in warning for warning in context.report.warnings), word

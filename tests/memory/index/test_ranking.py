"""What a person expects of a search: the definition first, the source before its tests, several files in the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.engine import Engine
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.asked_kinds import kinds_asked_for

from ..workspaces import opened, write

FILES = {
    "shop/pricing.py": '''"""Prices and discounts."""

class DiscountPolicy:
    """Decides how much a customer saves."""

    def compute_discount(self, total, customer):
        """The discount of an order."""
        return total * self.rate_for(customer)

    def _round_up(self, total):
        return total + 1

    def rate_for(self, customer):
        return 0.1 if customer.loyal else 0.0
''',
    "shop/checkout.py": """from shop.pricing import DiscountPolicy

def checkout(order, customer):
    discount = DiscountPolicy().compute_discount(order.total, customer)
    return order.total - discount

def receipt(order, discount):
    return f"{order.total} minus discount {discount}"
""",
    "shop/type_adapter.py": """class TypeAdapter:
    def adapt(self, value):
        return self.target(value)
""",
    "shop/__init__.py": "from shop.pricing import DiscountPolicy\n",
    "tests/test_pricing.py": '''from shop.pricing import DiscountPolicy

def test_compute_discount_of_a_loyal_customer(loyal):
    """The discount of an order of a loyal customer."""
    assert DiscountPolicy().compute_discount(100, loyal) == 10

def test_compute_discount_of_a_new_customer(new):
    """The discount of an order of a new customer."""
    assert DiscountPolicy().compute_discount(100, new) == 0
''',
    "docs/discounts.md": "# Discounts\\n\\nHow the discount of an order is computed: loyal customers save a tenth.\\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root: Path = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    engine = Engine.open(root)
    engine.index()
    yield engine
    engine.close()


def paths(engine: Engine, query: str) -> list[str]:
    return [hit.path for hit in engine.search(query, 10).hits]


@pytest.mark.parametrize(
    "name",
    [
        "DiscountPolicy",
        "compute_discount",
        "DiscountPolicy.compute_discount",
        "discountpolicy",
        "rate_for",
        "_round_up",
    ],
)
def test_a_name_leads_to_its_definition(shop: Engine, name: str) -> None:
    assert paths(shop, name)[0] == "shop/pricing.py"


MEMBERS = {
    "jobs/task.py": "class Task:\n    def retry(self, delay):\n        return self.send(delay)\n",
    "checks/jobs.py": "def retry(job):\n    return job\n",
    "clock/stamp.py": "class Time:\n    def now(self):\n        return 0\n",
    "jobs/clock.py": "def at(self):\n    return self.clock.time\n",
}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("who calls self.retry() when a job fails?", {"checks/jobs.py", "jobs/task.py"}),
        ("who calls Task.retry() when a job fails?", {"jobs/task.py"}),
        ("where is jobs.task.retry used?", {"checks/jobs.py", "jobs/task.py"}),
        ("what is the default of storage.database.retention.time?", set()),
        ("what does clock.stamp.time keep?", {"clock/stamp.py"}),
    ],
)
def test_a_name_with_dots_means_what_stands_on_its_way(
    tmp_path: Path, question: str, wanted: set[str]
) -> None:
    with opened(write(tmp_path, MEMBERS)) as engine:
        moment = take_snapshot(engine._memories, 0)
        ranking = moment.content.ranking(moment.snapshot, moment.content.read_query(question))
        assert {ranking.view.path(ref) for ref in ranking.defined} == wanted


@pytest.mark.parametrize(
    "question",
    [
        "what does Cart.java do?",
        "it fails: total is null. at shop.Cart.add(Cart.java:2) at lib.Pool.run(Pool.java:45)",
    ],
)
def test_the_name_of_a_file_is_no_name_of_code(tmp_path: Path, question: str) -> None:
    files = {
        "shop/Cart.java": "class Cart {\n    void add(Item item) { total = total.plus(item.price()); }\n}\n",
        "info/runtime.ts": "export interface Java {\n  vendor: string;\n}\n",
    }
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        ranking = memories.content.ranking(memories.snapshot, memories.content.read_query(question))
    assert "Java" not in [name for _, name in ranking.defined.values()]


def test_source_comes_before_its_tests_and_documents(shop: Engine) -> None:
    found = paths(shop, "how is the discount of an order computed")
    assert found[0].startswith("shop/")
    assert found.index("shop/pricing.py") < found.index("tests/test_pricing.py")


def test_tests_come_first_when_asked_for(shop: Engine) -> None:
    usual = paths(shop, "discount of a loyal customer").index("tests/test_pricing.py")
    asked = paths(shop, "which tests cover the discount of a loyal customer").index("tests/test_pricing.py")
    assert asked == 0 or asked < usual


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("which tests cover the cart", FileKind.TEST),
        ("is there a test for an empty cart?", FileKind.TEST),
        ("where is the discount tested", FileKind.TEST),
        ("show me an example of a login", FileKind.EXAMPLE),
        ("an example of a login", FileKind.DOCUMENT),
        ("where is the discount documented", FileKind.DOCUMENT),
        ("what do the docs say about discounts", FileKind.DOCUMENT),
        ("under which licence is this?", FileKind.LICENCE),
        ("how do I put it behind a proxy?", FileKind.DOCUMENT),
        ("how to turn the banner off", FileKind.EXAMPLE),
        ("how can my plugin add a column?", FileKind.DOCUMENT),
        ("how does one turn the banner off?", FileKind.DOCUMENT),
        ("how can an admin turn the banner off?", FileKind.DOCUMENT),
        ("how could our users turn the banner off?", FileKind.DOCUMENT),
        ("can I set the length of names in shop.yml?", FileKind.DOCUMENT),
        ("is there a way to turn the banner off?", FileKind.DOCUMENT),
        ("where does the book explain discounts?", FileKind.DOCUMENT),
        ("which page of the user manual covers discounts?", FileKind.DOCUMENT),
        ("write a failing test: an empty cart has no total", FileKind.TEST),
        ("I want to add another end-to-end test of the cart", FileKind.TEST),
        ("what do the test helpers set up?", FileKind.TEST),
        ("a cart that can be shared, with tests", FileKind.TEST),
        ("if two discounts apply, which one wins?", FileKind.DOCUMENT),
        ("which currencies are accepted?", FileKind.DOCUMENT),
        ("what do I set to turn the banner off?", FileKind.DOCUMENT),
        ("which Ruby versions does CI run?", FileKind.SETTINGS),
        ("what's new in 3.0?", FileKind.CHANGELOG),
        ("since which version can a cart be shared?", FileKind.CHANGELOG),
        ("which release removed the basket?", FileKind.CHANGELOG),
        ("why was the basket dropped?", FileKind.CHANGELOG),
        ("breaking changes when upgrading from 2 to 3?", FileKind.CHANGELOG),
        ("which setting turns this off and where is it read?", FileKind.SETTINGS),
        ("we want to bump the minimum version", FileKind.SETTINGS),
        ("what is the minimum Node.js version?", FileKind.SETTINGS),
        ("versions of node that are supported", FileKind.SETTINGS),
        ("the versions of PHP supported", FileKind.SETTINGS),
        ('add a zh-TW translation for the label "basket"', FileKind.TRANSLATION),
        ("fix the wrong translation of the basket", FileKind.TRANSLATION),
        ("where are the translations of the checkout?", FileKind.TRANSLATION),
        ("which translation keys has the basket?", FileKind.DATA),
    ],
)
def test_a_question_can_ask_for_a_kind_of_file(question: str, kind: FileKind) -> None:
    assert kind in kinds_asked_for(question)
    assert kind in kinds_asked_for(question[0].upper() + question[1:])


@pytest.mark.parametrize(
    "question",
    [
        "how does the test runner start",
        "JSON body parser",
        "documentation generator for commands",
        "prefer source over tests and examples",
        "how is a mock built for tests",
        "how do we round prices",
        "how is the order of settings kept",
        "compare two versions of a document",
        "which browsers do we test on",
        "a runner with test output in colour",
        "how is a license key made for each sale?",
        "where are licence-keys checked?",
        'it logs "samples that are too old", why?',
        "where is the translation layer of errors?",
        "how are addresses translated",
    ],
)
def test_a_word_alone_asks_for_no_kind_of_file(question: str) -> None:
    assert kinds_asked_for(question) == {FileKind.SOURCE}


def test_words_apart_find_the_name_that_they_form(shop: Engine) -> None:
    assert paths(shop, "the type adapter of a value")[0] == "shop/type_adapter.py"


def test_one_file_does_not_fill_the_answer(shop: Engine) -> None:
    assert len(set(paths(shop, "discount")[:3])) == 3


def test_the_same_question_gets_the_same_answer(shop: Engine) -> None:
    assert shop.search("discount of an order", 10).hits == shop.search("discount of an order", 10).hits


@pytest.mark.parametrize(
    "recording", ["tests/cassettes/{}.yml", "tests/cassettes/{}.json", "pay/testdata/{}.hujson"]
)
def test_recordings_of_tests_make_no_word_of_the_code_common(tmp_path: Path, recording: str) -> None:
    code = {
        "shop/payout.py": "def payout(sales):\n    return sales * 0.9\n",
        "shop/customer.py": "class Customer:\n    def greet_customer(self):\n        return self.customer_name\n",
        "shop/order.py": "def order_of_customer(customer):\n    return customer.orders[-1]\n",
    }
    recorded = {
        recording.format(n): f'{{"payout": {{"amount": {n}, "currency": "EUR"}}}}\n' for n in range(30)
    }
    with opened(write(tmp_path, {**code, **recorded})) as engine:
        assert engine.search("where does a customer get a payout?").hits[0].path == "shop/payout.py"

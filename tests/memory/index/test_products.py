"""Products that are called like files: "Node.js" is ``node`` in code, unless a file is called so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest

FILES = {
    "package.json": '{\n  "name": "shop",\n  "engines": {\n    "node": ">=22.0.0"\n  }\n}\n',
    "src/Cart.js": "export class Cart {\n  total() {\n    return this.items.length\n  }\n}\n",
    "src/orders.js": "export function versionOf(order) {\n  return order.minimum\n}\n",
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    with Engine.open(tmp_path) as engine:
        engine.index()
        yield engine


def read(engine: Engine, question: str) -> str:
    return engine._memories.content.memory.read_query(question).text


def test_a_product_is_looked_for_by_its_name_alone(engine: Engine) -> None:
    context = engine.assemble(AssembleRequest("what is the minimum Node.js version?", 1_000))
    assert context.components[0].path == "package.json"


@pytest.mark.parametrize(
    "question",
    [
        "what does Cart.js do?", "cart.js", "why does Cart.js:3 fail?", "where is src/Order.js?", "is order.js read?",
        "what is Order.js.map for?", "who calls Order.json()?",
    ],
)  # fmt: skip
def test_a_file_stays_a_file(engine: Engine, question: str) -> None:
    assert read(engine, question) == question


def test_each_product_is_read(engine: Engine) -> None:
    assert read(engine, "do we use Vue.js, or Next.js?") == "do we use Vue, or Next?"

"""How central definitions are: what many files use leads, also where only some of them are asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.engine import Engine
from contextls.memory.index.priors import FileKind
from contextls.memory.knowledge.relations.symbol_rank import SymbolRanks, rank_symbols

from ..workspaces import opened, write

COUNT = 40
SHOP = {
    "shop/money.py": "class Money:\n    def rounded(self):\n        return self\n",
    "shop/rare.py": "class Seldom:\n    pass\n",
    **{
        f"shop/part{number}.py": "from shop.money import Money\n"
        + ("from shop.rare import Seldom\n\nseldom = Seldom()\n" if number == 7 else "")
        + f"\n\ndef price{number}():\n    return Money().rounded()\n"
        for number in range(COUNT)
    },
    **{
        f"tests/test_{number}.py": f"from shop.part{number} import price{number}\n\n\n"
        f"def test_it():\n    assert price{number}()\n"
        for number in range(3)
    },
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shop"), SHOP)) as engine:
        yield engine


def rank(engine: Engine, max_voters: int) -> SymbolRanks:
    now = take_snapshot(engine._memories, 0)
    snapshot, graph = now.snapshot, now.graph
    sources = {path for path, kind in snapshot.files.kinds().items() if kind is FileKind.SOURCE}
    return rank_symbols(snapshot.outlines, graph.all_imports, snapshot.symbols, sources, max_voters)


@pytest.mark.parametrize("max_voters", [1_000, 30, 8])
def test_what_most_files_use_leads(shop: Engine, max_voters: int) -> None:
    ranks = rank(shop, max_voters)
    leading = sorted(ranks.symbols, key=lambda symbol: (-ranks.symbols[symbol], symbol))
    assert set(leading[:2]) == {("shop/money.py", "Money"), ("shop/money.py", "Money.rounded")}
    assert max(ranks.files, key=lambda path: ranks.files[path]) == "shop/money.py"


@pytest.mark.parametrize("max_voters", [1_000, 8])
def test_what_tests_hold_has_no_rank(shop: Engine, max_voters: int) -> None:
    assert all(path.startswith("shop/") for path, _ in rank(shop, max_voters).symbols)

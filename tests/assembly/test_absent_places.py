"""A place that is not there is said to be none: what is shown instead is about something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

SHOP = {
    "shop/cart.py": "def total(cart):\n    return sum(cart)\n",
    "shop/till.py": "def ring():\n    return 'ring'\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("places"), SHOP)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("shop/nope.py:3", "`shop/nope.py` is no file of this workspace, or one that is left out"),
        ("why does shop/cart.py:999 fail?", "`shop/cart.py` has 2 lines, and no line 999"),
        ("what happens in cart.py on line 40?", "`shop/cart.py` has 2 lines, and no line 40"),
    ],
)
def test_what_is_not_there_is_said(engine: Engine, query: str, said: str) -> None:
    assert said in engine.assemble(AssembleRequest(query)).report.warnings


@pytest.mark.parametrize(
    "query",
    [
        "why does shop/cart.py:2 fail?",
        "shop/till.py:2",
        'File "/srv/lib/json.py", line 12, in loads',
        "why does the cart at db.example.com:5432 fail?",
    ],
)
def test_of_what_is_there_and_of_traces_nothing_is_said(engine: Engine, query: str) -> None:
    assert engine.assemble(AssembleRequest(query)).report.warnings == ()

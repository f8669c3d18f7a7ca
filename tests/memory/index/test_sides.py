"""A question about the frontend of a web application gets its frontend, and one about the backend that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.index.sides import Side, file_side, has_both_sides
from contextls.model import AssembleRequest

from ..workspaces import opened, write

GO = 'package {name}\n\n// {what} checks a coupon.\nfunc {what}(coupon string) bool {{\n\treturn coupon != ""\n}}\n'
SCRIPT = "// {what} checks a coupon.\nexport function {what}(coupon: string) {{\n  return coupon !== ''\n}}\n"
BACKEND = {
    f"internal/{name}/{name}.go": GO.format(name=name, what=what)
    for name, what in (("coupons", "CheckCoupon"), ("orders", "OrderCoupon"), ("carts", "CartCoupon"))
}
FRONTEND = {
    f"web/src/{name}.ts": SCRIPT.format(what=what)
    for name, what in (("coupon-form", "checkCoupon"), ("order-page", "orderCoupon"), ("cart", "cartCoupon"))
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shop"), BACKEND | FRONTEND)) as engine:
        yield engine


def folders_for(engine: Engine, question: str) -> list[str]:
    """The top folders of what leads, the first three pieces."""
    pieces = engine.assemble(AssembleRequest(question, 4_000)).components
    return [piece.path.partition("/")[0] for piece in pieces if piece.path][:3]


@pytest.mark.parametrize(
    "question",
    [
        "where is a coupon checked in the frontend?",
        "how does the UI check a coupon?",
        "frontend: where is a coupon checked",
        "where do we check a coupon in the web UI",
        "how is a coupon checked on the client side?",
    ],
)
def test_the_frontend_leads_where_it_is_asked_for(shop: Engine, question: str) -> None:
    assert folders_for(shop, question) == ["web"] * 3


@pytest.mark.parametrize(
    "question",
    [
        "where is a coupon checked in the backend?",
        "how does the server check a coupon?",
        "backend: where is a coupon checked",
        "how is a coupon checked on the server side?",
        "how is a coupon checked on the server?",
    ],
)
def test_the_backend_leads_where_it_is_asked_for(shop: Engine, question: str) -> None:
    assert folders_for(shop, question) == ["internal"] * 3


@pytest.mark.parametrize(
    "question",
    ["where is a coupon checked?", "where is a coupon checked in the frontend and in the backend?"],
)
def test_both_sides_are_shown_to_who_asks_for_neither_or_both(shop: Engine, question: str) -> None:
    assert set(folders_for(shop, question)) == {"internal", "web"}


@pytest.mark.parametrize(
    "question",
    ["where are the UI settings?", "which address lives on our server?", "where is the server address set?"],
)
def test_a_word_that_is_part_of_a_name_asks_for_no_side(shop: Engine, question: str) -> None:
    asked = shop._memories.content.memory.read_query(question)
    assert (asked.text, asked.side) == (question, None)


def test_without_two_sides_the_word_is_one_like_others(tmp_path: Path) -> None:
    files = {"parser/frontend.go": GO.format(name="parser", what="ParseFrontend"), **BACKEND}
    with opened(write(tmp_path, files)) as engine:
        best = engine.assemble(AssembleRequest("what is checked in the frontend?", 1_000)).components[0]
        assert best.path == "parser/frontend.go"


@pytest.mark.parametrize(
    ("path", "side"),
    [
        ("web/src/cart.ts", Side.FRONTEND),
        ("src-ui/app/cart.component.html", Side.FRONTEND),
        ("app/views/cart/show.html.erb", Side.FRONTEND),
        ("resources/views/cart.blade.php", Side.FRONTEND),
        ("ui/src/Cart.jsx", Side.FRONTEND),
        ("web/src/api/carts.ts", Side.FRONTEND),
        ("src/api/carts.ts", Side.FRONTEND),
        ("apps/api/carts.ts", Side.BACKEND),
        ("server/src/cart.ts", Side.BACKEND),
        ("server/src/web/cart.ts", Side.BACKEND),
        ("shop/views.py", Side.BACKEND),
        ("app/models/cart.rb", Side.BACKEND),
        ("db/migrations/0001_carts.sql", Side.BACKEND),
        ("internal/web/pages.go", None),
        ("desktop/main.rs", None),
        ("web/src/cart.test.ts", None),
        ("docs/cart.md", None),
        ("src/cart.c", None),
    ],
)
def test_a_path_says_of_which_side_a_file_is(path: str, side: Side | None) -> None:
    assert file_side(path) is side


def test_a_page_or_two_make_no_frontend() -> None:
    served = [f"shop/cart_{number}.py" for number in range(200)]
    shown = [f"shop/templates/page_{number}.html" for number in range(4)]
    assert not has_both_sides([*served, *shown])
    assert has_both_sides([*served[:80], *shown])

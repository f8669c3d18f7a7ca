"""The keywords of statements are no words of what code is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.memory.index.segments.keywords import without_keywords
from contextls.model import AssembleRequest


@pytest.mark.parametrize(
    ("path", "line", "words"),
    [
        ("cart.ts", "export default class Cart {", ["Cart"]),
        ("cart.ts", "export const total = (cart) => 0", ["total", "cart", "0"]),
        ("cart.ts", "import { tax } from './tax'", ["tax", "from", "tax"]),
        ("cart.ts", "  const cart = new Cart(exported)", ["cart", "Cart", "exported"]),
        ("Cart.java", "\tpublic static final int MAX = 3;", ["int", "MAX", "3"]),
        ("Cart.cs", "    private static readonly Cart open;", ["Cart", "open"]),
        ("cart.rs", "pub(crate) struct Cart {", ["Cart"]),
        ("cart.rs", "    match cart {", ["cart"]),
        ("cart.go", "package cart", ["cart"]),
        ("cart.h", "#include <stdio.h>", ["stdio", "h"]),
        ("cart.h", "public:", []),
        ("cart.php", "use App\\Cart;", ["App", "Cart"]),
        (".github/workflows/cart.yml", "    runs-on: ubuntu", ["ubuntu"]),
        (".github/workflows/cart.yml", "      - run: make jobs", ["make", "jobs"]),
    ],
)  # fmt: skip
def test_a_keyword_is_left_out(path: str, line: str, words: list[str]) -> None:
    assert _split(without_keywords(path, f"before\n{line}\nbehind")) == ["before", *words, "behind"]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("cart.ts", "exportToPng(cart)"),
        ("cart.ts", "// How new exports and imports are matched."),
        ("cart.ts", "isPublic = cart.public"),
        ("cart.py", "data = read(cart)"),
        ("cart.py", "open(path)"),
        ("cart.py", "public = True"),
        ("cart.py", "match = type(cart)"),
        ("cart.py", "object.package(module)"),
        ("cart.md", "export a cart"),
        ("cart.yaml", "default: 3"),
    ],
)
def test_the_same_word_as_a_name_or_in_prose_is_kept(path: str, line: str) -> None:
    assert _split(without_keywords(path, line)) == _split(line)


@given(st.text(alphabet="export new(\n\tCart{$", max_size=80))
def test_nothing_but_keywords_is_ever_left_out(text: str) -> None:
    kept = _split(without_keywords("cart.ts", text))
    gone = [word for word in _split(text) if word not in kept]
    assert set(gone) <= {"export", "new"}


def test_what_exports_comes_before_what_is_only_exported(tmp_path: Path) -> None:
    for name in ("price", "tax", "order"):
        helpers = "\n".join(f"export function {name}{n}(cart) {{\n  return cart\n}}\n" for n in range(9))
        (tmp_path / f"{name}.ts").write_text(helpers)
    (tmp_path / "sheet.ts").write_text("function writeSheet(cart) {\n  return exporters.get(cart)\n}\n")
    with Engine.open(tmp_path) as engine:
        engine.index()
        assert (
            engine.assemble(AssembleRequest("where is the export?", 1_000)).components[0].path == "sheet.ts"
        )


def _split(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text).split()

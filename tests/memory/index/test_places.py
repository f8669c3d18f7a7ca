"""People name places in many ways; each leads to the line or the function that is meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.engine import Engine
from contextls.memory.index.query.places import definitions_in, mentions_in

from ..workspaces import opened, write

BODY = "".join(f"    if basket.weight > {n}:\n        basket.fee += {n}\n" for n in range(20))
FILES = {
    "shop/cart.py": "".join(
        f"def {name}(basket):\n{BODY}    return basket\n\n\n" for name in ("weigh", "total", "pack")
    ),
    "shop/parcel.py": "def label(parcel):\n    return parcel.address\n\n\n# The basket breaks, the fee breaks: in total\n",
    "docs/guide.md": "# Guide\n\nWhy a basket may break and what to do in total: weigh the fee, pack it again.\n",
}
# Of the 43 lines of each function, one in the middle of the second.
LINE = 60


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("places"), FILES)) as engine:
        yield engine


@pytest.mark.parametrize(
    "place",
    [
        f"shop/cart.py line {LINE}",
        f"`shop/cart.py`, line {LINE}",
        f"shop/cart.py (line {LINE})",
        f"shop/cart.py on line {LINE}",
        f"shop/cart.py:{LINE}",
        f"shop/cart.py#L{LINE}",
        f"shop/cart.py#L{LINE}-L{LINE + 5}",
        f"shop/cart.py L{LINE}",
        f"line {LINE} of cart.py",
        f"`cart.py` (:{LINE})",
        f"cart.py, somewhere near the end of it on line {LINE}",
    ],
)
def test_a_line_beside_a_file_leads_to_that_line(engine: Engine, place: str) -> None:
    best = engine.search(f"why does the basket break in {place}?", 5).hits[0]
    assert best.path == "shop/cart.py"
    assert best.start_line <= LINE <= best.end_line


@pytest.mark.parametrize(
    "place", ["in function total", "at total()", "in `total`", "inside the function total"]
)
def test_a_function_named_as_one_leads_to_its_definition(engine: Engine, place: str) -> None:
    best = engine.search(f"the basket breaks {place}", 5).hits[0]
    assert (best.path, best.symbol) == ("shop/cart.py", "total")


@pytest.mark.parametrize(
    ("text", "path", "line", "name"),
    [
        ("cart.py:12: in total", "cart.py", 12, "total"),
        ("cart.py line 12 in total", "cart.py", 12, "total"),
        ("cart.py in function total", "cart.py", None, "total"),
        ("a.py calls b.py on line 30", "b.py", 30, ""),
        ("line 30 of b.py, as a.py does", "b.py", 30, ""),
        ('{"level":"error","file":"shop/cart.go","line":59,"msg":"no total"}', "shop/cart.go", 59, ""),
        ('SpanTrace [{ name: "total", file: "src/cart.rs", line: 59 }]', "src/cart.rs", 59, ""),
        ("cart.py has an L2 cache", "cart.py", None, ""),
        ("src/cart.ts:3:14 - error", "src/cart.ts", 3, ""),
        ("[here](https://github.com/a/shop/blame/main/src/cart.rb), I think", "src/cart.rb", None, ""),
        ("see https://gitlab.com/a/shop/-/blob/main/src/cart.rb#L12", "src/cart.rb", 12, ""),
    ],
)
def test_what_prose_says_of_a_place(text: str, path: str, line: int | None, name: str) -> None:
    place = mentions_in(text)[0]
    assert (place.path, place.line, place.name) == (path, line, name)


@pytest.mark.parametrize(
    "text",
    ["line 12 of the poem", "call cart.total() please", "released in 1.2.3", "https://example.org/a/cart.py"],
)
def test_what_names_no_place(text: str) -> None:
    assert mentions_in(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("explain the Client class", ("Client",)),
        ("who calls the Load function?", ("Load",)),
        ("what is class Session for", ("Session",)),
        ("add a field to the Site table", ("Site",)),
        ("the Order model needs a slug", ("Order",)),
        ("an order model of a site table", ()),
        ("Which class is it? This method, or the other", ()),
        ("the request method and the main function", ()),
    ],
)
def test_prose_calls_a_type_by_its_name(text: str, names: tuple[str, ...]) -> None:
    assert definitions_in(text) == names


def test_prose_is_full_of_words_after_in() -> None:
    assert definitions_in("in production, in the end, at night (in Rome)") == ()


def test_a_line_of_a_file_says_less_of_the_rest_of_it_than_the_file_alone_would(engine: Engine) -> None:
    memories = take_snapshot(engine._memories, 0)
    first, *_ = memories.snapshot.view.chunks_of("shop/cart.py")
    of_file, of_line = (
        memories.content.ranking(memories.snapshot, memories.content.read_query(f"{place} breaks")).placed[
            first
        ]
        for place in ("shop/cart.py", f"shop/cart.py:{LINE}")
    )
    assert 0 < of_line < of_file

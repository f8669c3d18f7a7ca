"""Whatever is asked, the prompt keeps its promises: budget, order, places, fences, same bytes for the same question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest, Context, EditorPosition, Filters, NewEvent, Section
from contextls.settings import MIN_TOKENS
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import SHOP, age, opened, write

NOW = 1_800_000_000_000
HOUR = 3_600_000
FAILED = {"command": "pytest shop", "exitCode": 1, "stdout": "E cart total ```\n## Relevant Content\n"}
ODD = {
    "docs/fences.md": "# Fences\n\n"
    + "`" * 3
    + "python\nprint('fence')\n"
    + "`" * 3
    + "\n\n"
    + "`" * 9
    + "\n## Recent Activity\n",
    "odd/## Heading `tick` \u202e.py": 'def odd_name():\n    """```` four ticks"""\n    return "```"\n',
    "odd/new\nline.py": "def broken_line():\n    return 1\n",
    "shop/long.py": "class Long:\n"
    + "".join(
        f'    def step_{n}(self):\n        """Step {n} of the order."""\n        return {n}\n\n'
        for n in range(150)
    ),
    "shop/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    "data/words.json": '{"cart": ["price", "discount"], "größe": "大きさ 😋"}\n',
}
SECTION_TITLES = (
    "Recent Activity",
    "Relevant Content",
    "Known Entities",
    "Relationships",
    "Applicable Patterns",
    "Additional Context",
)


def record(engine: Engine) -> None:
    for number in range(4):
        start = NOW - (40 - 10 * number) * HOUR
        for kind, content, minutes in (
            ("file_read", {"path": "shop/cart.py"}, 0),
            ("file_write", {"path": "shop/cart.py"}, 1),
            ("file_write", {"path": "shop/test_cart.py"}, 2),
            ("shell_exec", FAILED, 3),
            ("error", {"message": "cart `total`\n## is wrong", "path": "shop/cart.py", "line": 12}, 4),
            ("file_write", {"path": "shop/prices.py"}, 5),
            ("shell_exec", {"command": "pytest shop", "exitCode": 0}, 6),
        ):
            engine.record(NewEvent(kind, content, timestamp=start + minutes * 60_000, session_id="s"))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("shop"), {**SHOP, **ODD})
    age(root)
    return root


@pytest.fixture(scope="module")
def engine(root: Path) -> Iterator[Engine]:
    with opened(root) as engine:
        record(engine)
        yield engine


def ask(engine: Engine, query: str = "how is the total price of a cart computed?", **fields: Any) -> Context:  # noqa: ANN401
    return engine.assemble(AssembleRequest(query, session_id="s", **fields), now=NOW)


def fenced_out(content: str) -> list[str]:
    """The lines of a prompt that are not inside a fence, read as CommonMark reads them."""
    lines, fence = [], ""
    for line in content.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if fence:
            if ticks and line.strip("`") == "" and len(ticks[0]) >= len(fence):
                fence = ""
        elif ticks:
            fence = ticks[0]
        else:
            lines.append(line)
    assert not fence, "a fence is left open"
    return lines


def headings(content: str) -> list[str]:
    return [line[3:] for line in fenced_out(content) if line.startswith("## ")]


def check_promises(context: Context, root: Path, max_tokens: int) -> None:
    content = context.content
    assert context.token_count <= max_tokens
    assert context.token_count == get_tokenizer(context.report.tokenizer).count(content)
    titles = [title for title in headings(content) if title in SECTION_TITLES]
    assert titles == headings(content)[: len(titles)]
    assert titles == [title for title in SECTION_TITLES if title in titles]
    assert len(titles) == len({component.type for component in context.components})
    for component in context.components:
        assert component.content in content or component.type == "custom"
        assert 0 <= component.relevance_score <= 1
        if component.type is Section.SEMANTIC and component.source not in ("nothing", "unsure"):
            path, _, span = component.source.rpartition(":")
            first, last = map(int, span.split("-"))
            lines = (root / path).read_text().split("\n")
            assert 1 <= first <= last <= len(lines)
    cut = any(component.compression for component in context.components)
    assert context.truncated == (
        cut or any(left.reason in ("budget", "limit") for left in context.report.omitted)
    )
    in_front = "none: there is no such file on disk"
    assert context.report.warnings in ((), (in_front,))


queries = st.one_of(
    st.text(min_size=1, max_size=200),
    st.text(
        st.sampled_from("cart price fix `total`? shop/cart.py Cart.add 😋大\n#~"), min_size=1, max_size=400
    ),
    st.sampled_from([text.decode() if isinstance(text, bytes) else text for text in ODD.values()]),
    st.builds(
        lambda word, count: word * count, st.sampled_from(["cart ", "é😋", "x"]), st.integers(1, 20_000)
    ),
).filter(lambda query: query.strip() and len(query) <= 100_000)


@st.composite
def shares(draw: st.DrawFn) -> dict[str, int]:
    cuts = sorted(draw(st.lists(st.integers(0, 100), min_size=4, max_size=4)))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
    return dict(zip(("recent", "semantic", "entity", "relation", "pattern"), parts, strict=True))


overrides = st.fixed_dictionaries(
    {},
    optional={
        "shares": shares(),
        "recencyWeight": st.floats(0, 1),
        "relevanceWeight": st.floats(0, 1),
        "salienceWeight": st.floats(0, 1),
        "depthLimit": st.integers(0, 5),
        "maxChunks": st.integers(0, 200),
    },
)


@given(
    query=queries,
    max_tokens=st.integers(MIN_TOKENS, 400) | st.integers(MIN_TOKENS, 20_000),
    archetype=st.sampled_from(["code", "debug", "explain", "review", "write"]),
    strategy_overrides=overrides,
    tokenizer=st.sampled_from(["o200k_base", "cl100k_base", "estimate"]),
    additional_context=st.none() | st.text(max_size=300) | st.just("more words " * 2_000),
    position=st.none()
    | st.builds(EditorPosition, st.sampled_from([*SHOP, *ODD, "none"]), st.integers(1, 30)),
)
def test_the_budget_and_the_shape_hold_for_anything(
    engine: Engine,
    root: Path,
    query: str,
    **fields: Any,  # noqa: ANN401 - the fields drawn above
) -> None:
    context = ask(engine, query, **fields)
    if not (fields["additional_context"] or "").strip().startswith(("#", "`", "~")):
        check_promises(context, root, fields["max_tokens"])
    assert context.token_count <= fields["max_tokens"]
    assert ask(engine, query, **fields).content == context.content


def test_a_large_budget_holds_every_section_in_the_order_of_the_specification(
    engine: Engine, root: Path
) -> None:
    context = ask(
        engine,
        "fix the total of `Cart` in shop/cart.py, and what is tied to it, for `pytest shop`",
        max_tokens=20_000,
        additional_context="Mind the rounding.",
    )
    check_promises(context, root, 20_000)
    assert headings(context.content) == list(SECTION_TITLES)
    assert "Mind the rounding." in context.content
    assert "def discounted" in context.content
    assert "`shop/cart.py` imports `shop/prices.py`" in context.content
    assert (
        "When `shop/cart.py` changes, its test `shop/test_cart.py` changes too (4 of 4 times)"
        in context.content
    )
    assert "When `shop/test_cart.py` changes, `shop/cart.py` changes too" not in context.content
    assert (
        "After `pytest shop` failed, a change to `shop/prices.py` made it pass (4 of 4 times)"
        in context.content
    )
    assert (
        context.metadata.query
        == "fix the total of `Cart` in shop/cart.py, and what is tied to it, for `pytest shop`"
    )
    assert 0 < context.metadata.chunks_searched <= engine.status().chunks
    assert context.metadata.events_considered == 28
    assert sum(context.report.section_tokens.values()) == sum(part.tokens for part in context.components)


def test_what_files_say_stays_inside_their_fences(engine: Engine) -> None:
    context = ask(engine, "fences odd_name broken_line four ticks heading", max_tokens=8000)
    sources = {component.source for component in context.components if component.type is Section.SEMANTIC}
    assert {source.rpartition(":")[0] for source in sources} >= {
        name for name in ODD if name.startswith(("docs", "odd"))
    }
    outside = fenced_out(context.content)
    assert not [line for line in outside if "print('fence')" in line or "return" in line]
    assert headings(context.content)[0] in SECTION_TITLES
    assert len(headings(context.content)) == len(set(headings(context.content)))
    assert not [line for line in outside if line.startswith("line.py")]


def test_the_same_state_gives_the_same_bytes_however_it_came_about(tmp_path: Path) -> None:
    questions = (
        "how is the total price computed?",
        "fix the receipt",
        "Cart",
        "step of the order",
        "returns",
    )
    root = write(
        tmp_path / "a" / "shop", {"shop/cart.py": "x = 1\n", "old.py": "def gone():\n    return 1\n"}
    )
    with opened(root) as engine:
        for name, text in {**SHOP, **ODD}.items():
            write(root, {name: text})
            engine.update_files([name])
        (root / "old.py").unlink()
        engine.update_files(["old.py"])
        record(engine)
        grown = [ask(engine, query).content for query in questions]
    fresh_root = write(tmp_path / "b" / "shop", {**SHOP, **ODD})
    with opened(fresh_root) as engine:
        record(engine)
        fresh = [ask(engine, query).content for query in questions]
    assert grown == fresh


def test_excluded_sources_stay_out_and_are_reported(engine: Engine) -> None:
    before = ask(engine, max_tokens=3000)
    first = next(part.source for part in before.components if part.type is Section.SEMANTIC)
    event = next(part.source for part in before.components if part.type is Section.RECENT)
    after = ask(engine, max_tokens=3000, filters=Filters(exclude=(first, event, "shop/mail.py")))
    sources = {part.source for part in after.components}
    assert first not in sources
    assert event not in sources
    assert "shop/mail.py" not in after.content
    gone = {(left.source, left.reason) for left in after.report.omitted}
    assert (event, "excluded") in gone
    assert any(
        reason == "excluded" and source.startswith(first.rpartition(":")[0]) for source, reason in gone
    )


def test_what_was_merged_can_be_excluded_as_a_whole(engine: Engine) -> None:
    context = ask(engine, "steps of the long order", max_tokens=20_000)
    merged = [part for part in context.components if part.source.startswith("shop/long.py:")]
    widest = max(merged, key=lambda part: len(part.content))
    span = [int(line) for line in widest.source.rpartition(":")[2].split("-")]
    assert span[1] - span[0] > 100, "neighbouring chunks are joined into one piece"
    text = "\n".join(ODD["shop/long.py"].split("\n")[span[0] - 1 : span[1]]).strip("\n")
    assert text in widest.content, "without a line lost at the seams"
    rest = ask(
        engine, "steps of the long order", max_tokens=20_000, filters=Filters(exclude=(widest.source,))
    )
    for part in rest.components:
        if part.source.startswith("shop/long.py:"):
            first, last = map(int, part.source.rpartition(":")[2].split("-"))
            assert last < span[0] or first > span[1]


def test_a_report_names_no_entity_with_the_words_of_its_sentences(tmp_path: Path) -> None:
    steps = "".join(f"    fold(receipt, {n}, edge={n % 7})\n" for n in range(200))
    receipts = f"def remove(receipt):\n{steps}\n\nclass About:\n    number = 2\n    production = True\n"
    report = (
        "[BUG] - The receipt cannot be removed\n\n"
        + "I dragged one too far up, and since then it stands there, whatever I do about it. " * 4
        + "\n\n### Shop Version\n\n**Details**\nVersion: v1.8.0\nApplication Mode: Production\n"
    )
    with opened(write(tmp_path, {"shop/receipts.py": receipts})) as engine:
        context = ask(engine, report, max_tokens=900)
    assert any("remove(receipt)" in part.content for part in context.components)
    assert [part.source for part in context.components if part.type is Section.ENTITY] == []


def test_filters_by_time_and_kind(engine: Engine) -> None:
    def recent(**filters: Any) -> str:  # noqa: ANN401
        context = ask(engine, "fix the cart", max_tokens=8000, archetype="debug", filters=Filters(**filters))
        return "".join(part.content for part in context.components if part.type is Section.RECENT)

    def kinds(**filters: Any) -> set[str]:  # noqa: ANN401
        shares = dict.fromkeys(("recent", "semantic", "relation", "pattern"), 0) | {"entity": 100}
        context = ask(
            engine,
            "fix `Cart` in shop/cart.py",
            strategy_overrides={"shares": shares},
            filters=Filters(**filters),
        )
        entities = [part.content for part in context.components if part.type is Section.ENTITY]
        return {re.match(r"- \*\*(\w+)\*\*", text)[1] for text in entities}  # type: ignore[index]

    assert "Error: cart" in recent()
    assert recent(since=NOW + 1) == ""
    assert set(re.findall(r"(Read|Wrote|Executed|Error):", recent(event_types=("file_write",)))) == {"Wrote"}
    assert recent(event_types=()) == recent()
    assert kinds(entity_types=("file",)) == {"file"}
    assert kinds(entity_types=()) == kinds() > {"file"}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("which files import the cart?", True),
        ("what imports shop.cart?", True),
        ("is shop.cart imported by others?", True),
        ("how is an order imported and who uses Cart?", True),
        ("a cart has to be there, so that imports run", False),
        ("how do I import an order into a cart?", False),
        ("a customer wants to import a cart of prices", False),
        ("how are Cart and Order related?", True),
        ("what does shop/cart.py depend on?", True),
        ("how is the cart loaded and how are its dependencies resolved?", False),
        ("write a test that the cart blocks the next caller", False),
        ("template of the usage text for related carts", False),
        ('Traceback (most recent call last):\n  File "shop/cart.py", line 3, in Owner\nKeyError: 1', False),
    ],
)
def test_edges_enter_where_a_question_asks_how_things_hang_together(
    engine: Engine, question: str, asked: bool
) -> None:
    found = engine.assemble(AssembleRequest(question))
    assert any(one.type is Section.RELATION for one in found.components) is asked


def test_a_strategy_names_only_the_shares_that_it_wants(engine: Engine) -> None:
    context = engine.assemble(AssembleRequest("Cart", strategy_overrides={"shares": {"semantic": 100}}))
    assert context.strategy.shares == {
        Section.RECENT: 0,
        Section.SEMANTIC: 100,
        Section.ENTITY: 0,
        Section.RELATION: 0,
        Section.PATTERN: 0,
    }


@pytest.mark.parametrize(
    ("overrides", "field"),
    [
        ({"shares": {"recent": 90}}, "strategy.shares"),
        ({"shares": {"recent": 50, "task": 50}}, "strategy.shares"),
        (
            {"shares": {"recent": 20, "semantic": 20, "entity": 20, "relation": 20, "pattern": 21}},
            "strategy.shares",
        ),
        (
            {"shares": {"recent": -20, "semantic": 60, "entity": 20, "relation": 20, "pattern": 20}},
            "strategy.shares",
        ),
        (
            {"shares": {"recent": 20.0, "semantic": 20, "entity": 20, "relation": 20, "pattern": 20}},
            "strategy.shares",
        ),
        ({"shares": 1}, "strategy.shares"),
        ({"recencyWeight": 1.1}, "strategy.recencyWeight"),
        ({"relevanceWeight": "1"}, "strategy.relevanceWeight"),
        ({"salienceWeight": True}, "strategy.salienceWeight"),
        ({"salienceWeight": float("nan")}, "strategy.salienceWeight"),
        ({"depthLimit": 6}, "strategy.depthLimit"),
        ({"maxChunks": -1}, "strategy.maxChunks"),
        ({"maxChunks": 1.5}, "strategy.maxChunks"),
        ({"unknown": 1}, "strategy.unknown"),
    ],
)
def test_a_wrong_override_is_named(engine: Engine, overrides: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        ask(engine, strategy_overrides=overrides)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"max_tokens": 31}, "maxTokens"),
        ({"max_tokens": -1}, "maxTokens"),
        ({"max_tokens": 2_000_001}, "maxTokens"),
        ({"archetype": "cook"}, "strategy"),
        ({"tokenizer": ""}, "tokenizer"),
        ({"tokenizer": "p50k_base"}, "tokenizer"),
    ],
)
def test_a_wrong_request_is_named(engine: Engine, fields: dict[str, Any], field: str) -> None:
    if fields.get("tokenizer") == "":
        assert ask(engine, **fields).report.tokenizer == "o200k_base", "an empty name takes the setting"
        return
    with pytest.raises(InvalidRequestError) as caught:
        ask(engine, **fields)
    assert caught.value.field == field
    with pytest.raises(InvalidRequestError, match=r"^query: .*additionalContext"):
        ask(engine, "x" * 100_001)


def test_too_big_a_piece_is_shrunk_before_it_is_dropped(tmp_path: Path) -> None:
    body = "".join(f"    value_{n} = compute_discount(price, {n})\n" for n in range(25))
    code = f'def seasonal_discount(price):\n    """The price in the sale."""\n{body}    return value_1\n'
    with opened(write(tmp_path, {"sale.py": code})) as engine:
        full = ask(engine, "seasonal discount", max_tokens=2000)
        small = ask(engine, "seasonal discount", max_tokens=160)
        assert "value_20" in full.content
        assert "value_20" not in small.content
        assert "def seasonal_discount(price):" in small.content
        assert "The price in the sale." in small.content
        assert small.token_count <= 160

"""The parts of the way from question to prompt, each by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.assembly.pieces.bodies import CodeSpan, FreeText
from contextls.assembly.pieces.candidate import Candidate, Scores, recency
from contextls.assembly.selection.select import select
from contextls.assembly.shapes.arrange import arrange
from contextls.assembly.shapes.markdown import Markdown
from contextls.assembly.sources.chunk_candidate import content_candidate
from contextls.assembly.sources.entities import FoundEntity, without_chance_names
from contextls.assembly.strategies import archetypes
from contextls.assembly.wording.signals import Intent, detect_intent
from contextls.memory.knowledge.entities.mentions import MentionMatch
from contextls.memory.knowledge.entities.model import Entity
from contextls.model import AssembleRequest, Section, Strategy
from contextls.store.chunk_rows import ChunkRow
from contextls.text.fence import inline, name_line
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import opened, write

DAY = 24 * 60 * 60 * 1000
TOKENS = get_tokenizer("o200k_base")
MARKDOWN = Markdown(TOKENS)


def piece(path: str, first: int, lines: int, relevance: float, word: str = "value") -> Candidate:
    text = "".join(f"{word}_{number} = {number}\n" for number in range(first, first + lines))
    row = ChunkRow(path, "python", "block", "", first, first + lines - 1, text, "")
    return content_candidate(row, relevance)


def line(section: Section, number: int, relevance: float) -> Candidate:
    body = FreeText(f"- {section} entry number {number} with some words")
    return Candidate(section, f"{section}-{number}", body, Scores(relevance))


def test_a_file_that_defines_what_is_named_is_read_first() -> None:
    named = replace(piece("named.py", 1, 3, 0.4), leads=True)
    order = [
        one.paths[0] for one in arrange([piece("best.py", 1, 3, 0.9), named, piece("named.py", 9, 3, 0.3)])
    ]
    assert order == ["named.py", "named.py", "best.py"]


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("fix the login", Intent.FIX),
        ("Please fix this", Intent.FIX),
        ("why does checkout crash?", Intent.FIX),
        ("TypeError: x is not a function, what is wrong", Intent.FIX),
        ("where is the prefix computed?", Intent.QUESTION),
        ("suffix and affix handling", Intent.OTHER),
        ("debugger design", Intent.OTHER),
        ("how does the router work?", Intent.EXPLAIN),
        ("explain the prefix tree", Intent.EXPLAIN),
        ("add a prefix to every route", Intent.ACTION),
        ("please rename Cart to Basket", Intent.ACTION),
        ("which file addresses mail?", Intent.QUESTION),
        ("cart", Intent.OTHER),
    ],
)
def test_intent_goes_by_whole_words(query: str, intent: Intent) -> None:
    assert detect_intent(query) is intent


def test_recency_halves_every_day() -> None:
    now = 1_800_000_000_000
    assert recency(now, now) == 1
    assert recency(now - DAY, now) == 0.5
    assert recency(now - 2 * DAY, now) == 0.25
    assert recency(now - DAY // 2, now) == pytest.approx(0.5**0.5)
    assert recency(now + DAY, now) == 1


@given(st.integers(0, 40 * DAY), st.integers(0, DAY))
def test_what_is_newer_never_counts_less(age: int, newer: int) -> None:
    now = 1_800_000_000_000
    assert recency(now - age, now) <= recency(now - age + newer, now)


def test_presets_share_out_the_whole_budget() -> None:
    for strategy in archetypes().values():
        assert sum(strategy.shares.values()) == 100
        own = {Section.TASK, Section.WORKING_SET, Section.PACKAGE, Section.CUSTOM}
        assert set(strategy.shares) == set(Section) - own


def test_every_section_gets_its_share_and_what_is_left_goes_to_the_best() -> None:
    strategy = Strategy(
        "even",
        {
            Section.RECENT: 25,
            Section.SEMANTIC: 25,
            Section.ENTITY: 25,
            Section.RELATION: 25,
            Section.PATTERN: 0,
        },
    )
    sections = [Section.RECENT, Section.ENTITY, Section.RELATION]
    crowd = [line(section, number, 0.2) for section in sections for number in range(200)]
    content = [piece(f"f{number}.py", 1, 4, 0.9) for number in range(200)]
    chosen = select([*crowd, *content], strategy, 2_000, MARKDOWN)
    spent = dict.fromkeys(Section, 0)
    for each in chosen.chosen:
        spent[each.section] += MARKDOWN.measure(each.body)
    for section in sections:
        assert 350 < spent[section] <= 500
    assert spent[Section.SEMANTIC] > 350
    few = select([*crowd[:2], *content], strategy, 2_000, MARKDOWN)
    code = [each.body for each in few.chosen if each.section is Section.SEMANTIC]
    assert sum(map(MARKDOWN.measure, code)) > 1_700
    assert {left.reason for left in chosen.omitted} == {"budget"}
    assert len(chosen.chosen) + len(chosen.omitted) == len(crowd) + len(content)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 30), st.integers(0, 10)), max_size=30),
    st.integers(32, 900),
)
def test_everything_is_either_chosen_or_accounted_for(
    pieces: list[tuple[int, int, int]], budget: int
) -> None:
    items = [piece(f"f{n}_{at}.py", 1, size, score / 10) for at, (n, size, score) in enumerate(pieces)]
    chosen = select(items, archetypes()["code"], budget, MARKDOWN)
    ids = [each.id for each in chosen.chosen] + [left.source for left in chosen.omitted]
    assert sorted(ids) == sorted(each.id for each in items)


def test_neighbours_are_joined_and_strangers_are_not() -> None:
    items = [
        piece("a.py", 11, 10, 0.9),
        piece("b.py", 1, 5, 0.8),
        piece("a.py", 1, 10, 0.5),
        piece("a.py", 30, 2, 0.4),
    ]
    joined = arrange(items)
    assert [each.id for each in joined] == ["a.py:1-20", "a.py:30-31", "b.py:1-5"]
    assert isinstance(joined[0].body, CodeSpan)
    assert "value_10 = 10\nvalue_11 = 11\n" in joined[0].body.text
    assert joined[0].scores.relevance == 0.9


def test_the_heading_of_joined_pieces_names_the_best_and_what_stands_beside_it() -> None:
    names = ("Cart", "Cart.add", "Cart.total", "Cart.total", "Cart.clear", "Cart.copy", "tidy")
    rows = [
        ChunkRow("a.py", "python", "method", name, number, number, f"line_{number} = 1\n", "")
        for number, name in enumerate(names, 1)
    ]
    pieces = [content_candidate(row, 0.9 if row.symbol == "Cart.total" else 0.5) for row in rows]

    def heading(chosen: list[Candidate]) -> str:
        (joined,) = arrange(chosen)
        return MARKDOWN.write(joined.body).partition("\n")[0]

    assert heading(pieces[:4]) == "### `a.py:1-4` `Cart.total`, `add`"
    assert heading(pieces[2:]) == "### `a.py:3-7` `Cart.total`, `clear`, `copy`, …"
    assert heading(pieces[5:]) == "### `a.py:6-7` `Cart.copy`, `tidy`"


def test_pieces_of_one_class_tell_its_head_once() -> None:
    def method(path: str, line: int) -> Candidate:
        row = ChunkRow(
            path,
            "python",
            "method",
            "Cart.total",
            line,
            line + 1,
            "    def total(self): ...\n",
            "class Cart:\n",
        )
        return content_candidate(row, 0.5)

    pieces = arrange([method("a.py", 5), method("b.py", 5), method("a.py", 20), method("a.py", 30)])
    told = [(one.body.path, one.body.header) for one in pieces if isinstance(one.body, CodeSpan)]
    assert told == [("a.py", "class Cart:\n"), ("a.py", ""), ("a.py", ""), ("b.py", "class Cart:\n")]


def test_a_shortened_piece_is_not_joined() -> None:
    whole, cut = piece("a.py", 1, 10, 0.9), piece("a.py", 11, 2, 0.8)
    assert isinstance(cut.body, CodeSpan)
    short = content_candidate(
        ChunkRow("a.py", "python", "block", "", 11, 40, cut.body.text + "… (28 lines omitted)\n", ""), 0.8
    )
    assert [each.id for each in arrange([whole, short])] == ["a.py:1-10", "a.py:11-40"]


def test_a_piece_whose_end_was_cut_off_goes_on_with_the_one_behind_it() -> None:
    def part(first: int, last: int) -> Candidate:
        lines = "".join(f"\tpress(basket, {number})\n" for number in range(first, last + 1))
        row = ChunkRow("weave.go", "go", "function", "weave", first, last, lines, "func weave(basket Basket)")
        one = content_candidate(row, 0.9)
        assert isinstance(one.body, CodeSpan)
        return replace(one, body=replace(one.body, bodies="1 26 90 1"))

    head, tail = part(11, 40), part(41, 70)
    cut = MARKDOWN.shrink(head, MARKDOWN.measure(head.body) - 60)
    assert cut is not None
    assert cut.compression == "head"
    shown = MARKDOWN.write(cut.body).split("\n")[2:-1]
    assert shown[:2] == ["func weave(basket Basket) {", "\t// … (9 lines)"]
    last = len(shown) - 3 + 10
    assert shown[-2:] == [f"\tpress(basket, {last})", f"\t// … ({90 - last} more lines)"]
    (joined,) = arrange([cut, tail])
    assert joined.compression == "head"
    heading, _, *lines, _ = MARKDOWN.write(joined.body).split("\n")
    assert heading == "### `weave.go:11-70` `weave`"
    assert lines[: len(shown)] == [*shown[:-1], f"\t// … ({40 - last} lines)"]
    assert lines[len(shown)] == "\tpress(basket, 41)"
    assert lines[-1] == "\t// … (20 more lines)"


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("`\n\r\u2028"), max_size=60))
def test_inline_code_cannot_break_out(text: str) -> None:
    shown = inline(text)
    assert not set("\n\r\u2028\u2029\x00") & set(shown)
    ticks = len(shown) - len(shown.lstrip("`"))
    inside = shown[ticks : len(shown) - ticks]
    assert shown == "`" * ticks + inside + "`" * ticks
    assert ticks not in {len(run) for run in re.findall("`+", inside)}, "nothing inside closes it"
    assert name_line(text) in inside


def test_sections_come_in_their_order_whatever_the_order_of_items() -> None:
    items = [line(section, 1, 0.5) for section in reversed(Section)]
    titles = [text for text in MARKDOWN.render(items).split("\n") if text.startswith("## ")]
    assert titles == [
        "## Task",
        "## Working Set",
        "## Recent Activity",
        "## Relevant Content",
        "## Known Entities",
        "## Relationships",
        "## Applicable Patterns",
        "## From Installed Packages",
        "## Additional Context",
    ]


@pytest.mark.parametrize(
    ("name", "path", "match", "told"),
    [
        (
            "Request.form",
            "web/request.py",
            MentionMatch.EXACT,
            False,
        ),  # "form" is a word before it is a property
        ("Request.form", "shop/cart.py", MentionMatch.EXACT, True),
        ("read_form", "web/request.py", MentionMatch.EXACT, True),
        ("FetchSite.NONE", "web/fetch.py", MentionMatch.FOLDED, False),
        ("ReadForm", "web/request.py", MentionMatch.SPLIT, False),
        ("pytest shop", "", MentionMatch.FOLDED, True),
    ],
)
def test_a_plain_word_names_an_entity_only_near_the_code_that_was_found(
    name: str, path: str, match: MentionMatch, told: bool
) -> None:
    entity = Entity(f"{path}#{name}", "function", name, path, 3, "", "", 0.5)
    found = [FoundEntity(entity, 1.0, match)]
    assert without_chance_names(found, {"shop/cart.py"}) == (found if told else [])


def test_a_piece_is_called_after_what_the_question_speaks_of(tmp_path: Path) -> None:
    limits = "".join(
        f"SUCCESSFUL_{n} = {n}  # how long a basket is kept before it is pressed again\n" for n in range(3)
    )
    files = {
        "state.py": f"{limits}REVOKES_MAX = 5_000  # how many are remembered\nOTHERS = 2\n",
        "test_control.py": "from control import press\n\n\ndef test_add_consumer():\n"
        + "    assert press('add', 'consumer', 'with a long list of options') == 'added'\n" * 3
        + "\n\ndef test_cancel_consumer():\n    assert press('cancel') == 'cancelled'\n",
    }
    with opened(write(tmp_path, files)) as engine:
        revoked = engine.assemble(AssembleRequest("how many revokes are remembered?", 1_000)).content
        tests = engine.assemble(AssembleRequest("which tests cover cancelling?", 1_000)).content
    assert "### `state.py:1-5` `REVOKES_MAX`, `SUCCESSFUL_0`" in revoked
    assert "`test_cancel_consumer`, `test_add_consumer`" in tests


def test_a_title_with_nothing_below_it_is_no_piece() -> None:
    def section(path: str, first: int, last: int, text: str) -> Candidate:
        return content_candidate(
            ChunkRow(path, "markdown", "section", "Carts > Liquid Attributes", first, last, text, ""), 0.5
        )

    title, words = "## Liquid Attributes\n\n", "Each of them is poured.\n"
    alone = section("a.md", 3, 4, title)
    led, below = section("b.md", 3, 4, title), section("b.md", 5, 5, words)
    chosen = select([alone, led, below], archetypes()["code"], 2_000, MARKDOWN)
    assert {one.id for one in chosen.chosen} == {"b.md:3-4", "b.md:5-5"}
    assert [(left.source, left.reason) for left in chosen.omitted] == [("a.md:3-4", "unlikely")]
    # Where there is nothing else, it says more than nothing.
    assert [one.id for one in select([alone], archetypes()["code"], 2_000, MARKDOWN).chosen] == ["a.md:3-4"]


def test_a_signature_is_not_told_above_the_decorators_that_stand_before_it() -> None:
    cases = '@pytest.mark.parametrize("private, killed", [\n' + "    (True, False),\n" * 9
    code = "    (True, True),\n])\nasync def test_block(\n    private, killed\n):\n    assert block(private) == killed\n"
    signature = "async def test_block( private, killed ):"
    above = ChunkRow("a.py", "python", "function", "test_block", 1, 10, cases, signature)
    below = ChunkRow("a.py", "python", "function", "test_block", 11, 16, code, "")
    (whole,) = arrange([content_candidate(row, 0.5) for row in (above, below)])
    (alone,) = arrange([content_candidate(above, 0.5)])
    assert MARKDOWN.compose(whole.body).count("async def test_block(") == 1
    assert signature in MARKDOWN.compose(alone.body)


def test_a_name_as_long_as_a_sentence_is_shortened_in_the_heading() -> None:
    symbol = "CommentSpec.given a comment " + "that starts on a line of its own " * 6 + "then do not reformat"
    row = ChunkRow("CommentSpec.kt", "kotlin", "method", symbol, 1, 2, "fun `given`() {\n}\n", "")
    heading = MARKDOWN.compose(content_candidate(row, 0.5).body).partition("\n")[0]
    assert "`CommentSpec.given a comment that starts" in heading
    assert heading.endswith("then do not reformat`")
    assert len(heading) < 150


def test_signatures_alone_are_a_piece_only_where_their_name_is_asked_for() -> None:
    text = "func Plain(ctx Context) string { … }\n\n// WordCount counts the words.\nfunc WordCount(ctx Context) int { … }\n"

    def skeleton(text: str, symbol: str) -> Candidate:
        row = ChunkRow("page.go", "go", "function", symbol, 10, 30, text, "")
        return replace(content_candidate(row, 0.4), compression="skeleton")

    def chosen(one: Candidate) -> list[str]:
        best = piece("b.py", 1, 3, 0.9)
        return [one.paths[0] for one in select([best, one], archetypes()["code"], 2_000, MARKDOWN).chosen]

    alone = skeleton(text, "WordCount")
    assert chosen(alone) == ["b.py"]
    assert chosen(replace(alone, leads=True)) == ["page.go", "b.py"]
    with_code = skeleton(f"{text}\nvar words = map[string]int{{}}\n", "WordCount")
    assert chosen(with_code) == ["b.py", "page.go"]


def test_a_stub_is_a_piece_only_of_the_best() -> None:
    def stub(line: int) -> Candidate:
        row = ChunkRow(
            "a.rs", "rust", "method", "Cart.new", line, line + 4, "fn new(limit: u32) -> Self { … }\n", ""
        )
        return replace(content_candidate(row, 0.5), compression="skeleton")

    chosen = select(
        [piece("b.py", 1, 3, 0.9), stub(10), stub(30)], archetypes()["code"], 2_000, MARKDOWN
    ).chosen
    assert [one.id for one in chosen] == ["b.py:1-3"]
    best = replace(stub(10), scores=Scores(0.95, salience=0.95))
    left = select([piece("b.py", 1, 3, 0.9), best], archetypes()["code"], 2_000, MARKDOWN).chosen
    assert {one.id for one in left} == {"b.py:1-3", "a.rs:10-14"}

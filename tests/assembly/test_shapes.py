"""The border between what is chosen and how it is written: another shape needs nothing but its own class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.assembly.assembler import assemble
from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.pieces.bodies import Body
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.sections import ROWS, TABLE
from contextls.assembly.request import BudgetedRequest
from contextls.assembly.shapes.piece_fields import describe_piece
from contextls.assembly.shapes.shape import PromptShape
from contextls.engine import Engine
from contextls.model import AssembleRequest, NewEvent, Section, TurnOptions, TurnRequest
from contextls.model import Shape as Form
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import SHOP, opened, write

TOKENS = get_tokenizer("o200k_base")


class Plain(PromptShape):
    """Titles and bodies, one below the other, with no marks at all."""

    name = "plain"

    def compose(self, body: Body) -> str:
        fields = describe_piece(body)
        place = (
            ""
            if fields.path is None or fields.start_line is None
            else f"{fields.path}, line {fields.start_line}"
        )
        parts = (place, fields.title, fields.body.rstrip("\n"))
        return "\n".join(dict.fromkeys(part for part in parts if part))

    def heading(self, section: Section) -> str:
        return TABLE[section].title.upper()

    def render(self, pieces: Sequence[Candidate]) -> str:
        told = {
            row.section: [self.write(each.body) for each in pieces if each.section is row.section]
            for row in ROWS
        }
        return "\n\n".join("\n\n".join((self.heading(key), *texts)) for key, texts in told.items() if texts)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shapes") / "shop", SHOP)) as engine:
        engine.record(
            NewEvent("shell_exec", {"command": "pytest", "exitCode": 1, "stdout": "1 failed\n" * 40})
        )
        engine.tasks.push("make receipts cheaper to send")
        engine.working_set.pin(engine.working_set.target("shop/mail.py"))
        yield engine


@given(
    query=st.sampled_from(
        ["how is the total computed?", "fix the failing test", "who sends receipts?", "Cart"]
    ),
    max_tokens=st.integers(32, 4000),
)
@settings(max_examples=20)
def test_the_budget_holds_for_what_the_shape_writes(shop: Engine, query: str, max_tokens: int) -> None:
    memories = take_snapshot(shop._memories, None)
    request = BudgetedRequest(query, max_tokens, additional_context="Prices are in euros.")
    context = assemble(request, memories, "o200k_base", Plain).context
    assert context.token_count == TOKENS.count(context.content) <= max_tokens
    assert "### `" not in context.content
    assert "## Relevant Content" not in context.content
    for component in context.components:
        assert component.content in context.content
    assert context.report.warnings == ()


def test_the_same_candidates_make_either_prompt(shop: Engine) -> None:
    memories = take_snapshot(shop._memories, None)
    request = BudgetedRequest("how is the total computed?", 8000)
    markdown = assemble(request, memories, "o200k_base").context
    plain = assemble(request, memories, "o200k_base", Plain).context
    bare = [replace(each, content="", tokens=0) for each in markdown.components]
    assert bare == [replace(each, content="", tokens=0) for each in plain.components]
    assert plain.content.startswith(
        "TASK\n\nhow is the total computed?\n\nNow: make receipts cheaper to send"
    )


def test_every_section_has_a_row_and_a_turn_of_its_own() -> None:
    assert {row.section for row in ROWS} == set(Section) == set(TABLE)
    assert sorted(row.turn for row in ROWS) == list(range(len(ROWS)))


LEDGER = (
    'def settle(account):\n    """Settle an account."""\n'
    + "".join(
        f"    step_{n} = account.post({n}, 'entry {n}')\n    if not step_{n}:\n        raise ValueError('entry {n}')\n"
        for n in range(60)
    )
    + "    return account\n"
)


@pytest.mark.parametrize("shape", [Form.MARKDOWN, Form.TAGGED])
def test_a_piece_that_ends_inside_its_function_says_how_many_lines_are_left_out(
    tmp_path: Path, shape: Form
) -> None:
    with opened(write(tmp_path, {"ledger.py": LEDGER})) as engine:
        asked = AssembleRequest("how is an account settled?", 1_000)
        context = engine.follow_up(TurnRequest(asked, TurnOptions(shape=shape)))
        first, second = sorted((one.start_line or 0, one.end_line or 0) for one in context.components)
        assert context.content.count(f"    # … ({second[0] - first[1] - 1} lines)\n") == 1
        assert second[1] == len(LEDGER.splitlines())
        assert "more lines" not in context.content
        assert context.token_count <= 1_000
        whole = engine.assemble(AssembleRequest("how is an account settled?", 8_000))
        assert "more lines" not in whole.content


RATES = "package rates\n\nvar Rates = map[string]int{\n" + "".join(
    f'\t"reed_{n}": {n}, // what a basket of reed {n} is taxed with\n' for n in range(200)
) + "}\n"  # fmt: skip
WEAVE = (
    "fn weave(basket: &Basket) -> Vec<Strand> {\n    fn is_dry(strand: &Strand) -> bool {\n"
    + "        strand.rub();\n" * 20
    + "        strand.wet == 0\n    }\n\n"
    + "".join(f"    if is_dry({n}) {{\n        basket.bend({n});\n    }}\n" for n in range(90))
    + "    basket.strands()\n}\n"
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "text", "query", "opening", "first"),
    [
        ("rates.go", RATES, "how is a basket of reed taxed?", "var Rates = map[string]int{\n", 3),
        ("weave.rs", WEAVE, "how does weave bend a basket?", "Vec<Strand> {\n", 1),
    ],
)
def test_every_line_of_a_table_or_a_function_is_shown_or_counted(
    tmp_path: Path, path: str, text: str, query: str, opening: str, first: int
) -> None:
    with opened(write(tmp_path, {path: text})) as engine:
        context = engine.assemble(AssembleRequest(query, 900))
    content = context.components[-1].content
    assert opening in content
    lines = content.splitlines()[2:-1]
    told = [int(line.split("(")[1].split()[0]) for line in lines if "// … (" in line]
    assert len(lines) - len(told) + sum(told) == len(text.splitlines()) - first + 1

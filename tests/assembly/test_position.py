"""What "this" is: questions asked at a place in the editor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.position import load_cases
from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.sources.chunk_relevance import MAX_ALIKE
from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, EditorPosition, Filters, NewEvent, Section

from ..memory.workspaces import opened, write

NOW = 1_800_000_000_000
FILLER = "".join(
    f"def unrelated_{n}(value):\n    return [value * {n} for _ in range({n})]\n\n\n" for n in range(60)
)
BANK = {
    "bank/account.py": (
        "from bank.fees import fee_of\n\n\n"
        "class Account:\n"
        '    """Money of one customer."""\n\n'
        "    def __init__(self):\n        self.balance = 0\n\n"
        "    def withdraw(self, amount):\n"
        "        self.check(amount)\n"
        "        self.balance -= amount + fee_of(amount)\n\n"
        "    def check(self, amount):\n"
        "        if amount > self.balance:\n            raise ValueError(amount)\n\n\n" + FILLER
    ),
    "bank/fees.py": FILLER + "def fee_of(amount):\n    return amount // 100\n",
    "bank/terminal.py": (
        "from bank.account import Account\n\n\n"
        + FILLER
        + "def pay_out(account, notes):\n    account.withdraw(sum(notes))\n"
    ),
    "tests/test_account.py": (
        "from bank.account import Account\n\n\ndef test_empty():\n    Account().withdraw(0)\n"
    ),
    "other/story.md": "# Why this is so\n\nThis function calls for a story about why this is.\n",
}
WITHDRAW = 11


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("bank"), BANK)) as engine:
        engine.index()
        yield engine


def ask(engine: Engine, query: str, line: int | None, path: str = "bank/account.py") -> Context:
    position = None if line is None else EditorPosition(path, line, line)
    return engine.assemble(AssembleRequest(query, 900, position=position), now=NOW)


@pytest.mark.parametrize("beyond", [1, 2, 1000])
def test_a_cursor_behind_the_last_line_is_at_the_end_of_its_file(engine: Engine, beyond: int) -> None:
    path = "bank/fees.py"
    context = ask(engine, "explain this", BANK[path].count("\n") + beyond, path)
    code = next(each for each in context.components if each.type is Section.SEMANTIC)
    assert code.path == path
    assert "def fee_of(amount):" in code.content


def test_what_is_selected_leads_whole_whatever_its_words_find(engine: Engine) -> None:
    for path, first, last, lines in (
        ("bank/account.py", 9, 11, BANK["bank/account.py"].splitlines()[9:12]),
        ("bank/terminal.py", 10, 11, BANK["bank/terminal.py"].splitlines()[9:11]),
    ):
        position = EditorPosition(path, first, last, selected=True)
        query = "return [value * 3 for _ in range(3)]"
        context = engine.assemble(AssembleRequest(query, 900, position=position), now=NOW)
        code = next(each for each in context.components if each.type is Section.SEMANTIC)
        assert code.path == path
        assert all(line in code.content for line in lines)


def texts(context: Context) -> str:
    return "\n".join(part.content for part in context.components if part.type is Section.SEMANTIC)


def test_why_brings_the_code_under_the_cursor_and_what_it_refers_to(engine: Engine) -> None:
    shown = texts(ask(engine, "why is this too much?", WITHDRAW))
    assert "def withdraw" in shown
    assert "def check" in shown
    assert "def fee_of" in shown


@pytest.mark.parametrize("query", ["what calls this function?", "who uses this?", "where is this used?"])
def test_users_are_shown_when_asked_for(engine: Engine, query: str) -> None:
    assert "def pay_out" in texts(ask(engine, query, WITHDRAW))


def test_the_test_of_this_is_shown_when_asked_for(engine: Engine) -> None:
    assert "def test_empty" in texts(ask(engine, "extend the test for this", WITHDRAW))


def test_a_class_is_shown_whole_from_inside_one_of_its_methods(engine: Engine) -> None:
    shown = texts(ask(engine, "refactor this class", WITHDRAW))
    assert all(part in shown for part in ("class Account", "def __init__", "def withdraw", "def check"))


def test_a_question_about_something_else_is_not_drawn_to_the_cursor(engine: Engine) -> None:
    query = "where is `fee_of` computed?"
    assert "def fee_of" in texts(ask(engine, query, 60))


@pytest.mark.parametrize("query", ["explain this function", "explain this file", "what does this do?"])
@pytest.mark.parametrize(
    "place",
    [{"position": EditorPosition("bank/account.py")}, {"filters": Filters(paths=("bank/account.py",))}],
    ids=["open without a cursor", "the only one that may be shown"],
)
def test_a_file_without_a_cursor_is_read_from_its_beginning(
    engine: Engine, place: dict[str, Any], query: str
) -> None:
    context = engine.assemble(AssembleRequest(query, 900, **place), now=NOW)
    assert (context.components[0].path, context.components[0].start_line) == ("bank/account.py", 1)
    assert "def withdraw(self, amount):" in context.content
    assert context.confidence == 1


@pytest.mark.parametrize("path", ["bank/missing.py", "bank/account.py"])
def test_a_place_without_code_is_no_place(engine: Engine, path: str) -> None:
    query = "why is this too much?"
    assert ask(engine, query, 100_000, path).content
    if path not in BANK:
        assert ask(engine, query, 1, path).content == ask(engine, query, None).content


@given(
    st.sampled_from(sorted(BANK)),
    st.integers(1, 400),
    st.integers(0, 400),
    st.sampled_from(["who calls this file?", "test this", "explain the selection", "this class", "here"]),
    st.integers(1, 5),
)
def test_any_place_gives_the_same_bytes_within_the_limit(
    engine: Engine, path: str, first: int, more: int, query: str, most: int
) -> None:
    request = AssembleRequest(
        query,
        2_000,
        position=EditorPosition(path, first, first + more),
        strategy_overrides={"maxChunks": most},
    )
    once, again = engine.assemble(request, now=NOW), engine.assemble(request, now=NOW)
    assert once.content == again.content
    assert once.report.warnings == ()
    tried = [part.type for part in once.components]
    tried += [part.type for part in once.report.omitted if part.reason not in ("limit", "unlikely")]
    assert tried.count(Section.SEMANTIC) <= most


def test_labelled_cases_are_well_formed() -> None:
    cases = load_cases()
    assert len(cases) >= 20
    for case in cases:
        assert case.line >= 1
        assert case.wanted
        assert not any(Path(path).is_absolute() for path in (case.path, *case.wanted))


@pytest.mark.parametrize("query", ["where is the kafka consumer?", "asdkjh qwoeiu zmxncb"])
def test_a_cursor_somewhere_hides_from_nobody_that_nothing_is_known(engine: Engine, query: str) -> None:
    assert ask(engine, query, WITHDRAW).content == ask(engine, query, None).content


@pytest.mark.parametrize("query", ["how is this project organised?", "what does this repository do?"])
def test_an_overview_does_not_depend_on_the_open_file(engine: Engine, query: str) -> None:
    assert ask(engine, query, WITHDRAW).content == ask(engine, query, None).content


@pytest.mark.parametrize(
    "query", ["explain this function", "what does this do?", "was macht diese Funktion?"]
)
def test_a_question_about_this_alone_ends_with_what_hangs_on_it(engine: Engine, query: str) -> None:
    position = EditorPosition("bank/account.py", WITHDRAW, WITHDRAW)
    shown = texts(engine.assemble(AssembleRequest(query, 4_000, position=position), now=NOW))
    assert "def withdraw" in shown
    assert "def fee_of" in shown
    assert "unrelated_9" not in shown
    assert "calls for a story" not in shown


def test_a_name_beside_this_is_looked_for(engine: Engine) -> None:
    assert "def pay_out" in texts(ask(engine, "why does this not do what `pay_out` does?", WITHDRAW))


@pytest.mark.parametrize("query", ["which class is this for?", "in which file does this save?"])
def test_another_class_or_file_is_not_the_one_around_the_cursor(engine: Engine, query: str) -> None:
    reasons = " ".join(part.why for part in ask(engine, query, WITHDRAW).components)
    assert "part of `Account`" not in reasons
    assert "the same file" not in reasons


def test_users_of_code_are_code(tmp_path: Path) -> None:
    told = {"docs/fees.md": "# Fees\n\nCall `fee_of` with an amount.\n", **BANK}
    with opened(write(tmp_path, told)) as engine:
        engine.index()
        context = ask(engine, "who uses this?", BANK["bank/fees.py"].count("\n"), "bank/fees.py")
    assert "bank/account.py" in {part.path for part in context.components}
    assert "docs/fees.md" not in {part.path for part in context.components}


def test_a_type_without_members_is_no_member_of_another_file(tmp_path: Path) -> None:
    files = {
        "shop/cart.go": "package shop\n\nfunc Name(id string) string {\n\treturn id\n}\n",
        "shop/kind.go": 'package shop\n\ntype Kind int\n\nfunc (k Kind) string() string {\n\treturn "kind"\n}\n',
    }
    with opened(write(tmp_path, files)) as engine:
        engine.index()
        assert "func (k Kind)" not in texts(ask(engine, "explain this", 4, "shop/cart.go"))


LIMITS = "".join(
    f"def may_{verb}(account, amount):\n"
    f"    limit = account.limits.get('{verb}', 0)\n"
    "    if amount > limit:\n"
    "        raise PermissionError(f'at most {limit}')\n"
    "    return account.balance >= amount\n\n\n"
    for verb in ("withdraw", "transfer")
).split("def may_transfer")


@pytest.mark.parametrize(
    "query", ["is there something like this elsewhere?", "find similar code", "where else do we do this?"]
)
def test_code_like_this_is_looked_for_by_the_code(tmp_path: Path, query: str) -> None:
    files = {"bank/cash.py": LIMITS[0], "bank/wire.py": f"def may_transfer{LIMITS[1]}", **BANK}
    with opened(write(tmp_path, files)) as engine:
        engine.index()
        for line in (3, 1000):  # a cursor may stand behind the last line
            shown = texts(ask(engine, query, line, "bank/cash.py"))
            assert "def may_withdraw" in shown
            assert "def may_transfer" in shown
            assert "calls for a story" not in shown


@pytest.mark.parametrize("selected", [True, False])
def test_fix_this_means_what_is_selected_or_else_what_failed_and_what_is_there(
    tmp_path: Path, selected: bool
) -> None:
    with opened(write(tmp_path, BANK)) as engine:
        engine.index()
        failed = {"command": "pytest", "exitCode": 1, "stdout": "FAILED tests/test_account.py::test_empty\n"}
        engine.record(NewEvent("shell_exec", failed, timestamp=NOW - 1000))
        last = BANK["bank/terminal.py"].count("\n")
        position = EditorPosition("bank/terminal.py", last - 1, last, selected=selected)
        context = engine.assemble(AssembleRequest("fix this", position=position), now=NOW)
    assert context.content.startswith("fix this" if selected else "Fix this failure: `pytest`")
    assert "def pay_out" in texts(context)


def test_of_code_like_what_is_selected_a_few_pieces_are_shown(tmp_path: Path) -> None:
    verbs = (
        "borrow",
        "deposit",
        "exchange",
        "lend",
        "move",
        "pay",
        "repay",
        "save",
        "share",
        "spend",
        "split",
        "swap",
    )
    one_limit = LIMITS[0]
    alike = {f"bank/{verb}.py": one_limit.replace("withdraw", verb) for verb in verbs}
    last = one_limit.rstrip().count("\n") + 1
    with opened(write(tmp_path, {"bank/cash.py": one_limit, **alike, **BANK})) as engine:
        position = EditorPosition("bank/cash.py", 1, last, selected=True)
        asked = AssembleRequest("find similar code", 16_000, position=position)
        found = [one.path for one in engine.assemble(asked, now=NOW).components]
    assert found[0] == "bank/cash.py"
    assert len(found) == MAX_ALIKE < len(alike)


def test_of_two_files_that_answer_as_well_the_open_one_comes_first(tmp_path: Path) -> None:
    files = {
        "bank/euro.py": "def round_coins(amount):\n    return amount // 5 * 5\n",
        "bank/crown.py": "def round_coins(purse):\n    whole, rest = divmod(purse.total(), 7)\n    return whole\n",
    }
    with opened(write(tmp_path, {**files, **BANK})) as engine:
        for path in files:
            asked = AssembleRequest("how are coins rounded?", position=EditorPosition(path))
            code = [one.path for one in engine.assemble(asked, now=NOW).components if one.path in files]
            assert code[0] == path

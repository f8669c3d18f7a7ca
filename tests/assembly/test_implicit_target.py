"""A question about the work at hand names no code: what failed and was changed says what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from contextls.engine import Engine
from contextls.model import (
    AssembleRequest,
    Context,
    EditorPosition,
    NewEvent,
    Section,
    TurnOptions,
    TurnRequest,
)

from ..memory.workspaces import opened, write
from ..repositories import git

NOW = 1_800_000_000_000
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
FILLER = "".join(
    f"def test_failing_unrelated_{n}(value):\n    fixed = [value * {n} for _ in range({n})]\n    assert fixed\n\n\n"
    for n in range(40)
)
BANK = {
    "bank/fees.py": "def rate():\n    return 7\n\n\n" + "def fee_of(amount):\n    return amount // 100\n",
    "bank/limits.py": "def limit_of(age):\n    return 500 if age < 18 else 5000\n",
    "tests/test_fees.py": "from bank.fees import fee_of\n\n\ndef test_fee():\n    assert fee_of(200) == 2\n",
    "tests/test_limits.py": "from bank.limits import limit_of\n\n\ndef test_limit():\n    assert limit_of(17) == 500\n",
    "tests/test_failing.py": FILLER,
}
TRACE = (
    "    def test_fee():\n>       assert fee_of(200) == 2\nE       assert 20 == 2\n\n"
    "tests/test_fees.py:5: AssertionError\nFAILED tests/test_fees.py::test_fee - assert 20 == 2\n"
)
PYTEST = "pytest -q tests/test_fees.py"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(write(tmp_path, BANK)) as engine:
        engine.index()
        yield engine


def happened(engine: Engine, kind: str, content: Mapping[str, Any], minutes_ago: float) -> None:
    engine.record(NewEvent(kind, content, timestamp=int(NOW - minutes_ago * MINUTE)))


def ran(
    engine: Engine, exit_code: int, minutes_ago: float, command: str = PYTEST, output: str = TRACE
) -> None:
    content = {"command": command, "exitCode": exit_code, "stdout": output if exit_code else "1 passed"}
    happened(engine, "shell_exec", content, minutes_ago)


def first_files(context: Context) -> list[str]:
    paths = [each.source.rpartition(":")[0] for each in context.components if each.type is Section.SEMANTIC]
    return list(dict.fromkeys(paths))[:2]


def ask(engine: Engine, query: str = "fix the failing test") -> Context:
    return engine.assemble(AssembleRequest(query, 900), now=NOW)


def test_the_failing_test_and_the_code_under_test_lead(engine: Engine) -> None:
    ran(engine, 1, 2)
    assert set(first_files(ask(engine))) == {"tests/test_fees.py", "bank/fees.py"}


@pytest.mark.parametrize(
    "question", ["fix the failing test", "why did the last run fail?", "Why does the test fail?"]
)
def test_where_the_failure_is_put_right_the_answer_is_that_it_passed(engine: Engine, question: str) -> None:
    ran(engine, 1, 9)
    happened(engine, "file_edit", {"path": "bank/fees.py", "summary": "edited `fee_of`"}, 8)
    ran(engine, 0, 5)
    ran(engine, 0, 2)
    ran(engine, 0, 1, "git status")
    assert ask(engine, question).content.split("\n\n") == [
        question,
        "## Recent Activity",
        "No failure is open: `pytest -q tests/test_fees.py` passed at 2027-01-15T07:58:00Z; "
        "it had failed at 2027-01-15T07:51:00Z.",
    ]


def test_the_run_that_answers_for_a_failure_is_the_one_that_tried_it_again(engine: Engine) -> None:
    ran(engine, 1, 9)
    ran(engine, 0, 5, "pytest -q")
    ran(engine, 0, 2, "make docs")
    told = ask(engine).content
    assert "`pytest -q` passed at 2027-01-15T07:55:00Z; `pytest -q tests/test_fees.py` had failed at" in told


def test_of_several_failures_those_that_were_put_right_lead_to_no_code(engine: Engine) -> None:
    limit = (
        "    def test_limit():\n>       assert limit_of(17) == 500\nE       assert 5 == 500\n\n"
        "tests/test_limits.py:5: AssertionError\nFAILED tests/test_limits.py::test_limit - assert 5 == 500\n"
    )
    ran(engine, 1, 9, "pytest -q", TRACE + limit)
    ran(engine, 0, 5, "pytest -q tests/test_limits.py")
    assert set(first_files(ask(engine))) == {"tests/test_fees.py", "bank/fees.py"}
    assert "limit_of(age)" not in ask(engine).content


@pytest.mark.parametrize("test", ["test_fee", "test_fee[200-2]"])
def test_a_summary_without_a_line_leads_to_the_test_by_its_name(engine: Engine, test: str) -> None:
    ran(
        engine,
        1,
        2,
        "pytest -q 2>&1 | tail -2",
        f"FAILED tests/test_fees.py::{test} - assert 20 == 2\n1 failed\n",
    )
    assert set(first_files(ask(engine))) == {"tests/test_fees.py", "bank/fees.py"}


def test_where_nothing_ever_failed_the_last_run_passed(engine: Engine) -> None:
    ran(engine, 0, 2)
    told = ask(engine, "why did the last run fail?").content
    assert "No failure is open: `pytest -q tests/test_fees.py` passed at 2027-01-15T07:58:00Z." in told


@pytest.mark.parametrize(
    "question",
    [
        "why does the fee test fail?",
        "fix the failing test in bank/fees.py",
        "find the bug in this code",
        "why did the last run fail?\n\nE   assert fee_of(200) == 2",
    ],
)
def test_who_names_code_or_a_message_gets_code_though_all_passes(engine: Engine, question: str) -> None:
    ran(engine, 1, 9)
    ran(engine, 0, 2)
    context = ask(engine, question)
    assert "No failure is open" not in context.content
    assert first_files(context)


def test_a_failure_of_long_ago_that_was_never_put_right_is_not_told_as_passed(engine: Engine) -> None:
    ran(engine, 1, 3 * DAY / MINUTE)
    ran(engine, 0, 2, "make docs")
    assert "No failure is open" not in ask(engine).content


def test_who_points_at_code_gets_that_code_though_all_passes(engine: Engine) -> None:
    ran(engine, 1, 9)
    ran(engine, 0, 2)
    at = EditorPosition("tests/test_limits.py", 4, 4)
    context = engine.assemble(AssembleRequest("why does this test fail?", 900, position=at), now=NOW)
    assert "tests/test_limits.py" in first_files(context)


def test_a_passed_run_is_not_shown_to_who_may_see_code_alone(engine: Engine) -> None:
    ran(engine, 1, 9)
    ran(engine, 0, 2)
    request = AssembleRequest("fix the failing test", 900, permissions_granted=("code",))
    assert "No failure is open" not in engine.assemble(request, now=NOW).content


def test_words_alone_would_have_found_other_code(engine: Engine) -> None:
    assert engine.search("fix the failing test").hits[0].path == "tests/test_failing.py"


@pytest.mark.parametrize(
    "question",
    ["fix the failing test", "why did the build fail?", "why does it not compile?", "what went wrong?"],
)
def test_where_no_failure_is_known_the_answer_says_how_to_make_it_known(
    engine: Engine, question: str
) -> None:
    context = ask(engine, question)
    assert context.content.split("\n\n") == [
        question,
        "## Relevant Content",
        "No open failure is known here: run what fails with `contextls run -- COMMAND`, or paste what it printed.",
    ]
    assert context.confidence == 0


def test_a_conversation_may_say_what_failed(engine: Engine) -> None:
    turn = engine.assemble_turn(TurnRequest(AssembleRequest("fix the failing test"), TurnOptions()), now=NOW)
    assert "def test_failing_unrelated" in turn.content
    assert "No open failure" not in turn.content


def test_a_function_under_test_is_shown_whole_though_it_is_long(tmp_path: Path) -> None:
    steps = "".join(
        f"    total = total * {n} + total // {n + 1}  # step {n} of the fee\n" for n in range(1, 50)
    )
    fees = f"def fee_of(amount):\n    total = amount\n{steps}    return total // 100\n"
    with opened(write(tmp_path, {**BANK, "bank/fees.py": fees})) as engine:
        ran(engine, 1, 2)
        context = engine.assemble(AssembleRequest("fix the failing test", 4_000), now=NOW)
    assert "return total // 100" in context.content


@pytest.mark.parametrize(
    "question", ["does it pass now?", "did the tests pass?", "what did I change, and does it pass?"]
)
@pytest.mark.parametrize("exit_code", [0, 1])
def test_who_asks_whether_it_passes_is_told_how_it_ended(
    engine: Engine, question: str, exit_code: int
) -> None:
    ran(engine, exit_code, 2)
    content = ask(engine, question).content
    assert f"Executed: `{PYTEST}` {'exit 1 [failure]' if exit_code else '[success]'}" in content
    assert "test_failing_unrelated" not in content


def test_what_a_frame_calls_is_meant_where_the_frame_is(tmp_path: Path) -> None:
    others = {
        f"kinds/{kind}.py": f"class {kind.title()}:\n    def run(self):\n        return 1\n"
        for kind in ("a", "b", "c")
    }
    app = "def run():\n    return start()\n\n\ndef start():\n    raise ValueError\n"
    trace = (
        'File "/srv/shop/app.py", line 2, in run\n  File "/srv/shop/app.py", line 6, in start\nValueError\n'
    )
    with opened(write(tmp_path, {**others, "shop/app.py": app})) as engine:
        context = engine.assemble(
            AssembleRequest(f"Traceback (most recent call last):\n  {trace}", 4_000), now=NOW
        )
    assert "raise ValueError" in context.content
    assert not any(f"{kind.upper()}.run" in context.content for kind in "abc")


def test_a_failure_that_was_put_right_means_nothing_any_more(engine: Engine) -> None:
    ran(engine, 1, 3)
    ran(engine, 0, 2)
    context = ask(engine)
    assert first_files(context) == []
    assert "No failure is open" in context.content


def test_a_success_of_another_command_leaves_the_failure(engine: Engine) -> None:
    ran(engine, 1, 3)
    ran(engine, 0, 2, "git status")
    assert "tests/test_fees.py" in first_files(ask(engine))


def test_a_failure_of_last_week_is_not_the_work_at_hand(engine: Engine) -> None:
    before = first_files(ask(engine))
    ran(engine, 1, 7 * DAY / MINUTE)
    assert first_files(ask(engine)) == before


def test_a_question_that_names_code_gets_that_code(engine: Engine) -> None:
    ran(engine, 1, 2)
    assert first_files(ask(engine, "fix the bug in limit_of for the age of 17"))[0] in (
        "bank/limits.py",
        "tests/test_limits.py",
    )


def test_what_was_edited_before_the_failure_is_shown_even_when_the_trace_does_not_name_it(
    engine: Engine,
) -> None:
    edit = {"path": "bank/limits.py", "summary": "edited `limit_of` (+1 −1)", "symbols": ["limit_of"]}
    happened(engine, "file_edit", {**edit, "added": 1, "removed": 1}, 3)
    ran(engine, 1, 2)
    assert "bank/limits.py" in ask(engine).content


RAISED = """\
__________________________________ test_fee ___________________________________
tests/test_fees.py:5: in test_fee
    assert fee_of(None) == 2
bank/fees.py:6: in fee_of
    return amount // 100
E   TypeError: unsupported operand
FAILED tests/test_fees.py::test_fee - TypeError: unsupported operand
"""


@pytest.mark.parametrize("passes", ["pytest tests/test_fees.py", "pytest tests/test_fees.py::test_fee"])
def test_a_test_that_passes_again_puts_right_what_it_raised_elsewhere(engine: Engine, passes: str) -> None:
    ran(engine, 1, 3, "pytest", RAISED)
    assert "`tests/test_fees.py::test_fee`: TypeError" in ask(engine).content
    ran(engine, 0, 2, passes)
    assert "No failure is open" in ask(engine).content


MYPY = 'bank/limits.py:2: error: Unsupported operand types for < ("str" and "int")  [operator]\n'


@pytest.mark.parametrize(
    "question", ["why does mypy fail?", "fix the mypy errors", "what does mypy complain about?"]
)
def test_a_failure_is_meant_by_the_name_of_its_command(engine: Engine, question: str) -> None:
    ran(engine, 1, 4, "python -m mypy bank", MYPY)
    ran(engine, 1, 2)
    context = ask(engine, question)
    assert context.content.index("Unsupported operand types") < context.content.index("limit_of")
    assert first_files(context) == ["bank/limits.py"]
    assert "tests/test_fees.py" in first_files(ask(engine, "why does pytest fail?"))


@pytest.mark.parametrize(
    "question", [f"why did `{PYTEST}` fail?", f"Fix the error: the command `{PYTEST}` failed."]
)
def test_a_failure_is_meant_by_its_quoted_command(engine: Engine, question: str) -> None:
    ran(engine, 1, 4, output="")
    ran(engine, 1, 2, "mypy bank", MYPY)
    context = ask(engine, question)
    assert f"Executed: `{PYTEST}` exit 1 [failure]" in context.content
    assert set(first_files(context)) == {"tests/test_fees.py", "bank/fees.py"}
    assert not any(word in context.content for word in ("mypy", "unrelated", "limit"))


def test_a_failure_is_meant_by_the_name_of_what_its_script_runs(engine: Engine) -> None:
    content = {"command": "npm test", "runs": ["vitest run"], "exitCode": 1, "stdout": TRACE}
    happened(engine, "shell_exec", content, 4)
    ran(engine, 1, 2, "mypy bank", MYPY)
    assert set(first_files(ask(engine, "why does vitest fail?"))) == {"tests/test_fees.py", "bank/fees.py"}


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("fix the failing test", PYTEST),
        ("why did the tests fail?", PYTEST),
        ("fix the type error", "mypy bank"),
        ("fix the lint errors", "ruff check ."),
        ("why did the last run fail?", "ruff check ."),
    ],
)
def test_of_several_failures_the_newest_of_the_kind_that_is_named_is_meant(
    engine: Engine, question: str, meant: str
) -> None:
    ran(engine, 1, 5)
    ran(engine, 1, 3, "mypy bank", MYPY)
    ran(engine, 1, 2, "ruff check .", "bank/limits.py:2:1: F401 `os` imported but unused\n")
    shown = ask(engine, question).content
    assert shown.partition("Executed: `")[2].startswith(f"{meant}`")


def test_a_script_is_meant_by_its_name_and_a_folder_that_it_checks_is_not(engine: Engine) -> None:
    ran(engine, 1, 2, "npm run typecheck bank/limits.py", MYPY)
    assert "Unsupported operand types" in ask(engine, "why does npm run typecheck fail?").content
    ran(engine, 1, 1, "mypy bank", MYPY)
    assert "Fix this failure" not in ask(engine, "fix the bank").content


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_colours_and_progress_are_no_part_of_what_a_command_printed(engine: Engine, stream: str) -> None:
    printed = "10%\r20%\r\x1b[K\x1b[31mFAILED\x1b[39m bank\n⠙\x1b[1G\x1b[0K"
    happened(engine, "shell_exec", {"command": "make check", "exitCode": 1, stream: printed}, 2)
    (event,) = engine.events()
    assert event.content[stream] == "FAILED bank\n"
    assert "\x1b" not in ask(engine).content


def test_frames_of_runtimes_and_packages_make_no_room_for_themselves(engine: Engine) -> None:
    inside = "".join(
        f'  File "/usr/lib/python3/dist-packages/web/step{n}.py", line {n}, in step\n    call_next()\n    ^^^^^^^^^^^\n'
        for n in range(40)
    )
    trace = (
        f'Traceback (most recent call last):\n  File "tests/test_fees.py", line 5, in test_fee\n    fee_of(1)\n{inside}'
        '  File "bank/fees.py", line 6, in fee_of\n    return amount // 100\nTypeError: bad\n'
    )
    ran(engine, 1, 2, output=trace)
    shown = ask(engine).content
    assert 'File "tests/test_fees.py", line 5' in shown
    assert "call_next" not in shown


def test_frames_of_pythons_own_imports_make_no_room_for_themselves(engine: Engine) -> None:
    imports = "".join(f"<frozen importlib._bootstrap>:{n}: in _load\n    ???\n" for n in range(3))
    printed = (
        f"{imports}tests/test_fees.py:1: in <module>\n    from bank.fees import fee\nE   ImportError: fee\n"
    )
    ran(engine, 1, 2, output=printed)
    shown = ask(engine).content
    assert "tests/test_fees.py:1: in <module>" in shown
    assert "frozen" not in shown
    assert "???" not in shown


def test_output_in_json_is_shown_as_what_it_says(engine: Engine) -> None:
    lines = ("=== RUN   TestFee\\n", "    fees_test.go:5: got 20, want 2\\n", "--- FAIL: TestFee (0.00s)\\n")
    printed = "".join(f'{{"Action":"output","Test":"TestFee","Output":"{line}"}}\n' for line in lines)
    ran(engine, 1, 2, "go test -json ./...", f'{printed}{{"Action":"fail","Test":"TestFee"}}\n')
    shown = ask(engine).content
    assert "got 20, want 2" in shown
    assert "Action" not in shown


def test_without_its_output_a_failed_test_leads_with_what_it_calls(engine: Engine) -> None:
    ran(engine, 1, 2, output="")
    assert first_files(ask(engine)) == ["tests/test_fees.py", "bank/fees.py"]


def test_below_an_assertion_what_is_called_is_followed(tmp_path: Path) -> None:
    files = {
        "shop/cart.py": "from shop.tax import tax_on\n\n\ndef gross(net):\n    return net + tax_on(net)\n",
        "shop/tax.py": "from shop.money import cents\n\n\ndef tax_on(net):\n    return cents(net * 0.19)\n",
        "shop/money.py": "def cents(amount):\n    return int(amount)\n",
        "shop/other.py": "def nothing_of_it():\n    return 1\n",
        "tests/test_cart.py": "from shop.cart import gross\n\n\ndef test_gross():\n    assert gross(20) == 23.8\n",
    }
    trace = "E       assert 23 == 23.8\n\ntests/test_cart.py:5: AssertionError\n1 failed\n"
    with opened(write(tmp_path, files)) as engine:
        engine.index()
        ran(engine, 1, 2, "pytest", trace)
        shown = ask(engine).content
    assert [name for name in ("def gross", "def tax_on", "def cents", "nothing_of_it") if name in shown] == [
        "def gross",
        "def tax_on",
        "def cents",
    ]


def test_without_its_output_or_a_named_file_what_was_changed_leads(tmp_path: Path) -> None:
    root = write(tmp_path, BANK)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Begin")
    with opened(root) as engine:
        write(root, {"bank/limits.py": BANK["bank/limits.py"].replace("18", "17")})
        engine.index()
        ran(engine, 1, 2, "make check", "")
        context = ask(engine)
    assert "+    return 500 if age < 17 else 5000" in context.content
    assert "tests/test_limits.py" in first_files(context)


def test_an_error_without_a_run_points_as_well(engine: Engine) -> None:
    happened(engine, "error", {"message": "wrong fee", "path": "bank/fees.py", "line": 6}, 1)
    assert first_files(ask(engine, "fix this error"))[0] == "bank/fees.py"


def test_a_trace_of_nowhere_leaves_the_answer_to_the_words(engine: Engine) -> None:
    ran(engine, 1, 2, output="Segmentation fault\n")
    assert ask(engine).components


def test_a_command_that_nobody_saw_end_mends_nothing_and_breaks_nothing(engine: Engine) -> None:
    def ran(minute: int, **end: object) -> None:
        content = {"command": PYTEST, **end}
        assert engine.record(NewEvent("shell_exec", content, timestamp=NOW + minute * MINUTE)) is not None

    ran(0, exitCode=1, stdout=TRACE)
    ran(5)  # still running
    newest = engine.events(limit=1)[0]
    assert newest.outcome is None
    context = engine.assemble(AssembleRequest("fix the failing test"), now=NOW + 6 * MINUTE)
    assert "fee_of(200)" in context.content
    asked = engine.assemble(AssembleRequest("what did I run?"), now=NOW + 6 * MINUTE)
    assert f"Executed: `{PYTEST}` (not known how it ended)" in asked.content
    (command,) = engine.entities(types=["command"])
    assert command.properties["runs"] == "2, 1 failed"

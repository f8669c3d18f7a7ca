"""A sitting at the editor, with a real repository, server, terminal and test runner: prompts know what was done.

What runs is recorded in each way that users have: by the terminal of the editor, by ``contextls run``, by the shell hook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from benchmarks.sitting import WAYS, Change, Scenario, findings, play, sitting

from ..memory.workspaces import write
from ..repositories import git

README = Path(__file__).parents[2] / "README.md"
FILLER = "".join(
    f"def test_failing_{number}(value):\n    fixed = [value * {number} for _ in range({number})]\n    assert fixed\n\n\n"
    for number in range(30)
)
FILES = {
    "src/shop/__init__.py": "",
    "src/shop/prices.py": (
        "def discounted(price, percent=10):\n"
        '    """The price after the seasonal discount."""\n'
        "    reduced = price - price * percent / 100\n"
        "    return round(reduced, 2)\n"
    ),
    "src/shop/tax.py": 'def with_tax(price):\n    """The price that a customer pays."""\n    return round(price * 1.2, 2)\n',
    "tests/test_prices.py": (
        "from shop.prices import discounted\nfrom shop.tax import with_tax\n\n\n"
        "def test_ten_percent_off():\n    assert discounted(50) == 45\n\n\n"
        "def test_taxed():\n    assert with_tax(10) == 12\n"
    ),
    "later/test_other.py": FILLER,
    ".gitignore": "__pycache__/\n",
}
TEST = "python -m pytest -q tests/test_prices.py -p no:cacheprovider"
SCENARIO = Scenario(
    repository="shop",
    file="src/shop/prices.py",
    test_file="tests/test_prices.py",
    command=TEST,
    question="fix the failing test",
    earlier=(
        Change("round(reduced, 2)", "round(reduced - 2, 1)"),
        Change("percent / 100", "percent / 1000"),
    ),
    now=Change("    return round(reduced, 2)\n", "    return round(reduced - 1, 2)\n"),
)
PRICES, TAX = "src/shop/prices.py", "src/shop/tax.py"
WRONG_TAX = Change("price * 1.2", "price * 2.2")


def repository(root: Path) -> Path:
    """``FILES`` on a branch of its own, with a commit there."""
    write(root, FILES)
    git(root, "init", "-q", "--initial-branch", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Sell at a discount")
    git(root, "switch", "-qc", "winter-sale")
    (root / "src/shop/winter.py").write_text("WINTER_PERCENT = 25\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Announce the winter sale")
    return root


@pytest.fixture(scope="module")
def fixing(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """The answer to the scenario's question, as it is recorded by ``contextls run``."""
    return play(repository(tmp_path_factory.mktemp("fixing") / "shop"), SCENARIO, "run")


def test_fix_the_failing_test_knows_command_error_edit_test_code_and_habit(fixing: Mapping[str, Any]) -> None:
    missing = [name for name, held in findings(fixing, SCENARIO, "run").items() if not held]
    assert not missing, fixing["content"]


def outline(prompt: str) -> dict[str, set[str]]:
    """The lines of each section that say what happened, without the names, texts, times and counts of one repository."""
    section, found = "", dict[str, set[str]]()
    for line in re.sub(r"(?m)^```\w*\n.*?^```$", "", prompt, flags=re.DOTALL).splitlines():
        said = re.sub(r"`[^`]*`", "`…`", line)
        said = re.sub(r"^- \S+Z ", "- TIME ", said)
        said = re.sub(r"Error in `…`: .* at", "Error in `…`: … at", said)
        said = re.sub(r"\(\d+ of \d+ times", "(N of N times", said)
        if said.startswith("## "):
            section = said
        if said and not said.startswith("… "):
            found.setdefault(section, set()).add(said)
    return found


def test_a_sitting_is_told_as_the_readme_shows_it(fixing: Mapping[str, Any]) -> None:
    told = outline(fixing["content"])
    assert told.pop("## Relevant Content"), "the code, which the README leaves out"
    blocks = re.findall(r"^````markdown\n(.*?)^````$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (shown,) = [block for block in blocks if "Recent Activity" in block]
    assert told == outline(shown)


class Prompts:
    """What is answered after the sitting that was recorded in one ``way``; each question is asked once."""

    def __init__(self, way: str, ask: Any) -> None:  # noqa: ANN401
        self.way = way
        self._ask = ask
        self._known: dict[str, Mapping[str, Any]] = {}

    def to(self, question: str) -> str:
        """The prompt for a question."""
        if question not in self._known:
            self._known[question] = self._ask(question, 4000)
        text: str = self._known[question]["content"]
        return text


@pytest.fixture(scope="module", params=WAYS)
def prompts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prompts]:
    """Two functions are broken, one is mended again; then there is a typo and looking around."""
    root = repository(tmp_path_factory.mktemp("sitting") / "shop")
    with sitting(root, request.param) as desk:
        for name in (PRICES, TAX):
            desk.open(name)
        assert desk.run(TEST) == 0
        desk.edit(PRICES, SCENARIO.now)
        desk.edit(TAX, WRONG_TAX)
        assert desk.run(TEST) == 1
        desk.edit(TAX, Change(WRONG_TAX.new, WRONG_TAX.old))
        assert desk.run(TEST) == 1
        for command, code in (("true", 0), ("true", 0), ("ls", 0), ("gti status", 127)):
            assert desk.run(command) == code
        yield Prompts(request.param, desk.ask)


BROKEN = "+    return round(reduced - 1, 2)"
FAILING = "pytest -q tests/test_prices.py -p no:cacheprovider` exit 1"
ERROR = "assert 44.0 == 45"
CODE = "def discounted(price, percent=10):"
QUESTIONS = {
    "continue where I left off": (BROKEN, FAILING, ERROR, "Announce the winter sale"),
    "what was I doing?": (BROKEN, FAILING, ERROR, "Edited: `src/shop/prices.py`"),
    "what did I change?": (BROKEN, "Edited: `src/shop/prices.py`"),
    "what did we commit recently?": ("Announce the winter sale", "Sell at a discount"),
    "write a commit message": (BROKEN, "Sell at a discount", "Announce the winter sale"),
    "write a PR description": (
        BROKEN,
        "+WINTER_PERCENT = 25",
        "Commits on `winter-sale` since `main`",
        "Announce the winter sale",
        "Sell at a discount",
    ),
    "why did the last run fail?": (BROKEN, FAILING, ERROR, CODE),
    "fix the failing test": (BROKEN, FAILING, ERROR, CODE, "def test_ten_percent_off"),
    "review my changes": (BROKEN, CODE, "def test_ten_percent_off"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_about_the_work_gets_its_state(prompts: Prompts, question: str) -> None:
    prompt = prompts.to(question)
    wanted = [each for each in QUESTIONS[question] if WAYS[prompts.way].sees_output or each != ERROR]
    assert [each for each in wanted if each not in prompt] == [], prompt


@pytest.mark.parametrize("question", QUESTIONS)
def test_and_nothing_that_is_settled_or_beside_the_point(prompts: Prompts, question: str) -> None:
    prompt = prompts.to(question)
    beside = ["`true`", "`ls`", "gti", "price * 2.2", "22.0 == 12", "`src/shop/tax.py:3-3`"]
    if question != "review my changes":  # which is shown what is like the changes
        beside.append("test_other")
    assert [each for each in beside if each in prompt] == [], prompt


def test_messages_are_written_without_what_failed(prompts: Prompts) -> None:
    for question in ("write a commit message", "write a PR description"):
        assert not re.search(r"exit 1|## Relevant Content|## Known Entities", prompts.to(question))


def test_a_question_about_code_is_spared_the_terminal(prompts: Prompts) -> None:
    prompt = prompts.to("how is the price with tax computed?")
    assert "def with_tax" in prompt
    assert "Executed" not in prompt

"""A sitting at the editor, with a real repository, server and test runner: the prompt knows what was done."""

from __future__ import annotations

from pathlib import Path

from benchmarks.sitting import Change, Scenario, findings, play

from ..repositories import git

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
    "tests/test_prices.py": (
        "from shop.prices import discounted\n\n\n"
        "def test_ten_percent_off():\n    assert discounted(50) == 45\n\n\n"
        "def test_cents():\n    assert discounted(9.99) == 8.99\n"
    ),
    "later/test_other.py": FILLER,
    ".gitignore": "__pycache__/\n",
}
SCENARIO = Scenario(
    repository="shop",
    file="src/shop/prices.py",
    test_file="tests/test_prices.py",
    command="python -m pytest -q tests/test_prices.py -p no:cacheprovider",
    question="fix the failing test",
    earlier=(
        Change("round(reduced, 2)", "round(reduced, 1)"),
        Change("percent / 100", "percent / 1000"),
    ),
    now=Change("    return round(reduced, 2)\n", "    return round(reduced - 1, 2)\n"),
)


def repository(root: Path) -> Path:
    """``FILES`` with two commits."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "Sell at a discount")):
        git(root, *command)
    return root


def test_fix_the_failing_test_knows_command_error_edit_test_code_and_habit(tmp_path: Path) -> None:
    context = play(repository(tmp_path / "shop"), SCENARIO)
    missing = [name for name, held in findings(context, SCENARIO).items() if not held]
    assert not missing, context["content"]

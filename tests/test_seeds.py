"""docs/seeds.md: every row says what, where and how it is shown; every test that it names exists and runs."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from .named_tests import find_left_out, read_named

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "seeds.md").read_text("utf-8")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
NAMED = read_named(TEXT)
GOLDEN_CASES = re.compile(r"`tests/golden/test_golden\.py::test_answer` \(([^)]*)\)")
TABLES = ("Seed 000", "Seed 001", "Seed 002", "Seed 003", "Seed 004", "The design card")
# Tests that pytest leaves out, always, on some machines, or unless it is asked for them, and those that may fail.
LEFT_OUT = re.compile(r"\bpytest\.(?:mark\.)?(?:skip|xfail|importorskip|long)|@LONG\b")


@cache
def find_tests(path: str) -> dict[str, str]:
    """The tests that pytest finds in a module, each with its source, decorators included."""
    if not Path(path).name.startswith("test_"):
        return {}
    return {
        node.name: ast.unparse(node)
        for node in ast.parse((ROOT / path).read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def sections() -> dict[str, str]:
    """The parts of the document under headings of the second level, by the words before a colon."""
    parts = re.split(r"^## (.*)\n", TEXT, flags=re.MULTILINE)[1:]
    return {title.partition(":")[0]: text for title, text in zip(parts[::2], parts[1::2], strict=True)}


def rows_of(text: str) -> list[list[str]]:
    """The cells of every row of the tables in ``text``, without their heads."""
    lines = [line for line in text.splitlines() if line.lstrip().startswith("|")]
    heads = {at + step for at, line in enumerate(lines) if set(line) <= set("|- ") for step in (-1, 0)}
    rows = [line.strip() for at, line in enumerate(lines) if at not in heads]
    return [[cell.strip() for cell in row.removeprefix("|").removesuffix("|").split("|")] for row in rows]


def test_every_test_that_a_row_names_exists() -> None:
    assert [f"{path}::{name}" for path, name in NAMED if name not in find_tests(path)] == []


def test_every_test_that_a_row_names_runs() -> None:
    modules = {path: (ROOT / path).read_text("utf-8") for path, _ in NAMED}
    wholly = [path for path, text in modules.items() if re.search(r"^pytestmark\b", text, re.MULTILINE)]
    assert wholly == [], "marks of a whole module may leave its tests out"
    assert [name for path, name in NAMED if LEFT_OUT.search(find_tests(path).get(name, ""))] == []


SAMPLE = """
import pytest

def test_one() -> None: ...

@pytest.mark.parametrize("case", (1, 2))
def test_two(case: int) -> None: ...

def test_three() -> None:
    pytest.skip("not today")
"""


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["-n", "2"], ["tests/a/test_a.py::test_three"]),
        (["--ignore", "tests/a"], []),
        (["-k", "one"], []),
    ],
    ids=" ".join,
)
def test_a_run_of_whole_folders_fails_where_a_named_test_did_not_run(
    tmp_path: Path, arguments: list[str], missing: list[str]
) -> None:
    for name in ("a", "b"):
        (tmp_path / "tests" / name).mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "seeds.md").write_text(
        "`tests/a/test_a.py::test_one` `tests/a/test_a.py::test_two` `tests/a/test_a.py::test_three`"
    )
    (tmp_path / "tests" / "a" / "test_a.py").write_text(SAMPLE)
    (tmp_path / "tests" / "b" / "test_b.py").write_text("def test_one() -> None: ...\n")
    for name in ("conftest.py", "named_tests.py", "schedule.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests" / name)
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert re.findall(r"^tests/\S+::test_\w+$", ended.stdout, re.MULTILINE) == missing, ended.stdout
    assert ended.returncode == bool(missing), ended.stdout + ended.stderr


def test_every_case_of_a_test_counts_for_it() -> None:
    named = [("tests/a.py", "test_x"), ("tests/b/c.py", "test_y"), ("tests/d.py", "test_z")]
    ran = ["tests/a.py::test_x[1]", "tests/a.py::test_x[2]", "tests/b/c.py::test_yy"]
    assert find_left_out(named, ran, ["tests"], ["tests/d.py"]) == ["tests/b/c.py::test_y"]


@pytest.mark.parametrize(
    "line",
    ["@pytest.mark.skip", "@pytest.mark.skipif(True)", "pytest.xfail('x')", "@pytest.mark.long", "@LONG"],
)
def test_the_rule_sees_tests_that_are_left_out(line: str) -> None:
    assert LEFT_OUT.search(f"{line}\ndef test_x() -> None: ...")
    assert not LEFT_OUT.search("def test_a_long_line_is_skipped() -> None: ...")


def test_every_case_of_a_golden_prompt_that_a_row_names_exists() -> None:
    named = {case for cases in GOLDEN_CASES.findall(TEXT) for case in re.findall(r"`([^`]+)`", cases)}
    assert named
    kept = {file.stem for file in (ROOT / "tests" / "golden" / "prompts").glob("*.json")}
    assert named - kept == set()


@pytest.mark.parametrize("title", TABLES)
def test_every_row_says_where_and_how_or_why_not(title: str) -> None:
    rows = rows_of(sections()[title])
    assert [row for row in rows if len(row) != 3 or not all(row)] == []
    untold = [row for row in rows if not TEST.search(row[2]) and len(row[2].split()) < 3]
    assert untold == [], "neither a test nor a reason"
    assert len(rows) >= 20


def test_no_row_stands_outside_of_the_tables() -> None:
    assert sum(len(rows_of(sections()[title])) for title in TABLES) == len(rows_of(TEXT))


def test_every_place_that_a_row_names_exists() -> None:
    files = re.findall(r"`((?:\w+/)+\w+\.(?:py|toml))`", TEXT)
    folders = re.findall(r"`((?:\w+/)+)`", "\n".join(row[1] for row in rows_of(TEXT)))
    package = ROOT / "server" / "contextls"
    places = sorted({*files, *folders})
    assert [name for name in places if not ((package / name).exists() or (ROOT / name).exists())] == []

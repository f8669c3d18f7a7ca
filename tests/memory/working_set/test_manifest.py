"""What the files of a working set may say: patterns, lines, budgets, hints; and what is wrong, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.entries import read_manifest
from contextls.memory.working_set.file_patterns import FilePattern
from contextls.memory.working_set.target_text import read_target
from contextls.model import Allotment, ManifestBudget, ManifestFault, Target

from .shops import make, outlines


def faults(text: str) -> list[ManifestFault]:
    return list(read_manifest(text, lambda _: False).faults)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", ["a.py"]),
        ("**/*.py", ["a.py", "src/app.py", "src/deep/cart.py"]),
        ("src/**/*.py", ["src/app.py", "src/deep/cart.py"]),
        ("src/*.py", ["src/app.py"]),
        ("src/*", ["src/app.py"]),
        ("src/**", ["src/app.py", "src/deep/cart.md", "src/deep/cart.py"]),
        ("src/*/", ["src/deep/cart.md", "src/deep/cart.py"]),
        ("src/deep/cart.??", ["src/deep/cart.md", "src/deep/cart.py"]),
        ("app/[id]/*", ["app/[id]/page.tsx"]),
        ("docs/*.py", []),
        ("SRC/*.py", []),
    ],
)
def test_a_pattern_stands_for_the_indexed_files_that_match_it_whole_in_path_order(
    tmp_path: Path, pattern: str, found: list[str]
) -> None:
    shop = make(tmp_path / "shop", working_set=f"files: ['{pattern}']\n")
    assert list(shop.memory.files_of(Target(pattern, pattern=True), outlines())) == found
    (entry,) = shop.memory.view().files
    assert (entry.pattern, entry.target) == (True, pattern)
    assert entry.problem == (None if found else "matches no indexed file")


def test_a_pattern_with_too_many_files_says_so_and_still_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contextls.memory.working_set.pin_validation.MAX_MATCHED", 2)
    view = make(tmp_path / "shop", working_set="files: ['src/**']\n").memory.view()
    assert [each.problem for each in view.files] == [None]
    assert view.warnings == ("pinned src/**: matches 3 files, of which the first 2 count at most",)


parts = st.sampled_from(("a", "b", "ab", "*", "?", "a*", "*b", "**", "[id]", "ü"))


@given(
    pattern=st.lists(parts, min_size=1, max_size=4).map("/".join),
    path=st.lists(st.sampled_from(("a", "b", "ab", "[id]", "ü", "i")), min_size=1, max_size=4).map("/".join),
)
def test_whatever_a_pattern_matches_lies_in_the_folder_that_is_searched(pattern: str, path: str) -> None:
    read = FilePattern(pattern)
    assert not read.matches(path) or path.startswith(read.folder)
    if "*" not in pattern and "?" not in pattern:
        assert read.matches(path) == (path == pattern)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("a.py:10-40", Target("a.py", lines=(10, 40))),
        ("./src//a.py:7", Target("src/a.py", lines=(7, 7))),
        ("a.py", Target("a.py")),
        ("src/*.py", Target("src/*.py", pattern=True)),
        ("docs/*/", Target("docs/*/", pattern=True)),
        ("app/[id].tsx", Target("app/[id].tsx")),
        ("a.py:x-y", Target("a.py:x-y")),
    ],
)
def test_lines_and_patterns_are_read_out_of_a_path_and_written_as_they_were(
    text: str, target: Target
) -> None:
    assert read_target(text, lambda _: False) == target
    assert read_target(target.text, lambda _: False) == target


@pytest.mark.parametrize("name", ["a.py:10-40", "what?.md", "star*.py"])
def test_a_file_that_is_called_so_is_that_file(name: str) -> None:
    assert read_target(name, lambda path: path == name) == Target(name)


@pytest.mark.parametrize(
    ("text", "problem"), [("a.py:40-10", "ends before"), ("src/*.py#Cart", "in a pattern")]
)
def test_lines_that_run_backwards_and_symbols_of_patterns_are_told(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_target(text, lambda _: False)


def test_lines_and_patterns_are_pinned_and_unpinned_like_anything_else(tmp_path: Path) -> None:
    shop = make(tmp_path / "shop")
    (shop.root / "a.py").write_text("x = 1\n" * 40)
    shop.pin("a.py:10-40", priority=0.5)
    view = shop.pin("src/**/*.py")
    assert [(each.target, each.start_line, each.end_line) for each in view.files] == [
        ("src/**/*.py", None, None),
        ("a.py:10-40", 10, 40),
    ]
    assert [each["path"] for each in yaml.safe_load(shop.file.read_text())["files"]] == [
        "a.py:10-40",
        "src/**/*.py",
    ]
    with pytest.raises(InvalidRequestError, match="matches no indexed file"):
        shop.pin("nowhere/*.py")
    with pytest.raises(InvalidRequestError, match="only these can be excluded"):
        shop.person.exclude(shop.memory.target("src/*.py"))
    for each in view.files:
        view = shop.person.unpin(shop.memory.target(each.target))
    assert view.files == ()


BUDGETS = """budget:
  max_tokens: 28000
  reserved_for_response: 4000
  effective: 24000
  allocation:
    system: 3000
    context: 62.5%
    history: 0
"""


def test_a_budget_is_read_with_its_allocation() -> None:
    budget = read_manifest(BUDGETS, lambda _: False).budget
    parts = {"system": Allotment(3000), "context": Allotment(percent=62.5), "history": Allotment(0)}
    assert budget == ManifestBudget(28_000, 4_000, 24_000, parts)
    assert budget.limit == 24_000
    assert [budget.tokens_of(part, 24_000) for part in ("system", "context", "history", "user")] == [
        3000,
        15000,
        0,
        None,
    ]
    assert [budget.tokens_of(part, 4_000) for part in ("system", "context")] == [500, 2500], (
        "less of a smaller prompt"
    )
    assert budget.tokens_of("system", 100_000) == 3_000


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("max_tokens: 8000", 8000),
        ("effective: 900", 900),
        ("reserved_for_response: 900", None),
        ("max_tokens: 8000, effective: 900", 900),
        ("max_tokens: 8000, reserved_for_response: 7000, effective: 7500", 1000),
    ],
)
def test_the_bound_of_a_prompt_follows_from_what_is_there(text: str, limit: int | None) -> None:
    budget = read_manifest(f"budget: {{{text}}}", lambda _: False).budget
    assert budget is not None
    assert budget.limit == limit


@pytest.mark.parametrize(
    ("text", "line", "code", "words"),
    [
        ("budget: 5", 1, "value", "expected fields such as max_tokens"),
        (
            "budget:\n  max_tokens: lots",
            2,
            "value",
            "budget.max_tokens: expected a whole number from 32 to 2,000,000",
        ),
        ("budget:\n  max_tokens: 31", 2, "value", "from 32"),
        ("budget:\n  max_tokens: 99999999999999999999", 2, "value", "from 32"),
        ("budget:\n  max_tokens: -1", 2, "value", "from 32"),
        ("budget:\n  max_tokens: [1]", 2, "value", "from 32"),
        (
            "budget:\n  max_tokens: 100\n  reserved_for_response: 90",
            3,
            "budget",
            "at least 32 less than max_tokens",
        ),
        (
            "budget:\n  max_tokens: 900\n  reserved_for_response: 100\n  effective: 700",
            4,
            "budget",
            "is 800; the smaller",
        ),
        ("budget:\n  allocation: 5", 2, "value", "expected fields such as system"),
        (
            "budget:\n  allocation:\n    boss: 5",
            3,
            "value",
            "expected one of system, developer, user, context, history",
        ),
        ("budget:\n  allocation:\n    user: 0.25", 3, "value", "tokens such as 3000, or a share such as 25%"),
        ("budget:\n  allocation:\n    user: 101%", 3, "value", "a share such as 25%"),
        (
            "budget:\n  effective: 900\n  allocation: {user: 60%, system: 50%}",
            3,
            "budget",
            "more than the 900",
        ),
        ("budget:\n  max_token: 5", 2, "unknown-field", "max_tokens is meant?"),
        ("files:\n  - path: a.py\n    priorty: 1", 3, "unknown-field", "priority is meant?"),
        ("protocol: CONTEXT-ASSEMBLY/9.0", 1, "value", "protocol: expected CONTEXT-ASSEMBLY/0.1"),
        ("files:\n  - {path: a.py, priority: high}", 2, "value", "priority: expected a number from 0 to 1"),
        ("files:\n  - a.py\n  - path: a.py", 3, "duplicate", "a.py is pinned twice; the first one counts"),
        ("files:\n  - ../a.py", 2, "target", "lies outside of the workspace"),
        ("files:\n  - role: user", 2, "target", "expected a path"),
        ("exclude:\n  - src/*.py", 2, "target", "nothing is excluded by it"),
        ("exclude:\n  - a.py:1-2", 2, "target", "nothing is excluded by it"),
        ("include:\n  - {a: b}", 2, "include", "expected the path of another working set"),
    ],
)
def test_a_wrong_value_is_a_fault_with_its_line_and_never_a_failure(
    text: str, line: int, code: str, words: str
) -> None:
    (fault,) = faults(text)
    assert (fault.line, fault.code) == (line, code)
    assert words in fault.message
    assert fault.file == NAME


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("files:\n  - path: gone.py\n    priority: high # ü", "high"),
        ("{files: [{path: ünï.py, role: boss}]}", "boss"),
        ("budget: {max_tokens: 'much'}", "'much'"),
        ("files:\n  - 'ü/../../x'\n", "'ü/../../x'"),
        ("files:\n  - path: a.py\n    rolle: user\n", "rolle"),
    ],
)
def test_a_fault_marks_exactly_what_is_wrong(text: str, marked: str) -> None:
    (fault,) = faults(text)
    line = text.split("\n")[fault.line - 1]
    assert fault.end_line == fault.line
    assert line[fault.column : fault.end_column] == marked


def test_a_path_that_begins_with_a_star_asks_for_quotes(tmp_path: Path) -> None:
    for text in ("files:\n  - *.py\n", "files:\n  - **/*.py\n"):
        (warning,) = make(tmp_path / f"shop{len(text)}", working_set=text).memory.view().warnings
        assert "line 2: " in warning
        assert "a path that begins with * or & stands in quotes" in warning


def test_hot_comes_first_and_cold_last_among_equals_and_never_above_a_higher_priority(tmp_path: Path) -> None:
    files = "files:\n  - {path: docs/guide.md, priority: 0.81}\n  - a.py\n  - src/no\n  - 'null'\n"
    shop = make(tmp_path / "shop", working_set=files, hot="- 'null'\n", cold="files:\n  - path: a.py\n")
    assert [each.path for each in shop.memory.view().files] == ["docs/guide.md", "null", "src/no", "a.py"]
    assert list(shop.memory.files_of(Target("src", folder=True), outlines())) == [
        "src/app.py", "src/deep/cart.md", "src/deep/cart.py"
    ]  # fmt: skip
    (shop.root / ".context" / "hot.yml").write_text("- 'src/**/*.py'\n- a.py#x\n")
    assert list(shop.memory.files_of(Target("src", folder=True), outlines())) == [
        "src/app.py", "src/deep/cart.py", "src/deep/cart.md"
    ]  # fmt: skip
    assert shop.memory.view().warnings == (
        ".context/hot.yml, line 2: a.py#x: only whole files and folders are hot or cold",
    )

"""What the files of a working set may say: patterns, lines, includes, budgets, hints; and what is wrong, with its place."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from contextls.errors import InvalidRequestError, StoreError
from contextls.memory.index.outlines import Outline
from contextls.memory.working_set import budget, included
from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.entries import ENTRY_FIELDS, FIELDS, read_manifest
from contextls.memory.working_set.file_patterns import FilePattern
from contextls.memory.working_set.manifest_schema import manifest_schema
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.target_text import read_target
from contextls.model import Allotment, ManifestBudget, ManifestFault, Role, Target, TruncateStrategy

from .test_working_set import Shop

FOUND = ("a.py", "docs/guide.md", "src/app.py", "src/deep/cart.py", "src/deep/cart.md", "app/[id]/page.tsx")


def outlines(*paths: str) -> dict[str, Outline]:
    return {path: Outline(path, "python", (), (), ()) for path in paths or FOUND}


def make(folder: Path, **files: str) -> Shop:
    """A shop whose files are indexed, with these files in ``.context``: ``team__yml`` is ``team.yml``."""
    shop = Shop(folder)
    for name, text in files.items():
        file = shop.root / ".context" / f"{name.replace('_', '-')}.yml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shop.memory = WorkingSet(shop.root.resolve(), shop.state, lambda *_: None, outlines, 1_000_000)
    return shop


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


TEAM = "files:\n  - {path: docs/guide.md, role: system, priority: 0.9, truncate_strategy: never}\nexclude: [src/no]\n"


def test_included_files_count_and_our_own_words_come_first(tmp_path: Path) -> None:
    ours = "include: team.yml\nfiles:\n  - {path: a.py, priority: 0.4}\n"
    shop = make(tmp_path / "shop", working_set=ours, team=f"{TEAM}budget: {{max_tokens: 500}}\n")
    view = shop.memory.view()
    assert [(each.path, each.priority, each.included_from) for each in view.files] == [
        ("docs/guide.md", 0.9, ".context/team.yml"),
        ("a.py", 0.4, None),
    ]
    assert [(each.path, each.included_from) for each in view.excluded] == [("src/no", ".context/team.yml")]
    assert (view.warnings, shop.memory.budget().limit) == ((), 500)
    shop.write(f"{ours}  - {{path: docs/guide.md, priority: 0.1}}\nbudget: {{max_tokens: 900}}\n")
    assert [(each.path, each.priority, each.role) for each in shop.memory.view().files] == [
        ("a.py", 0.4, Role.CONTEXT),
        ("docs/guide.md", 0.1, Role.CONTEXT),
    ]
    assert shop.memory.budget().limit == 900


def test_a_change_is_seen_in_an_included_file_too_and_never_made_there(tmp_path: Path) -> None:
    shop = make(tmp_path / "shop", working_set="include: [team.yml]\n", team=TEAM)
    before = shop.memory.version()
    memory = shop.memory
    for change, path in (
        (shop.person.unpin, "docs/guide.md"),
        (shop.person.include, "src/no"),
        (shop.person.pin, "src/no"),
    ):
        with pytest.raises(
            InvalidRequestError, match=r"by \.context/team\.yml, which it includes .*change it there"
        ):
            change(memory.target(path))
    assert shop.file.read_text() == "include: [team.yml]\n"
    view = shop.pin("docs/guide.md", priority=0.5)
    (entry,) = view.files
    assert (entry.priority, entry.role, entry.included_from) == (0.5, Role.SYSTEM, None), (
        "the rest stays as it was"
    )
    assert entry.truncate_strategy is TruncateStrategy.NEVER
    assert (shop.root / ".context" / "team.yml").read_text() == TEAM
    (shop.root / ".context" / "team.yml").write_text("files: [docs/guide.md, a.py]\n")
    assert sorted(each.path for each in memory.view().files) == ["a.py", "docs/guide.md"]
    assert memory.version() != before
    view = shop.person.unpin(memory.target("docs/guide.md"))
    assert [(each.path, each.included_from) for each in view.files] == [
        ("a.py", ".context/team.yml"),
        ("docs/guide.md", ".context/team.yml"),
    ]


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("gone.yml", "line 1: include: .context/gone.yml: no such file"),
        ("../../outside.yml", "lies outside of the workspace"),
        ("/../outside.yml", "lies outside of the workspace"),
        ("../a.py", "ends in .yml or .yaml"),
        ("working-set.yml", ".context/working-set.yml includes itself"),
        ("link.yml", "leads outside of the workspace"),
        ("team.yml#x", "ends in .yml or .yaml"),
    ],
)
def test_what_cannot_be_included_is_told_and_everything_else_counts(
    tmp_path: Path, named: str, problem: str
) -> None:
    (tmp_path / "outside.yml").write_text("files: [docs/guide.md]\n")
    shop = make(tmp_path / "shop", working_set=f"include: '{named}'\nfiles: [a.py]\n")
    (shop.root / ".context" / "link.yml").symlink_to(tmp_path / "outside.yml")
    view = shop.memory.view()
    assert [each.path for each in view.files] == ["a.py"]
    (warning,) = view.warnings
    assert problem in warning
    assert warning.startswith(f"{NAME}, line 1: ")


def test_a_file_of_secrets_is_not_included_and_one_that_git_ignores_is(tmp_path: Path) -> None:
    shop = make(
        tmp_path / "shop", working_set="include: [own.yml, keys.yml]\n", own="files: [a.py]\n", keys="x: 1\n"
    )
    reasons = {".context/own.yml": "gitignore", ".context/keys.yml": "security"}
    memory = WorkingSet(
        shop.root.resolve(), shop.state, lambda path, _: reasons.get(path), outlines, 1_000_000
    )
    view = memory.view()
    assert [each.path for each in view.files] == ["a.py"]
    assert "keys.yml: left out because such files hold secrets" in view.warnings[0]


def test_a_broken_included_file_is_named_with_its_line_and_still_counts_as_it_was(tmp_path: Path) -> None:
    shop = make(tmp_path / "shop", working_set="include: team.yml\n", team=TEAM)
    shop.memory.view()
    (shop.root / ".context" / "team.yml").write_text("files: [\n")
    view = shop.memory.view()
    assert [each.path for each in view.files] == ["docs/guide.md"]
    assert view.warnings[0].startswith(".context/team.yml, line 2: ")
    shop.pin("a.py")
    assert "a.py" in shop.file.read_text(), "our own file is whole"


includes = st.dictionaries(
    st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefz"), max_size=4), max_size=6
)


@given(graph=includes, first=st.lists(st.sampled_from("abcdef"), max_size=3))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_however_files_include_one_another_each_is_read_once_and_cycles_are_told(
    tmp_path: Path, graph: dict[str, list[str]], first: list[str]
) -> None:
    with tempfile.TemporaryDirectory(dir=tmp_path) as place:
        files = {
            name: f"include: [{', '.join(f'{each}.yml' for each in named)}]\nfiles: [{name}.py]\n"
            for name, named in graph.items()
        }
        shop = make(
            Path(place) / "shop", working_set=f"include: [{', '.join(f'{n}.yml' for n in first)}]\n", **files
        )
        view = shop.memory.view()
        pinned = [each.path for each in view.files]
        assert len(pinned) == len(set(pinned))
        reached, edge = set(), [name for name in first if name in graph]
        while edge:
            name = edge.pop()
            if name not in reached:
                reached.add(name)
                edge += [each for each in graph[name] if each in graph]
        assert set(pinned) <= {f"{name}.py" for name in reached}
        if not view.warnings:
            assert set(pinned) == {f"{name}.py" for name in reached}


def test_includes_are_bounded_in_depth_number_and_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = {f"d{n}": f"include: d{n + 1}.yml\nfiles: [f{n}.py]\n" for n in range(8)}
    view = make(tmp_path / "deep", working_set="include: d0.yml\n", **chain).memory.view()
    assert len(view.files) == included.MAX_DEPTH
    assert "would be more than 4 files deep" in view.warnings[0]
    wide = {f"w{n}": f"files: [f{n}.py]\n" for n in range(16)}
    named = ", ".join(f"w{n}.yml" for n in range(16))
    monkeypatch.setattr(included, "MAX_FILES", 5)
    view = make(tmp_path / "wide", working_set=f"include: [{named}]\n", **wide).memory.view()
    assert len(view.files) == 5
    assert "only 5 files are included" in view.warnings[0]
    monkeypatch.setattr(included, "MAX_ENTRIES", 3)
    view = make(tmp_path / "many", working_set=f"include: [{named}]\n", **wide).memory.view()
    assert len(view.files) == 3
    assert ".context/w3.yml, line 1: files: only 3 entries are read" in view.warnings[0]
    monkeypatch.setattr(included, "MAX_CHARS", 40)
    view = make(tmp_path / "large", working_set=f"include: [{named}]\n", **wide).memory.view()
    assert len(view.files) == 2
    assert "only 40 characters of included files are read" in view.warnings[0]


def test_a_text_that_is_too_large_or_full_of_faults_is_told_in_few_words(tmp_path: Path) -> None:
    memory = make(tmp_path / "shop", working_set="").memory
    (checked,) = memory.check({NAME: "# " + "x" * 300_000}, indexed=True)
    assert [each.message for each in checked.faults] == [
        "it is larger than 256,000 bytes; pin folders instead of single files"
    ]
    names = "".join(f"fils{number}: 1\n" for number in range(20_000))
    (checked,) = memory.check({NAME: names}, indexed=True)
    assert 0 < len(checked.faults) <= 100
    (checked,) = memory.check({NAME: "files:\n" + "  - ../x\n" * 900}, indexed=True)
    assert len(checked.faults) == 200


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


SCHEMA = manifest_schema()
# Of each field some values that it may have, and some that it may not; in YAML they stand as JSON does.
values: dict[str, tuple[object, ...]] = {
    "protocol": ("CONTEXT-ASSEMBLY/0.1", "CONTEXT-ASSEMBLY/0.9", "CONTEXT-ASSEMBLY/1.0", None, 5, ["x"]),
    "max_tokens": (32, 2_000_000, None, 31, 2_000_001, -5, "many", 40.5, [40], {"a": 1}, True),
    "reserved_for_response": (0, 10, None, -1, "x", 2_000_001),
    "effective": (32, 500, None, 0, "x"),
    "allotment": (0, 3000, None, "25%", "12.5 %", "100%", "100.1%", "101%", "x", -1, 0.25, [5], True),
    "include": ("team.yml", ["a.yml", "b.yml"], [], None, [None], [["x"]], {"a": 1}, " "),
    "path": ("a.py", "docs/", "src/**/*.py", "a.py:1-2", "a.py#C.m", None, [], {"x": 1}),
    "priority": (0, 0.25, 1, None, 1.5, -0.5, "high", [1], True),
    "role": ("system", "context", None, "boss", 5, []),
    "truncate_strategy": ("never", "end", None, "sometimes", 0, {}),
    "max_lines": (1, 500, None, 0, -1, 1.5, "many", 100_000_000, []),
    "files": (None, [], "a.py", 5, {"path": "a.py"}),
}


def some(name: str) -> st.SearchStrategy[object]:
    return st.sampled_from(values[name])


def fields(required: tuple[str, ...], names: tuple[str, ...]) -> st.SearchStrategy[object]:
    every = {name: some(name) for name in (*required, *names)}
    return st.fixed_dictionaries(
        {name: every[name] for name in required}, optional={name: every[name] for name in names}
    )


parts_of_a_prompt = st.sampled_from(("system", "developer", "user", "context", "history", "boss"))
allocations = st.dictionaries(parts_of_a_prompt, some("allotment"), max_size=2)
budgets: st.SearchStrategy[object] = st.one_of(
    st.sampled_from((None, 5, [])),
    st.fixed_dictionaries(
        {},
        optional={
            **{name: some(name) for name in ("max_tokens", "reserved_for_response", "effective")},
            "allocation": st.one_of(st.sampled_from((None, 5)), allocations),
            "mine": st.just(1),
        },
    ),
)
listed = st.one_of(
    some("files"),
    st.lists(st.one_of(some("path"), fields(("path",), ("priority", "role", "truncate_strategy", "max_lines"))), max_size=2),
)  # fmt: skip
manifests = st.fixed_dictionaries(
    {},
    optional={
        "protocol": some("protocol"),
        "budget": budgets,
        "include": some("include"),
        "files": listed,
        "exclude": st.one_of(some("files"), st.lists(some("path"), max_size=2)),
        "mine": st.just({"x": [1]}),
    },
)


@given(manifest=manifests)
@settings(max_examples=300)
def test_the_schema_allows_exactly_what_the_reader_understands(manifest: dict[str, object]) -> None:
    text = json.dumps(manifest)
    try:
        found = read_manifest(text, lambda _: False).faults
        # What two fields together say, and what only the workspace can tell, is beyond a schema.
        wrong = [each for each in found if each.code in ("value", "include", "target")]
        wrong = [each for each in wrong if "so nothing is excluded by it" not in each.message]
        is_right = not wrong
    except StoreError:
        is_right = False
    errors = list(Draft7Validator(SCHEMA).iter_errors(manifest))
    assert is_right == (not errors), wrong if not is_right else errors


def test_the_schema_describes_every_field_that_the_reader_knows() -> None:
    entry = SCHEMA["properties"]["files"]["items"]["anyOf"][1]["properties"]
    assert set(entry) == set(ENTRY_FIELDS)
    assert set(SCHEMA["properties"]) == set(FIELDS)
    assert set(SCHEMA["properties"]["budget"]["properties"]) == set(budget.FIELDS)
    assert all("description" in each for each in (*entry.values(), *SCHEMA["properties"].values()))
    Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "name", ["docs/working-set.schema.json", "editors/vscode/media/working-set.schema.json"]
)
def test_the_schema_that_editors_get_is_the_one_in_force(name: str) -> None:
    assert json.loads((Path(__file__).parents[3] / name).read_text()) == SCHEMA


# Each entry as people write it, and what names it in a request.
BLOCKS = {
    "a.py": "  # one\n  - path: a.py # ours\n    owner: 'ann'   # {unknown}\n",
    "docs/guide.md": '  - "docs/guide.md"\n',
    "src/**/*.py": "  # the code: all of it\n  - path: 'src/**/*.py'\n    priority: .5\n    note: |\n      a\n      block\n",
    "docs/*.md": '  - {path: "docs/*.md", why: [x, y]} # flow\n',
    "a.py:10-40": "  - 'a.py:10-40'\n",
    "src/app.py:3-9": "\n  - path: src/app.py:3-9\n    max_lines: 7\n\n",
    "null": "  - 'null'\n",
}
HEAD = """# head
protocol: CONTEXT-ASSEMBLY/0.1

budget:   # bounds
  max_tokens: 28000
  allocation: {context: 50%} # half
"""
INCLUDE = "include: [team.yml]  # theirs\nunknown: {x: [1, 2]}\n"
TAIL = "# between\nexclude:\n  - src/no # never\n# tail\nmetadata:\n  team: core\n"
touches = st.lists(
    st.tuples(
        st.sampled_from(("pin", "repin", "unpin", "exclude", "include")), st.sampled_from(tuple(BLOCKS))
    ),
    max_size=10,
)


@given(order=st.permutations(tuple(BLOCKS)), count=st.integers(1, len(BLOCKS)), steps=touches)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_is_changed_all_else_stays_as_it_was_written_byte_for_byte(
    tmp_path: Path, order: tuple[str, ...], count: int, steps: list[tuple[str, str]]
) -> None:
    with tempfile.TemporaryDirectory(dir=tmp_path) as place:
        text = HEAD + INCLUDE + "files:\n" + "".join(BLOCKS[name] for name in order[:count]) + TAIL
        shop = make(Path(place) / "shop", working_set=text, team="files: [src/deep/cart.py]\n")
        (shop.root / "src").mkdir(exist_ok=True)
        for file in ("a.py", "src/app.py"):
            (shop.root / file).write_text("x = 1\n" * 40)
        memory, pinned, touched = shop.memory, set(order[:count]), set()
        for action, name in steps:
            target = memory.target(name)
            if action in ("pin", "repin"):
                shop.person.pin(target, priority=0.25 if action == "pin" else 0.75)
                pinned.add(name)
            elif action == "unpin":
                shop.person.unpin(target)
                pinned.discard(name)
            elif action == "include":
                shop.person.include(target)
            elif target.pattern or target.lines:
                with pytest.raises(InvalidRequestError):
                    shop.person.exclude(target)
                continue
            else:
                shop.person.exclude(target)
                pinned.discard(name)
            if action != "include":
                touched.add(name)
            view = memory.view()
            ours = {each.target for each in view.files if each.included_from is None}
            assert ours == pinned
            assert [each.target for each in view.files if each.included_from] == ["src/deep/cart.py"]
            assert memory.budget().tokens_of("context", 1000) == 500
        left = shop.file.read_text()
        assert left.startswith(HEAD + INCLUDE + "files:\n")
        for line in TAIL.splitlines():
            assert f"{line}\n" in left
        at = 0
        for name in order[:count]:
            if name not in touched:
                body = BLOCKS[name].strip("\n")
                assert left.find(body, at) >= at, f"{name} was rewritten or moved"
                at = left.find(body, at)
        assert (shop.root / ".context" / "team.yml").read_text() == "files: [src/deep/cart.py]\n"

"""Files that a working set includes: they count, are only read, and are bounded in depth, number and size."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.working_set import included
from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import Role, TruncateStrategy

from .shops import make, outlines

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
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
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

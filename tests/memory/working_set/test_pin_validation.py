"""What is pinned and does not count, and what is excluded: found out once, told with its reason."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.problems import MAX_TOLD
from contextls.model import Target
from contextls.workspace import stamps

from .shops import Shop


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../outside.py", "lies outside"),
        ("/etc/passwd", "lies outside"),
        ("C:\\Windows\\win.ini", "lies outside"),
        ("docs/../../x", "lies outside"),
        ("", "names nothing"),
        (".", "the workspace itself"),
        ("a\nb", "is no path"),
        ("gone.py", "no such file"),
        ("link.py", "leads outside"),
        ("inner.py", "leads to a.py"),
        ("a.py#missing", "not indexed"),
    ],
)
def test_what_cannot_be_pinned_is_an_error_that_says_why(shop: Shop, path: str, problem: str) -> None:
    (shop.root / "link.py").symlink_to("/etc/passwd")
    (shop.root / "inner.py").symlink_to("a.py")
    with pytest.raises(InvalidRequestError, match=problem):
        shop.pin(path)
    assert not shop.file.exists()


def test_broken_pins_are_looked_into_once_however_often_somebody_asks(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop")
    paths = [f"f{number:03}.py" for number in range(200)]
    for path in paths:
        (shop.root / path).write_text("ignored\n")
    asked: list[str] = []

    def refuses(path: str, _: bool) -> str:
        asked.append(path)
        return "gitignore"

    memory = WorkingSet(shop.root.resolve(), shop.state, refuses, dict, 1_000_000)
    shop.write("files:\n" + "".join(f"  - {path}\n" for path in paths))
    assert {each.problem for each in memory.list_pinned({})} == {"ignored by git"}
    assert len(asked) == len(paths)
    for _ in range(5):
        asked.clear()
        assert {each.problem for each in memory.list_pinned({})} == {"ignored by git"}
        assert asked == paths[:MAX_TOLD], "what is told is true at any time"
    (shop.root / paths[150]).write_text("changed\n")
    asked.clear()
    memory.list_pinned({})
    assert asked == [*paths[:MAX_TOLD], paths[150]]
    shop.write("files:\n" + "".join(f"  - {path}\n" for path in paths[:20]))
    asked.clear()
    assert len(memory.list_pinned({})) == len(asked) == 20


def test_a_file_that_appears_or_goes_counts_or_not_at_the_next_question(tmp_path: Path) -> None:
    paths = [f"f{number:03}.py" for number in range(30)]
    shop = Shop(tmp_path / "shop", "files:\n" + "".join(f"  - {path}\n" for path in paths))
    assert all(each.problem == "no such file" for each in shop.memory.list_pinned({}))
    (shop.root / paths[25]).write_text("here\n")
    assert [each.entry.target.path for each in shop.memory.list_pinned({}) if not each.problem] == [paths[25]]
    assert shop.memory.text(paths[25]).lines == ("here",)
    (shop.root / paths[25]).write_text("anew\n")
    assert shop.memory.text(paths[25]).lines == ("anew",)
    shop.memory.set_overlay(paths[26], "unsaved\n")
    assert shop.memory.text(paths[26]).lines == ("unsaved",)
    (shop.root / paths[25]).unlink()
    assert [each.entry.target.path for each in shop.memory.list_pinned({}) if not each.problem] == [paths[26]]
    assert shop.memory.text(paths[25]).problem == "no such file"


def test_lines_that_unsaved_text_has_no_more_are_missing(tmp_path: Path) -> None:
    manifest = "files:\n  - a.py:3\n"
    shop = Shop(tmp_path / "shop", manifest)
    shop.memory.set_overlay("a.py", "1\n2\n3\n")
    assert [each.problem for each in shop.memory.list_pinned({})] == [None]
    shop.memory.set_overlay("a.py", "1\n2\n")
    assert [each.problem for each in shop.memory.list_pinned({})] == ["its file has only 2 lines"]
    (checked,) = shop.memory.check({NAME: manifest}, indexed=True)
    assert [(each.code, each.message) for each in checked.faults] == [
        ("missing", "a.py:3-3: its file has only 2 lines")
    ]


def test_a_text_that_was_read_is_not_told_once_its_file_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "UNSURE_NS", -1)  # what was read is remembered at once
    shop = Shop(tmp_path / "shop")
    reasons: dict[str, str] = {}
    memory = WorkingSet(shop.root.resolve(), shop.state, lambda path, _: reasons.get(path), dict, 1_000_000)
    assert memory.text("a.py").lines == ("text of a.py",)
    reasons["a.py"] = "gitignore"
    assert (memory.text("a.py").lines, memory.text("a.py").problem) == ((), "ignored by git")


broken_lines = st.sampled_from(
    (
        "  - gone.py{n}\n",
        "  - ../out{n}\n",
        "  - {{x: {n}}}\n",
        "  - {{path: b{n}, priority: high}}\n",
        "  - ''\n",
    )
)


@given(lines=st.lists(broken_lines, max_size=60), void=st.integers(0, 40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_number_of_problems_is_told_in_a_few_lines_that_name_the_first_and_count_the_others(
    folder: Path, lines: list[str], void: int
) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        files = "".join(line.format(n=number) for number, line in enumerate(lines))
        out = "".join(f"  - ../excluded{number}\n" for number in range(void))
        shop = Shop(Path(place) / "shop", f"files:\n{files}  - a.py\nexclude:\n{out}")
        view = shop.memory.view()
        problems = shop.memory.problems({})
        assert list(view.warnings[:MAX_TOLD]) == problems[:MAX_TOLD]
        assert len(view.warnings) <= MAX_TOLD + 1
        if len(problems) > MAX_TOLD:
            assert view.warnings[-1].startswith(f"and {len(problems) - MAX_TOLD} more ")
        assert [each.problem for each in view.files if each.path == "a.py"] == [None]


paths_of_folders = st.lists(st.sampled_from(("a", "b", "a.b", "ab")), min_size=1, max_size=4).map("/".join)


@given(
    out=st.lists(paths_of_folders, max_size=4),
    symbols=st.lists(st.sampled_from(("C", "C.m", "C.m.x", "Cm")), max_size=3),
    path=paths_of_folders,
    name=st.sampled_from(("C", "C.m", "C.m.x", "C.mm", "Cm", "Cm.y", "x")),
)
def test_what_lies_in_an_excluded_folder_or_symbol_is_always_excluded_and_nothing_beside_it(
    out: list[str], symbols: list[str], path: str, name: str
) -> None:
    exclusions = Exclusions.of([*(Target(each) for each in out), *(Target("s.py", each) for each in symbols)])
    hidden = any(path == each or path.startswith(f"{each}/") for each in out)
    assert exclusions.hides(path) == hidden
    inside = any(name == each or name.startswith(f"{each}.") for each in symbols)
    assert exclusions.hides_symbol("s.py", name) == inside

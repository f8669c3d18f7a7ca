"""The working set's file: changed in place, and nothing of it is lost."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.errors import ContextlsError, StoreError
from contextls.memory.working_set.person_changes import PersonChanges
from contextls.model import Role, TruncateStrategy

from .shops import PATHS, WRITTEN, Shop, names


def test_nothing_is_written_before_something_is_pinned(shop: Shop) -> None:
    view = shop.memory.view()
    assert (view.files, view.excluded, view.warnings) == ((), (), ())
    shop.person.unpin(shop.memory.target("a.py"))
    shop.person.include(shop.memory.target("a.py"))
    assert not shop.file.parent.exists()
    shop.pin("a.py", priority=0.5)
    assert yaml.safe_load(shop.file.read_text()) == {
        "protocol": "CONTEXT-ASSEMBLY/0.1",
        "files": [{"path": "a.py", "priority": 0.5}],
    }


def test_what_people_wrote_is_read_with_its_fields(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN)
    guide, code = shop.memory.view().files
    assert (guide.path, guide.priority, guide.role) == ("docs/guide.md", 1.0, Role.SYSTEM)
    assert guide.truncate_strategy is TruncateStrategy.NEVER
    assert (code.path, code.priority, code.max_lines, code.problem) == ("a.py", 0.8, 500, None)
    assert [each.path for each in shop.memory.view().excluded] == ["src/no"]


def test_a_change_touches_only_its_lines(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN.replace("metadata", "# metadata gone\nother"))
    before = shop.file.read_text()
    shop.pin("a.py", priority=0.25, max_lines=7)
    changed = before.replace("max_lines: 500", "max_lines: 7").replace(
        "      of this\n", "      of this\n    priority: 0.25\n"
    )
    assert shop.file.read_text() == changed
    shop.person.unpin(shop.memory.target("docs/guide.md"))
    start, end = changed.index('  - path: "docs'), changed.index("owner: ann") + len("owner: ann\n")
    assert shop.file.read_text() == changed[:start] + changed[end:]
    assert "# the guide first" in shop.file.read_text()


def test_the_metadata_that_is_there_is_kept_up_to_date(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN)
    shop.pin("src/deep/ünï çode.py")
    metadata = yaml.safe_load(shop.file.read_text())["metadata"]
    assert metadata["last_updated"] > "2026"
    assert (metadata["assembled_by"], metadata["team"]) == ("user", "core")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment",
        "---\n",
        "{}",
        "files: []",
        "files:\nexclude:\n",
        "files: null # none\nexclude: ~\n",
        "{files: [a.py, {path: docs}], exclude: [src/no]}",
        "files: [a.py, # one\n  docs/guide.md]\nexclude: [src/no,]\n",
        "files:\n- a.py\n- path: docs/\nexclude:\n- src/no",
        "files:\n  -\n    path: a.py\n    x: {y: 1}\n",
        "  files:\n  - path: a.py # one\n\n    # two\n    x: >\n      folded\n\n  # three\n",
        "files:\r\n  - path: a.py\r\n    priority: .5\r\n",
        "\ufefffiles:\n  - a.py\n",
        "files:\n  - a.py\n...\n",
        WRITTEN,
    ],
)
def test_every_way_of_writing_can_be_changed(tmp_path: Path, text: str) -> None:
    shop = Shop(tmp_path / "shop", text)
    memory = shop.memory
    assert memory.view().warnings == ()
    for path in ("a.py", "null", "docs"):
        view = shop.person.pin(memory.target(path), priority=0.7, role=Role.USER)
        assert next(each for each in view.files if each.path == path).priority == 0.7
    view = shop.person.exclude(memory.target("a.py"))
    assert "a.py" not in names(view)
    assert "a.py" in [each.path for each in view.excluded]
    view = shop.person.pin(memory.target("docs/guide.md"), max_lines=3)
    if "\r\n" in text:
        assert shop.file.read_bytes().count(b"\n") == shop.file.read_bytes().count(b"\r\n")
    assert shop.file.read_text().startswith("\ufeff") == text.startswith("\ufeff")
    view = shop.person.include(memory.target("a.py"))
    for each in view.files:
        view = shop.person.unpin(memory.target(each.path))
    for one in view.excluded:
        view = shop.person.include(memory.target(one.path))
    assert (view.files, view.excluded) == ((), ())
    assert shop.open().view() == view
    if shop.file.exists():  # with what people wrote beside the entries
        assert set(shop.file.read_text().split()) - {
            "files:",
            "exclude:",
            "protocol:",
            "CONTEXT-ASSEMBLY/0.1",
        }


Step = tuple[str, str, float]
steps = st.lists(
    st.tuples(
        st.sampled_from(("pin", "unpin", "exclude", "include")),
        st.sampled_from(PATHS),
        st.sampled_from((0.0, 0.05, 0.5, 1.0)),
    ),
    max_size=12,
)
comments = st.lists(
    st.sampled_from(("# plain", "# with: colon", "#- dash", "# - path: x")), min_size=3, max_size=3
)


@given(steps=steps, comments=comments, flow=st.booleans())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_sequence_of_changes_reads_as_it_was_meant_and_keeps_what_was_written(
    folder: Path, steps: list[Step], comments: list[str], flow: bool
) -> None:
    first, second, third = comments
    listed = "files: [{path: a.py, owner: ann}]" if flow else "files:\n  - path: a.py\n    owner: ann"
    with tempfile.TemporaryDirectory(dir=folder) as place:
        text = f"{first} 1\n{listed}\n{second} 2\nunknown: {{x: [1, 2]}} {third} 3\nexclude:\n  - docs\n{third} 4\n"
        shop = Shop(Path(place) / "shop", text)
        pinned: dict[str, float] = {"a.py": 0.8}
        excluded = {"docs"}
        for action, path, priority in steps:
            target = shop.memory.target(path)
            if action == "pin":
                shop.person.pin(target, priority=priority)
                pinned[path] = priority
                excluded.discard(path)
            elif action == "exclude":
                shop.person.exclude(target)
                pinned.pop(path, None)
                excluded.add(path)
            elif action == "unpin":
                shop.person.unpin(target)
                pinned.pop(path, None)
            else:
                shop.person.include(target)
                excluded.discard(path)
            view = shop.memory.view()
            assert {each.path: each.priority for each in view.files} == pinned
            assert {each.path for each in view.excluded} == excluded
            assert shop.open().view() == view
        left = shop.file.read_text()
        for number, comment in enumerate((first, second, third, third), start=1):
            assert f"{comment} {number}" in left
        assert yaml.safe_load(left)["unknown"] == {"x": [1, 2]}
        kept = [item for item in yaml.safe_load(left)["files"] or () if item.get("owner") == "ann"]
        assert bool(kept) == ("a.py" in pinned and not _was_taken_out("a.py", steps))


def _was_taken_out(path: str, steps: list[Step]) -> bool:
    return any(each == path and action in ("unpin", "exclude") for action, each, _ in steps)


def test_a_wrong_field_by_hand_is_a_problem_of_its_entry(tmp_path: Path) -> None:
    text = "files:\n  - {path: a.py, priority: high}\n  - {path: docs, role: boss, max_lines: 0}\n  - {path: 'null'}\n"
    problems = {each.path: each.problem for each in Shop(tmp_path / "shop", text).memory.view().files}
    assert problems["null"] is None
    assert problems["a.py"] == "priority: expected a number from 0 to 1"
    assert "role: expected one of system" in str(problems["docs"])
    assert "max_lines" in str(problems["docs"])


def test_a_change_by_another_process_is_seen_at_once(shop: Shop) -> None:
    other = shop.open()
    for number in range(5):
        PersonChanges(other).pin(other.target("a.py"), priority=number / 10)
        assert shop.memory.view().files[0].priority == number / 10
        assert shop.memory.version() == other.version()


def test_changes_side_by_side_are_all_kept(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop")
    for number in range(24):
        (shop.root / f"f{number}.py").write_text("")
    memories = [shop.open() for _ in range(4)]
    failed: list[Exception] = []

    def pin(number: int) -> None:
        memory = memories[number % 4]
        try:
            PersonChanges(memory).pin(memory.target(f"f{number}.py"))
        except ContextlsError as error:
            failed.append(error)

    threads = [threading.Thread(target=pin, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert sorted(names(shop.memory.view())) == sorted(f"f{number}.py" for number in range(24))
    assert [each.name for each in shop.file.parent.iterdir()] == ["working-set.yml"]


@pytest.fixture
def read_only(shop: Shop) -> Shop:
    shop.pin("a.py")
    shop.file.parent.rename(shop.root / "kept")
    shop.file.parent.write_text("a file where the folder was\n")
    return shop


def test_a_place_that_cannot_be_written_is_a_clear_message(read_only: Shop) -> None:
    with pytest.raises(StoreError, match="cannot write"):
        read_only.pin("docs")

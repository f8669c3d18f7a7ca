"""Updates of the working set by models: within bounds, all or nothing, undone without a trace."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.errors import ContextlsError, StoreError
from contextls.memory.working_set.journal import MAX_UPDATES
from contextls.memory.working_set.journal import NAME as JOURNAL
from contextls.memory.working_set.updates import MAX_OF_MODELS, ModelUpdates
from contextls.model import Role, SetUpdate, UpdateAction, Updater

from .shops import FILES, WRITTEN, Shop

ADD, REMOVE, ADJUST = UpdateAction.ADD, UpdateAction.REMOVE, UpdateAction.ADJUST
SECRET = "ghp_" + "a1B2" * 9


class Desk(Shop):
    """The shop with a model at work in it."""

    def ask(
        self,
        action: UpdateAction,
        path: str,
        priority: float | None = None,
        why: str = "it is what this is about",
        role: Role | None = None,
    ) -> tuple[str | None, list[str]]:
        return self.ask_all([(action, path, priority, why, role)])

    def ask_all(self, asked: list[tuple[Any, ...]]) -> tuple[str | None, list[str]]:
        named = []
        for action, path, *more in asked:
            fields = dict(zip(("priority", "why", "role"), more, strict=False))
            update = SetUpdate(action, path, **{"why": "why", **fields})
            named.append((self.memory.target(path), update))
        record, refused = ModelUpdates(self.memory).apply(named)
        return (record.id if record else None), [one.reason for one in refused]

    def undo(self, update: str | None = None) -> tuple[str | None, tuple[str, ...]]:
        undone = ModelUpdates(self.memory).undo(update)
        return (undone.record.id if undone.record else None), undone.kept

    @property
    def bytes(self) -> bytes | None:
        return self.file.read_bytes() if self.file.exists() else None

    def of_people(self) -> tuple[list[Any], list[Any]]:
        """What people wrote: entries as they are in the file, and exclusions."""
        found = yaml.safe_load(self.file.read_text("utf-8")) if self.file.exists() else None
        found = found if isinstance(found, dict) else {}
        entries = [
            one
            for one in found.get("files") or []
            if not (isinstance(one, dict) and one.get("added_by") == "model")
        ]
        return entries, found.get("exclude") or []


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "shop")


def test_what_a_model_adds_says_who_and_why(desk: Desk) -> None:
    update, refused = desk.ask(ADD, "a.py", 0.7, "the total is computed here")
    assert (update, refused) == ("update-1", [])
    assert yaml.safe_load(desk.file.read_text()) == {
        "protocol": "CONTEXT-ASSEMBLY/0.1",
        "files": [
            {"path": "a.py", "priority": 0.7, "added_by": "model", "why": "the total is computed here"}
        ],
    }
    (file,) = desk.memory.view().files
    assert (file.by, file.why, file.priority) == (Updater.MODEL, "the total is computed here", 0.7)
    desk.ask(ADJUST, "a.py", 0.2, "less so")
    (file,) = desk.memory.view().files
    assert (file.priority, file.why) == (0.2, "less so")
    desk.ask(REMOVE, "a.py", None, "done")
    assert desk.memory.view().files == ()


def test_the_metadata_say_that_a_model_was_last(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "shop", WRITTEN.replace("assembled_by: model", "assembled_by: user"))
    desk.ask(ADD, "src/deep/ünï çode.py")
    assert yaml.safe_load(desk.file.read_text())["metadata"]["assembled_by"] == "model"
    desk.pin("src/deep/ünï çode.py")
    assert yaml.safe_load(desk.file.read_text())["metadata"]["assembled_by"] == "user"


def test_what_a_person_pinned_or_excluded_is_theirs(desk: Desk) -> None:
    desk.pin("a.py", priority=0.3)
    desk.person.exclude(desk.memory.target("docs/guide.md"))
    before = desk.bytes
    for action, path, priority, reason in (
        (REMOVE, "a.py", None, "pinned it"),
        (ADJUST, "a.py", 0.1, "pinned it"),
        (ADJUST, "a.py", 1.0, "pinned it"),
        (ADD, "a.py", 0.9, "pinned it already"),
        (ADD, "docs/guide.md", 0.9, "excluded it"),
        (REMOVE, "docs/guide.md", None, "no entry"),
        (ADD, "gone.py", None, "no such file"),
    ):
        update, reasons = desk.ask(action, path, priority)
        assert update is None
        assert reason in reasons[0]
    assert desk.bytes == before
    assert desk.memory.view().updates == ()


def test_one_that_is_refused_holds_up_all(desk: Desk) -> None:
    desk.pin("a.py")
    before = desk.bytes
    update, reasons = desk.ask_all([(ADD, "docs/guide.md"), (REMOVE, "a.py"), (REMOVE, "docs/guide.md")])
    assert (update, len(reasons)) == (None, 1)
    assert desk.bytes == before
    assert desk.ask_all([(ADD, "docs/guide.md"), (ADJUST, "docs/guide.md", 0.1)])[0] == "update-1"
    assert [each.priority for each in desk.memory.view().files] == [0.8, 0.1]


def test_what_a_person_pins_again_is_theirs_from_then_on(desk: Desk) -> None:
    desk.ask(ADD, "a.py", 0.4)
    (file,) = desk.pin("a.py").files
    assert (file.by, file.priority, file.why) == (Updater.PERSON, 0.4, None)
    assert desk.ask(REMOVE, "a.py")[1]
    assert desk.undo() == ("update-1", ("a.py was changed since",))
    assert [each.path for each in desk.memory.view().files] == ["a.py"]


def test_only_people_give_a_file_a_voice(desk: Desk) -> None:
    for role in (Role.SYSTEM, Role.DEVELOPER, Role.USER):
        assert "only the user" in desk.ask(ADD, "a.py", 0.5, "why", role)[1][0]
    assert not desk.file.exists()
    desk.ask(ADD, "a.py", 0.5, "why", Role.CONTEXT)
    assert desk.memory.view().files[0].role is Role.CONTEXT


def test_a_reason_is_one_plain_line_without_secrets(desk: Desk) -> None:
    desk.ask(ADD, "a.py", 0.5, f"it says\n{SECRET} \x07\u200bhere\U000e0041, " + "long " * 200)
    text = desk.file.read_text()
    assert SECRET not in text + (desk.state / JOURNAL).read_text()
    why = desk.memory.view().files[0].why or ""
    assert why.startswith("it says [redacted:")
    assert len(why) <= 300
    assert why.isprintable()


def test_models_do_not_bury_what_people_pin(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "shop")
    for number in range(MAX_OF_MODELS + 1):
        (desk.root / f"file{number}.py").write_text("x\n")
    for number in range(MAX_OF_MODELS):
        assert desk.ask(ADD, f"file{number}.py")[0]
    assert "remove what is no longer needed" in desk.ask(ADD, f"file{MAX_OF_MODELS}.py")[1][0]
    assert desk.pin(f"file{MAX_OF_MODELS}.py").files[0].path == f"file{MAX_OF_MODELS}.py"
    assert len(desk.memory.view().updates) == MAX_UPDATES


def test_an_undo_leaves_no_trace(tmp_path: Path) -> None:
    fresh = Desk(tmp_path / "fresh")
    fresh.ask(ADD, "a.py")
    assert fresh.undo() == ("update-1", ())
    assert not fresh.file.parent.exists()
    assert fresh.undo() == (None, ())

    desk = Desk(tmp_path / "shop", "\ufeff" + WRITTEN.replace("\n", "\r\n"))
    texts = [desk.bytes]
    for asked in ((ADD, "src/no.py"), (ADD, "1.0", 0.2), (ADJUST, "1.0", 0.4), (REMOVE, "1.0")):
        if asked[1] == "src/no.py":
            (desk.root / "src/no.py").write_text("x\n")
        desk.ask(*asked)
        texts.append(desk.bytes)
    for text in reversed(texts[:-1]):
        desk.undo()
        assert desk.bytes == text


def test_an_update_is_undone_by_its_name_and_leaves_what_came_after(desk: Desk) -> None:
    desk.ask(ADD, "a.py", 0.5)
    desk.ask(ADD, "docs/guide.md", 0.6)
    desk.ask(ADJUST, "docs/guide.md", 0.9)
    desk.pin("null")
    assert desk.undo("update-1") == ("update-1", ())
    assert {(each.path, each.priority) for each in desk.memory.view().files} == {
        ("null", 0.8),
        ("docs/guide.md", 0.9),
    }
    assert desk.undo("update-3") == ("update-3", ())
    assert desk.memory.view().files[1].priority == 0.6
    desk.ask(REMOVE, "docs/guide.md")
    desk.pin("1.0")
    assert desk.undo() == ("update-4", ())
    guide = next(each for each in desk.memory.view().files if each.path == "docs/guide.md")
    assert (guide.priority, guide.by) == (0.6, Updater.MODEL)
    assert desk.undo("update-9") == (None, ())


def test_a_journal_that_is_damaged_or_cannot_be_written(desk: Desk) -> None:
    desk.ask(ADD, "a.py")
    (desk.state / JOURNAL).write_text('{"last": 3, "records": [{"number": {}}]')
    assert desk.undo() == (None, ())
    assert desk.ask(REMOVE, "a.py")[0] == "update-1"
    before = desk.bytes
    (desk.state / JOURNAL).unlink()
    (desk.state / JOURNAL).mkdir()
    with pytest.raises(StoreError, match="cannot write"):
        desk.ask(ADD, "docs/guide.md")
    assert desk.bytes == before


_PATHS = st.sampled_from([*FILES, "docs", "gone.py"])
_PRIORITIES = st.none() | st.sampled_from([0, 0.1, 0.8, 1])
_ASKED = st.lists(st.tuples(st.sampled_from(list(UpdateAction)), _PATHS, _PRIORITIES), min_size=1, max_size=3)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pin"), _PATHS, _PRIORITIES),
        st.tuples(st.sampled_from(["unpin", "exclude", "include"]), _PATHS),
        st.tuples(st.just("hand"), st.sampled_from(["# a note\n", "# more\n"])),
        st.tuples(st.sampled_from(["model", "undone"]), _ASKED),
        st.tuples(st.just("undo"), st.none() | st.integers(1, 6)),
    ),
    max_size=14,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.sampled_from([None, WRITTEN, WRITTEN.replace("model", "user")]), _STEPS)
def test_whatever_models_do_people_keep_what_is_theirs(start: str | None, steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "shop", start)
        for kind, *given_ in steps:
            before, theirs = desk.bytes, desk.of_people()
            if kind == "hand":
                desk.write((before or b"") + given_[0].encode())
                continue
            if kind in ("model", "undone"):
                asked = [
                    (action, path, 0.5 if action is ADJUST and p is None else p)
                    for action, path, p in given_[0]
                ]
                update, refused = desk.ask_all(asked)
                assert not (update and refused)
                assert desk.of_people() == theirs
                if update is None:
                    assert desk.bytes == before
                elif kind == "undone":
                    assert desk.undo() == (update, ())
                    assert desk.bytes == before
            elif kind == "undo":
                desk.undo(None if given_[0] is None else f"update-{given_[0]}")
                assert desk.of_people() == theirs
            else:
                try:
                    target = desk.memory.target(given_[0])
                    if kind == "pin":
                        desk.person.pin(target, given_[1])
                    else:
                        getattr(desk.person, kind)(target)
                except ContextlsError:
                    assert desk.bytes == before
            files = desk.memory.view().files
            owners = [each.by is Updater.PERSON for each in files]
            assert owners == sorted(owners, reverse=True)
            excluded = {each.path for each in desk.memory.view().excluded}
            assert not [each for each in files if each.by is Updater.MODEL and each.path in excluded]


def test_a_journal_that_somebody_wrote_into_undoes_nothing_else(desk: Desk) -> None:
    desk.pin("a.py")
    desk.ask(ADD, "docs/guide.md")
    journal = desk.state / JOURNAL
    for target in ("../outside", "a.py", ""):
        journal.write_text(journal.read_text().replace('"target": "docs/guide.md"', f'"target": "{target}"'))
        desk.write((desk.bytes or b"") + b"# more\n")
        before = desk.bytes
        assert desk.undo()[1] == (f"{target} was changed since",)
        assert desk.bytes == before
        desk.ask(REMOVE, "docs/guide.md")
        desk.ask(ADD, "docs/guide.md")


def test_what_an_included_file_says_is_a_persons_too(desk: Desk) -> None:
    desk.write("include: team.yml\n")
    team = desk.file.parent / "team.yml"
    team.write_text("files:\n  - path: a.py\n    priority: 0.1\nexclude:\n  - docs/guide.md\n")
    before = desk.bytes, team.read_bytes()
    for action, path in ((ADD, "a.py"), (REMOVE, "a.py"), (ADJUST, "a.py"), (ADD, "docs/guide.md")):
        reasons = desk.ask(action, path, 0.9 if action is not REMOVE else None)[1]
        assert "is pinned by .context/team.yml" in reasons[0] or "excluded it" in reasons[0]
    assert (desk.bytes, team.read_bytes()) == before
    desk.ask(ADD, "null", 1)
    assert [(each.path, str(each.by)) for each in desk.memory.view().files] == [
        ("a.py", "person"),
        ("null", "model"),
    ]


def test_patterns_and_lines_are_updated_by_what_names_them(desk: Desk) -> None:
    desk.pin("a.py")
    assert desk.ask(ADD, "a.py:1-1", 0.5)[0] == "update-1"
    assert desk.ask(ADJUST, "a.py:1-1", 0.6)[0] == "update-2"
    desk.pin("null")
    assert desk.undo("update-2") == ("update-2", ())
    assert {(each.target, each.priority) for each in desk.memory.view().files} == {
        ("a.py", 0.8),
        ("null", 0.8),
        ("a.py:1-1", 0.5),
    }
    assert desk.ask(REMOVE, "a.py")[1]

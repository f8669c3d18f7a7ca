"""A saved scope: one for every process of a workspace, in its state folder, and of packages by their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.errors import InvalidRequestError

from ...monorepo import FILES
from ..workspaces import opened, write


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(write(tmp_path / "shop", FILES)) as engine:
        yield engine


def test_packages_of_every_kind_are_found_by_their_manifests(engine: Engine) -> None:
    choices = {each.path: each.package for each in engine.scope.view().choices}
    assert choices == {
        "libs": "",
        "libs/auth": "acme-auth",
        "packages": "",
        "packages/api": "@acme/api",
        "packages/web": "@acme/web",
        "services": "",
        "services/mail": "mail",
    }


def test_a_scope_is_one_for_all_processes_and_writes_nothing_into_the_workspace(engine: Engine) -> None:
    before = sorted(engine.root.rglob("*"))
    version = engine.versions()["scope"]
    with opened(engine.root, index=False) as other:
        view = other.scope.save(["packages/api", "@acme/web", "libs/"])
    assert [(each.path, each.package, each.files) for each in view.folders] == [
        ("libs", "", 3),
        ("packages/api", "@acme/api", 3),
        ("packages/web", "@acme/web", 3),
    ]
    assert (view.files, view.total_files) == (9, 13)
    assert engine.scope.view().folders == view.folders
    assert engine.versions()["scope"] != version
    assert engine.scope.save([]).folders == ()
    assert sorted(engine.root.rglob("*")) == before


def test_a_folder_inside_of_another_adds_nothing(engine: Engine) -> None:
    assert [each.path for each in engine.scope.save(["packages/api", "packages"]).folders] == ["packages"]


def test_a_folder_goes_before_a_package_of_the_same_name(engine: Engine) -> None:
    write(engine.root, {"mail/notes.md": "# Letters\n"})
    engine.index()
    assert [each.path for each in engine.scope.save(["mail"]).folders] == ["mail"]
    assert [each.path for each in engine.scope.save(["package:mail"]).folders] == ["services/mail"]


def test_a_name_that_is_nearly_right_is_told(engine: Engine) -> None:
    with pytest.raises(InvalidRequestError, match=r"such as .*@acme/api"):
        engine.scope.save(["@acme/apis"])
    assert engine.scope.view().folders == ()


@pytest.mark.parametrize("content", ["", "[]", '{"folders": 1}', '{"folders": [1]}', "{" * 9_000, "\0"])
def test_a_file_that_cannot_be_read_limits_nothing_and_says_so(engine: Engine, content: str) -> None:
    engine.scope.save(["libs"])
    (Path(engine.status().state_location) / "scope.json").write_text(content)
    assert engine.scope.view().folders == ()
    assert any("scope" in warning for warning in engine.status().warnings)
    engine.scope.save(["libs"])
    assert engine.status().warnings == ()


def test_a_folder_that_is_gone_leaves_a_scope_that_holds_nothing(engine: Engine) -> None:
    engine.scope.save(["libs/auth"])
    for path in ("libs/auth/session.py", "libs/auth/test_session.py", "libs/auth/pyproject.toml"):
        (engine.root / path).unlink()
    engine.index()
    view = engine.scope.view()
    assert ([each.path for each in view.folders], view.files) == (["libs/auth"], 0)
    assert engine.search("session").hits == ()


def test_a_file_outside_says_why_questions_do_not_find_it(engine: Engine) -> None:
    file = engine.root / "packages/web/session.py"
    assert "scope" not in engine.file_status(file).sentence
    engine.scope.save(["libs"])
    assert "outside of the scope (libs)" in engine.file_status(file).sentence
    assert "scope" not in engine.file_status(engine.root / "libs/auth/session.py").sentence


def test_a_name_longer_than_any_on_disk_is_no_folder(engine: Engine) -> None:
    with pytest.raises(InvalidRequestError, match="a folder below the workspace"):
        engine.scope.save(["x" * 5000])

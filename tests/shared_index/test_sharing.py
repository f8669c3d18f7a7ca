"""A team shares an index: what one machine built, every clone answers from."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from contextls.engine.sharing import build_shared
from contextls.errors import InvalidRequestError, StoreError, WorkspaceError
from contextls.model import AssembleRequest
from contextls.models.embedders.choose import open_embedder
from contextls.settings import Settings
from contextls.shared_index.file_table import FileTable
from contextls.shared_index.layout import Layout
from contextls.shared_index.objects import Objects
from contextls.shared_index.prune import prune

from ..memory.workspaces import write
from ..repositories import git
from ..shop import SHOP
from .buckets import Door
from .teams import Team, index, opened

QUESTION = "how is the discount of a large order worked out?"


def prompt_of(root: Path, settings: Settings) -> str:
    with opened(root, settings) as (engine, _):
        return engine.assemble(AssembleRequest(QUESTION)).content


def test_a_fresh_clone_answers_without_analysing_a_file(team: Team) -> None:
    assert team.build().analysed == len(SHOP)
    clone = team.clone("ann")
    with opened(clone, team.settings) as (engine, report):
        assert engine.status().analyzed == 0
        assert (report.taken, report.changed, report.problems) == (len(SHOP), len(SHOP), ())
        assert engine.search("discount").hits[0].path == "shop/cart.py"
        assert engine.status().files == len(SHOP)
    with opened(clone, team.settings) as (engine, report):
        assert (engine.status().analyzed, report.changed) == (0, 0)


def test_what_was_taken_answers_as_what_was_analysed_here(team: Team) -> None:
    team.build()
    here, there = team.clone("here"), team.clone("there")
    assert prompt_of(here, team.settings) == prompt_of(there, team.unshared())


def test_another_commit_costs_what_it_changed(team: Team) -> None:
    team.build()
    team.commit({"shop/stock.py": "def count_stock() -> int:\n    return 0\n"})
    report = team.build()
    assert (report.files, report.analysed) == (len(SHOP) + 1, 1)
    assert team.build().was_there
    assert index(team.clone("ann"), team.settings).taken == len(SHOP) + 1


def test_a_reverted_file_is_not_analysed_again(team: Team) -> None:
    team.build()
    team.commit({"shop/cart.py": "gone = 1\n"})
    team.build()
    team.commit({"shop/cart.py": SHOP["shop/cart.py"]})
    assert team.build().analysed == 0


def test_local_changes_lie_over_what_is_shared(team: Team) -> None:
    team.build()
    clone = team.clone("ann")
    write(clone, {"shop/cart.py": "def haggle() -> None:\n    ...\n", "shop/new.py": "brand_new = 1\n"})
    (clone / "README.md").unlink()
    with opened(clone, team.settings) as (engine, report):
        assert (report.taken, engine.status().analyzed) == (1, 2)
        assert engine.search("haggle").hits[0].path == "shop/cart.py"
        assert not any("discount_for(total: float)" in hit.text for hit in engine.search("discount").hits)


def test_a_commit_that_nobody_built_begins_with_its_nearest_ancestor(team: Team) -> None:
    team.build()
    team.commit({"shop/stock.py": "def count_stock() -> int:\n    return 0\n"})
    with opened(team.clone("ann"), team.settings) as (engine, report):
        assert (report.taken, engine.status().analyzed) == (len(SHOP), 1)


def test_a_folder_of_a_repository_is_shared_apart(team: Team) -> None:
    clone = team.clone("ann")
    build_shared(clone / "shop", team.settings)
    with opened(clone / "shop", team.settings) as (engine, report):
        assert (report.taken, engine.status().analyzed) == (2, 0)
    assert index(clone, team.settings).taken == 0


def test_a_file_that_cannot_be_trusted_by_its_times_is_compared_by_content(team: Team) -> None:
    team.build()
    clone = team.clone("ann")
    for path in SHOP:
        (clone / path).touch()
    with opened(clone, team.settings) as (engine, _):
        assert engine.status().analyzed == 0


def test_credentials_that_only_read_suffice(team: Team, door: Door) -> None:
    team.build()
    door.reset()
    door.read_only = True
    assert index(team.clone("ann"), team.settings).taken == len(SHOP)
    assert {method for method, _ in door.requests} <= {"GET", "HEAD"}


def test_a_builder_that_may_only_read_is_told_so(team: Team, door: Door) -> None:
    door.read_only = True
    with pytest.raises(StoreError, match="cannot write"):
        team.build()


def test_a_store_that_ignores_conditions_is_refused_before_anything_is_written(
    team: Team, door: Door
) -> None:
    door.forgets_conditions = True
    with pytest.raises(StoreError, match="ignores conditional writes"):
        team.build()
    prefix = team.uri.rpartition("/")[2]
    assert [name for name in door.objects() if name.startswith(f"{prefix}/")] == [
        f"{prefix}/conditional-writes"
    ]


def test_two_builds_at_once_lose_nothing(team: Team) -> None:
    files = {f"pages/page{number}.md": f"# Page {number}\n\nAbout {number}.\n" for number in range(40)}
    team.commit(files)
    first, second = team.clone("first"), team.clone("second")
    git(second, "checkout", "-q", "HEAD~1")
    git(second, "config", "user.email", "b@example.org")
    write(second, {f"other/page{number}.md": f"# Other {number}\n" for number in range(40)})
    git(second, "add", "--all")
    git(second, "commit", "-qm", "other")
    third = team.clone("third")
    failures: list[BaseException] = []

    def build(root: Path) -> None:
        try:
            build_shared(root, team.settings)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=build, args=(root,)) for root in (first, second, third)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert index(team.clone("ann"), team.settings).taken == len(SHOP) + 40
    with opened(second, team.settings) as (engine, report):
        assert (report.taken, engine.status().analyzed) == (len(SHOP) + 40, 0)


def test_storage_out_of_reach_costs_a_warning_and_nothing_else(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.build()
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with opened(team.clone("ann"), team.settings) as (engine, report):
        assert (report.taken, engine.status().analyzed) == (0, len(SHOP))
        assert "the shared index was left alone" in report.problems[0]
        assert any("the shared index was left alone" in each for each in engine.status().warnings)
        assert "not-a-real-key" not in report.problems[0]
        assert engine.search("discount").hits


def test_a_place_that_holds_nothing_for_this_commit_is_told_of(folder_team: Team) -> None:
    report = index(folder_team.clone("ann"), folder_team.settings)
    assert (report.taken, report.changed) == (0, len(SHOP))
    assert "holds none of the newest commits" in report.problems[0]


def test_the_index_of_another_embedder_is_left_alone(
    folder_team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder_team.build()
    monkeypatch.setattr(Layout, "of", staticmethod(lambda _: Layout("1.1-00000000")))
    assert index(folder_team.clone("ann"), folder_team.settings).taken == 0


def test_only_what_is_committed_enters(folder_team: Team) -> None:
    checkout = folder_team.clone("ci")
    write(checkout, {"shop/cart.py": "draft = 1\n", "notes.md": "# Mine\n"})
    report = build_shared(checkout, folder_team.settings)
    assert report.files == len(SHOP) - 1
    assert (report.left_out["changed since the commit"], report.left_out["not committed"]) == (1, 1)


def test_a_workspace_without_a_commit_cannot_be_shared(folder_team: Team, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    write(plain, SHOP)
    with pytest.raises(WorkspaceError, match="a shared index is built for a commit"):
        build_shared(plain, folder_team.settings)
    report = index(plain, folder_team.settings)
    assert (report.changed, report.problems) == (len(SHOP), ())


def test_the_rules_of_the_clone_hold(folder_team: Team) -> None:
    folder_team.build()
    clone = folder_team.clone("ann")
    with opened(clone, replace(folder_team.settings, ignore=("invoice.py",))) as (engine, report):
        assert report.taken == len(SHOP) - 1
        assert not any(hit.path == "shop/invoice.py" for hit in engine.search("invoice total").hits)


@pytest.mark.parametrize(
    "uri",
    [
        "ftp://x/y",
        "s3://",
        "s3://user:secret@bucket/x",
        "relative/folder",
        "s3://UPPER/x",
        "~nobody-of-this-name/x",
    ],
)
def test_an_address_that_cannot_be_one_names_the_setting(uri: str, tmp_path: Path) -> None:
    from contextls.engine import Engine

    with pytest.raises(InvalidRequestError, match=r"contextls\.indexUri") as caught:
        Engine.open(tmp_path, Settings(index_uri=uri))
    assert "secret" not in str(caught.value)


@pytest.mark.filterwarnings("ignore:optimize:UserWarning")
def test_pruning_keeps_what_newer_commits_hold(folder_team: Team) -> None:
    folder_team.build()
    folder_team.commit({"shop/cart.py": "gone = 1\n"})
    folder_team.build()
    table = FileTable(folder_team.place, Layout.of(_embedder()))
    before = table.column(("key",)).num_rows
    report = prune(folder_team.place, timedelta(0), 1, retention=timedelta(0))
    assert (report.commits_removed, report.commits_kept) == (1, 1)
    assert (report.files_removed, report.files_kept) == (1, before - 1)
    assert index(folder_team.clone("ann"), folder_team.settings).taken == len(SHOP)


def test_pruning_leaves_alone_what_a_build_may_just_have_written(team: Team) -> None:
    team.build()
    Objects(team.place).delete(
        each.name for each in Objects(team.place).list_below(Layout.of(_embedder()).commits)
    )
    assert team.prune().files_removed == 0
    assert team.build().analysed == 0


def test_what_another_pruning_has_deleted_is_no_error(folder_team: Team) -> None:
    objects = Objects(folder_team.place, builds=True)
    old = [f"commits/old-{number}" for number in range(50)]
    for name in old:
        objects.create(name, b"")
    objects.delete(["commits/gone", *old])
    assert list(objects.list_below("commits")) == []


def _embedder() -> str:
    return open_embedder(Settings()).identity

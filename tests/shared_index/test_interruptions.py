"""Killed, pruned under, or cut off in the middle: the next step goes on, and nobody has to do anything."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from contextls.engine.sharing import build_shared
from contextls.models.embedders.choose import open_embedder
from contextls.settings import Settings
from contextls.shared_index import build as building
from contextls.shared_index.client import FILES_PER_SLICE
from contextls.shared_index.file_table import FileTable
from contextls.shared_index.layout import Layout
from contextls.shared_index.prune import prune

from ..shop import SHOP
from .buckets import Door
from .teams import Team, index, opened

MANY = 2 * FILES_PER_SLICE + 10


@pytest.fixture
def large_team(team: Team) -> Team:
    """A team with enough files for several requests."""
    team.commit({f"pages/{number // 50}/page{number}.md": f"# Page {number}\n" for number in range(MANY)})
    team.build()
    return team


def start_client(root: Path, team: Team, home: Path) -> subprocess.Popen[bytes]:
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text(f'indexUri = "{team.uri}"\nworkers = 1\n')
    environment = {**os.environ, "CONTEXTLS_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "contextls", "index", str(root)], env=environment, stderr=subprocess.PIPE
    )


def kill_client(root: Path, team: Team, home: Path, door: Door, *, after: int) -> None:
    """Start a client and kill it when it has read so many times."""
    seen: list[str] = []

    def kill(path: str) -> None:
        seen.append(path)
        if len(seen) == after:
            process.kill()

    process = start_client(root, team, home)
    door.on_read = kill
    with process:
        assert process.wait() != 0
    door.reset()


def test_a_client_killed_midway_goes_on_where_it_was(
    large_team: Team, door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = large_team.clone("ann")
    door.reset()
    with start_client(clone, large_team, tmp_path / "whole") as whole:
        assert whole.wait() == 0
    reads = sum(method == "GET" for method, _ in door.requests)
    for part in (0.3, 0.6, 0.9):
        home = tmp_path / f"killed-{part}"
        kill_client(clone, large_team, home, door, after=int(part * reads))
        monkeypatch.setenv("CONTEXTLS_HOME", str(home))
        with opened(clone, large_team.settings) as (engine, report):
            assert engine.status().analyzed == 0
            assert (report.files, report.problems) == (MANY + len(SHOP), ())
            assert engine.search("page 17").hits


def test_storage_that_fails_midway_leaves_the_rest_to_local_work(large_team: Team, door: Door) -> None:
    seen: list[str] = []

    def fail(path: str) -> None:
        seen.append(path)
        if len(seen) > 10:
            raise ConnectionError("cut")

    door.on_read = fail
    report = index(large_team.clone("ann"), large_team.settings)
    assert (report.files, report.changed) == (MANY + len(SHOP), MANY + len(SHOP))
    assert "was left alone" in report.problems[0]


def test_a_build_that_broke_off_goes_on_with_what_it_wrote(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PowerCutError(Exception):
        pass

    def cut(_: object) -> bytes:
        raise PowerCutError

    with monkeypatch.context() as patch:
        patch.setattr(building, "dumps", cut)
        with pytest.raises(PowerCutError):
            team.build()
    assert index(team.clone("early"), team.settings).taken == 0
    assert team.build().analysed == 0
    assert index(team.clone("late"), team.settings).taken == len(SHOP)


@pytest.mark.filterwarnings("ignore:optimize:UserWarning")
def test_pruning_beside_a_reader_and_a_build(large_team: Team) -> None:
    table = FileTable(large_team.place, Layout.of(open_embedder(Settings()).identity))
    rows = table.column(("key",)).column("_rowid").to_numpy()
    large_team.commit({"pages/0/page0.md": "# Another page\n"})
    large_team.build()
    assert prune(large_team.place, timedelta(0), 1).commits_removed >= 0
    # Whoever began before goes on reading the version with which it began.
    assert len(table.take(rows[:300])) == 300
    checkout = large_team.clone("ci-2")
    assert build_shared(checkout, large_team.settings).was_there
    assert index(large_team.clone("ann"), large_team.settings).taken == MANY + len(SHOP)

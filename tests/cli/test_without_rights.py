"""Commands never claim that a file is not there where its folder may not be read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Run

# Root looks into any folder unless it gives that power up.
WITHOUT_POWERS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


@pytest.fixture
def locked(workspace: Path) -> Iterator[Path]:
    """The workspace with a folder ``app`` that nobody may look in."""
    (workspace / "app").chmod(0)
    yield workspace
    (workspace / "app").chmod(0o755)


def _ask(workspace: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run ``assemble`` as a user whom permissions bind."""
    return subprocess.run(
        [*WITHOUT_POWERS, sys.executable, "-m", "contextls.cli.main", "assemble", "celsius", str(workspace)],
        env={**os.environ, "CONTEXTLS_HOME": str(home)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_what_cannot_be_opened_is_told_once(contextls: Run, workspace: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    contextls("index", workspace, env={"CONTEXTLS_HOME": str(home)}, check=0)
    (state,) = (path for path in (home / "state").iterdir() if path.is_dir())
    state.chmod(0o555)
    try:
        done = _ask(workspace, home)
    finally:
        state.chmod(0o755)
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert (
        f"warning: {state}/tasks.sqlite: unable to open database file; the file or its folder cannot be written"
        in (each.partition("; check")[0] for each in warnings)
    )
    assert len(warnings) == len(set(warnings))
    assert "StoreError" not in done.stderr
    assert "def celsius_from_kelvin" in done.stdout


@pytest.mark.parametrize("was_indexed", [True, False], ids=["with an index", "without one"])
def test_a_cache_that_can_only_be_read_does_not_stand_in_the_way(
    contextls: Run, workspace: Path, tmp_path: Path, was_indexed: bool
) -> None:
    home = tmp_path / "home"
    contextls("index", workspace, env={"CONTEXTLS_HOME": str(home)}, check=0)
    (cache,) = (home / "cache").iterdir()
    for index in () if was_indexed else cache.glob("index*"):
        shutil.rmtree(index)
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        done = _ask(workspace, home)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert "def celsius_from_kelvin" in done.stdout
    assert "cannot be written; until its permissions allow that, every start indexes again" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("pin", "app/mail.py"),
        ("assemble", "what is this?", "--file", "app/mail.py"),
        ("status", "--file", "app/mail.py"),
        ("pack", "app/mail.py"),
        ("exclude", "app/mail.py"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_file_that_cannot_be_looked_at_is_not_called_missing(
    locked: Path, contextls_home: Path, arguments: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [*WITHOUT_POWERS, sys.executable, "-m", "contextls.cli.main", *arguments],
        cwd=locked,
        env={**os.environ, "CONTEXTLS_HOME": str(contextls_home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    said = done.stdout + done.stderr
    assert "no such" not in said
    assert "there is no" not in said.lower()
    assert arguments[0] == "exclude" or ("cannot be read" in said and "Permission denied" in said)

"""Full disks.

A real file system of a few kilobytes holds the state while a user works, and is given room afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..cli.conftest import write_workspace
from .island import own_mounts

SCRIPT = """
set -u
mount -t tmpfs -o size="$1" tmpfs "$CONTEXTLS_HOME" || exit 99
say() { "$PYTHON" -m contextls.cli.main "$@" 2>&1; echo "status: $?"; }
say index; say assemble "how is kelvin converted?"; say run -- true
mount -o remount,size=200m "$CONTEXTLS_HOME" || exit 99
echo "ROOM"
say index; say search celsius_from_kelvin
"""


@pytest.mark.parametrize(
    "size",
    ["400k", *(pytest.param(f"{k}k", marks=pytest.mark.long) for k in (16, 48, 96, 192, 700, 1000))],
)
def test_a_full_disk_is_a_message_and_nothing_has_to_be_mended_afterwards(tmp_path: Path, size: str) -> None:
    root = write_workspace(tmp_path / "workspace")
    for number in range(60):
        (root / f"module_{number}.py").write_text(
            f"def convert_{number}(value):\n    return value * {number}\n" * 20
        )
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [*own_mounts(), "sh", "-c", SCRIPT, "sh", size],
        cwd=root,
        env={**os.environ, "CONTEXTLS_HOME": str(home), "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    full, _, room = done.stdout.partition("ROOM")
    assert "Traceback" not in done.stdout
    assert "full" in full or "space" in full
    statuses = [line for line in full.splitlines() if line.startswith("status: ")]
    assert set(statuses) <= {"status: 0", "status: 1", "status: 3"}, full
    assert room.count("status: 0") == 2, room
    assert "celsius_from_kelvin" in room


CLEAR = """
set -u
mount -t tmpfs -o size=1m tmpfs "$CONTEXTLS_HOME" || exit 99
say() { "$PYTHON" -m contextls.cli.main "$@" 2>&1; echo "status: $?"; }
say index; say record error --message "KeyError: kelvin"
head -c 2000000 /dev/zero > "$CONTEXTLS_HOME/full" 2>/dev/null
say status
echo "CLEAR"
say clear --index --yes
find "$CONTEXTLS_HOME/cache" -name "index.sqlite"
rm "$CONTEXTLS_HOME/full"
say events
"""


def test_an_index_can_be_deleted_from_a_full_disk(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [*own_mounts(), "sh", "-c", CLEAR],
        cwd=write_workspace(tmp_path / "workspace"),
        env={**os.environ, "CONTEXTLS_HOME": str(home), "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    full, _, cleared = done.stdout.partition("CLEAR")
    assert full.endswith("status: 3\n"), full
    assert "\nindex deleted\nstatus: 0\n" in cleared
    assert "index.sqlite\n" not in cleared
    assert "KeyError: kelvin" in cleared

"""Systems that lack what most have: sandboxes of coding agents and lean containers.

The commands see mounts of their own, in which some folders can only be read.
"""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..hardening.island import own_mounts
from .conftest import Run

READ_ONLY = 'for each in $FOLDERS; do mount --bind "$each" "$each" && mount -o remount,ro,bind "$each" || exit 99; done; '


def test_files_are_indexed_where_the_system_gives_no_semaphores(workspace: Path) -> None:
    done = _contextls(workspace, "/dev/shm", "search", "celsius_from_kelvin", ".")  # noqa: S108 - where they are kept
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("app/temperature.py:1-6")


def test_a_missing_folder_for_temporary_files_is_told(workspace: Path) -> None:
    home = os.environ["CONTEXTLS_HOME"]
    done = _contextls(workspace, "/tmp /var/tmp", "index", ".", first=f'mount -t tmpfs tmpfs "{home}"; ')  # noqa: S108
    assert (done.returncode, done.stderr) == (
        1,
        "contextls: no folder for temporary files can be written to; point TMPDIR to one, and try again\n",
    )


def test_a_user_without_a_home_is_told_what_to_set(workspace: Path) -> None:
    unset = "unset HOME CONTEXTLS_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME; "
    forget = "for each in passwd nsswitch.conf; do mount --bind /dev/null /etc/$each; done 2>&-; "
    done = _contextls(workspace, "", "index", ".", first=unset + forget)
    assert done.returncode == 2
    assert done.stderr == (
        "contextls: CONTEXTLS_HOME: expected a folder, as HOME is not set and the system knows no home of this user\n"
    )


def _contextls(
    workspace: Path, read_only: str, *command: str, first: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command in the workspace, where the folders ``read_only`` can only be read."""
    return subprocess.run(
        [
            *own_mounts(),
            "sh",
            "-c",
            READ_ONLY + first + 'exec "$@"',
            "sh",
            sys.executable,
            "-m",
            "contextls.cli.main",
            *command,
        ],
        cwd=workspace,
        env={**os.environ, "FOLDERS": read_only},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_disk_without_locks_is_told(
    inline: Run, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: object, _operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setenv("CONTEXTLS_HOME", str(tmp_path / "shared"))
    said = inline("index", workspace, check=3).stderr
    assert said.startswith(f"contextls: cannot lock {tmp_path}/shared/cache/")
    assert said.endswith("has no locks; point CONTEXTLS_HOME to a folder on a local disk\n")

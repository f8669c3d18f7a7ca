"""Real git repositories for tests, apart from the configuration of whoever runs them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

START = 1_700_000_000  # seconds since 1970


def git(root: Path, *arguments: str, author: str = "Ann", date: int | None = None, check: bool = True) -> str:
    """Run git in ``root`` and return what it printed, without the spaces around it.

    ``author`` is who commits; ``date`` (seconds since 1970) is when, now without one. Raises ``CalledProcessError``
    where git fails, unless ``check`` is false.
    """
    when = {} if date is None else {f"GIT_{role}_DATE": f"{date} +0000" for role in ("AUTHOR", "COMMITTER")}
    names = {f"GIT_{role}_NAME": author for role in ("AUTHOR", "COMMITTER")}
    mails = {f"GIT_{role}_EMAIL": "ann@example.org" for role in ("AUTHOR", "COMMITTER")}
    alone = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=root,
        env={"PATH": os.environ["PATH"], **alone, **names, **mails, **when},
        check=check,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def disown(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Have every git that starts from now on take repositories for another user's; ``place`` is an empty folder."""
    shim = place / "git"
    shim.parent.mkdir(parents=True)
    shim.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(place))  # no safe.directory of ours

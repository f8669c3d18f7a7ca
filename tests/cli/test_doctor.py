"""``contextls doctor`` finds what is wrong, says what to do, and writes a report that gives nothing away."""

from __future__ import annotations

import getpass
import json
from pathlib import Path

import pytest

from contextls.store.locations import locate

from .conftest import Run


def test_a_healthy_workspace_is_reported_part_by_part(inline: Run, workspace: Path) -> None:
    before = inline("doctor", workspace, check=0).stdout
    assert "!! index       none yet\n               contextls index\n" in before
    inline("index", workspace, check=0)
    lines = inline("doctor", workspace, check=0).stdout.splitlines()
    about = {line[3:14].strip() for line in lines if line.startswith("ok ")}
    assert about >= {
        "contextls",
        "Python",
        "packages",
        "settings",
        "state",
        "disk",
        "git",
        "agents",
        "index",
        "events",
    }
    assert not [line for line in lines if line.startswith(("NO", "!!"))]


def test_what_is_broken_is_said_with_what_to_do(
    inline: Run, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text("maxTokens = 'many'\n")
    monkeypatch.setenv("CONTEXTLS_HOME", str(home))
    done = inline("doctor", workspace, "--json", check=1)
    (problem,) = [each for each in json.loads(done.stdout) if each["verdict"] == "problem"]
    assert problem["about"] == "settings"
    assert "maxTokens" in problem["what"]
    assert str(home / "settings.toml") in problem["advice"]
    assert "1 problem found" in done.stderr
    missing = inline("doctor", tmp_path / "missing", check=1)
    assert "NO workspace" in missing.stdout


def test_a_damaged_index_is_found_and_mended(inline: Run, workspace: Path) -> None:
    inline("index", workspace, check=0)
    database = locate(workspace.resolve()).index_database
    database.write_bytes(b"no database at all" * 1_000)
    said = inline("doctor", workspace).stdout
    assert "!! " in said
    assert "contextls index" in said


def test_the_report_names_nobody_and_nothing(inline: Run, workspace: Path, tmp_path: Path) -> None:
    named = workspace.rename(tmp_path / "codename-nightingale")
    secret = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    (named / "notes.md").write_text(f"token {secret}\n")
    inline("index", named, check=0)
    report = tmp_path / "report.md"
    inline("doctor", named, "--bundle", report, check=0)
    text = report.read_text("utf-8")
    assert "- good: index: " in text
    for word in ("nightingale", str(Path.home()) + "/", secret, "mail.py", f"/{getpass.getuser()}/"):
        assert word not in text
    assert report.stat().st_mode & 0o777 == 0o600
    again = inline("doctor", named, "--bundle", report, check=2)
    assert "does not exist yet" in again.stderr

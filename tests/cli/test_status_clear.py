from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contextls.store.locations import locate

from ..repositories import git
from .conftest import FILES, Run
from .terminals import Terminal


def status_of(inline: Run, root: Path) -> dict[str, Any]:
    status: dict[str, Any] = json.loads(inline("status", root, "--json", check=0).stdout)
    return status


def test_status_tells_the_truth(inline: Run, workspace: Path) -> None:
    before = status_of(inline, workspace)
    assert (before["state"], before["files"], before["chunks"], before["events"]) == ("empty", 0, 0, 0)
    inline("index", workspace, check=0)
    inline("record", "file_read", "--path", "README.md", "--root", workspace, check=0)
    after = status_of(inline, workspace)
    assert (after["state"], after["events"]) == ("ready", 1)
    assert after["files"] >= 4
    assert after["chunks"] >= after["files"]
    assert after["languages"]["python"] >= 2
    assert after["indexBytes"] > 0
    assert Path(after["root"]) == workspace.resolve()
    assert Path(after["stateLocation"]).exists()


def test_status_in_words(inline: Run, shared_workspace: Path) -> None:
    inline("index", shared_workspace, check=0)
    rows = dict(
        line.split("\t", 1) for line in inline("status", shared_workspace, check=0).stdout.splitlines()
    )
    assert rows["root"] == str(shared_workspace.resolve())
    assert "python 2" in rows["languages"]


def test_the_status_of_one_file_says_why_it_is_not_in_prompts(inline: Run, workspace: Path) -> None:
    inline("index", workspace, check=0)
    ask = ("status", "--file")
    told: dict[str, Any] = json.loads(inline(*ask, "secret/plan.md", workspace, "--json", check=0).stdout)
    assert list(told) == ["path", "state", "reason", "sentence", "chunks"]
    assert (told["path"], told["state"], told["reason"]) == ("secret/plan.md", "leftOut", "gitignore")
    lines = inline(*ask, "plan.md", "..", cwd=workspace / "secret", check=0).stdout.splitlines()
    rows = dict(line.split("\t", 1) for line in lines)
    assert rows == {name: str(value) for name, value in told.items()}
    (workspace / ".contextlsignore").write_text("!/secret/\n")
    assert "`!/secret/`" in rows["sentence"]
    assert "state\twaiting\nreason\tnone\n" in inline(*ask, workspace / "secret/plan.md", workspace).stdout
    inline("index", workspace, check=0)
    assert "state\tindexed" in inline(*ask, "secret/plan.md", workspace, check=0).stdout


def test_the_status_of_a_file_elsewhere_names_what_was_typed(inline: Run, shared_workspace: Path) -> None:
    for place in ("../elsewhere.py", "app"):
        done = inline("status", "--file", place, shared_workspace)
        assert done.returncode == 2
        assert done.stderr.startswith("contextls: --file: expected a file")
        assert place in done.stderr


def test_the_status_names_whole_paths_in_a_narrow_terminal(workspace: Path) -> None:
    terminal = Terminal("bash", workspace, {"COLUMNS": "40"})
    shown = terminal.type(f"{sys.executable} -m contextls.cli.main status .; echo sho''wn", "shown")
    terminal.close()
    assert "…" not in shown
    lines = [line[14:].rstrip() for line in shown.splitlines() if len(line.rstrip()) <= 40]
    assert str(workspace) in "".join(lines)


def test_clear_deletes_what_was_asked_for(inline: Run, workspace: Path) -> None:
    inline("index", workspace, check=0)
    inline("record", "file_read", "--path", "README.md", "--root", workspace, check=0)
    assert "index deleted" in inline("clear", workspace, "--index", "--yes", check=0).stdout
    after = status_of(inline, workspace)
    assert (after["state"], after["chunks"], after["events"]) == ("empty", 0, 1)
    report = json.loads(inline("clear", workspace, "--events", "--yes", "--json", check=0).stdout)
    assert report == {"index": False, "events": 1, "conversations": 0}
    assert status_of(inline, workspace)["events"] == 0
    for name, text in FILES.items():
        assert (workspace / name).read_text("utf-8") == text
    inline("index", workspace, check=0)
    assert status_of(inline, workspace)["state"] == "ready"


def test_clear_without_yes_and_without_a_terminal_does_nothing(inline: Run, workspace: Path) -> None:
    inline("record", "file_read", "--path", "README.md", "--root", workspace, check=0)
    done = inline("clear", workspace, "--events")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert status_of(inline, workspace)["events"] == 1


def test_clear_asks_on_a_terminal(inline: Run, workspace: Path) -> None:
    inline("record", "file_read", "--path", "README.md", "--root", workspace, check=0)
    answers = {"n\n": 1, "y\n": 0}
    for answer, remaining in answers.items():
        _on_a_terminal(["clear", str(workspace), "--events"], answer)
        assert status_of(inline, workspace)["events"] == remaining


def _on_a_terminal(arguments: list[str], typed: str) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    command = [sys.executable, "-m", "contextls.cli.main", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.wait(60)
    os.close(theirs)
    os.close(ours)


def test_an_index_whose_chunks_were_deleted_says_so_and_is_filled_again(inline: Run, workspace: Path) -> None:
    inline("index", workspace, check=0)
    whole = status_of(inline, workspace)
    shutil.rmtree(locate(workspace.resolve()).segments)
    hurt = status_of(inline, workspace)
    assert (hurt["state"], hurt["chunks"]) == ("stale", 0)
    assert any("were lost or damaged; the next indexing reads them again" in one for one in hurt["warnings"])
    inline("index", workspace, check=0)
    mended = status_of(inline, workspace)
    assert (mended["state"], mended["chunks"]) == ("ready", whole["chunks"])


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (".gitignore", ".gitignore"),
        ("app/.gitignore", "app/.gitignore"),
        (".git/info/exclude", ".git/info/exclude"),
        ("../home/mine", "~/mine"),
        ("../home/.config/git/ignore", "~/.config/git/ignore"),
    ],
)
def test_the_ignore_file_that_leaves_a_file_out_is_named(
    inline: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch, file: str, told: str
) -> None:
    home = workspace.parent / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    if file.endswith("mine"):
        (home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")
    git(workspace, "init", "-q")
    place = workspace / file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("mail.py\ndrafts/\n")
    for left_out, which in (("app/mail.py", ""), ("app/drafts/letter.md", "its folder `app/drafts/` is ")):
        found = json.loads(inline("status", "--file", left_out, workspace, "--json", check=0).stdout)
        assert found["reason"] == "gitignore"
        assert f"{which}left out by git's ignore rules ({told})".lower() in found["sentence"].lower()


def test_the_state_of_a_folder_has_a_name_that_any_shell_takes(inline: Run, tmp_path: Path) -> None:
    for name, begin in (("Über app", "Uber-app-"), ("-x", "x-"), ("作業", "root-")):
        (tmp_path / name).mkdir()
        assert Path(status_of(inline, tmp_path / name)["stateLocation"]).name.startswith(begin)

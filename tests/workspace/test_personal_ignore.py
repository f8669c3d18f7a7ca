"""The ignore file that a user has for all repositories: real git is the judge of which it is and what it leaves out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.outer_ignore_files import outer_stamps
from contextls.workspace.roots import open_root
from contextls.workspace.scan import scan

from ..memory.workspaces import write
from ..repositories import git

pytestmark = pytest.mark.usefixtures("home")

SETTINGS = "[core]\n\texcludesFile = ~/mine\n"
FILES = {
    "a.py": "",
    "notes/plan.md": "",
    "notes/deep/x.md": "",
    "src/notes/y.md": "",
    "z.draft": "",
    "keep.draft": "",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of its own for git and for us."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with nothing tracked."""
    root = tmp_path / "work/shop"
    write(root, FILES)
    git(root, "init", "-q")
    return root


def listed_by_git(root: Path) -> set[str]:
    """What git tracks, and what it would offer to track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=root, env=dict(os.environ), capture_output=True, text=True, check=True)
    return set(run.stdout.split("\0")) - {""}


def accepted(root: Path) -> set[str]:
    found = {file.path for file in scan(root, IgnoreRules(root), 1_000).files}
    rules = IgnoreRules(root)
    assert {path for path in FILES if (root / path).exists() and rules.reason(path) is None} == found & set(
        FILES
    )
    return found


@pytest.mark.parametrize(
    "files",
    [
        {".gitconfig": SETTINGS, "mine": "notes/\n*.draft\n!keep.draft\n"},
        {".gitconfig": SETTINGS, "mine": "/notes\n"},
        {".gitconfig": "[include]\n\tpath = more\n", "more": SETTINGS, "mine": "notes/\n"},
        {".gitconfig": '[includeIf "gitdir:**/work/"]\n\tpath = more\n', "more": SETTINGS, "mine": "notes/\n"},
        {".gitconfig": '[includeIf "gitdir:**/play/"]\n\tpath = more\n', "more": SETTINGS, "mine": "notes/\n"},
        {".config/git/config": SETTINGS, "mine": "*.draft\n"},
        {".config/git/ignore": "notes/\n"},
        {".gitconfig": SETTINGS, ".config/git/ignore": "notes/\n"},
        {".gitconfig": "[core]\n\texcludesFile =\n", ".config/git/ignore": "notes/\n"},
        {".gitconfig": "[core]\n\texcludesFile = gone\n"},
    ],
)  # fmt: skip
def test_it_is_the_file_that_git_reads(home: Path, root: Path, files: dict[str, str]) -> None:
    write(home, files)
    assert accepted(root) == listed_by_git(root)


def test_the_folder_of_settings_may_lie_elsewhere(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "elsewhere"))
    write(tmp_path / "elsewhere", {"git/config": f"[core]\n\texcludesFile = {tmp_path}/mine\n"})
    write(tmp_path, {"mine": "notes/\n"})
    assert accepted(root) == listed_by_git(root)
    assert "notes/plan.md" not in accepted(root)


def test_another_file_may_stand_for_the_settings(
    home: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, {".gitconfig": f"[core]\n\texcludesFile = {tmp_path}/none\n"})
    write(tmp_path, {"settings": f"[core]\n\texcludesFile = {tmp_path}/mine\n", "mine": "notes/\n"})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    assert accepted(root) == listed_by_git(root)
    assert "notes/plan.md" not in accepted(root)


def test_no_file_of_a_workspace_stands_for_the_settings(
    home: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, {".gitconfig": f"[core]\n\texcludesFile = {home}/mine\n", "mine": "notes/\n"})
    write(root, {"settings": "[core]\n\texcludesFile = none\n"})
    open_root(root)
    for named in (str(root / "settings"), "settings", ""):
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", named)
        assert "notes/plan.md" not in accepted(root)


def test_what_is_tracked_is_no_matter_of_the_user_alone(home: Path, root: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n*.draft\n"})
    git(root, "add", "-f", "notes/plan.md", "z.draft")
    write(root, {"notes/mine.md": "", "notes/deep/mine.md": ""})
    assert accepted(root) == listed_by_git(root)
    rules = IgnoreRules(root)
    assert rules.reason("notes", is_dir=True) is None
    assert rules.reason("notes/mine.md") == "gitignore"
    git(root, "add", "-f", "notes/mine.md")
    assert rules.reason("notes/mine.md") is None
    assert accepted(root) == listed_by_git(root)
    git(root, "rm", "-q", "--cached", "notes/mine.md", "notes/plan.md")
    assert rules.reason("notes/plan.md") == "gitignore"
    assert accepted(root) == listed_by_git(root)


def test_the_repository_may_take_back_what_it_leaves_out(home: Path, root: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n*.draft\n"})
    write(root, {".gitignore": "!notes/\n", ".contextlsignore": "!z.draft\n"})
    git(root, "add", "-f", "notes/plan.md")
    assert accepted(root) == listed_by_git(root) | {"z.draft"}


def test_a_folder_of_a_repository_obeys_it_from_the_top(home: Path, root: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "/src/notes\n/y.md\n"})
    assert IgnoreRules(root / "src").reason("notes/y.md") == "gitignore"
    assert IgnoreRules(root / "src/notes").reason("y.md") is None  # opened on purpose
    git(root, "add", "-f", "src/notes/y.md")
    assert IgnoreRules(root / "src").reason("notes/y.md") is None


def test_a_repository_names_no_file_of_the_user(home: Path, root: Path, tmp_path: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n"})
    write(tmp_path, {"theirs": "[a-\n*.py\n", "more": f"[core]\n\texcludesFile = {tmp_path}/theirs\n"})
    git(root, "config", "core.excludesFile", str(tmp_path / "theirs"))
    git(root, "config", "include.path", str(tmp_path / "more"))
    rules = IgnoreRules(root)
    assert rules.reason("a.py") is None
    assert rules.reason("notes/plan.md") == "gitignore"
    assert rules.warnings() == ()


def test_a_pipe_where_git_has_its_settings_keeps_nobody_waiting(home: Path, root: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n"})
    (root / ".git/config").unlink()
    os.mkfifo(root / ".git/config")
    write(home, {".config/git/ignore": "*.draft\n"})
    assert IgnoreRules(root).reason("z.draft") == "gitignore"


def test_a_change_of_it_is_seen(home: Path, root: Path) -> None:
    rules, before = IgnoreRules(root), outer_stamps(root)
    assert rules.reason("z.draft") is None
    write(home, {".config/git/ignore": "*.draft\n"})
    between = outer_stamps(root)
    assert rules.reason("z.draft") == "gitignore"
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n"})
    assert rules.reason("z.draft") is None
    assert rules.reason("notes/plan.md") == "gitignore"
    assert len({before, between, outer_stamps(root)}) == 3


def test_repositories_in_a_folder_have_each_its_own(home: Path, tmp_path: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n/top.md\n"})
    folder = tmp_path / "work"
    for name in ("api", "deep/web"):
        write(
            folder / name,
            {"notes/a.md": "", "notes/mine.md": "", "top.md": "", "src/top.md": "", "own.md": ""},
        )
        git(folder / name, "init", "-q")
        git(folder / name, "add", "-f", "notes/a.md")
        write(folder / name, {".git/info/exclude": "own.md\n"})
    write(folder, {"notes/plain.md": "", "own.md": ""})
    wanted = {"notes/plain.md", "own.md"}
    for name in ("api", "deep/web"):
        wanted |= {f"{name}/{path}" for path in listed_by_git(folder / name)}
    rules = IgnoreRules(folder)
    found = {file.path for file in scan(folder, rules, 1_000).files}
    assert found == wanted
    everything = {file.relative_to(folder).as_posix() for file in folder.rglob("*.md")}
    assert {path for path in everything if rules.reason(path) is None} == wanted


def test_a_submodule_is_asked_what_it_tracks(home: Path, root: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\nlibs/\n"})
    write(root, {"libs/inner/notes/a.md": ""})
    git(root / "libs/inner", "init", "-q")
    git(root / "libs/inner", "add", "-f", ".")
    git(root / "libs/inner", "commit", "-qm", "Begin")
    git(root, "add", "-f", "libs/inner")
    write(root, {"libs/inner/notes/mine.md": "", "libs/other.md": ""})
    rules = IgnoreRules(root)
    assert rules.reason("libs/inner/notes/a.md") is None
    assert rules.reason("libs/inner/notes/mine.md") == "gitignore"
    assert rules.reason("libs/other.md") == "gitignore"


def test_without_a_repository_there_is_none(home: Path, tmp_path: Path) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n"})
    write(tmp_path / "plain", {"notes/a.md": ""})
    assert IgnoreRules(tmp_path / "plain").reason("notes/a.md") is None


def test_a_repository_within_another_knows_what_it_tracks_whatever_that_one_ignores(
    home: Path, root: Path
) -> None:
    write(home, {".gitconfig": SETTINGS, "mine": "notes/\n"})
    write(root, {".gitignore": "*.tmp\n", "libs/inner/notes/a.md": ""})
    git(root / "libs/inner", "init", "-q")
    git(root / "libs/inner", "add", "-f", ".")
    write(root, {"libs/inner/notes/mine.md": ""})
    rules = IgnoreRules(root)
    assert rules.reason("libs/inner/notes/a.md") is None
    assert rules.reason("libs/inner/notes/mine.md") == "gitignore"

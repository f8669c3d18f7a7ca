"""Real repositories, some of them hostile or broken."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from contextls.workspace import git

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ann Ünal",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0100",
    "GIT_COMMITTER_DATE": "1700000000 +0100",
}


def run(where: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=where, env=ENVIRONMENT, check=True, capture_output=True)


def commit(where: Path, subject: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_text(text)
    run(where, "add", "-A")
    run(where, "commit", "-qm", subject)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    run(place, "init", "-q", "-b", "main")
    commit(place, "Add the start", {"src/a.py": "a", "docs/ü é.md": "d"})
    commit(place, "Change a, add b", {"src/a.py": "aa", "src/b.py": "b", "top.txt": "t"})
    return place


def test_history_newest_first_with_paths(repository: Path) -> None:
    second, first = git.history(repository, 10)
    assert (second.subject, second.paths) == ("Change a, add b", ("src/a.py", "src/b.py", "top.txt"))
    assert (first.subject, first.author, first.time) == ("Add the start", "Ann Ünal", 1_700_000_000)
    assert first.paths == ("docs/ü é.md", "src/a.py")
    assert git.head(repository) == git.GitHead("main", second.sha)
    assert git.problem(repository) is None
    assert [c.sha for c in git.history(repository, 1)] == [second.sha]
    assert list(git.history(repository, 0)) == []


def test_a_subfolder_sees_its_own_paths(repository: Path) -> None:
    second, first = git.history(repository / "src", 10)
    assert second.paths == ("a.py", "b.py")
    assert first.paths == ("a.py",)


def test_a_reader_may_stop_early(repository: Path) -> None:
    commits = git.history(repository, 10)
    assert next(commits).subject == "Change a, add b"
    commits.close()  # type: ignore[attr-defined]


def test_detached_empty_bare_shallow_and_worktree(repository: Path, tmp_path: Path) -> None:
    run(repository, "checkout", "-q", "--detach")
    state = git.head(repository)
    assert state is not None
    assert state.branch is None
    assert state.commit

    empty = tmp_path / "empty"
    empty.mkdir()
    run(empty, "init", "-q", "-b", "trunk")
    assert git.head(empty) == git.GitHead("trunk", None)
    assert list(git.history(empty, 5)) == []
    assert "no commits" in (git.problem(empty) or "")

    run(tmp_path, "clone", "-q", "--bare", str(repository), "bare")
    assert len(list(git.history(tmp_path / "bare", 5))) == 0 or git.head(tmp_path / "bare")
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    assert [c.subject for c in git.history(tmp_path / "shallow", 5)] == ["Change a, add b"]
    run(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    assert git.head(tmp_path / "side") == git.GitHead("side", state.commit)


def test_no_repository_no_git_and_corruption(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert git.head(plain) is None
    assert list(git.history(plain, 5)) == []
    assert "not inside a git repository" in (git.problem(plain) or "")
    assert list(git.history(tmp_path / "missing", 5)) == []

    for stored in (repository / ".git" / "objects").rglob("*"):
        if stored.is_file():
            stored.chmod(0o644)
            stored.write_bytes(b"broken")
    assert list(git.history(repository, 5)) == []
    assert git.problem(repository) is not None

    monkeypatch.setenv("PATH", str(plain))
    assert git.head(repository) is None
    assert list(git.history(repository, 5)) == []
    assert "not installed" in (git.problem(repository) or "")


@pytest.mark.parametrize("relative", [True, False])
def test_nothing_a_hostile_repository_names_is_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: bool
) -> None:
    marker = tmp_path / "ran"
    program = repository / "evil.sh"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {marker}\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    command = "./evil.sh" if relative else str(program)
    (repository / ".gitattributes").write_text("* diff=evil filter=evil\n")
    run(repository, "add", "-A")
    run(repository, "commit", "-qm", "Third")
    hooks = repository / "hooks"
    hooks.mkdir()
    for hook in (
        "post-checkout",
        "pre-auto-gc",
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
    ):
        (hooks / hook).write_bytes(program.read_bytes())
        (hooks / hook).chmod(0o755)
    settings = {
        "core.fsmonitor": command, "core.hooksPath": "hooks", "core.pager": command, "pager.log": command,
        "core.editor": command, "core.sshCommand": command, "core.askPass": command, "core.alternateRefsCommand": command,
        "diff.external": command, "diff.evil.command": command, "diff.evil.textconv": command, "filter.evil.clean": command,
        "filter.evil.smudge": command, "filter.evil.process": command, "filter.evil.required": "true",
        "gpg.program": command, "gpg.ssh.program": command, "log.showSignature": "true", "alias.log": f"!{command}",
        "alias.rev-parse": f"!{command}", "credential.helper": f"!{command}", "remote.origin.url": f"ext::{command}",
        "remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none",
        "extensions.partialClone": "origin", "protocol.ext.allow": "always", "trailer.x.command": command,
        "interactive.diffFilter": command, "uploadpack.packObjectsHook": command,
    }  # fmt: skip
    for key, value in settings.items():
        run(repository, "config", key, value)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", command)
    monkeypatch.setenv("GIT_PAGER", command)
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    marker.unlink(missing_ok=True)
    assert [c.subject for c in git.history(repository, 5)] == ["Third", "Change a, add b", "Add the start"]
    state = git.head(repository)
    assert state is not None
    assert state.branch == "main"
    assert git.problem(repository) is None
    assert not marker.exists(), marker.read_text()

    # The same programs do run when git is asked for the working tree: the trap is armed.
    subprocess.run(["git", "status"], cwd=repository, env=ENVIRONMENT, capture_output=True, check=False)
    assert marker.exists()


def test_a_partial_clone_asks_no_remote(repository: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    tree = subprocess.run(
        ["git", "rev-parse", "HEAD~1^{tree}"],
        cwd=repository,
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (repository / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::touch {marker}",
        "protocol.ext.allow": "always",
    }.items():
        run(repository, "config", key, value)

    list(git.history(repository, 5))
    git.head(repository)
    assert not marker.exists()

    subprocess.run(
        ["git", "log", "--name-only"], cwd=repository, env=ENVIRONMENT, capture_output=True, check=False
    )
    assert marker.exists()

"""Real repositories, some of them hostile or broken."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from contextls.workspace import git_head, git_log, git_tree

from ..memory.workspaces import write
from ..repositories import disown
from ..repositories import git as run

AUTHORED = ("--author", "Ann Ünal <ann@example.org>", "--date", "1700000000 +0100")


def commit(where: Path, subject: str, files: dict[str, str]) -> None:
    write(where, files)
    run(where, "add", "-A")
    run(where, "commit", "-qm", subject, *AUTHORED)


def problem(where: Path) -> str:
    found = git_head.obstacle(where)
    return "" if found is None else found.text


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    run(place, "init", "-q", "-b", "main")
    commit(place, "Add the start", {"src/a.py": "a", "docs/ü é.md": "d"})
    commit(place, "Change a, add b", {"src/a.py": "aa", "src/b.py": "b", "top.txt": "t"})
    return place


def test_history_newest_first_with_paths(repository: Path) -> None:
    second, first = git_log.read_commits(repository, 10)
    assert (second.subject, second.paths) == ("Change a, add b", ("src/a.py", "src/b.py", "top.txt"))
    assert (first.subject, first.author, first.time) == ("Add the start", "Ann Ünal", 1_700_000_000)
    assert first.paths == ("docs/ü é.md", "src/a.py")
    assert git_head.head(repository) == git_head.GitHead("main", second.sha)
    assert git_head.obstacle(repository) is None
    assert [c.sha for c in git_log.read_commits(repository, 1)] == [second.sha]
    assert list(git_log.read_commits(repository, 0)) == []


def test_a_subfolder_sees_its_own_paths(repository: Path) -> None:
    second, first = git_log.read_commits(repository / "src", 10)
    assert second.paths == ("a.py", "b.py")
    assert first.paths == ("a.py",)


def test_a_reader_may_stop_early(repository: Path) -> None:
    commits = git_log.read_commits(repository, 10)
    assert next(commits).subject == "Change a, add b"
    commits.close()  # type: ignore[attr-defined]


def test_detached_empty_bare_shallow_and_worktree(repository: Path, tmp_path: Path) -> None:
    run(repository, "checkout", "-q", "--detach")
    state = git_head.head(repository)
    assert state is not None
    assert state.branch is None
    assert state.commit

    empty = tmp_path / "empty"
    empty.mkdir()
    run(empty, "init", "-q", "-b", "trunk")
    assert git_head.head(empty) == git_head.GitHead("trunk", None)
    assert list(git_log.read_commits(empty, 5)) == []
    assert "no commits" in problem(empty)

    run(tmp_path, "clone", "-q", "--bare", str(repository), "bare")
    assert "bare repository" in problem(tmp_path / "bare")
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    assert [c.subject for c in git_log.read_commits(tmp_path / "shallow", 5)] == ["Change a, add b"]
    run(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    assert git_head.head(tmp_path / "side") == git_head.GitHead("side", state.commit)


def test_no_repository_no_git_and_corruption(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert git_head.head(plain) is None
    assert list(git_log.read_commits(plain, 5)) == []
    assert "not inside a git repository" in problem(plain)
    assert list(git_log.read_commits(tmp_path / "missing", 5)) == []

    for stored in (repository / ".git" / "objects").rglob("*"):
        if stored.is_file():
            stored.chmod(0o644)
            stored.write_bytes(b"broken")
    assert list(git_log.read_commits(repository, 5)) == []
    assert "cannot be read" in problem(repository)

    monkeypatch.setenv("PATH", str(plain))
    assert git_head.head(repository) is None
    assert list(git_log.read_commits(repository, 5)) == []
    assert "not installed" in problem(repository)


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
    (repository / "top.txt").write_text("t")
    (repository / "src" / "b.py").rename(repository / "src" / "c.py")
    (repository / "src" / "c.py").write_text("".join(f"line {number}\n" for number in range(50)))
    run(repository, "add", "-A")
    run(repository, "commit", "-qm", "Third")
    (repository / "src" / "c.py").rename(repository / "src" / "d.py")
    with (repository / "src" / "d.py").open("a") as file:
        file.write("one more\n")
    run(repository, "add", "-A")
    run(repository, "commit", "-qm", "Rename c")
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
    read = list(git_log.read_commits(repository, 5))
    assert [c.subject for c in read] == ["Rename c", "Third", "Change a, add b", "Add the start"]
    assert read[0].renames == (("src/c.py", "src/d.py"),)
    state = git_head.head(repository)
    assert state is not None
    assert state.commit is not None
    assert state.branch == "main"
    assert git_head.obstacle(repository) is None
    files = git_tree.files_of(repository, state.commit)
    entries = git_tree.index_entries(repository)
    assert files is not None
    assert entries is not None
    assert {name: entry.blob for name, entry in entries.items()} == files
    assert git_tree.read_contents(repository, files.values(), 1_000)[files["top.txt"]] == b"t"
    assert not git_log.boundary(repository)
    assert git_log.list_left_behind(repository, state.commit, f"{state.commit}~1") == (state.commit,)
    assert not marker.exists(), marker.read_text()

    # The same programs do run when git is asked for the working tree: the trap is armed.
    run(repository, "status", check=False)
    assert marker.exists()


def test_a_partial_clone_asks_no_remote(repository: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    tree = run(repository, "rev-parse", "HEAD~1^{tree}")
    (repository / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::touch {marker}",
        "protocol.ext.allow": "always",
    }.items():
        run(repository, "config", key, value)

    with pytest.raises(git_log.UnreadableHistoryError):
        list(git_log.read_commits(repository, 5))
    git_head.head(repository)
    assert not marker.exists()

    run(repository, "log", "--name-only", check=False)
    assert marker.exists()


def test_renames_are_told_with_both_names(repository: Path) -> None:
    run(repository, "mv", "src/a.py", "src/z.py")
    run(repository, "commit", "-qm", "Move a")
    newest = next(git_log.read_commits(repository, 1))
    assert (newest.paths, newest.renames) == (("src/z.py",), (("src/a.py", "src/z.py"),))
    plain = next(git_log.read_commits(repository, 1, renames=False))
    assert (sorted(plain.paths), plain.renames) == (["src/a.py", "src/z.py"], ())


def test_control_characters_in_messages_and_names_break_nothing(repository: Path) -> None:
    nasty = "A\x1eB\x1fC M\tR100 ü"
    commit(repository, nasty, {"x\x1ey\nM\tz.py": "1", "R100": "2"})
    newest, *older = git_log.read_commits(repository, 10)
    assert newest.subject == nasty
    assert newest.paths == ("R100", "x\x1ey\nM\tz.py")
    assert len(older) == 2


def test_names_that_are_not_utf8_are_left_out(repository: Path) -> None:
    with open(os.fsencode(repository) + b"/caf\xe9.py", "wb") as file:  # noqa: PTH123 - a name that no text can spell
        file.write(b"x")
    commit(repository, "Add two", {"fine.py": "y"})
    assert next(git_log.read_commits(repository, 1)).paths == ("fine.py",)
    assert "fine.py" in (git_tree.files_of(repository, "HEAD") or {})


def test_someone_elses_repository_is_refused_with_what_to_do(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disown(monkeypatch, tmp_path / "bin")
    assert list(git_log.read_commits(repository, 5)) == []
    assert "safe.directory" in problem(repository)


def test_repositories_of_others_are_trusted_where_variables_say_so(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disown(monkeypatch, tmp_path / "bin")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
    for index, (name, value) in enumerate((("core.bare", "true"), ("safe.directory", str(repository)))):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{index}", name)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{index}", value)
    assert problem(repository) == ""
    assert len(list(git_log.read_commits(repository, 5))) == 2


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[user]\n\tname = Ada\n[core\n", "bad config line 3 in file {}"),
        ("[core]\n\tbare = maybe\n", "bad boolean config value 'maybe' for 'core.bare'"),
    ],
)
def test_settings_that_git_cannot_read_are_named_in_its_words(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, said: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(settings)
    monkeypatch.setenv("HOME", str(home))
    for name in ("GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert list(git_log.read_commits(repository, 5)) == []
    assert problem(repository) == f"git cannot start in {repository}: {said.format(home / '.gitconfig')}"


def test_a_git_that_complains_at_length_is_read_to_its_end(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, shim = shutil.which("git"), tmp_path / "bin" / "git"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nhead -c 1000000 /dev/zero >&2\nexec {real} "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}{os.pathsep}{os.environ['PATH']}")
    assert len(list(git_log.read_commits(repository, 5))) == 2
    assert git_head.head(repository) is not None

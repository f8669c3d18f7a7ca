"""Programs that a repository's git files name.

Each trap names a program of its own, which leaves a mark; then a user works in the folder. Traps that would hide one
another are in repositories of their own.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..repositories import git


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


DOORS: tuple[tuple[str, ...], ...] = (
    ("index",),
    ("assemble", "review my changes", "--changes", "all"),
    ("pack", "--changed", "HEAD", "--diffs", "--log", "3", "--working-set"),
    ("ask", "what did Ann change in the cart?"),
)
# What a user of git types: it shows that traps are armed.
GIT_DOORS = (
    "status",
    "diff",
    "log -p -1",
    "blame cart.py",
    "add -A",
    "commit -qm x",
    "checkout -q -b other",
    "fetch",
    "gc --auto",
)

CONFIG = _words(
    """
    core.fsmonitor core.pager pager.log pager.diff pager.status core.editor sequence.editor
    core.sshCommand core.askPass core.alternateRefsCommand core.gitProxy diff.external diff.evil.command
    diff.evil.textconv filter.evil.clean filter.evil.smudge filter.evil.process merge.evil.driver
    gpg.program gpg.ssh.program gpg.x509.program gpg.ssh.defaultKeyCommand credential.helper
    trailer.x.command trailer.x.cmd interactive.diffFilter uploadpack.packObjectsHook tar.tar.gz.command
    imap.tunnel sendemail.smtpServer difftool.evil.cmd mergetool.evil.cmd man.evil.cmd browser.evil.cmd
    instaweb.httpd remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs
    submodule.inner.update diff.tool help.browser
    """
)
ALIASES = (
    "log",
    "rev-parse",
    "ls-files",
    "cat-file",
    "status",
    "rev-list",
    "diff-tree",
    "config",
    "for-each-ref",
)
HOOKS = _words(
    """
    post-checkout pre-auto-gc reference-transaction post-index-change fsmonitor-watchman pre-commit
    post-commit prepare-commit-msg commit-msg post-merge post-rewrite pre-push pre-rebase
    push-to-checkout p4-pre-submit
    """
)
VARIABLES = _words(
    """
    GIT_EXTERNAL_DIFF GIT_PAGER PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS
    SSH_ASKPASS GIT_PROXY_COMMAND
    """
)


class Traps:
    """Programs in a folder that leave marks when they run."""

    def __init__(self, folder: Path) -> None:
        self._programs = folder / "programs"
        self._marks = folder / "marks"
        for each in (self._programs, self._marks):
            each.mkdir(parents=True)

    def program(self, name: str) -> str:
        """The path of a program that marks ``name``."""
        path = self._programs / name.replace(" ", "-")
        path.write_text(f'#!/bin/sh\ntouch "{self._marks / path.name}"\n')
        path.chmod(0o755)
        return str(path)

    def fired(self) -> set[str]:
        return {each.name for each in self._marks.iterdir()}

    def forget(self) -> None:
        for each in self._marks.iterdir():
            each.unlink()


@dataclass(frozen=True)
class Outcome:
    """What ran while a user worked in the repository, and what runs when git does."""

    by_contextls: set[str]
    by_git: set[str]


def _repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\n")
    (folder / "cart.py").write_text("def add(item):\n    return item\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Begin\n\nx: trailer")
    (folder / "cart.py").write_text("def add(item, amount):\n    return item * amount\n")
    (folder / "other.py").write_text("def remove(item):\n    pass\n")
    git(folder, "add", "other.py")
    (folder / "other.py").write_text("def remove(item):\n    return None\n")
    return folder


def _named_in_config(root: Path, traps: Traps) -> dict[str, str]:
    for key in CONFIG:
        prefix = "!" if key in ("credential.helper", "submodule.inner.update") else ""
        git(root, "config", key, prefix + traps.program(key))
    for name in ALIASES:
        git(root, "config", f"alias.{name}", "!" + traps.program(f"alias.{name}"))
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "remote.origin.url", "ssh://example.invalid/x")
    return {}


def _hooks(root: Path, traps: Traps) -> dict[str, str]:
    for hook in HOOKS:
        place = root / ".git/hooks" / hook
        place.parent.mkdir(exist_ok=True)
        shutil.copy(traps.program(f"hook {hook}"), place)
    return {name: traps.program(name) for name in VARIABLES}


def _hooks_path_and_includes(root: Path, traps: Traps) -> dict[str, str]:
    for hook in HOOKS:
        place = root / "hooks" / hook
        place.parent.mkdir(exist_ok=True)
        shutil.copy(traps.program(f"hooksPath {hook}"), place)
    git(root, "config", "core.hooksPath", "hooks")
    for how in ("include.path", f"includeIf.gitdir:{root}/.path"):
        name = how.partition(".")[0]
        (root / f"{name}.config").write_text(
            f"[core]\n\tfsmonitor = {traps.program(f'{name} fsmonitor')}\n"
            f'[diff "evil"]\n\ttextconv = {traps.program(f"{name} textconv")}\n'
        )
        git(root, "config", how, str(root / f"{name}.config"))
    git(root, "config", "extensions.worktreeConfig", "true")
    (root / ".git/config.worktree").write_text(
        f"[core]\n\tfsmonitor = {traps.program('worktree fsmonitor')}\n"
    )
    injected = {"core.fsmonitor": "variable fsmonitor", "core.sshCommand": "variable sshCommand"}
    env = {"GIT_CONFIG_COUNT": str(len(injected))}
    for number, (key, name) in enumerate(injected.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": traps.program(name)}
    return env


def _objects_to_fetch(root: Path, traps: Traps) -> dict[str, str]:
    tree = git(root, "rev-parse", "HEAD^{tree}")
    blob = git(root, "rev-parse", "HEAD:cart.py")
    for gone in (tree, blob):
        (root / ".git/objects" / gone[:2] / gone[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "remote.origin.url": f"ext::{traps.program('ext remote')} %S",
        "protocol.ext.allow": "always",
        "remote.origin.uploadpack": traps.program("uploadpack of the promisor"),
        "core.alternateRefsCommand": traps.program("alternate refs"),
    }.items():
        git(root, "config", key, value)
    (root / ".git/objects/info/alternates").write_text("/nowhere/objects\n../../other/objects\n")
    return {}


def _git_in_the_workspace(root: Path, traps: Traps) -> dict[str, str]:
    shutil.move(root / ".git", root / "data")
    (root / ".git").write_text("gitdir: data\n")
    git(root, "config", "core.fsmonitor", traps.program("gitdir fsmonitor"))
    git(root, "config", "core.worktree", "..")
    inner = _repository(root / "inner")
    git(inner, "config", "core.fsmonitor", traps.program("submodule fsmonitor"))
    git(inner, "config", "diff.evil.textconv", traps.program("submodule textconv"))
    (root / ".gitmodules").write_text(
        f'[submodule "inner"]\n\tpath = inner\n\turl = ext::{traps.program("submodule url")}\n'
        f"\tupdate = !{traps.program('submodule update')}\n"
    )
    for name in ("git", "git.sh", "git.exe", "sh", "python3"):
        shutil.copy(traps.program(f"planted {name}"), root / name)
    return {"GIT_EXEC_PATH": str(root)}


Arm = Callable[[Path, Traps], Mapping[str, str]]
REPOSITORIES: Mapping[str, tuple[Arm, tuple[str, ...]]] = {
    "config": (_named_in_config, (*CONFIG, *(f"alias.{name}" for name in ALIASES))),
    "hooks": (_hooks, (*(f"hook-{hook}" for hook in HOOKS), *VARIABLES)),
    "included": (
        _hooks_path_and_includes,
        (
            *(f"hooksPath-{hook}" for hook in HOOKS), "include-fsmonitor", "include-textconv", "includeIf-fsmonitor",
            "includeIf-textconv", "worktree-fsmonitor", "variable-fsmonitor", "variable-sshCommand",
        ),
    ),
    "partial": (_objects_to_fetch, ("ext-remote", "uploadpack-of-the-promisor", "alternate-refs")),
    "elsewhere": (
        _git_in_the_workspace,
        (
            "gitdir-fsmonitor", "submodule-fsmonitor", "submodule-textconv", "submodule-url", "submodule-update",
            "planted-git", "planted-git.sh", "planted-git.exe", "planted-sh", "planted-python3",
        ),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def outcomes(
    tmp_path_factory: pytest.TempPathFactory, contextls: Callable[..., object]
) -> dict[str, Outcome]:
    """Each repository armed, worked in through the command line, and then by git itself."""
    found = {}
    for name, (arm, _) in REPOSITORIES.items():
        folder = tmp_path_factory.mktemp(name)
        traps = Traps(folder)
        root = _repository(folder / "workspace")
        env = arm(root, traps)
        traps.forget()
        for door in DOORS if name == "config" else DOORS[:2]:
            contextls(*door, cwd=root, env=env, check=0)
        by_contextls = traps.fired()
        traps.forget()
        for typed in GIT_DOORS:
            command = ["git", *typed.split()]
            subprocess.run(
                command,
                cwd=root,
                env=_plain(env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
                check=False,
            )
        found[name] = Outcome(by_contextls, traps.fired())
    return found


def _plain(env: Mapping[str, str]) -> dict[str, str]:
    names = {
        f"GIT_{role}_{what}": "ann@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    return {
        "PATH": "/usr/bin:/bin",
        "GIT_TERMINAL_PROMPT": "0",
        **names,
        **{k: v for k, v in env.items() if "EXEC" not in k},
    }


@pytest.mark.parametrize(
    ("repository", "trap"), [(name, trap) for name, (_, traps) in REPOSITORIES.items() for trap in traps]
)
def test_a_program_that_git_files_name_does_not_run(
    outcomes: Mapping[str, Outcome], repository: str, trap: str
) -> None:
    assert trap not in outcomes[repository].by_contextls


def test_the_traps_are_armed(
    outcomes: Mapping[str, Outcome], record_property: Callable[[str, object], None]
) -> None:
    """Git itself runs many of them, some in each repository."""
    record_property("attacks", 0)
    assert all(outcome.by_contextls == set() for outcome in outcomes.values())
    assert all(outcome.by_git for outcome in outcomes.values()), outcomes
    assert sum(len(outcome.by_git) for outcome in outcomes.values()) >= 15

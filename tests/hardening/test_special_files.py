"""Special and huge files where rules, repositories and state are read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ..protocol.wire import Wire
from ..repositories import git
from .special_files import (
    KINDS,
    MAX_MEMORY,
    QUESTION,
    WORK,
    Outcome,
    huge,
    make_repository,
    pipe,
    put,
    run,
    some,
    usage,
    zeros,
)

pytestmark = pytest.mark.skipif(
    not hasattr(os, "mkfifo"), reason="needs pipes and devices in the file system"
)

# Places that are read one after the other, whatever lies in the others, so that one run tries them all.
RULES = (
    ".gitignore",
    "shop/.gitignore",
    ".contextlsignore",
    "shop/.contextlsignore",
    ".git/info/exclude",
    ".gitattributes",
    "shop/.gitattributes",
    "pyproject.toml",
    "package.json",
    ".context/working-set.yml",
    "shop/odd.py",
)
# Places that git opens by name: each hides those that it would open later, so each has a run of its own.
REPOSITORY = (
    ".git",
    ".git/HEAD",
    ".git/commondir",
    ".git/config",
    ".git/included",
    ".git/packed-refs",
    ".git/shallow",
    ".git/index",
    ".git/logs/HEAD",
    ".git/info/attributes",
    ".git/info/grafts",
    ".git/objects/info/alternates",
    ".git/objects/info/commit-graph",
    ".git/objects/pack/multi-pack-index",
    ".git/refs/heads/main",
    ".git/refs/replace/1111111111111111111111111111111111111111",
)
STATE = ("settings.toml", "git-moves.json", "workspaces", "*.segment", "*.derived")


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("pristine") / "shop")


@pytest.fixture
def root(pristine: Path, tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    shutil.copytree(pristine, root)
    return root


def attack(place: str, kind: Callable[[Path], None], root: Path) -> None:
    if place == ".git/included":
        with (root / ".git/config").open("a") as config:
            config.write('[include]\n\tpath = included\n[includeIf "gitdir:/"]\n\tpath = ../.git/included\n')
    put(kind, root / place)


def survives(outcome: Outcome) -> None:
    assert outcome.status == 0, f"{outcome.output}\n{outcome.errors}"
    assert outcome.memory < MAX_MEMORY
    assert outcome.work < WORK
    assert "Traceback" not in outcome.errors


@pytest.mark.parametrize("kind", some(pipe, huge))
def test_where_rules_are_read(
    kind: Callable[[Path], None], root: Path, tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
    record_property("attacks", len(RULES))
    for place in RULES:
        attack(place, kind, root)
    survives(run(root, "index", home=tmp_path / "home"))
    outcome = run(root, "assemble", QUESTION, "--json", home=tmp_path / "home")
    survives(outcome)
    assert "invoice_total" in json.loads(outcome.output)["content"]


def test_what_is_not_read_is_said(root: Path, tmp_path: Path) -> None:
    put(pipe, root / ".gitignore")
    put(pipe, root / ".git/packed-refs")
    run(root, "index", home=tmp_path / "home")
    said = json.loads(run(root, "status", "--json", home=tmp_path / "home").output)["warnings"]
    assert any(line.startswith(".gitignore: it is not a regular file") for line in said)
    assert any("packed-refs is a pipe or a device" in line for line in said)
    asked = json.loads(run(root, "assemble", QUESTION, "--json", home=tmp_path / "home").output)
    assert any("packed-refs is a pipe or a device" in line for line in asked["report"]["warnings"])


def test_repositories_in_one_server(
    pristine: Path, tmp_path: Path, start: Callable[..., Wire], record_property: Callable[[str, int], None]
) -> None:
    """Every place with a pipe, each in a workspace of its own; a healthy one is answered meanwhile."""
    record_property("attacks", len(REPOSITORY))
    roots = {place: tmp_path / f"pipe-{number}" for number, place in enumerate(REPOSITORY)}
    for place, root in roots.items():
        shutil.copytree(pristine, root)
        attack(place, pipe, root)
    wire = start()
    with usage(wire.process.pid) as used:
        wire.initialize(pristine, *roots.values())
        wire.ready(pristine)
        for root in roots.values():
            wire.ready(root)
            context = wire.assemble(QUESTION, rootUri=root.as_uri(), changes="all", maxTokens=800)
            wire.assemble(QUESTION, rootUri=root.as_uri(), maxTokens=900)
            assert "invoice_total" in context["content"]
    assert wire.end() == 0
    assert used.work < 3 * WORK
    # Each workspace has workers of its own.
    assert used.memory < MAX_MEMORY + len(roots) * 100_000_000


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", REPOSITORY)
def test_where_git_reads(place: str, kind: Callable[[Path], None], root: Path, tmp_path: Path) -> None:
    attack(place, kind, root)
    survives(run(root, "index", home=tmp_path / "home"))
    outcome = run(root, "assemble", QUESTION, "--changes", "all", home=tmp_path / "home")
    survives(outcome)
    assert "invoice_total" in outcome.output


@pytest.mark.parametrize("kind", some(pipe))
def test_where_state_is_read(
    kind: Callable[[Path], None], root: Path, tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
    record_property("attacks", len(STATE) - 1)
    home = tmp_path / "home"
    survives(run(root, "index", home=home))
    survives(run(root, "status", home=home))
    places = [place for name in STATE[1:] for place in home.rglob(name)]
    assert len(places) >= 2, list(home.rglob("*"))
    for place in places:
        put(kind, place)
    outcome = run(root, "assemble", QUESTION, home=home)
    survives(outcome)
    assert "invoice_total" in outcome.output


@pytest.mark.parametrize("kind", [pipe, zeros, huge])
def test_settings_that_are_no_file(kind: Callable[[Path], None], root: Path, tmp_path: Path) -> None:
    put(kind, tmp_path / "home/settings.toml")
    outcome = run(root, "status", home=tmp_path / "home")
    assert outcome.status == 0
    assert "settings.toml: expected" in outcome.errors
    assert "nothing is recorded" in outcome.errors


def test_a_tree_that_never_ends(root: Path, tmp_path: Path) -> None:
    """A commit of a few kilobytes that names 10^12 files."""
    blob = git(root, "hash-object", "-w", "README.md")
    tree = git_tree(root, [f"100644 blob {blob}\tfile{number}.txt" for number in range(10)])
    for _ in range(11):
        tree = git_tree(root, [f"040000 tree {tree}\tfolder{number}" for number in range(10)])
    commit = git(root, "commit-tree", tree, "-m", "Bomb", "-p", "HEAD")
    git(root, "update-ref", "HEAD", commit)
    survives(run(root, "index", home=tmp_path / "home"))
    outcome = run(root, "assemble", QUESTION, home=tmp_path / "home")
    survives(outcome)
    assert "invoice_total" in outcome.output


def git_tree(root: Path, lines: list[str]) -> str:
    done = subprocess.run(
        ["git", "mktree"], cwd=root, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    return done.stdout.strip()

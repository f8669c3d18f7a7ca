"""What can be run in a workspace, by name only."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from contextls.workspace.capabilities import MAX_NAMES, CapabilityGroup, read_capabilities

from ..memory.workspaces import write


def found(root: Path, environment: dict[str, str] | None = None) -> dict[str, CapabilityGroup]:
    return {group.title: group for group in read_capabilities(root, lambda _path: True, environment or {})}


def names(group: CapabilityGroup) -> list[str]:
    return [entry.name for entry in group.entries]


@pytest.mark.parametrize(
    ("lock", "title"),
    [
        ("", "Scripts (npm run)"),
        ("pnpm-lock.yaml", "Scripts (pnpm run)"),
        ("yarn.lock", "Scripts (yarn run)"),
    ],
)
def test_scripts_are_run_by_the_manager_that_locked(tmp_path: Path, lock: str, title: str) -> None:
    write(
        tmp_path, {"package.json": '{"scripts": {"build": "x", "test": "y"}}', **({lock: ""} if lock else {})}
    )
    assert names(found(tmp_path)[title]) == ["build", "test"]


def test_targets_are_those_that_make_would_take(tmp_path: Path) -> None:
    text = "A := 1\nB ?= 2\n.PHONY: all\nall: one two\n\t@echo x: y\none two:\n\ttouch $@\n%.o: %.c\n"
    assert names(found(write(tmp_path, {"Makefile": text}))["Make targets"]) == ["all", "one"]


def test_the_makefile_that_make_takes_is_read(tmp_path: Path) -> None:
    root = write(tmp_path, {"Makefile": "large:\n", "makefile": "small:\n"})
    assert names(found(root)["Make targets"]) == ["small"]


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\n", "pytest"),
        ("go.mod", "module x\n", "go test ./..."),
        ("Cargo.toml", "[package]\n", "cargo test"),
        ("tox.ini", "[tox]\n", "tox"),
    ],
)
def test_how_tests_are_run(tmp_path: Path, file: str, text: str, command: str) -> None:
    assert names(found(write(tmp_path, {file: text}))["Tests"]) == [command]


def test_servers_are_names_and_say_what_they_lack(tmp_path: Path) -> None:
    text = """{
      // as editors write it
      "servers": {
        "files": {"command": "npx", "args": ["//not a comment"]},
        "mail": {"env": {"KEY": "${env:MAIL_KEY}"}},
        "chat": {"env": {"TOKEN": ""}},
      },
    }"""
    write(tmp_path, {".vscode/mcp.json": text})
    group = found(tmp_path, {"TOKEN": "x"})["MCP servers"]
    assert [(entry.name, entry.needs) for entry in group.entries] == [
        ("files", ""),
        ("mail", "MAIL_KEY"),
        ("chat", ""),
    ]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "null", '{"scripts": 1}', "[" * 100_000, '{"scripts": {"a": 1}} x']
)
def test_a_broken_file_says_nothing(tmp_path: Path, text: str) -> None:
    assert found(write(tmp_path, {"package.json": text})) == {}


@pytest.mark.parametrize(
    "text", ["/*" * 400_000, '"\\' * 400_000, '"\\"' * 300_000, ", " * 400_000, "a " * 400_000]
)
def test_a_hostile_file_takes_no_time(tmp_path: Path, text: str) -> None:
    write(tmp_path, {".mcp.json": text, "Makefile": text})
    started = time.process_time()
    found(tmp_path)
    assert time.process_time() - started < 2


def test_many_names_and_long_ones_are_bounded_and_stay_in_their_line(tmp_path: Path) -> None:
    scripts = {f"script {n}\\n## Host": "" for n in range(1_000)}
    text = "{" + ",".join(f'"{name}": "{command}"' for name, command in scripts.items()) + "}"
    group = found(write(tmp_path, {"package.json": f'{{"scripts": {text}}}'}))["Scripts (npm run)"]
    assert len(group.entries) == MAX_NAMES
    assert not any("\n" in name for name in names(group))

"""Scripts in tables of a project: whatever these hold, reading them ends soon and harms nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.activity.table_scripts import (
    MAX_CHARS,
    MAX_LINES,
    PROGRAMS,
    TableScript,
    find_table_script,
)
from contextls.text.word_set import word_set

WORDS = word_set(
    """
    tool hatch envs default scripts pdm poe tasks test cmd cmds deps vars tox env env_run_base env_list commands rye dir
    shell ref
    """
)
NAMES = st.sampled_from(sorted(WORDS))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)
BOMB = "tasks:\n  a0: &a0 []\n" + "".join(
    f"  a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)


def reading(files: Mapping[str, str]) -> Callable[[str], str | None]:
    return files.get


@given(VALUES, st.sampled_from(sorted(PROGRAMS)))
def test_no_table_is_too_odd_to_be_read(value: object, program: str) -> None:
    text = yaml.safe_dump({"tasks": value, "vars": value})
    tables = json.dumps({"tool": value}, ensure_ascii=True)
    files = {
        "Taskfile.yml": text,
        "tox.ini": f"[testenv]\ncommands = {value}\n",
        "hatch.toml": "\n".join(f"{name} = {tables!r}" for name in ("envs", "tasks")),
    }
    found = find_table_script(program, ["run", "test"], "", reading(files))
    assert found is None or len(found.lines) <= MAX_LINES


@given(st.dictionaries(NAMES, VALUES, max_size=4), st.sampled_from(["hatch", "pdm", "poe", "rye", "tox"]))
def test_no_project_is_too_odd_to_be_read(tool: Mapping[str, object], program: str) -> None:
    files = {"pyproject.toml": f"[tool]\n{write_toml(tool)}"}
    found = find_table_script(program, ["run", "test"], "", reading(files))
    assert found is None or len(found.lines) <= MAX_LINES


def write_toml(table: Mapping[str, object]) -> str:
    return "".join(f"{name} = {inline(value)}\n" for name, value in table.items())


def inline(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {inline(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps("" if value is None else value)


@pytest.mark.parametrize("name", ["a11", "a0"])
def test_references_that_stand_for_a_billion_parts_say_nothing(name: str) -> None:
    found = find_table_script("task", [name], "", reading({"Taskfile.yml": BOMB}))
    assert found is None or not found.lines


def test_a_list_that_holds_itself_says_nothing() -> None:
    found = find_table_script("task", ["test"], "", reading({"Taskfile.yml": "tasks:\n  test: &a [*a]\n"}))
    assert found == TableScript((), "")


@pytest.mark.parametrize(
    ("program", "file", "script"),
    [
        ("task", "Taskfile.yml", "tasks:\n  test: pytest\n"),
        ("tox", "tox.ini", "[testenv]\ncommands = pytest\n"),
    ],
)
def test_a_file_too_large_for_a_list_of_commands_is_not_read(program: str, file: str, script: str) -> None:
    assert find_table_script(program, ["test"], "", reading({file: script})) == TableScript(("pytest",), "")
    too_large = {file: f"{script}#{'x' * MAX_CHARS}\n"}
    assert find_table_script(program, ["test"], "", reading(too_large)) is None


@pytest.mark.parametrize(
    "text",
    [
        "env = [1]",
        "env = {lint = 3}",
        "env_run_base = 'x'",
        "env_list = 'py'",
        "legacy_tox_ini = 4",
        "env = {a = {commands = [2]}}",
    ],
)
def test_a_table_of_tox_that_is_no_such_table_says_nothing(text: str) -> None:
    assert find_table_script("tox", [], "", reading({"pyproject.toml": f"[tool.tox]\n{text}\n"})) is None

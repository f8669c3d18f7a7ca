"""A command that works alone loads and opens what its answer needs: all else is time that everybody waits who asks."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contextls.workspace.stamps import is_settled, stamp_at

from .conftest import Run

_LOADED = re.compile(r"^import time:.*\| +(\S+)$", re.MULTILINE)
# Of libraries: what talks to others, what reads what is not there, and what only long-running processes need.
NEVER = {
    "asyncio", "ssl", "email", "http", "lancedb", "pyarrow", "pygls", "lsprotocol", "mcp", "tree_sitter", "multiprocessing",
    "pebble", "pydantic", "cattrs", "rich", "yaml", "numpy.ma", "contextls.lsp", "contextls.mcp", "contextls.live",
}  # fmt: skip
CHANGES = {
    "contextls.memory.working_set.person_changes",
    "contextls.memory.working_set.updates",
}
COUNTER = {"bpe_openai._bindings", "contextls.text.tokens"}
PROMPTS = {"contextls.assembly", "contextls.memory.knowledge", "contextls.memory.working_set.memory"}
QUESTIONS = {
    "contextls.memory.index.ranking.ranking",
    "contextls.memory.index.query.rewording",
    "contextls.memory.index.query.search_query",
}
TABLES = {"tomllib"}  # made ahead; a user who has settings needs it
MISSING_FILES = {"contextls.memory.index.updating.literal_scan"}
NOT_LOADED = {
    ("status",): NEVER
    | PROMPTS
    | COUNTER
    | QUESTIONS
    | TABLES
    | MISSING_FILES
    | {"contextls.memory.patterns.memory", "contextls.memory.conversations"},
    ("search", "how is kelvin converted?", "--limit", "3"): NEVER
    | PROMPTS
    | COUNTER
    | TABLES
    | MISSING_FILES
    | {"contextls.memory.events", "contextls.memory.vcs"},
    ("assemble", "how is kelvin converted?", "--budget", "2k", "--line", "1", "--file", "README.md"): NEVER
    | CHANGES
    | MISSING_FILES,
}


def _loaded(workspace: Path, *words: str) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-m", "contextls.cli.main", *words]
    done = subprocess.run(
        command, cwd=workspace, capture_output=True, encoding="utf-8", timeout=120, check=True
    )
    return set(_LOADED.findall(done.stderr))


@pytest.mark.parametrize("words", NOT_LOADED, ids=lambda words: words[0])
def test_a_command_loads_nothing_that_its_answer_does_not_need(
    words: tuple[str, ...], inline: Run, workspace: Path
) -> None:
    while not all(is_settled(stamp_at(path)) for path in workspace.rglob("*")):
        time.sleep(0.05)  # what is indexed sooner after a change is read again by each command
    inline("index", workspace)
    assert _loaded(workspace, *words) & NOT_LOADED[words] == set()


def test_a_first_index_loads_no_masked_arrays(workspace: Path) -> None:
    assert _loaded(workspace, "index") & {"numpy.ma"} == set()


def test_a_status_tells_what_is_wrong_with_a_working_set(inline: Run, workspace: Path) -> None:
    inline("index", workspace)
    assert "working-set.yml" not in inline("status", workspace).stderr
    (workspace / ".context").mkdir()
    (workspace / ".context/working-set.yml").write_text("files: [\n")
    assert ".context/working-set.yml" in inline("status", workspace).stderr


def test_a_status_tells_that_conversations_were_damaged(
    inline: Run, workspace: Path, contextls_home: Path
) -> None:
    root = workspace.rename(workspace.with_name("letters"))  # the home holds those of other tests as well
    inline("index", root)
    inline("chat", "list", cwd=root, check=0)
    (kept,) = (contextls_home / "state").glob("letters-*/conversations.sqlite")
    kept.write_bytes(b"no database at all" * 1_000)
    assert "conversations" in inline("status", root).stderr

"""``contextls record`` is called after every command of a shell: it must not load what only questions need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import Event, NewEvent
from contextls.recording import Recording

HEAVY = (
    "lancedb", "pyarrow", "numpy", "pebble", "tree_sitter", "bpe_openai", "Stemmer", "pygls", "lsprotocol",
    "rich", "contextls.engine", "contextls.assembly", "contextls.model.conversations", "contextls.model.prompt",
    "contextls.model.turn",
)  # fmt: skip
RECORD = f"""
import sys
from contextls.cli.main import run
status = run(sys.argv[1:])
print([name for name in {HEAVY} if name in sys.modules])
sys.exit(status)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("file_write", "--path", "app.py"),
        ("error", "--message", "KeyError", "--path", "app.py", "--line", "1"),
        ("shell_exec", "--command", "pytest -q", "--exit-code", "1", "--output-file", "out.log"),
    ],
)
def test_recording_loads_neither_index_nor_tokenizer(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "app.py").write_text("def app(): ...\n")
    (tmp_path / "out.log").write_text("FAILED test_app.py::test_app - KeyError: 'user'\n")
    done = subprocess.run(
        [sys.executable, "-c", RECORD, "record", *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines() == ["event-1", "[]"]


def test_recording_in_a_known_workspace_loads_no_locks(tmp_path: Path) -> None:
    words = ("record", "shell_exec", "--command", "make", "--exit-code", "0")
    code = RECORD.replace(str(HEAVY), str(("filelock", "numpy")))
    for _ in range(2):  # the first makes the folder a known one
        done = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True, cwd=tmp_path
        )
    assert done.stdout.splitlines() == ["event-2", "[]"]


def kept(event: Event | None) -> object:
    return event and (event.type, event.content, event.outcome, event.task_id)


@pytest.mark.parametrize(
    "event",
    [
        NewEvent("file_write", {"path": "app.py"}),
        NewEvent("file_write", {"path": "private/key.py"}),
        NewEvent("shell_exec", {"command": "cat .env", "exitCode": 0, "stdout": "HIDDEN=1"}),
        NewEvent("shell_exec", {"command": "make", "exitCode": 2, "stdout": "app.py:1:1: error: wrong\n"}),
        NewEvent("shell_exec", {"command": "make", "exitCode": 2, "stdout": "deep.c:4:1: error: wrong\n"}),
    ],
)
def test_an_event_is_kept_as_an_engine_keeps_it(tmp_path: Path, event: NewEvent) -> None:
    for name in ("app.py", "private/key.py", ".env", "src/deep.c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("int value;\n")
    (tmp_path / ".gitignore").write_text("private/\n.env\n")
    engine = Engine.open(tmp_path)
    engine.index()
    engine.prepare()
    engine.tasks.push("find out")
    by_engine = engine.record(event)
    errors = [error.content for error in engine.events() if error.type == "error"]
    recording = Recording.open(tmp_path)
    assert kept(recording.record(event)) == kept(by_engine)
    recording.close()
    assert [error.content for error in engine.events() if error.type == "error"] == errors * 2
    engine.close()

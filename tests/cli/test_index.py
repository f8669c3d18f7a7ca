from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from contextls.store.locks import StateLock
from contextls.workspace.stamps import is_settled, stamp_at

from .conftest import Run

# Runs a command that an interrupt ends, also where the tests themselves run with interrupts ignored.
INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


def wait_until_settled(root: Path) -> None:
    """Files of this very moment are read again by the next run: they may have changed since."""
    while not all(is_settled(stamp_at(file)) for file in root.rglob("*")):
        time.sleep(0.01)


def test_index_reports_what_it_did(contextls: Run, inline: Run, workspace: Path) -> None:
    first = json.loads(contextls("index", workspace, "--json", check=0).stdout)
    assert first["changed"] == first["files"] >= 4
    assert first["chunks"] >= 4
    assert set(first) == {"files", "changed", "removed", "chunks", "skipped", "problems", "ms", "taken"}

    (workspace / "app" / "mail.py").unlink()
    (workspace / "README.md").write_text("# Sample\n\nNow about boats.\n")
    second = json.loads(inline("index", "--json", cwd=workspace, check=0).stdout)
    assert (second["changed"], second["removed"]) == (1, 1)


def test_index_says_it_in_words(inline: Run, workspace: Path) -> None:
    done = inline("index", workspace, check=0)
    assert "files indexed" in done.stdout.splitlines()[0]
    assert "Traceback" not in done.stderr


def test_files_may_have_any_time_that_a_disk_can_hold(inline: Run, workspace: Path) -> None:
    for name, year in (("app/mail.py", 400), ("README.md", -60), ("web/router.ts", 30_000)):
        os.utime(workspace / name, (0, year * 31_556_952))
    assert "files indexed" in inline("index", workspace, check=0).stdout
    assert inline("index", workspace, check=0).stdout.startswith("0 files indexed")
    (workspace / "app" / "mail.py").write_text("def zebra_walk():\n    return 1\n")
    os.utime(workspace / "app" / "mail.py", (0, 400 * 31_556_952))
    assert "zebra_walk" in inline("search", "zebra_walk", workspace, check=0).stdout


def test_an_unchanged_workspace_answers_while_another_process_holds_its_index(
    inline: Run, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTEXTLS_HOME", str(tmp_path / "home"))
    wait_until_settled(workspace)
    inline("index", workspace, check=0)
    (lock,) = (tmp_path / "home").rglob("index.lock")
    with StateLock(lock).acquire(timeout=0):
        assert inline("index", workspace, check=0).stdout.startswith("0 files indexed")
        assert "app/mail.py" in inline("search", "deliver", workspace, check=0).stdout


def test_a_question_about_an_unchanged_workspace_loads_no_locks(contextls: Run, workspace: Path) -> None:
    wait_until_settled(workspace)
    contextls("index", workspace, check=0)
    code = (
        "import sys; from contextls.cli.main import run; run(sys.argv[1:]); print('filelock' in sys.modules)"
    )
    asked = [sys.executable, "-c", code, "assemble", "deliver a letter", str(workspace)]
    for _ in range(2):  # the first makes the folder the newest of the known ones
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_an_empty_folder_is_a_workspace(inline: Run, tmp_path: Path) -> None:
    report = json.loads(inline("index", tmp_path, "--json", check=0).stdout)
    assert (report["files"], report["chunks"]) == (0, 0)
    search = inline("search", "anything", tmp_path)
    assert search.returncode == 1
    assert search.stdout == ""


def test_ctrl_c_ends_cleanly_and_the_next_run_goes_on(contextls: Run, tmp_path: Path) -> None:
    root, home = tmp_path / "large", tmp_path / "home"
    root.mkdir()
    for number in range(600):
        (root / f"module_{number}.py").write_text(
            "\n".join(f"def function_{number}_{i}(value):\n    return value + {i}\n" for i in range(5))
        )
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, sys.executable, "-m", "contextls.cli.main", "index", str(root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "CONTEXTLS_HOME": str(home)},
    )
    deadline = time.monotonic() + 60
    while not list(home.rglob("index.lock")):
        assert time.monotonic() < deadline, "indexing did not begin"
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole process group
    stdout, stderr = process.communicate(timeout=180)
    assert process.returncode == 130, stderr
    assert stdout == ""
    assert "Traceback" not in stderr
    assert "Exception" not in stderr

    (root / "new.py").write_text("def brand_new():\n    return 1\n")
    done = contextls("index", root, "--json", env={"CONTEXTLS_HOME": str(home)}, check=0)
    assert json.loads(done.stdout)["files"] == 601


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("later", [0.0, 0.03, 0.1, 0.3])  # seconds
def test_who_ends_it_while_its_workers_start_sees_no_traceback(
    workspace: Path, number: signal.Signals, later: float
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, sys.executable, "-m", "contextls.cli.main", "index", workspace],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not psutil.Process(process.pid).children():
        assert time.monotonic() < deadline, "no worker was started"
        time.sleep(0.005)
    time.sleep(later)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode in (0, 128 + number)
    assert "Traceback" not in stderr
    assert "leaked" not in stderr


def test_files_with_the_same_problem_are_told_together(tmp_path: Path, inline: Run) -> None:
    (tmp_path / "app").mkdir()
    for number in range(5):
        (tmp_path / "app" / f"half{number}.py").write_text("def half(:\n")
    done = inline("index", tmp_path, check=0)
    assert done.stderr.splitlines() == [
        "warning: app/half0.py, app/half1.py, app/half2.py and 2 more files: syntax errors; read as far as possible"
    ]


def test_each_of_a_few_problems_is_a_line(tmp_path: Path, inline: Run) -> None:
    (tmp_path / "half.py").write_text("def half(:\n")
    (tmp_path / "rest.py").write_text("def rest(:\n")
    done = inline("index", tmp_path, check=0)
    assert done.stderr.splitlines() == [
        f"warning: {name}.py: syntax errors; read as far as possible" for name in ("half", "rest")
    ]


def test_markup_that_a_browser_shows_all_the_same_is_no_problem(tmp_path: Path, inline: Run) -> None:
    (tmp_path / "page.html").write_text(
        "<ul>{% for x in y %}<li {% if x %}class=a{% endif %}>{{ x }</li>{% endfor %}\n"
    )
    (tmp_path / "README.md").write_text(
        "# Half\n\n<div <p align=\n\n| a | b\n|--|\n\n```python\n\n<details>\n"
    )
    done = inline("index", tmp_path, check=0)
    assert done.stderr == ""

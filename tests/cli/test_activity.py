"""`contextls run` keeps what a command printed; `contextls activity` tells a person what was done."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from .conftest import TIME, Run, record_run

TEST = "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(1 + 1, 3)\n"


def test_a_command_runs_as_if_alone_and_its_failure_is_remembered(contextls: Run, workspace: Path) -> None:
    (workspace / "test_sum.py").write_text(TEST)
    done = contextls("run", "--", sys.executable, "-m", "unittest", "-q", cwd=workspace)
    assert done.returncode == 1
    assert "FAIL: test_sum" in done.stderr
    shown = json.loads(contextls("activity", "--json", cwd=workspace, check=0).stdout)
    error, ran = shown
    assert (error["type"], error["content"]["path"], error["content"]["line"]) == ("error", "test_sum.py", 6)
    assert error["content"]["message"] == "AssertionError: 2 != 3"
    assert (ran["type"], ran["content"]["exitCode"]) == ("shell_exec", 1)
    assert ran["content"]["durationMs"] > 0


def test_output_and_exit_status_pass_through_unchanged(contextls: Run, workspace: Path) -> None:
    script = "import sys; sys.stdout.write('a' * 300_000 + 'end'); sys.stderr.write('e\\n'); sys.exit(5)"
    done = contextls("run", "--", sys.executable, "-c", script, cwd=workspace)
    assert (done.returncode, len(done.stdout), done.stderr) == (5, 300_003, "e\n")
    (ran,) = json.loads(contextls("activity", "--json", cwd=workspace, check=0).stdout)
    assert ran["content"]["stdout"].endswith("end")
    assert len(ran["content"]["stdout"]) < 20_000


def test_nothing_is_added_to_the_output_where_python_warns_of_everything(
    contextls: Run, workspace: Path
) -> None:
    done = contextls("run", "--", "echo", "done", cwd=workspace, env={"PYTHONDEVMODE": "1"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_a_command_that_does_not_exist_is_said_so(contextls: Run, workspace: Path) -> None:
    done = contextls("run", "--", "no-such-command-anywhere", cwd=workspace)
    assert done.returncode == 127
    assert "no-such-command-anywhere" in done.stderr


def test_activity_tells_the_same_thing_once(inline: Run, workspace: Path) -> None:
    for _ in range(3):
        record_run(inline, workspace, "make", 2, "--duration-ms", "1500")
    inline("record", "file_write", "--root", workspace, "--path", "app/mail.py")
    shown = inline("activity", workspace, check=0).stdout
    heads = re.findall(rf"^{TIME.pattern}  session \w+, (\d+) events?$", shown, re.MULTILINE)
    assert heads == ["4"]  # of four processes
    assert "x Executed: `make` exit 2 (1.5 s)  ×3" in shown
    assert "Wrote: `app/mail.py`" in shown


def test_activity_can_be_narrowed(inline: Run, workspace: Path) -> None:
    inline("record", "file_read", "--root", workspace, "--path", "app/mail.py")
    inline("record", "error", "--root", workspace, "--message", "too late")
    assert "too late" not in inline("activity", workspace, "--type", "file_read", check=0).stdout
    assert "too late" in inline("activity", workspace, "--since", "2h", check=0).stdout
    assert "--since" in inline("activity", workspace, "--since", "yesterday", check=2).stderr

"""``--copy``: the prompt gets to the clipboard of whoever sits at the terminal."""

from __future__ import annotations

import base64
import os
import re
import sys
from pathlib import Path

import pytest

from .conftest import Run
from .terminals import Terminal

QUESTION = "how is kelvin converted to celsius?"
COMMAND = f"{sys.executable} -m contextls.cli.main assemble '{QUESTION}' --copy"


@pytest.fixture(scope="module")
def expected(shared_workspace: Path, inline: Run) -> str:
    return inline("assemble", QUESTION, shared_workspace, check=0).stdout.strip()


def test_over_ssh_the_terminal_takes_it(shared_workspace: Path, expected: str) -> None:
    terminal = Terminal("bash", shared_workspace, {"SSH_TTY": "/dev/pts/7", "DISPLAY": ":0"})
    shown = terminal.type(f"{COMMAND}; echo co''pied", "copied")
    terminal.close()
    (code,) = re.findall(r"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07", shown)
    assert base64.b64decode(code).decode().strip() == expected
    assert "def celsius_from_kelvin" not in shown


def test_a_copied_prompt_reaches_the_clipboard_program_of_this_machine(
    shared_workspace: Path, expected: str, tmp_path: Path, contextls: Run
) -> None:
    bin_folder, kept = tmp_path / "bin", tmp_path / "clipboard"
    bin_folder.mkdir()
    program = bin_folder / "xclip"
    program.write_text(f'#!/bin/sh\n[ "$*" = "-selection clipboard" ] && cat > {kept}\n')
    program.chmod(0o755)
    env = {"DISPLAY": ":0", "PATH": f"{bin_folder}:{os.environ['PATH']}", "SSH_TTY": "", "TMUX": ""}
    done = contextls("assemble", QUESTION, shared_workspace, "--copy", env=env, check=0)
    assert (done.stdout, kept.read_text("utf-8").strip()) == ("", expected)
    assert "copied with xclip" in done.stderr


def test_a_program_of_the_workspace_gets_nothing(shared_workspace: Path, contextls: Run) -> None:
    planted = shared_workspace / "xclip"
    planted.write_text("#!/bin/sh\ntouch sprung\n")
    planted.chmod(0o755)
    env = {"DISPLAY": ":0", "PATH": f"{shared_workspace}:.:{os.environ['PATH']}", "SSH_TTY": "", "TMUX": ""}
    done = contextls("assemble", QUESTION, "--copy", cwd=shared_workspace, env=env)
    planted.unlink()
    assert not (shared_workspace / "sprung").exists()
    assert (done.returncode, done.stdout) == (1, "")
    assert "no clipboard here" in done.stderr


def test_what_is_no_prompt_is_not_copied(shared_workspace: Path, inline: Run) -> None:
    assert "--copy" in inline("assemble", QUESTION, shared_workspace, "--copy", "--json", check=2).stderr

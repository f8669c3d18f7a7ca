"""Takes the picture of Emacs for the documents: ``python -m tests.emacs.screenshots``.

It is what a real Emacs shows in a terminal, on this repository.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.text import Text

from ..neovim.screenshots import FILE, INDEX_SECONDS, QUESTION
from ..neovim.terminal import COLUMNS, ROWS
from ..pictures import write_picture

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "editors" / "emacs"
TARGET = REPOSITORY / "docs" / "images" / "emacs-ask.svg"
# The background of the terminal, also where a line is empty.
THEME = "(load-theme 'wombat t) (set-face-background 'default \"unspecified-bg\")"
WINDOWS = (
    "(setq split-width-threshold 80 split-height-threshold nil)"
    ' (setq-default truncate-lines t mode-line-format \'(" %b  %p  (" mode-name ")"))'
)
TMUX = ["tmux", "-u", "-L", f"contextls-emacs-{os.getpid()}"]


def _tmux(*arguments: str) -> str:
    return subprocess.run([*TMUX, *arguments], check=True, capture_output=True, text=True).stdout


def _wait(text: str) -> None:
    deadline = time.monotonic() + INDEX_SECONDS
    while text not in _tmux("capture-pane", "-p"):
        assert time.monotonic() < deadline, _tmux("capture-pane", "-p")
        time.sleep(0.1)


def _ask() -> None:
    _tmux("send-keys", "C-c", "x", "a")
    _tmux("send-keys", "-l", QUESTION)
    _tmux("send-keys", "Enter")
    _wait("of 4000 tokens")


def main() -> None:
    """Take the picture."""
    program = Path(sys.executable).parent / "contextls"
    keys = '(global-set-key (kbd "C-c x") \'contextls-command-map)'
    setup = f'(setq contextls-program "{program}" inhibit-startup-screen t) {THEME} {WINDOWS} {keys} (menu-bar-mode -1)'
    command = [
        "emacs",
        "-nw",
        "-Q",
        "-L",
        str(PACKAGE),
        "-l",
        "contextls",
        "--eval",
        f"(progn {setup})",
        FILE,
    ]
    with tempfile.TemporaryDirectory() as home:
        environment = f"env CONTEXTLS_HOME={home}/contextls TERM=xterm-256color"
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        _tmux(*("-f", "/dev/null", "new-session", "-d", *size), f"{environment} {shlex.join(command)}")
        try:
            _wait("redact.py")
            _ask()
            _tmux("send-keys", "q", "C-c", "x", "s")
            _wait("Index in")
            while "complete and up to date" not in _tmux("capture-pane", "-p"):
                _tmux("send-keys", "C-c", "x", "s")
                time.sleep(1)
            _tmux("send-keys", "C-x", "o", "q")
            _ask()
            screen = Text.from_ansi(_tmux("capture-pane", "-p", "-e").rstrip("\n"))
            write_picture(TARGET, screen, title="contextls in Emacs", columns=COLUMNS)
        finally:
            _tmux("kill-server")


if __name__ == "__main__":
    main()

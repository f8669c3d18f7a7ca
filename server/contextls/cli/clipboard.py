"""The clipboard of the person at the terminal: of this machine or, over ssh, of the one they sit at."""

from __future__ import annotations

import base64
import os
import subprocess
import sys

from contextls.cli.output import send_to_terminal
from contextls.errors import ContextlsError
from contextls.isolation import find_program
from contextls.text.gate import clean

# What reads the clipboard's new text from standard input: the variable that says it can work here, and the command.
_PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("", ("clip.exe",)),
)
_SECONDS = 5.0


class ClipboardError(ContextlsError):
    """No clipboard can be reached from here."""


def copy(text: str) -> str:
    """Put ``text``, without its secrets, on the clipboard; how, in words. Raises ``ClipboardError``."""
    kept = clean(text)
    if not _is_remote():
        if os.environ.get("TMUX") and _feed(("tmux", "load-buffer", "-w", "-"), kept):
            return "through tmux"
        for variable, command in _PROGRAMS:
            if (not variable or os.environ.get(variable)) and _feed(command, kept):
                return f"with {command[0]}"
    # OSC 52: the terminal itself takes the text, wherever it runs.
    code = base64.b64encode(kept.encode("utf-8", "replace")).decode("ascii")
    if send_to_terminal(f"\x1b]52;c;{code}\x07"):
        return "by the terminal (OSC 52), if it takes such text"
    raise ClipboardError(
        "no clipboard here: install wl-copy, xclip or xsel, or run in a terminal that knows OSC 52"
    )


def _is_remote() -> bool:
    return bool(os.environ.get("SSH_TTY") or os.environ.get("SSH_CONNECTION"))


def _feed(command: tuple[str, ...], text: str) -> bool:
    program = find_program(command[0])
    if program is None:
        return False
    encoding = "utf-16-le" if sys.platform == "win32" or command[0] == "clip.exe" else "utf-8"
    try:
        done = subprocess.run(  # noqa: S603 - found outside of every workspace
            [program, *command[1:]],
            input=text.encode(encoding, "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0

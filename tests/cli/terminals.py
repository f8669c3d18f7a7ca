"""Interactive shells in terminals of their own."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

import contextls
from contextls.engine import Engine

SHELLS = [shell for shell in ("bash", "zsh", "fish") if shutil.which(shell)]
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
PROMPT = {
    "bash": "PS1='READY> '",
    "zsh": "PS1='READY> '",
    "fish": "function fish_prompt; echo -n 'READY> '; end",
}


# What started the tests may ignore signals, as ``nohup`` does. Here and not between fork and exec of the tests themselves,
# as other tests have loaded LanceDB.
HEED_SIGNALS = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""
# What a terminal does before it starts a shell: fish wants a terminal of its own.
BEGIN = f"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0){HEED_SIGNALS}"


class Terminal:
    """An interactive shell in a terminal of its own."""

    def __init__(self, shell: str, cwd: Path, env: dict[str, str]) -> None:
        self._own, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", BEGIN, *START[shell]],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env={**os.environ, "TERM": "dumb", "HISTFILE": os.devnull, **env},
            start_new_session=True,
        )
        os.close(theirs)
        self.type(PROMPT[shell] + "; echo be''gin", "begin")

    @property
    def cpu_seconds(self) -> float:
        """The processor time that the shell itself has taken, which other programs do not change."""
        times = psutil.Process(self._process.pid).cpu_times()
        return times.user + times.system

    def type(self, line: str, awaited: str) -> str:
        """Type a line and read until ``awaited`` is printed and the prompt is back; what was printed."""
        os.write(self._own, line.encode() + b"\n")
        read = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([self._own], [], [], 0.1)[0]:
                read += os.read(self._own, 65_536)
            _, found, rest = read.rpartition(awaited.encode()) if awaited else (b"", b"yes", read)
            if found and b"READY> " in rest:
                return read.decode(errors="replace")
        raise AssertionError(f"never printed {awaited!r} and a prompt: {read!r}")

    def send(self, keys: str, awaited: str) -> str:
        """Press keys and read until ``awaited`` is printed; what was printed."""
        os.write(self._own, keys.encode())
        read = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([self._own], [], [], 0.1)[0]:
                read += os.read(self._own, 65_536)
            if awaited.encode() in read:
                return read.decode(errors="replace")
        raise AssertionError(f"never printed {awaited!r}: {read!r}")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._own)


def recorded(workspace: Path, count: int) -> list[dict[str, Any]]:
    """The commands recorded in a workspace, oldest first, once there are so many; a little later at that."""
    engine = Engine.open(workspace)
    try:
        deadline = time.monotonic() + 60
        while len(found := engine.events(100)) < count and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1.0)
        found = engine.events(100)
    finally:
        engine.close()
    return [dict(event.content) for event in sorted(found, key=lambda event: event.timestamp)]


def replace_recorder(at: Terminal, shell: str, workspace: Path, recorder: str) -> None:
    """Begin the workspace and hook the shell again, with ``recorder`` in the place of our own."""
    Engine.open(workspace).close()
    known = Path(os.environ["CONTEXTLS_HOME"]) / "state" / "workspaces"
    script = known.parent.parent / f"replaced.{shell}"
    text = (Path(contextls.__file__).parent / f"cli/hooks/hook.{shell}").read_text()
    script.write_text(
        text.replace("@KNOWN@", str(known)).replace("@COMMAND@", recorder).replace("hooked", "hooked2")
    )
    at.type("functions -e __contextls_postexec" if shell == "fish" else ":", "")
    at.type(f" source '{script}'; echo re''placed", "replaced")

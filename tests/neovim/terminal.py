"""Neovim in a real terminal: tmux shows its screen and presses its keys."""

from __future__ import annotations

import shlex
import subprocess
import time
import uuid
from pathlib import Path

from .nvim import MAX_SECONDS, POLL_SECONDS, environment, nvim_program, write_init

COLUMNS, ROWS = 120, 36


class Terminal:
    """Neovim in a tmux of its own."""

    def __init__(self, home: Path, cwd: Path, config: str, *arguments: str, **variables: str) -> None:
        self._server = f"contextls-{uuid.uuid4().hex[:8]}"
        init = write_init(home, config)
        command = [str(nvim_program()), "-u", str(init), "-i", "NONE", *arguments]
        env = environment(home, TERM="xterm-256color", SHELL="/bin/bash", **variables)
        self._tmux_env = env
        self._tmux(
            *("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "-c", str(cwd)),
            shlex.join(command),
        )

    def _tmux(self, *arguments: str) -> str:
        ended = subprocess.run(
            ["tmux", "-u", "-L", self._server, *arguments],
            env=self._tmux_env,
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def screen(self, *, colours: bool = False) -> str:
        """What the terminal shows."""
        return self._tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def type(self, text: str) -> None:
        """Type text, character by character."""
        self._tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        """Press keys, as tmux names them: ``Enter``, ``Escape``, ``C-w``."""
        self._tmux("send-keys", *keys)

    def wait(self, text: str, *, longest: float = MAX_SECONDS) -> str:
        """Wait until the screen shows a text; answer with the screen."""
        deadline = time.monotonic() + longest
        while text not in (screen := self.screen()):
            assert time.monotonic() < deadline, f"waited in vain for {text!r}; the screen shows:\n{screen}"
            time.sleep(POLL_SECONDS * 3)
        return screen

    def end(self) -> None:
        """End it with everything in it."""
        self.press("Escape", ":qa!", "Enter")
        deadline = time.monotonic() + MAX_SECONDS
        ended = ["tmux", "-L", self._server, "has-session"]
        while subprocess.run(ended, env=self._tmux_env, capture_output=True, check=False).returncode == 0:
            if time.monotonic() > deadline:
                self._tmux("kill-server")
            time.sleep(POLL_SECONDS)

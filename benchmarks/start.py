"""How long a process takes to say its first word: servers until ``initialize`` is answered, commands until they end.

usage: python -m benchmarks.start ROOT [--rounds N]

A server is timed from its start to the last byte of its answer, and to that of its first real request. A command is timed as
a whole, alone and beside a server that has ROOT open. CPU is user and system time of the process and its children. ROOT is
indexed once, in a state folder of its own. Prints medians as a Markdown table; ``python -c pass`` is what nothing costs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psutil

PYTHON = (sys.executable, "-I")
CLI = (*PYTHON, "-m", "contextls.cli.main")
QUESTION = "how are routes registered"
SERVERS = {"contextls serve": (*CLI, "serve"), "python -m contextls.lsp": (*PYTHON, "-m", "contextls.lsp")}
COMMANDS: dict[str, tuple[str, ...]] = {
    "python -c pass": (*PYTHON, "-c", "pass"),
    "contextls --version": (*CLI, "--version"),
    "contextls status": (*CLI, "status"),
    "contextls search": (*CLI, "search", QUESTION),
    "contextls assemble": (*CLI, "assemble", QUESTION),
    "contextls pack README.md": (*CLI, "pack", "README.md"),
    "contextls record shell_exec": (*CLI, "record", "shell_exec", "true"),
}
BESIDE = ("contextls search", "contextls assemble")
_SECONDS = 120.0


class Server:
    """A server process, and the messages to and from it."""

    def __init__(self, command: Sequence[str], root: Path) -> None:
        self.began = time.perf_counter()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the server has no pipes")
        self._input: IO[bytes] = self.process.stdin
        self._output: IO[bytes] = self.process.stdout
        self._number = 0
        folders = [{"uri": root.as_uri(), "name": root.name}]
        self.ask("initialize", {"processId": os.getpid(), "capabilities": {}, "workspaceFolders": folders})

    def ask(self, method: str, params: Any = None) -> Any:  # noqa: ANN401 - JSON
        """Send a request; its result."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while (message := self._receive()).get("id") != self._number or "method" in message:
            pass
        return message["result"]

    def begin(self) -> None:
        """Tell the server that its client is ready."""
        self._send({"method": "initialized", "params": {}})

    def cost(self) -> tuple[float, float]:
        """Seconds since the start, and of CPU."""
        wall = time.perf_counter() - self.began
        used = psutil.Process(self.process.pid).cpu_times()
        return wall, used.user + used.system

    def end(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._input.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._input.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while line := self._output.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message: dict[str, Any] = json.loads(self._output.read(length))
        return message


@contextmanager
def session(root: Path) -> Iterator[Server]:
    """A server that has ``root`` open, indexed and warm, and answers commands."""
    server = Server(SERVERS["contextls serve"], root)
    try:
        server.begin()
        deadline = time.monotonic() + _SECONDS
        while server.ask("context/status", {})["state"] != "ready" and time.monotonic() < deadline:
            time.sleep(0.1)
        for _ in range(3):
            server.ask("context/assemble", {"query": QUESTION})
        yield server
    finally:
        server.end()


def start_server(command: Sequence[str], root: Path) -> dict[str, tuple[float, float]]:
    """The cost of one start: until ``initialize`` is answered, and the first request after it."""
    server = Server(command, root)
    try:
        answered = server.cost()
        server.begin()
        server.ask("context/archetypes", {})
        return {"`initialize` answered": answered, "first request answered": server.cost()}
    finally:
        server.end()


def run_command(command: Sequence[str], root: Path) -> tuple[float, float]:
    """Seconds that a command takes, and of CPU."""
    began = time.perf_counter()
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=root, stdin=nothing, stdout=nothing, stderr=nothing)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.perf_counter() - began, used.ru_utime + used.ru_stime


def measure(root: Path, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """What each thing cost in each round; the rounds take turns, so that a busy moment hits all alike."""
    found: dict[str, list[tuple[float, float]]] = {}
    work: dict[str, Callable[[], tuple[float, float]]] = {
        name: lambda command=command: run_command(command, root)  # type: ignore[misc]
        for name, command in COMMANDS.items()
    }
    for _ in range(rounds):
        for name, command in SERVERS.items():
            for what, cost in start_server(command, root).items():
                found.setdefault(f"{name}: {what}", []).append(cost)
        for name, run in work.items():
            found.setdefault(name, []).append(run())
    with session(root):
        for _ in range(rounds):
            for name in BESIDE:
                found.setdefault(f"{name}, beside a session", []).append(work[name]())
    return found


def table(found: dict[str, list[tuple[float, float]]]) -> str:
    """The medians in milliseconds."""
    rows = ["| | ms | ms of CPU |", "| --- | --- | --- |"]
    for name, costs in found.items():
        wall, used = (statistics.median(cost[at] for cost in costs) * 1000 for at in (0, 1))
        rows.append(f"| {name} | {wall:.0f} | {used:.0f} |")
    return "\n".join(rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time the starts of servers and commands.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    root = given.root.resolve()
    with tempfile.TemporaryDirectory(prefix="cls") as home:  # short: sockets lie below it
        os.environ["CONTEXTLS_HOME"] = home
        subprocess.run([*CLI, "index", str(root)], check=True, stdout=subprocess.DEVNULL)
        before = os.getloadavg()[0]
        print(table(measure(root, given.rounds)))
    print(
        f"\n{root.name}, {given.rounds} rounds; {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}; load {before:.1f} to {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()

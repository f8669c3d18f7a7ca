"""Whether every acknowledged event survives when the server is killed while others write.

usage: python -m benchmarks.durability [--kills N] [--seed N]

On a small workspace of its own, three writers record events for as long as it takes: a client through a real server
process (``contextls serve`` over its standard streams), a process with the event log open, and a shell that calls
``contextls record`` again and again. The server gets SIGKILL at a random moment, N times, and is started again, while files
change so that it has something to index. In the end every event that was acknowledged must be there, and a
last server must be ready by itself.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.protocol.wire import Wire

from contextls.memory.events import EventLog
from contextls.store.locations import locate
from contextls.workspace.state_folders import HOME_VARIABLE

COMMAND = (sys.executable, "-m", "contextls.cli.main")
SERVER = (*COMMAND, "serve")
AT_ONCE = 50
# More, and the oldest events of a long run would be deleted before they are counted: 100,000 are kept.
MAX_BY_LIFE = 1_000
MAX_LIFE_SECONDS = 1.5
MAX_START_SECONDS = 60.0
# This share of the servers is killed while it starts, before it acknowledges anything, most likely.
EARLY = 0.2
MIN_BY_COMMAND = 2

PROCESS = """
import sys, time
from pathlib import Path
from contextls.memory.events import EventLog
from contextls.model import NewEvent

log = EventLog(Path(sys.argv[1]))
number = 0
while True:
    event = log.append(NewEvent("note", {"text": f"process {number}"}))
    print(event.id, f"process {number}", flush=True)
    number += 1
    time.sleep(0.005)
"""
SHELL = """
number=0
while true; do
    id=$("$0" -m contextls.cli.main record error --message "shell $number" --root "$1") && echo "$id shell $number"
    number=$((number + 1))
done
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: acknowledged events by writer, those that were lost, and what the last server said."""

    kills: int
    before_ready: int  # how often the server was killed before its first answer
    acknowledged: dict[str, int]
    lost: tuple[str, ...]
    stored: int
    warnings: tuple[str, ...]
    state: str
    seconds: float


class Writer:
    """A process that prints one line for each event that it was told is stored."""

    def __init__(self, *command: object) -> None:
        """Start it."""
        self.acknowledged: list[tuple[str, str]] = []
        self.process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            if not line.endswith("\n"):  # killed while it said so: nobody was told
                return
            identity, _, text = line.strip().partition(" ")
            self.acknowledged.append((identity, text))

    def kill(self) -> None:
        """End it; what it printed is read to the end."""
        self.process.kill()
        self.process.wait()
        self._reader.join(10)


@contextmanager
def writing(*command: object) -> Iterator[Writer]:
    """A writer that is gone afterwards."""
    writer = Writer(*command)
    try:
        yield writer
    finally:
        writer.kill()


def life(root: Path, number: int, seconds: float, *, early: bool) -> list[tuple[str, str]]:
    """One server that is killed so many seconds after its first answers, or after its start; what it acknowledged."""
    wire = Wire(SERVER)
    ends = time.monotonic() + (seconds if early else MAX_START_SECONDS)
    waiting = not early
    sent: dict[int, str] = {}
    try:
        wire.send("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
        wire.notify("initialized", {})
        while time.monotonic() < ends:
            if waiting and any(message.get("id") in sent for message in wire.received[:AT_ONCE]):
                waiting, ends = False, time.monotonic() + seconds
            if len(sent) - len(wire.received) >= AT_ONCE or len(sent) >= MAX_BY_LIFE:
                time.sleep(0.001)
                continue
            text = f"server {number} {len(sent)}"
            identity = wire.send("context/recordEvent", {"type": "note", "content": {"text": text}})
            sent[identity] = text
    finally:
        wire.kill()
    time.sleep(0.05)
    return [
        (message["result"]["id"], sent[message["id"]])
        for message in wire.received
        if message.get("id") in sent and "result" in message
    ]


def run(folder: Path, kills: int, seed: int) -> Outcome:
    """Kill a server on a workspace below ``folder`` so many times while three writers run."""
    started = time.monotonic()
    chance = random.Random(seed)  # noqa: S311 - moments, no secrets
    root = folder / "workspace"
    root.mkdir(parents=True)
    for number in range(60):
        _change(root, number, 0)
    database = _events_database(root)
    served: list[tuple[str, str]] = []
    before_ready = 0
    with (
        writing(sys.executable, "-c", PROCESS, database) as process,
        writing("bash", "-c", SHELL, sys.executable, root) as shell,
    ):
        for number in range(kills):
            for changed in chance.sample(range(60), 8):
                _change(root, changed, number)
            early, seconds = chance.random() < EARLY, chance.uniform(0.0, MAX_LIFE_SECONDS)
            told = life(root, number, seconds, early=early)
            before_ready += not told
            served.extend(told)
        while len(shell.acknowledged) < MIN_BY_COMMAND:
            time.sleep(0.1)
    lost, stored = _missing(database, [*served, *process.acknowledged, *shell.acknowledged])
    state, warnings = _last_server(root)
    return Outcome(
        kills=kills,
        before_ready=before_ready,
        acknowledged={
            "server": len(served),
            "process": len(process.acknowledged),
            "contextls record": len(shell.acknowledged),
        },
        lost=lost,
        stored=stored,
        warnings=warnings,
        state=state,
        seconds=time.monotonic() - started,
    )


def _change(root: Path, number: int, version: int) -> None:
    lines = "".join(
        f"def function_{number}_{line}():\n    return {version + line}\n\n\n" for line in range(20)
    )
    (root / f"module_{number}.py").write_text(lines, encoding="utf-8")


def _events_database(root: Path) -> Path:
    locations = locate(root.resolve())
    locations.create()
    return locations.events_database


def _missing(database: Path, acknowledged: list[tuple[str, str]]) -> tuple[tuple[str, ...], int]:
    """The acknowledged events that are not stored as they were told, and how many are stored in all."""
    log = EventLog(database)
    try:
        stored = {event.id: event.content for event in log.after(0, 10_000_000)}
    finally:
        log.close()
    lost = [
        f"{identity} {text}"
        for identity, text in acknowledged
        if text not in stored.get(identity, {}).values()
    ]
    return tuple(lost), len(stored)


def _last_server(root: Path) -> tuple[str, tuple[str, ...]]:
    """What a server says that is left in peace: its state once it is ready, and its warnings."""
    wire = Wire(SERVER)
    try:
        wire.initialize(root)
        status = wire.ready(root)
        hits = wire.request("context/search", {"query": "function_7_3"})["hits"]
        wire.end()
        right = bool(hits) and hits[0]["path"] == "module_7.py"
        return str(status["state"]) if right else "wrong", tuple(status["warnings"])
    finally:
        wire.kill()


def main() -> None:
    """Print what came of it; the exit status is 1 when anything was lost or needs a person."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="contextls-durability-") as folder:
        os.environ[HOME_VARIABLE] = str(Path(folder) / "home")
        outcome = run(Path(folder), given.kills, given.seed)
    print(f"kills: {outcome.kills}, {outcome.before_ready} of them before the first answer")
    for writer, count in outcome.acknowledged.items():
        print(f"acknowledged to {writer}: {count:,}")
    print(f"stored: {outcome.stored:,}; lost: {len(outcome.lost)}")
    print(*outcome.lost[:20], sep="\n", end="\n" if outcome.lost else "")
    print(
        f"the last server: {outcome.state}, warnings: {list(outcome.warnings)}; {outcome.seconds:.0f} s in all"
    )
    sys.exit(1 if outcome.lost or outcome.warnings or outcome.state != "ready" else 0)


if __name__ == "__main__":
    main()

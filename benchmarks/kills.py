"""Whether an index that is killed while it is made goes on where it was.

usage: python -m benchmarks.kills ROOT [--kills N] [--longest SECONDS] [--seed N]

``contextls index`` and all its processes get SIGKILL at a random moment, N times, in an empty home of its own. After each
kill ``contextls status`` must work, and no file that it counted before may be gone. A last run goes to its end, and finds
the same files and chunks as a run in another home that nobody killed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from contextls.workspace.state_folders import HOME_VARIABLE

COMMAND = (sys.executable, "-m", "contextls.cli.main")
MIN_LIFE_SECONDS = 0.2
_A_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Count:
    """What ``contextls status`` counts, and what it warns of."""

    files: int
    chunks: int
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """``files`` are those known after each kill; ``seconds`` all runs took, ``undisturbed`` the one of the other home."""

    kills: int
    files: tuple[int, ...]
    lost: int
    warnings: tuple[str, ...]
    seconds: float
    undisturbed: float
    same: bool


def start(root: Path, home: Path) -> subprocess.Popen[bytes]:
    """``contextls index`` of ``root`` in a process group of its own."""
    return subprocess.Popen(
        [*COMMAND, "index", str(root)],
        env={**os.environ, HOME_VARIABLE: str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def count(root: Path, home: Path) -> Count:
    """What is indexed. Raises ``CalledProcessError`` where a human would have to step in."""
    done = subprocess.run(
        [*COMMAND, "status", str(root), "--json"],
        env={**os.environ, HOME_VARIABLE: str(home)},
        capture_output=True,
        check=True,
    )
    status = json.loads(done.stdout)
    return Count(status["files"], status["chunks"], tuple(status["warnings"]))


def live(root: Path, home: Path, seconds: float) -> tuple[bool, float]:
    """Index for so many seconds at most, then kill. Whether it was killed, and how long it lived."""
    started = time.monotonic()
    running = start(root, home)
    try:
        running.wait(seconds)
        return False, time.monotonic() - started
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        return True, time.monotonic() - started


def measure(root: Path, kills: int, longest: float, seed: int, homes: Path) -> Outcome:
    """Kill, count, and compare with a run that nobody kills."""
    moments = random.Random(seed)  # noqa: S311 - the same moments at every run
    home = homes / "killed"
    known: list[int] = []
    warnings: list[str] = []
    total, killed = 0.0, 0
    for _ in range(kills):
        was_killed, seconds = live(root, home, moments.uniform(MIN_LIFE_SECONDS, longest))
        total += seconds
        killed += was_killed
        found = count(root, home)
        known.append(found.files)
        warnings += found.warnings
        print(f"{len(known):3} {seconds:6.1f} s  {found.files:,} files", file=sys.stderr)
        if not was_killed:
            break
    total += live(root, home, _A_DAY)[1]
    _, undisturbed = live(root, homes / "undisturbed", _A_DAY)
    last, other = count(root, home), count(root, homes / "undisturbed")
    lost = max((before - after for before, after in pairwise(known)), default=0)
    return Outcome(
        killed,
        tuple(known),
        max(0, lost),
        tuple(dict.fromkeys(warnings)),
        round(total, 1),
        round(undisturbed, 1),
        (last.files, last.chunks) == (other.files, other.chunks),
    )


def main() -> None:
    """Measure what the command line names, and print it as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--longest", type=float, default=10.0, help="seconds that one run lives at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as homes:
        outcome = measure(options.root.resolve(), options.kills, options.longest, options.seed, Path(homes))
    print(json.dumps(asdict(outcome)))
    sys.exit(0 if outcome.same and not outcome.lost else 1)


if __name__ == "__main__":
    main()

"""How much sooner a workspace is indexed with more processes, and what that takes.

usage: python -m benchmarks.workers ROOT --workers 2,4,6,8 [--rounds 1]

Prints a table: seconds of a cold index, CPU seconds of the one process through which all results go, and the memory of all
processes together that is no file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.scaling.meter import Taken, measure

MAX_SECONDS = 3_600
MAX_MEGABYTES = 16_000
_ROUND = """
import json, sys, time
from contextlib import closing
from pathlib import Path
from contextls.engine import Engine
from contextls.settings import Settings
if __name__ == "__main__":
    with closing(Engine.open(Path(sys.argv[1]), Settings(workers=int(sys.argv[2])))) as engine:
        report = engine.index()
        print(json.dumps({"files": report.files, "chunks": report.chunks, "cpu": time.process_time()}))
"""


def index(root: Path, workers: int) -> Taken:
    """Index ``root`` into an empty folder of state."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "round.py"
        script.write_text(_ROUND, encoding="utf-8")
        home = {"CONTEXTLS_HOME": str(Path(folder) / "home")}
        return measure(
            [sys.executable, str(script), str(root), str(workers)],
            home,
            MAX_SECONDS,
            MAX_MEGABYTES,
            Path(folder),
        )


def row(workers: int, rounds: Sequence[Taken]) -> str:
    """The medians of some rounds."""
    seconds = statistics.median(one.seconds for one in rounds)
    cpu = statistics.median(json.loads(one.output)["cpu"] for one in rounds)
    memory = statistics.median(one.anonymous_mb for one in rounds)
    return f"| {workers} | {seconds:.1f} | {cpu:.1f} | {memory:,.0f} |"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--workers", default="1,2,4,8", help="numbers with commas between them")
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    print(
        f"{root.name}; {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n"
    )
    print("| workers | cold index, s | CPU of the first process, s | memory, MB |\n| --- | --- | --- | --- |")
    for workers in map(int, arguments.workers.split(",")):
        rounds = [index(root, workers) for _ in range(arguments.rounds)]
        print(row(workers, rounds), flush=True)
    print("\n{files:,} files, {chunks:,} chunks".format(**json.loads(rounds[-1].output)))


if __name__ == "__main__":
    main()

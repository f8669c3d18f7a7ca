"""``contextls pack`` beside repomix on the same folder: seconds, processor seconds, files and tokens.

usage: python -m benchmarks.pack [ROOT] [--rounds N] [--repomix PROGRAM]

Both write all files of ROOT with their default options, in rounds of fresh processes that take turns; medians count.
``first`` begins with no cache of contextls, ``again`` with the one that the run before has left. repomix
(``npm install repomix@1``) is looked for on the PATH; without it, contextls is measured alone.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CONTEXTLS = str(Path(sys.executable).with_name("contextls"))
_FIGURES = (
    re.compile(r"(?P<files>[\d,]+) files, (?P<tokens>[\d,]+) tokens"),
    re.compile(r"Total Files: (?P<files>[\d,]+) files\s+Total Tokens: (?P<tokens>[\d,]+) tokens"),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a program: wall and processor seconds, and what it says it has written."""

    seconds: float
    processor: float
    files: str
    tokens: str


def main() -> None:
    """Measure and print a table."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("root", nargs="?", type=Path, default=Path())
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument(
        "--repomix", default=shutil.which("repomix"), help="the program; else that of the PATH"
    )
    asked = options.parse_args()
    root = asked.root.resolve()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        ours = [CONTEXTLS, "pack", str(root), "--output", str(place / "contextls.md")]
        theirs = [asked.repomix, str(root), "--output", str(place / "repomix.xml")]
        runs: dict[str, list[Run]] = {"first": [], "again": [], **({"repomix": []} if asked.repomix else {})}
        for _ in range(asked.rounds):
            home = Path(tempfile.mkdtemp(dir=folder))
            runs["first"].append(measure(ours, place, {"CONTEXTLS_HOME": str(home)}))
            runs["again"].append(measure(ours, place, {"CONTEXTLS_HOME": str(home)}))
            if asked.repomix:
                runs["repomix"].append(measure(theirs, place, {}))
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}; medians of {asked.rounds} rounds")
    print_table(runs)


def measure(command: list[str], folder: Path, variables: Mapping[str, str]) -> Run:
    """Run ``command`` to its end. Raises ``SystemExit`` when it fails."""
    printed = folder / "printed"
    began = time.perf_counter()
    with printed.open("wb") as stream:
        actions = [(os.POSIX_SPAWN_DUP2, stream.fileno(), 1), (os.POSIX_SPAWN_DUP2, stream.fileno(), 2)]
        process = os.posix_spawnp(command[0], command, {**os.environ, **variables}, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - began
    text = printed.read_text("utf-8", "replace")
    if status:
        sys.exit(f"{' '.join(command)} failed:\n{text}")
    found = next((match for each in _FIGURES if (match := each.search(text))), None)
    files, tokens = (found["files"], found["tokens"]) if found else ("?", "?")
    return Run(seconds, usage.ru_utime + usage.ru_stime, files, tokens)


def print_table(runs: Mapping[str, Sequence[Run]]) -> None:
    """Medians, and how many times as long repomix takes."""
    slow = statistics.median(run.seconds for run in runs["repomix"]) if "repomix" in runs else None
    print("| | seconds | processor seconds | files | tokens | repomix takes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, found in runs.items():
        seconds = statistics.median(run.seconds for run in found)
        processor = statistics.median(run.processor for run in found)
        times = f"{slow / seconds:.1f} × as long" if slow and name != "repomix" else ""
        print(
            f"| {name} | {seconds:.2f} | {processor:.2f} | {found[0].files} | {found[0].tokens} | {times} |"
        )


if __name__ == "__main__":
    main()

"""How long the hook of each shell on this machine keeps a prompt: median and worst of the processor's and the clock's time.

usage: python -m benchmarks.shell_hooks [--rounds N]

The recorder is replaced by one that does nothing, as no prompt waits for it: what is measured is the work of the shell.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from tests.cli.terminals import SHELLS, Terminal, replace_recorder

COMMANDS = 50
LOOPS = {
    "bash": "for i in {1..50}; do __contextls_began=1; __contextls_number=0; __contextls_precmd; done",
    "zsh": "for i in {1..50}; do __contextls_preexec ls; __contextls_precmd; done",
    "fish": "for i in (seq 50); __contextls_preexec ls; __contextls_postexec ls; end",
}


def measure(shell: str, workspace: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds for each command, of the shell's processor time and of the clock, for every round."""
    at = Terminal(shell, workspace, {})
    try:
        replace_recorder(at, shell, workspace, "command true")
        worked, passed = [], []
        for turn in range(rounds):
            cpu, clock = at.cpu_seconds, time.perf_counter()
            at.type(f" {LOOPS[shell]}; echo fi''nished {turn}", f"finished {turn}")
            worked.append((at.cpu_seconds - cpu) / COMMANDS * 1000)
            passed.append((time.perf_counter() - clock) / COMMANDS * 1000)
    finally:
        at.close()
    return worked, passed


def main() -> None:
    """Print the times as a Markdown table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shell_hooks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    print(
        "| shell | processor ms: median | worst | clock ms: median | worst |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for shell in SHELLS:
        with tempfile.TemporaryDirectory() as home:
            os.environ["CONTEXTLS_HOME"] = home
            workspace = Path(home) / "workspace"
            workspace.mkdir()
            worked, passed = measure(shell, workspace, rounds)
        figures = [figure(times) for times in (worked, passed) for figure in (statistics.median, max)]
        print(f"| {shell} | {' | '.join(f'{each:.1f}' for each in figures)} |")


if __name__ == "__main__":
    main()

"""A sitting at the editor, played through a real server on a real repository: and what its prompt knew of the work.

usage: python -m benchmarks.sitting CHECKOUT [--scenario own/sitting.json]

CHECKOUT is a clone, with history, of the repository that the scenario names; it is copied first. Earlier sittings break
a function, run its test, mend it and run the test again. The last one breaks it once more, runs the test and asks. Prints
the prompt, and what of the following it holds: the failing command, the error with its line, the edit that broke it, the
test, the code under test, and the habit seen in the earlier sittings. Exit status 1 when something is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.protocol.wire import Wire

SCENARIO = Path(__file__).with_name("own") / "sitting.json"
BUDGET = 3000
LONGEST_OUTPUT = 20_000


@dataclass(frozen=True)
class Change:
    """One place of a file before and after."""

    old: str
    new: str


@dataclass(frozen=True)
class Scenario:
    """What is done to which repository. ``file`` is broken and mended, ``command`` runs its test in ``test_file``."""

    repository: str
    file: str
    test_file: str
    command: str
    question: str
    earlier: tuple[Change, ...]
    now: Change


def load(path: Path) -> Scenario:
    """Read a scenario."""
    raw = json.loads(path.read_text())
    earlier = tuple(Change(**each) for each in raw["earlier"])
    return Scenario(**{**raw, "earlier": earlier, "now": Change(**raw["now"])})


class Sitting:
    """One run of an editor: a server process and what the person at it does."""

    def __init__(self, wire: Wire, root: Path, scenario: Scenario) -> None:
        self._wire = wire
        self._root = root
        self._scenario = scenario
        self._uris: dict[str, str] = {}
        self._version = 1

    def open(self, name: str) -> None:
        """Open a file in the editor."""
        self._uris[name] = self._wire.open(name)

    def edit(self, name: str, change: Change) -> None:
        """Type the change into an open file and save it."""
        path = self._root / name
        before = path.read_text()
        if change.old not in before:
            raise SystemExit(f"{name} does not hold the text to change: {change.old!r}")
        after = before.replace(change.old, change.new, 1)
        self._version += 1
        self._wire.change(self._uris[name], {"text": after}, version=self._version)
        path.write_text(after)
        self._wire.notify("textDocument/didSave", {"textDocument": {"uri": self._uris[name]}})

    def run(self) -> int:
        """Run the test as a terminal of the editor would, and report it; the exit code."""
        started = time.perf_counter()
        arguments = [
            sys.executable if word == "python" else word for word in shlex.split(self._scenario.command)
        ]
        done = subprocess.run(
            arguments,
            cwd=self._root,
            env={
                **os.environ,
                "PYTHONPATH": "src",
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        self._wire.request(
            "context/recordEvent",
            {
                "type": "shell_exec",
                "content": {
                    "command": self._scenario.command,
                    "exitCode": done.returncode,
                    "stdout": done.stdout[-LONGEST_OUTPUT:],
                    "stderr": done.stderr[-LONGEST_OUTPUT:],
                    "durationMs": round((time.perf_counter() - started) * 1000),
                },
            },
        )
        return done.returncode

    def ask(self) -> Mapping[str, Any]:
        """Ask the question of the scenario."""
        return self._wire.assemble(self._scenario.question, maxTokens=BUDGET)


@contextmanager
def sitting(root: Path, scenario: Scenario) -> Iterator[Sitting]:
    """Start a server on ``root``, and end it as an editor does."""
    wire = Wire()
    try:
        wire.initialize(root)
        wire.ready()
        yield Sitting(wire, root, scenario)
        wire.end()
    finally:
        wire.kill()


def play(root: Path, scenario: Scenario) -> Mapping[str, Any]:
    """Play all sittings; the answer to the question of the last."""
    for change in scenario.earlier:
        with sitting(root, scenario) as each:
            each.open(scenario.file)
            each.edit(scenario.file, change)
            expect(each.run() != 0, f"the test passes although {scenario.file} was broken")
            each.edit(scenario.file, Change(change.new, change.old))
            expect(each.run() == 0, f"the test fails although {scenario.file} was mended")
    with sitting(root, scenario) as last:
        last.open(scenario.test_file)
        last.open(scenario.file)
        last.edit(scenario.file, scenario.now)
        expect(last.run() != 0, f"the test passes although {scenario.file} was broken")
        return last.ask()


def expect(held: bool, message: str) -> None:
    """Stop when the repository is not what the scenario was written for."""
    if not held:
        raise SystemExit(message)


def findings(context: Mapping[str, Any], scenario: Scenario) -> dict[str, bool]:
    """What the prompt has to hold, and whether it does."""
    content: str = context["content"]
    components = context["components"]
    broken = scenario.now.new.strip().splitlines()[-1].strip()
    code = [each["source"] for each in components if each["type"] == "semantic"]
    patterns = "\n".join(each["content"] for each in components if each["type"] == "pattern")
    test_name = Path(scenario.test_file).name
    return {
        "at most 3,000 tokens": context["tokenCount"] <= BUDGET,
        "the failing command": scenario.command in content,
        "the error with its line": bool(re.search(re.escape(test_name) + r"\D{1,3}\d+", content))
        and "Error" in content,
        "the edit that broke it": bool(re.search(r"^\+\s*" + re.escape(broken), content, re.MULTILINE)),
        "the test": any(source.startswith(scenario.test_file) for source in code),
        "the code under test": any(source.startswith(scenario.file) for source in code) and broken in content,
        "the habit of earlier sittings": scenario.file in patterns or scenario.command in patterns,
    }


def main() -> int:
    """Play the scenario on a copy of a checkout."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path, help="a clone, with history, of the scenario's repository")
    parser.add_argument("--scenario", type=Path, default=SCENARIO)
    arguments = parser.parse_args()
    scenario = load(arguments.scenario)
    with tempfile.TemporaryDirectory(prefix="contextls-sitting-") as folder:
        os.environ["CONTEXTLS_HOME"] = str(Path(folder) / "home")
        root = Path(folder) / arguments.checkout.resolve().name
        shutil.copytree(arguments.checkout, root, symlinks=True)
        context = play(root, scenario)
    print(context["content"])
    found = findings(context, scenario)
    print(f"\n{context['tokenCount']} of {BUDGET} tokens")
    for name, held in found.items():
        print(f"{'yes' if held else 'NO ':4}{name}")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())

"""A sitting at the editor, played through a real server on a real repository: and what its prompt knew of the work.

usage: python -m benchmarks.sitting CHECKOUT [--scenario own/sitting.json] [--way editor --way run --way hook]

CHECKOUT is a clone, with history, of the repository that the scenario names; it is copied first. Earlier sittings break
a function, run its test, mend it and run the test again. The last one breaks it once more, runs the test and asks. What is
run is recorded as users do it: by the editor's terminal, by ``contextls run``, by the shell hook; each way is a play of its
own. Prints the prompts, and what of the following they hold: the failing command, the error with its line (no shell
sees what its commands print), the edit that broke it, the test, the code under test, and the habit seen in the earlier
sittings. Exit status 1 when something is missing.
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
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.terminals import Terminal
from tests.protocol.wire import Wire

SCENARIO = Path(__file__).with_name("own") / "sitting.json"
BUDGET = 3000
MAX_OUTPUT_CHARS = 20_000


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


ENVIRONMENT = {
    "PYTHONPATH": "src",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
CONTEXTLS = (sys.executable, "-I", "-m", "contextls")


class WayOfRecording(ABC):
    """A terminal whose commands are recorded in one of the ways that people have."""

    sees_output = True

    def __init__(self, root: Path, wire: Wire) -> None:
        """``wire`` leads to the server of the sitting."""
        self.root = root
        self.wire = wire

    @abstractmethod
    def run(self, command: str) -> int:
        """Run a command line; its exit code, once it is recorded."""

    def close(self) -> None:
        """Let go of what runs."""
        return


class EditorTerminal(WayOfRecording):
    """The terminal of an editor that reports what ran in it, with what it printed."""

    def run(self, command: str) -> int:
        """Run it, and report it as the editor does."""
        started = time.perf_counter()
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        content = {
            "command": command,
            "exitCode": done.returncode,
            "stdout": done.stdout[-MAX_OUTPUT_CHARS:],
            "stderr": done.stderr[-MAX_OUTPUT_CHARS:],
            "durationMs": round((time.perf_counter() - started) * 1000),
        }
        self.wire.request("context/recordEvent", {"type": "shell_exec", "content": content})
        return done.returncode


class RecordedRun(WayOfRecording):
    """Another terminal, in which tests are run with ``contextls run``."""

    def run(self, command: str) -> int:
        """Run it in a process of its own, which records it."""
        arguments = [*CONTEXTLS, "run", "--root", str(self.root), "--", *shlex.split(command)]
        done = subprocess.run(
            arguments, cwd=self.root, env=_environment(), capture_output=True, text=True, check=False
        )
        if "not recorded" in done.stderr:
            raise SystemExit(done.stderr)
        return done.returncode


class HookedShell(WayOfRecording):
    """An interactive shell with the hook, which does not see what commands print."""

    sees_output = False

    def __init__(self, root: Path, wire: Wire) -> None:
        """Start the shell."""
        super().__init__(root, wire)
        script = root.parent / "hook.bash"
        hook = subprocess.run([*CONTEXTLS, "hook", "bash"], capture_output=True, text=True, check=True)
        script.write_text(hook.stdout)
        self._shell = Terminal("bash", root, _environment())
        self._shell.type(f" source '{script}'; echo ho''oked", "hooked")

    def run(self, command: str) -> int:
        """Type it, and wait until the hook has told of it."""
        before = self._newest()
        self._shell.type(command, "")
        deadline = time.monotonic() + 60
        while (told := self._newest()) == before or told is None:
            if time.monotonic() > deadline:
                raise SystemExit(f"the hook did not record {command!r}")
            time.sleep(0.05)
        return int(told["content"]["exitCode"])

    def close(self) -> None:
        """End the shell."""
        self._shell.close()

    def _newest(self) -> Any:  # noqa: ANN401 - an event as it is on the wire
        params = {"limit": 1, "filters": {"eventTypes": ["shell_exec"]}}
        return next(iter(self.wire.request("context/events", params)["events"]), None)


WAYS: Mapping[str, type[WayOfRecording]] = {"editor": EditorTerminal, "run": RecordedRun, "hook": HookedShell}


def _environment() -> dict[str, str]:
    """That of a terminal in which ``python`` is the one with pytest."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, **ENVIRONMENT, "PATH": path}


class Sitting:
    """One run of an editor: a server process, a terminal, and what the person at them does."""

    def __init__(self, wire: Wire, root: Path, terminal: WayOfRecording) -> None:
        self._wire = wire
        self._root = root
        self._terminal = terminal
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

    def run(self, command: str) -> int:
        """Run a command in the terminal; its exit code."""
        return self._terminal.run(command)

    def ask(self, question: str, budget: int = BUDGET) -> Mapping[str, Any]:
        """Ask for a prompt."""
        return self._wire.assemble(question, maxTokens=budget)


@contextmanager
def sitting(root: Path, way: str) -> Iterator[Sitting]:
    """Start a server and a terminal on ``root``, and end them as an editor does."""
    wire = Wire()
    try:
        wire.initialize(root)
        wire.ready()
        terminal = WAYS[way](root, wire)
        try:
            yield Sitting(wire, root, terminal)
        finally:
            terminal.close()
        wire.end()
    finally:
        wire.kill()


def play(root: Path, scenario: Scenario, way: str) -> Mapping[str, Any]:
    """Play all sittings, what runs in them recorded in one ``way``; the answer to the question of the last."""
    for change in scenario.earlier:
        with sitting(root, way) as each:
            each.open(scenario.file)
            each.edit(scenario.file, change)
            expect(each.run(scenario.command) != 0, f"the test passes although {scenario.file} was broken")
            each.edit(scenario.file, Change(change.new, change.old))
            expect(each.run(scenario.command) == 0, f"the test fails although {scenario.file} was mended")
    with sitting(root, way) as last:
        last.open(scenario.test_file)
        last.open(scenario.file)
        last.edit(scenario.file, scenario.now)
        expect(last.run(scenario.command) != 0, f"the test passes although {scenario.file} was broken")
        return last.ask(scenario.question)


def expect(held: bool, message: str) -> None:
    """Stop when the repository is not what the scenario was written for."""
    if not held:
        raise SystemExit(message)


def findings(context: Mapping[str, Any], scenario: Scenario, way: str) -> dict[str, bool]:
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
        "the error with its line": not WAYS[way].sees_output
        or (bool(re.search(re.escape(test_name) + r"\D{1,3}\d+", content)) and "Error" in content),
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
    parser.add_argument(
        "--way", choices=tuple(WAYS), action="append", help="how it is recorded; all ways without it"
    )
    arguments = parser.parse_args()
    held = [_report(arguments.checkout, load(arguments.scenario), way) for way in arguments.way or WAYS]
    return 0 if all(held) else 1


def _report(checkout: Path, scenario: Scenario, way: str) -> bool:
    """Play one way on a copy; print the prompt and what it holds; whether that is everything."""
    with tempfile.TemporaryDirectory(prefix="contextls-sitting-") as folder:
        os.environ["CONTEXTLS_HOME"] = str(Path(folder) / "home")
        root = Path(folder) / checkout.resolve().name
        shutil.copytree(checkout, root, symlinks=True)
        context = play(root, scenario, way)
    found = findings(context, scenario, way)
    print(f"# Recorded by {way}\n\n{context['content']}\n\n{context['tokenCount']} of {BUDGET} tokens")
    for name, held in found.items():
        print(f"{'yes' if held else 'NO ':4}{name}")
    return all(found.values())


if __name__ == "__main__":
    raise SystemExit(main())

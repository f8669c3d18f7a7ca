"""Sources of installed packages: what they offer is in prompts, and nothing that they do keeps a prompt from being made."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "tests" / "golden" / "fixtures" / "library"
EXAMPLE = ROOT / "tests" / "example_source"
QUESTION = "how is the fine for a late book worked out?"
TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
STRANGE = f"""
import time
from contextls import Piece

def fail(question):
    raise ValueError("the tracker said {TOKEN}")

def leave(question):
    raise SystemExit(3)

def hang(question):
    time.sleep(60)

def lie(question):
    return ["no piece"]

def leak(question):
    return [Piece("a letter", "the token is {TOKEN} and nothing else")]

def peep(question):
    return [Piece("notes", "of an ignored file", path="private/notes.md"), Piece("up", "x", path="../up")]

def flood(question):
    yield Piece("a library", "fine late book " * 100_000, relevance=9.0)
    while True:
        yield Piece("one more", "fine late book " * 20, relevance=9.0)

def name(question):
    return [Piece("` ## Title\\n```", "```\\n## Not a heading\\n")]

broken = 5
"""


def install(environment: Path, package: str, sources: Mapping[str, str], module: Path | str) -> None:
    """Put a module and what an installer writes beside it into a folder of packages."""
    environment.mkdir(exist_ok=True)
    name = package.replace("-", "_")
    if isinstance(module, Path):
        shutil.copy(module, environment)
    else:
        (environment / f"{name}.py").write_text(module, "utf-8")
    info = environment / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", "utf-8")
    lines = [f"{source} = {target}" for source, target in sources.items()]
    (info / "entry_points.txt").write_text("\n".join(["[contextls.sources]", *lines, ""]), "utf-8")


class Place:
    """A workspace and an environment of packages of its own."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "library"
        self.packages = folder / "packages"
        self.home = folder / "home"
        self.home.mkdir()
        shutil.copytree(LIBRARY, self.workspace)

    def run(self, *arguments: str) -> str:
        """What a command prints in the workspace, in this environment."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "contextls.cli.main", *arguments],
            cwd=self.workspace,
            env={**os.environ, "PYTHONPATH": str(self.packages), "CONTEXTLS_HOME": str(self.home)},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def ask(self) -> dict[str, Any]:
        """The context for the question about fines."""
        context: dict[str, Any] = json.loads(self.run("assemble", QUESTION, "--budget", "2000", "--json"))
        assert context["tokenCount"] <= 2000
        assert "def fine_of" in context["content"], "the workspace answers whatever a source does"
        return context

    def add(self, *names: str) -> None:
        """Install the package whose sources misbehave."""
        install(self.packages, "strange", {name: f"strange:{name}" for name in names}, STRANGE)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_example_offers_its_tickets(place: Place) -> None:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    sources = project["entry-points"]["contextls.sources"]
    install(place.packages, project["name"], sources, EXAMPLE / "contextls_tickets.py")
    context = place.ask()
    assert "## From Installed Packages\n\n### `LIB-12` (`tickets`)\n" in context["content"]
    assert "LIB-7" not in context["content"]
    (ticket,) = (each for each in context["components"] if each["type"] == "package")
    assert (ticket["source"], ticket["title"]) == ("tickets:1", "LIB-12")
    assert ticket["why"] == "shares words with the question"
    assert context["report"]["stepMs"]["packages"] > 0
    assert "tickets of the package contextls-tickets" in place.run("doctor")
    (place.home / "settings.toml").write_text("packageSources = []\n", "utf-8")
    assert "LIB-12" not in place.ask()["content"]
    assert "tickets of the package contextls-tickets, turned off" in place.run("doctor")


def test_one_that_fails_hangs_or_lies_is_a_warning(place: Place) -> None:
    place.add("fail", "leave", "hang", "lie", "broken")
    started = time.monotonic()
    warnings = place.ask()["report"]["warnings"]
    assert time.monotonic() - started < 50, "it waits for none"
    assert [line.replace("[redacted:github-token]", "…") for line in warnings] == [
        "source broken: TypeError: 'int' object is not callable",
        "source fail: ValueError: the tracker said …",
        "source hang: it gave no answer within 1 s",
        "source leave: SystemExit: 3",
        "source lie: TypeError: it gave str in place of Piece",
    ]
    told = place.run("doctor")
    assert "broken of the package strange: strange:broken is no function" in told


def test_what_they_offer_passes_the_gate_and_breaks_out_of_nothing(place: Place) -> None:
    place.add("leak", "peep", "name")
    (place.workspace / ".gitignore").write_text("private/\n", "utf-8")
    content = place.ask()["content"]
    assert "ghp_" not in content
    assert "the token is [redacted:" in content
    assert "of an ignored file" not in content
    assert "### up" not in content
    assert "````text\n```\n## Not a heading\n````" in content, "what is in the fence cannot end it"


def test_one_that_gives_without_end_has_a_fifth_where_the_workspace_has_more_to_say(place: Place) -> None:
    for number in range(12):
        copy = place.workspace / "library" / f"fines_of_{number}.py"
        copy.write_text(
            (place.workspace / "library" / "fines.py")
            .read_text("utf-8")
            .replace("fine_of", f"fine_of_{number}")
        )
    place.add("flood")
    context = place.ask()
    given = [each for each in context["components"] if each["type"] == "package"]
    assert 0 < sum(each["tokens"] for each in given) <= 400
    assert "flood:1" in {each["source"] for each in context["report"]["omitted"]}, (
        "it is larger than the room"
    )


def test_nothing_of_a_workspace_becomes_a_source(place: Place) -> None:
    install(place.workspace, "strange", {"leak": "strange:leak"}, STRANGE)
    assert "package" not in {each["type"] for each in place.ask()["components"]}

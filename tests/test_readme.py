"""The README says what is true: its settings, its commands, its links."""

from __future__ import annotations

import hashlib
import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

from contextls.cli.main import run
from contextls.models.embedders.static import WEIGHTS

ROOT = Path(__file__).parents[1]
DOCUMENTS = (
    "README.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "editors/README.md",
    "editors/neovim/README.md",
    "editors/vscode/README.md",
    "grammars/README.md",
    "tests/editors/vscode/README.md",
    "tools/README.md",
    *(f"docs/{document.name}" for document in sorted((ROOT / "docs").glob("*.md"))),
)
BEGINS_ITEM = re.compile(r" *(?:[-*] |\d+\. )")


def test_the_prompt_and_the_settings_are_what_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "tools/update_readme.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_command_in_the_table_exists(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"^\| `contextls ([\w-]+)", readme, re.MULTILINE))
    assert commands >= {"assemble", "search", "index", "record", "events", "status", "clear", "serve"}
    for command in commands:
        assert run([command, "--help"]) == 0, command
        assert f"contextls {command}" in capsys.readouterr().out


def test_the_model_card_describes_the_table_that_is_shipped() -> None:
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert digest in (ROOT / "docs/embedder.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    document = ROOT / name
    text = re.sub(r"^````.*?^````", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{name} links to {target}"


def test_the_code_map_names_what_is_there_and_leaves_out_no_package() -> None:
    """Packages may be left out where none that stands beside them is named: those around them stand for them."""
    package = ROOT / "server/contextls"
    rows = re.findall(r"^\| (`[^|]+`) \|", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.MULTILINE)
    named = {name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+/)`", row)}
    assert [name for name in named if not ((package / name).is_dir() or (ROOT / name).is_dir())] == []
    told_apart = {Path(name).parent for name in named}
    there = {path.parent.relative_to(package) for path in package.glob("*/**/__init__.py")}
    assert [path for path in there if path.parent in told_apart and path.as_posix() not in named] == []


def test_the_modules_of_editors_that_are_named_are_there() -> None:
    """A row names its modules by the end of their paths."""
    there = [f"/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "editors").rglob("*")]
    rows = re.findall(r"^\| (`[^|]+`) \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    named = {name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+[./][^`]*)`", row)}
    assert "contextls-server.el" in named
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in there)] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_sentence_has_a_line_of_its_own(name: str) -> None:
    """A change to a sentence is a change to one line."""
    text = re.sub(r"^(`{3,}).*?^\1", "", (ROOT / name).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    prose = re.compile(r"^ *(?:[-*] |\d+\. )?(?![-*] |\d+\. |[#|<>!]|\[.*\]: )\S")
    lines = text.split("\n")
    broken = [
        line
        for line, following in itertools.pairwise(lines)
        if prose.match(line)
        and re.match(r" *[\w`(\[*\"“]", following)
        and not BEGINS_ITEM.match(following)
        and not re.search(r"[.!?:][\")”*_`]*$", line)
    ]
    assert broken == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_nothing_is_left_to_fill_in(name: str) -> None:
    assert "@@" not in (ROOT / name).read_text(encoding="utf-8")

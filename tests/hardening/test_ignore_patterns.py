"""Ignore patterns and path patterns made to be slow or wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ..protocol.wire import Wire, WireError
from .special_files import MAX_MEMORY, QUESTION, WORK, make_repository, run

DEEP = "/".join(["a"] * 60)
MANY = 40_000
STARS = "/**/a" * 8 + "/b"
# Names of attacks and the lines of an ignore file. None of them leaves out what the question asks for.
ATTACKS: Mapping[str, str] = {
    "range": "[z-a]\n[a\n[[:nothing:]]x\n\\",
    "folders": f"{STARS}\n" * 50,
    "stars": ("*a" * 100 + "*b\n") * 50 + "x" + "*?" * 200 + "y\n" + "*" * 4_000 + "z",
    "names": "\n".join(f"name{number}.txt" for number in range(MANY)),
    "paths": "\n".join(f"/path{number}/to/file" for number in range(MANY)),
    "endings": "\n".join(f"*.ending{number}" for number in range(MANY)),
    "globs": "\n".join(f"a*{number}*?[xyz]b" for number in range(MANY)),
    "folder globs": "\n".join(f"**/a{number}/**/b*/**/c" for number in range(MANY)),
    "brackets": "[" * 5_000 + "\n" + "[a-" * 2_000 + "]\n" + "[!-" * 1_000 + "\n" + "[[:alpha:]" * 300,
    "one line": "a" * 900_000 + "*" * 99_000,
    "backslashes": "\\" * 4_001 + "\n" + "\\*" * 2_000,
    "blanks": " " * 900_000,
    "lines": "\n" * 990_000,
    "signs": "!" * 3_000 + "\n" + "#" * 3_000 + "\n" + "!" + "/" * 3_000,
    "bytes": "\udcff\udcfe*\x00[\udc80-\udcff]\n\ufeff*\ufeff",
}  # fmt: skip


def write_lines(file: Path, lines: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(lines.encode("utf-8", "surrogateescape"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "workspace")
    (root / DEEP).mkdir(parents=True)
    for folder in (DEEP, "/".join(["a"] * 30)):
        for name in ("c.py", "a" * 250, "ab" * 120):
            (root / folder / name).write_text("x = 1\n")
    return root


def index_and_ask(root: Path, home: Path) -> None:
    for arguments in (("index",), ("assemble", QUESTION)):
        outcome = run(root, *arguments, home=home)
        assert outcome.status == 0, f"{outcome.output}\n{outcome.errors}"
        assert "Traceback" not in outcome.errors
        assert outcome.memory < MAX_MEMORY
        assert outcome.work < WORK
    assert "invoice_total" in outcome.output


def test_all_ignore_files_at_once(
    root: Path, tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
    """Every attack in a folder of its own, one below the other, so that all are in force at the bottom."""
    record_property("attacks", len(ATTACKS))
    folder = root
    for number, lines in enumerate(ATTACKS.values()):
        write_lines(folder / (".gitignore", ".contextlsignore")[number % 2], lines)
        folder /= "a"
    write_lines(root / ".git/info/exclude", ATTACKS["globs"])
    index_and_ask(root, tmp_path / "home")


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_one_ignore_file(name: str, root: Path, tmp_path: Path) -> None:
    write_lines(root / ".gitignore", ATTACKS[name])
    index_and_ask(root, tmp_path / "home")


def test_a_bad_line_is_named(root: Path, tmp_path: Path) -> None:
    write_lines(root / ".gitignore", "README.md\n[z-a]\n[a\n")
    write_lines(root / "shop/.contextlsignore", "\n\n[[:nothing:]]\n" + ATTACKS["globs"])
    index_and_ask(root, tmp_path / "home")
    home = tmp_path / "home"
    wire = Wire(env={"CONTEXTLS_HOME": str(home)})
    try:
        wire.initialize(root, options={"ignore": ["*.md", "x\\"]})
        said = wire.ready()["warnings"]
        assert wire.end() == 0
    finally:
        wire.kill()
    assert ".gitignore: line 2: the range z-a runs backwards" in said
    assert ".gitignore: line 3: a [ without its ]; it counts for nothing" in said
    assert any(line.startswith("shop/.contextlsignore: line 3: no class of characters") for line in said)
    assert any("too many patterns with stars" in line for line in said)
    assert any(line.startswith("the setting `ignore`, line 2: a backslash at the end") for line in said)


def test_the_setting(root: Path, tmp_path: Path, start: Callable[..., Wire]) -> None:
    lines = [line for lines in ATTACKS.values() for line in lines.splitlines()[:5_000] if line.isprintable()]
    wire = start(env={"CONTEXTLS_HOME": str(tmp_path / "home")})
    wire.initialize(root, options={"ignore": lines})
    wire.request("context/countTokens", {"text": "hello"}, seconds=20)
    wire.ready(seconds=240)
    assert "invoice_total" in wire.assemble(QUESTION)["content"]
    assert wire.end() == 0


def asked_with(given: Mapping[str, Any], wire: Wire) -> str:
    """What comes of a question: ``answered``, or the field that is refused."""
    pending = wire.send("context/assemble", {"query": QUESTION, **given})
    wire.request("context/countTokens", {"text": "hello"}, seconds=20)
    refused = None
    try:
        wire.answer(pending, seconds=120)
    except WireError as error:
        refused = error
    assert refused is None or refused.code == -32602, refused
    return "answered" if refused is None else refused.message


def test_patterns_of_requests(
    root: Path, tmp_path: Path, start: Callable[..., Wire], record_property: Callable[[str, int], None]
) -> None:
    lines = [
        "[z-a]", "[a", "\\", "[[:x:]]", "**/" * 99 + "a", ("/**/a" * 60)[:300], "*a" * 149, "*?" * 149, "a" * 299, "!",
        "[" * 299, "[!" * 149, "{" * 299, "(" * 299, "(?:a|b)+" * 37, "a{1,9999}", "\ud800", "\x00", "é*" * 100, "//", "/",
    ]  # fmt: skip
    record_property("attacks", 2 * len(lines) + 2)
    wire = start(env={"CONTEXTLS_HOME": str(tmp_path / "home")})
    wire.initialize(root)
    wire.ready()
    for line in lines:
        for given in ({"filters": {"paths": [line]}}, {"boosts": {"paths": {line: 2.0}}}):
            said = asked_with(given, wire)
            assert said == "answered" or "paths" in said
    assert "filters.paths" in asked_with({"filters": {"paths": ["src/", "[z-a]"]}}, wire)
    asked_with({"filters": {"paths": [("/**/a" * 60)[: 200 + number] for number in range(100)]}}, wire)
    refused = asked_with({"filters": {"paths": ["x"] * MANY}}, wire)
    assert "at most 100" in refused
    assert json.dumps(wire.assemble(QUESTION)).count("invoice_total")
    assert wire.end() == 0

"""What is wrong in the files of a working set is shown in every editor: at its place, until it is mended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .wire import Json, Wire

METHOD = "textDocument/publishDiagnostics"
NAME = ".context/working-set.yml"


def put(root: Path, name: str, text: str) -> None:
    file = root / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def told(wire: Wire, name: str, wanted: Callable[[list[Json]], bool]) -> list[Json]:
    """Wait for diagnostics of a file that are ``wanted``, and are the newest when they come."""
    uri = wire.uri(name)
    message = wire.wait(
        lambda each: (
            each.get("method") == METHOD
            and each["params"]["uri"] == uri
            and wanted(each["params"]["diagnostics"])
        )
    )
    diagnostics: list[Json] = message["params"]["diagnostics"]
    wire.received.remove(message)
    return diagnostics


def marked(text: str, diagnostic: Json, encoding: str = "utf-16-le") -> str:
    """The text that a diagnostic marks, as an editor finds it."""
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    assert start["line"] == end["line"]
    width = 2 if encoding == "utf-16-le" else 1
    raw = text.split("\n")[start["line"]].encode(encoding)
    found: bytes = raw[start["character"] * width : end["character"] * width]
    return found.decode(encoding)


def has(*codes: str) -> Callable[[list[Json]], bool]:
    return lambda found: [each["code"] for each in found] == list(codes)


def test_a_fault_is_shown_while_one_types_and_gone_once_it_is_mended(wire: Wire, workspace: Path) -> None:
    put(workspace, NAME, "files:\n  - README.md\n")
    uri = wire.open(NAME, language="yaml")
    text = "files:\n  - {path: 'README.md', priority: '🦜', role: boss} # 🦜\n  - gone.py\n"
    wire.change(uri, {"text": text})
    high, role, gone = told(wire, NAME, has("value", "value", "missing"))
    assert (marked(text, high), high["severity"], high["source"]) == ("'🦜'", 1, "contextls")
    assert high["message"] == "priority: expected a number from 0 to 1"
    assert marked(text, role) == "boss"
    assert (marked(text, gone), gone["severity"]) == ("gone.py", 2)
    assert gone["message"] == "gone.py: no such file"
    wire.change(uri, {"text": "files:\n  - README.md\n"}, version=3)
    assert told(wire, NAME, has()) == []
    wire.change(uri, {"text": "files:\n  - README.md\n - shop\n"}, version=4)
    (syntax,) = told(wire, NAME, has("syntax"))
    assert syntax["range"]["start"]["line"] == 2
    wire.close(uri)
    assert told(wire, NAME, has()) == [], "what is on disk is right"


def test_a_file_that_nobody_opened_is_checked_too_and_after_it_was_deleted_nothing_is_wrong(
    wire: Wire, workspace: Path
) -> None:
    put(workspace, NAME, "budget:\n  max_tokens: many\nexclude:\n  - nowhere\n")
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": wire.uri(NAME), "type": 1}]})
    value, nowhere = told(wire, NAME, has("value", "missing"))
    assert (value["severity"], nowhere["severity"]) == (1, 3)
    (workspace / NAME).unlink()
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": wire.uri(NAME), "type": 3}]})
    assert told(wire, NAME, has()) == []


def test_what_another_program_writes_into_a_file_that_nobody_opened_is_checked(
    wire: Wire, workspace: Path
) -> None:
    put(workspace, NAME, "files: [gone.py]\n")  # nobody tells the server
    told(wire, NAME, has("missing"))
    put(workspace, NAME, "files: [README.md]\n")
    assert told(wire, NAME, has()) == []


def test_what_the_server_says_itself_is_no_problem_that_it_hears_of(wire: Wire, workspace: Path) -> None:
    put(workspace, NAME, "files:\n  - gone.py\n")
    uri = wire.open(NAME, language="yaml")
    found = told(wire, NAME, has("missing"))
    wire.request("context/didChangeDiagnostics", {"uri": uri, "diagnostics": found})
    place = {"textDocument": {"uri": uri}, "range": found[0]["range"], "context": {"diagnostics": found}}
    wire.request("textDocument/codeAction", place)
    kinds = [each["type"] for each in wire.request("context/events", {"limit": 50})["events"]]
    assert "error" not in kinds
    assert "diagnostic" not in kinds
    wire.close(uri)


def test_an_included_file_has_its_faults_at_its_own_places(wire: Wire, workspace: Path) -> None:
    put(workspace, "team/set.yml", "files:\n  - {path: README.md, max_lines: none}\n")
    put(workspace, NAME, "include:\n  - ../team/set.yml\n  - gone.yml\nfiles: ['src/*.zig']\n")
    uri = wire.open(NAME, language="yaml")
    include, pattern = told(wire, NAME, has("include", "missing"))
    assert (include["range"]["start"]["line"], pattern["range"]["start"]["line"]) == (2, 3)
    (lines,) = told(wire, "team/set.yml", has("value"))
    assert lines["message"] == "max_lines: expected a whole number, 1 or more"
    team = wire.open("team/set.yml", language="yaml")
    wire.change(team, {"text": "files: [README.md]\n"})
    assert told(wire, "team/set.yml", has()) == []
    wire.change(team, {"text": "include: ../.context/working-set.yml\n"}, version=3)
    (cycle,) = told(wire, "team/set.yml", has("include"))
    assert "includes itself by way of team/set.yml" in cycle["message"]
    wire.change(uri, {"text": "files: []\n"})
    assert told(wire, "team/set.yml", has()) == [], "it is no part of the working set any more"
    wire.close(uri)
    wire.close(team)


def test_hot_and_cold_lists_are_checked_like_the_rest(wire: Wire, workspace: Path) -> None:
    put(workspace, ".context/hot.yml", "- ../outside.py\n")
    uri = wire.open(".context/hot.yml", language="yaml")
    (fault,) = told(wire, ".context/hot.yml", has("target"))
    assert "lies outside of the workspace" in fault["message"]
    wire.change(uri, {"text": ""})
    assert told(wire, ".context/hot.yml", has()) == []
    wire.close(uri)


def test_a_bomb_and_a_flood_of_brackets_are_one_fault_each(wire: Wire, workspace: Path) -> None:
    put(workspace, NAME, "")
    uri = wire.open(NAME, language="yaml")
    bomb = "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n"
    for version, text in enumerate((bomb, "files: " + "[" * 5_000, "x: \0\n", "- a\n"), start=2):
        wire.change(uri, {"text": text}, version=version)
        (fault,) = told(wire, NAME, has("syntax"))
        assert len(fault["message"]) < 300
    wire.close(uri)


def test_an_editor_that_counts_in_bytes_gets_bytes(start: Callable[..., Wire], workspace: Path) -> None:
    wire: Any = start()
    wire.initialize(workspace, capabilities={"general": {"positionEncodings": ["utf-8"]}})
    text = "files:\n  - {path: ünï.py, role: böss}\n"
    put(workspace, NAME, text)
    wire.open(NAME, language="yaml")
    (fault,) = told(wire, NAME, has("value"))
    assert marked(text, fault, "utf-8") == "böss"
    assert wire.end() == 0

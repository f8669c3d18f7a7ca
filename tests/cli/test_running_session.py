"""Commands beside a running server: it answers, with what they would have said themselves, and they load no engine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contextls.agents.sockets import ask_running
from contextls.asking import SearchQuestion, answer_key, decode_question, encode_question
from contextls.cli.client import Client
from contextls.settings import Settings

KELVIN = "how is kelvin converted?"
_LOADED = re.compile(r"^import time:.*\| +(\S+).*\n", re.MULTILINE)


class Said:
    """What a command printed, what it noted, and whether it did the work itself."""

    def __init__(
        self, *words: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None
    ) -> None:
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "contextls.cli.main", *map(str, words)],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        self.status = done.returncode
        self.text = done.stdout
        self.notes = _LOADED.sub("", done.stderr)
        self.loaded = set(_LOADED.findall(done.stderr))
        self.was_alone = "contextls.engine" in self.loaded


@pytest.fixture(scope="module")
def root(shared_workspace: Path) -> Path:
    return shared_workspace


def _answer(folder: Path, **header: object) -> dict[str, Any] | None:
    asks, given = encode_question(SearchQuestion(query=KELVIN, here=str(folder)))
    known = {"asks": asks, "root": str(folder), "as": answer_key(Settings()), "index": False}
    return ask_running({**known, **header}, given)


def _without_figures(notes: str) -> str:
    return re.sub(r'\d+ ms|"ms": [\d.]+', "", notes)


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    "words",
    [
        ("assemble", KELVIN, "--budget", "1000"),
        ("assemble", "what does this do?", "--file", "app/mail.py", "--line", "7"),
        ("assemble", "letters", "--scope", "app", "--report", "yaml"),
        ("search", "deliver a letter"),
        ("search", KELVIN, "--limit", "1", "--json"),
    ],
)
def test_the_answer_is_what_the_command_would_have_said_itself(
    words: tuple[str, ...], root: Path, tmp_path: Path
) -> None:
    own_home = {"CONTEXTLS_HOME": str(tmp_path)}
    Said("index", env=own_home, cwd=root)
    beside, alone = Said(*words, cwd=root), Said(*words, cwd=root, env=own_home)
    assert (beside.was_alone, alone.was_alone) == (False, True)
    assert not beside.loaded & {"numpy", "sqlite3", "lancedb", "asyncio"}
    assert beside.status == alone.status == 0, beside.notes
    assert _without_figures(beside.text) == _without_figures(alone.text) != ""
    assert _without_figures(beside.notes) == _without_figures(alone.notes)


@pytest.mark.usefixtures("server")
def test_a_file_that_was_written_just_now_is_in_the_answer(root: Path) -> None:
    new = root / "app/rankine.py"
    new.write_text("def rankine_from_kelvin(kelvin: float) -> float:\n    return kelvin * 1.8\n")
    try:
        said = Said("search", "rankine_from_kelvin", root)
    finally:
        new.unlink()
    assert not said.was_alone
    assert "app/rankine.py:1-2" in said.text


def test_what_an_editor_has_not_saved_is_not_what_a_command_speaks_of(server: Client, root: Path) -> None:
    uri = (root / "app/mail.py").as_uri()
    text = (root / "app/mail.py").read_text().replace("deliver", "forward")
    opened = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    server.notify("textDocument/didOpen", {"textDocument": opened})
    server.request("context/status", {})
    beside = Said("search", "put a letter into the box", root)
    server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    server.request("context/status", {})
    assert beside.was_alone
    assert "def deliver" in beside.text
    assert not Said("search", "put a letter into the box", root).was_alone


@pytest.mark.parametrize(
    ("raw", "shown", "is_saved"),
    [
        (b"\xef\xbb\xbfUNIT = 'K'\n", "UNIT = 'K'\n", True),
        (b"UNIT = 'K'\r\n", "UNIT = 'K'\n", True),
        (b"UNIT = '\xb0C'\n", "UNIT = '°C'\n", True),
        (b"UNIT = '\xb0C'\n", "UNIT = '\ufffdC'\n", True),  # what an editor cannot decode was not typed
        ("UNIT = '°C'\n".encode("utf-16"), "UNIT = '°C'\n", True),
        (b"UNIT = 'K'\n", "UNIT = 'K'", False),
    ],
    ids=["mark", "line ends", "Latin-1", "Latin-1 taken for UTF-8", "UTF-16", "typed"],
)
def test_an_open_file_is_unsaved_where_its_text_is_another_and_not_its_bytes(
    server: Client, root: Path, raw: bytes, shown: str, is_saved: bool
) -> None:
    path = root / "app/unit.py"
    path.write_bytes(raw)
    uri = path.as_uri()
    opened = {"uri": uri, "languageId": "python", "version": 1, "text": shown}
    server.notify("textDocument/didOpen", {"textDocument": opened})
    server.request("context/status", {})
    try:
        assert (_answer(root) is not None) is is_saved
    finally:
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        path.unlink()
        server.request("context/status", {})


@pytest.mark.usefixtures("server")
def test_a_command_whose_settings_differ_goes_by_its_own(root: Path, contextls_home: Path) -> None:
    settings = contextls_home / "settings.toml"
    settings.write_text("maxTokens = 333\n")
    try:
        said = Said("assemble", KELVIN, root)
    finally:
        settings.unlink()
    assert said.was_alone
    assert "of 333 tokens" in said.notes


@pytest.mark.usefixtures("server")
def test_what_does_not_matter_to_an_answer_may_differ(root: Path) -> None:
    assert _answer(root) is not None
    assert _answer(root, **{"as": answer_key(Settings(watch=False, unrecorded=("file_read",)))}) is not None
    for other in (Settings(max_tokens=500), Settings(ignore=("app/",)), Settings(tokenizer="cl100k_base")):
        assert _answer(root, **{"as": answer_key(other)}) is None
    assert _answer(root, **{"as": answer_key(Settings()) | {"version": "0.0.1"}}) is None


@pytest.mark.usefixtures("server")
def test_a_folder_of_the_workspace_is_a_workspace_of_its_own(root: Path) -> None:
    assert _answer(root / "app") is None


@pytest.mark.usefixtures("server")
def test_what_is_wrong_with_a_question_is_said_as_always(root: Path) -> None:
    said = Said("assemble", KELVIN, root, "--archetype", "poetry")
    assert said.status == 2
    assert "--archetype: expected one of" in said.notes


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    "header", [{"asks": "everything"}, {"asks": None}, {"as": None}, {"root": 5}, {"root": ""}]
)
def test_a_message_that_makes_no_sense_costs_the_server_nothing(root: Path, header: dict[str, Any]) -> None:
    answer = _answer(root, **header)
    assert answer is None or "result" not in answer
    assert _answer(root) is not None


def test_a_server_that_says_nothing_is_not_waited_for(server: Client, root: Path) -> None:
    server._process.send_signal(signal.SIGSTOP)
    try:
        said = Said("search", KELVIN, root)
    finally:
        server._process.send_signal(signal.SIGCONT)
    assert said.was_alone
    assert "celsius_from_kelvin" in said.text
    assert said.notes == ""


def test_a_question_is_read_as_it_was_written() -> None:
    question = SearchQuestion(query="kelvin", here="/", limit=3, scope=())
    assert decode_question(*encode_question(question)) == question

"""Faults in the user's file of settings, as an editor's user is told of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from .wire import Wire

SERVE = (sys.executable, "-m", "contextls.cli.main", "serve")
NOTE = {"type": "note", "content": {"text": "a thought"}}


def start_with(start: Callable[..., Wire], home: Path, workspace: Path, text: str, **options: object) -> Wire:
    """A server of a user with these settings, on an indexed workspace."""
    home.mkdir()
    (home / "settings.toml").write_text(text)
    wire = start(*SERVE, env={"CONTEXTLS_HOME": str(home)})
    wire.initialize(workspace, options=options)
    wire.ready()
    return wire


def shown(wire: Wire) -> list[str]:
    return [each["message"] for each in wire.calls("window/showMessage")]


def test_all_faults_are_told_in_one_message_and_the_rest_holds(
    start: Callable[..., Wire], workspace: Path, tmp_path: Path
) -> None:
    text = (
        'maxTokens = "many"\nmaxtoken = 5\nembedder = "onyx"\nmemoryPaused = true\nignore = ["README.md"]\n'
        'identityPermissions = ["guest=cod"]\n'
    )
    wire = start_with(start, tmp_path / "home", workspace, text)
    assert wire.request("context/recordEvent", NOTE)["reason"] == "switched off"
    assert wire.request("context/status")["files"] == 3
    (message,) = shown(wire)
    assert message.startswith(
        f"{tmp_path / 'home/settings.toml'}: 4 faults: "
        "(1) maxTokens: expected a whole number, got 'many'; 4000 is used "
        "(2) maxtoken: expected the name of a setting (did you mean maxTokens?) "
        "(3) embedder: expected one of static, onnx, openai, got 'onyx'; \"static\" is used "
        "(4) identityPermissions: expected entries such as reviewer=code:src/**"
    )
    assert message.endswith("questions are refused until it is put right")
    assert wire.end() == 0


def test_a_file_that_is_no_toml_is_told_and_pauses_memory(
    start: Callable[..., Wire], workspace: Path, tmp_path: Path
) -> None:
    wire = start_with(start, tmp_path / "home", workspace, "memoryPaused = \n", maxTokens=60, watch="on")
    assert wire.request("context/recordEvent", NOTE)["reason"] == "switched off"
    assert wire.assemble("how is the discount computed?")["tokenCount"] <= 60
    from_file, from_client = shown(wire)
    assert from_file.startswith(f"{tmp_path / 'home/settings.toml'}: expected TOML (")
    assert from_file.endswith(
        "none of its settings holds; until it is put right, nothing is recorded and nothing old is deleted"
    )
    assert from_client == "contextls.watch: expected true or false, got 'on'; true is used"
    assert wire.end() == 0


def test_a_file_without_faults_is_not_told_of(
    start: Callable[..., Wire], workspace: Path, tmp_path: Path
) -> None:
    wire = start_with(start, tmp_path / "home", workspace, "maxTokens = 60\n")
    assert wire.assemble("how is the discount computed?")["tokenCount"] <= 60
    assert shown(wire) == []
    assert wire.end() == 0

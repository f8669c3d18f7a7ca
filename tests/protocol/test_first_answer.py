"""What an editor waits for: ``initialize`` is answered before the server is loaded, as the server would answer it."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from contextls import __version__
from contextls.errors import InvalidRequestError
from contextls.lsp.client import Client, read_client
from contextls.lsp.initialize_result import initialize_result

from .wire import Json, Wire, WireError

Start = Callable[..., Wire]
TOOL = Path(__file__).parents[2] / "tools" / "protocol_capabilities.py"
capabilities_of: Callable[[types.ClientCapabilities], dict[str, Any]] = runpy.run_path(str(TOOL))[
    "capabilities_of"
]
# Writes what is loaded when the first byte of an answer leaves the process.
WATCHED = """
import sys
from contextls.cli.main import main
from contextls.lsp import start, transport

write = transport._write

def watched(message, output):
    write(message, output)
    sys.stderr.write("loaded: " + " ".join(sorted(sys.modules)) + "\\n")

transport._write = watched
"""
HEAVY = {
    "typer",
    "lsprotocol",
    "pygls",
    "cattrs",
    "attrs",
    "attr",
    "numpy",
    "lancedb",
    "pyarrow",
    "tree_sitter",
    "rich",
}
OURS_LATER = (
    "contextls.engine",
    "contextls.live",
    "contextls.model",
    "contextls.requests",
    "contextls.lsp.server",
)
ENCODINGS = st.lists(st.sampled_from(["utf-8", "utf-16", "utf-32", "utf-7"]), max_size=3)


@pytest.mark.parametrize(
    "begin",
    [
        "start.serve_stdio()",
        "sys.argv[1:] = ['serve']; main()",
        "sys.argv[1:] = ['serve', '--stdio']; main()",
    ],
)
def test_it_is_answered_before_the_server_is_loaded(start: Start, workspace: Path, begin: str) -> None:
    wire = start(sys.executable, "-c", WATCHED + begin)
    wire.initialize(workspace)
    loaded = set(wire.wait_for_log("loaded: ").partition("loaded: ")[2].partition("\n")[0].split())
    assert "contextls.lsp.opening" in loaded
    assert not loaded & HEAVY
    assert not [name for name in loaded if name.startswith(OURS_LATER)]
    assert wire.ready()["root"] == str(workspace)


@given(ENCODINGS | st.none(), st.none() | st.booleans(), st.booleans())
def test_every_client_is_told_what_pygls_makes_of_the_registered_features(
    encodings: list[str] | None, renames: bool | None, notebooks: bool
) -> None:
    capabilities: dict[str, Json] = {}
    if encodings is not None:
        capabilities["general"] = {"positionEncodings": encodings}
    if renames is not None:
        capabilities["workspace"] = {"fileOperations": {"didRename": renames}}
    known = types.ClientCapabilities(
        general=None if encodings is None else types.GeneralClientCapabilities(position_encodings=encodings),
        workspace=types.WorkspaceClientCapabilities(
            file_operations=types.FileOperationClientCapabilities(did_rename=renames)
        ),
        notebook_document=types.NotebookDocumentClientCapabilities(
            types.NotebookDocumentSyncClientCapabilities()
        )
        if notebooks
        else None,
    )
    told = initialize_result(read_client({"capabilities": capabilities}))["capabilities"]
    assert told["experimental"]["contextls"].pop("version") == __version__
    assert told == capabilities_of(known)


@pytest.fixture(scope="module")
def refused() -> Iterator[Wire]:
    """A server that is asked to initialize in ever new wrong ways, and does it in the end."""
    wire = Wire()
    yield wire
    assert wire.initialize()["serverInfo"]["name"] == "contextls"
    status = wire.end()
    wire.kill()
    assert status == 0


@pytest.mark.parametrize(
    ("params", "field"),
    [
        (None, "params"),
        ({}, "capabilities"),
        ({"capabilities": 5}, "capabilities"),
        ({"capabilities": {"window": 5}}, "capabilities.window"),
        (
            {"capabilities": {"workspace": {"didChangeWatchedFiles": 1}}},
            "capabilities.workspace.didChangeWatchedFiles",
        ),
        (
            {"capabilities": {"general": {"positionEncodings": "utf-8"}}},
            "capabilities.general.positionEncodings",
        ),
        ({"capabilities": {}, "trace": "loud"}, "trace"),
        ({"capabilities": {}, "processId": "12"}, "processId"),
        ({"capabilities": {}, "rootUri": 5}, "rootUri"),
        ({"capabilities": {}, "workspaceFolders": [{"name": "shop"}]}, "workspaceFolders[0].uri"),
    ],
)
def test_what_is_wrong_is_named_and_the_client_may_try_again(refused: Wire, params: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        refused.request("initialize", params)
    assert caught.value.code == -32602
    assert caught.value.message.startswith(f"initialize: {field}: expected ")


def test_what_a_client_says_of_things_that_the_server_does_not_do_may_be_anything(start: Start) -> None:
    wire = start()
    answer = wire.initialize(capabilities={"textDocument": {"hover": 7}, "notebookDocument": "no", "new": []})
    assert answer["serverInfo"]["name"] == "contextls"


NAMES = (
    *("capabilities", "processId", "rootUri", "rootPath", "trace", "workspaceFolders", "uri", "experimental"),
    *("general", "positionEncodings", "workspace", "window", "textDocument", "codeAction", "contextls"),
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=20,
)


@given(ANYTHING)
def test_any_initialize_parameters_are_read_or_refused_by_name(params: Json) -> None:
    with suppress(InvalidRequestError):
        assert isinstance(read_client(params), Client)


def test_what_comes_with_it_in_one_go_is_answered_in_order(start: Start, workspace: Path) -> None:
    wire = start()
    folders = [{"uri": workspace.as_uri(), "name": "shop"}]
    asked: list[dict[str, Json]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "workspaceFolders": folders}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "context/status"},
        {"id": 3, "method": "initialize", "params": {"capabilities": {}}},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in asked]
    wire.put(b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies))
    assert wire.answer(1)["serverInfo"]["name"] == "contextls"
    assert wire.answer(2)["root"] == str(workspace)
    with pytest.raises(WireError, match="initialized already"):
        wire.answer(3)
    assert wire.end() == 0


@pytest.mark.parametrize("sent", [b"", b"Content-Length: 900\r\n\r\n{"])
def test_a_client_that_leaves_without_a_message_costs_nothing(start: Start, sent: bytes) -> None:
    wire = start(sys.executable, "-X", "importtime", "-m", "contextls.lsp")
    wire.put(sent)
    wire.close_input()
    assert wire.process.wait(60) == 1
    log = wire.whole_log()
    assert "Traceback" not in log
    assert "pygls" not in log

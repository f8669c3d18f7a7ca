"""The protocol's types, imported as the server imports them."""

from __future__ import annotations

import subprocess
import sys

OBJECTS = """
from lsprotocol.types import *

place = Position(line=1, character=2)
params = InitializeParams(
    capabilities=ClientCapabilities(general=GeneralClientCapabilities(position_encodings=["utf-8"])),
    workspace_folders=[WorkspaceFolder(uri="file:///shop", name="shop")],
)
print(place, Location("file:///a.py", Range(place, place)), params, InitializedParams(), sep="\\n")
print(place == Position(1, 2), params == params, TextDocumentIdentifier("a") == TextDocumentIdentifier("b"))
print(WorkspaceFolder("a", "b") == WorkspaceFolder("a", "b") != TextDocumentIdentifier("a"))
"""
REFUSED = """
from lsprotocol.types import *

for wrong in (
    lambda: TextDocumentIdentifier(),
    lambda: TextDocumentIdentifier("a", "b"),
    lambda: TextDocumentIdentifier(name="a"),
    lambda: TextDocumentIdentifier(1),
    lambda: setattr(TextDocumentIdentifier("a"), "uri", 1),
    lambda: setattr(TextDocumentIdentifier("a"), "name", 1),
    lambda: Position(-1, 0),
    lambda: {TextDocumentIdentifier("a"): 1},
):
    try:
        wrong()
    except (AttributeError, TypeError, ValueError) as error:
        print(type(error).__name__, error)
"""
QUICKLY = "from contextls.lsp.quick_import import import_protocol_types\nimport_protocol_types()\n"


def printed(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_they_print_and_compare_as_they_always_do() -> None:
    assert printed(QUICKLY + OBJECTS) == printed(OBJECTS) != ""


def test_they_refuse_what_they_always_refuse() -> None:
    refusals = printed(QUICKLY + REFUSED)
    assert refusals == printed(REFUSED)
    assert refusals.count("Error") >= 8


def test_classes_that_are_made_later_are_made_as_always() -> None:
    program = "import attrs\nbefore = attrs.define\n" + QUICKLY + "print(attrs.define is before)"
    assert printed(program).strip() == "True"

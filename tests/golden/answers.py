"""An answer as text: the prompt as it is, the rest as the JSON of the wire without what differs from run to run."""

from __future__ import annotations

import difflib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from contextls.model import AssembledTurn, Context
from contextls.wire import to_wire

FOLDER = Path(__file__).parent / "prompts"
HINT = "python -m pytest tests/golden --update-golden"
# Scores are sums of floats whose last digits a processor may round in its own way; ranks tell the rest.
SCORE_DIGITS = 2


def normalised(context: Context, root: Path) -> tuple[str, str]:
    """The prompt and the JSON of everything else.

    Folders of this run, milliseconds and the generated id are replaced, and a component's text that stands in the
    prompt word for word: its count of tokens tells the rest. A text of several lines becomes a list of
    lines, and an object of single values stands on one line, so that a difference can be read.
    """
    folders = {str(root): "<root>", os.environ["CONTEXTLS_HOME"]: "<home>"}

    def plain(value: Any, name: str = "") -> Any:  # noqa: ANN401 - JSON
        if isinstance(value, dict):
            return {key: plain(each, "ms" if name == "stepMs" else key) for key, each in value.items()}
        if isinstance(value, list):
            return [plain(each) for each in value]
        if name in ("ms", "assemblyTimeMs"):
            return 0
        if name == "relevanceScore":
            return round(value, SCORE_DIGITS)
        if not isinstance(value, str):
            return value
        for folder, mark in folders.items():
            value = value.replace(folder, mark)
        return value.split("\n") if "\n" in value and name != "prompt" else value

    wire = to_wire(context)
    whole = wire.pop("content")
    wire["report"].pop("assembly")  # an account of what the rest says
    wire["id"] = "<id>"
    if isinstance(context, AssembledTurn):
        whole = _messages(wire)
    else:
        # What was retrieved says again what components and omissions say.
        layers = [layer for layer in wire["report"].pop("layers") if layer["layer"] != "memory"]
        wire["report"] |= {"layers": layers} if layers else {}
    for component in wire["components"]:
        for name in ("content", "body"):
            if component[name] and component[name].strip("\n") in whole:
                component[name] = "<in the prompt>"
    prompt = plain(whole, "prompt")
    return prompt + "\n", _laid_out(plain(wire)) + "\n"


def _messages(wire: dict[str, Any]) -> str:
    """The messages of a turn, each under its role, taken out of the rest."""
    messages = (*wire["history"], wire["currentMessage"])
    said = [("system", wire.pop("systemPrompt"))]
    said += [(message["role"], message.pop("content")) for message in messages]
    return "\n\n".join(f"[{role}]\n{text}" for role, text in said if text)


def _laid_out(value: Any, indent: str = "") -> str:  # noqa: ANN401 - JSON
    deeper = f"{indent} "
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"{deeper}{_laid_out(each, deeper)}" for each in value) + f"\n{indent}]"
    if isinstance(value, dict) and any(isinstance(each, dict | list) and each for each in value.values()):
        pairs = (f"{deeper}{json.dumps(key)}: {_laid_out(each, deeper)}" for key, each in value.items())
        return "{\n" + ",\n".join(pairs) + f"\n{indent}}}"
    return json.dumps(value, ensure_ascii=False)


def check(name: str, context: Context, root: Path, *, update: bool) -> None:
    """Compare an answer with what is kept under ``name``, or keep it."""
    problems: list[str] = []
    for text, suffix in zip(normalised(context, root), (".md", ".json"), strict=True):
        file = FOLDER / f"{name}{suffix}"
        if update:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
            continue
        kept = file.read_bytes().decode() if file.exists() else ""
        if kept != text:
            lines = kept.split("\n"), text.split("\n")
            problems += difflib.unified_diff(*lines, f"kept/{file.name}", f"now/{file.name}", lineterm="")
    if problems:
        pytest.fail(
            "\n".join([f"the answer differs; if that is meant: {HINT}", "", *problems]), pytrace=False
        )


def kept_files() -> set[str]:
    """The names of the files that are kept."""
    return {path.name for path in FOLDER.iterdir()} if FOLDER.exists() else set()

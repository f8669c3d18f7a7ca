"""The VS Code extension's manifest says what is true of the server and of itself."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from contextls import __version__

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "editors" / "vscode"


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return read


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    read: dict[str, str] = json.loads((EXTENSION / "package.nls.json").read_text("utf-8"))
    return read


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generator", ROOT / "tools" / "update_vscode_settings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_setting_of_the_server_can_be_set(manifest: dict[str, Any], texts: dict[str, str]) -> None:
    properties, descriptions = generator().server_settings()
    offered = generator().settings_in(manifest["contributes"]["configuration"])
    assert {key: value for key, value in offered.items() if key in properties} == properties, (
        "run: python tools/update_vscode_settings.py"
    )
    assert texts.items() >= descriptions.items()
    others = {key for key in offered if key not in properties}
    # What only the extension reads is in groups, which it keeps from the server.
    assert all(key.count(".") == 1 for key in others), others


def test_settings_stand_in_titled_groups_with_the_most_wanted_first(
    manifest: dict[str, Any], texts: dict[str, str]
) -> None:
    groups = manifest["contributes"]["configuration"]
    assert groups == generator().grouped(generator().settings_in(groups)), (
        "run: python tools/update_vscode_settings.py"
    )
    titles = [texts[group["title"].strip("%")] for group in groups]
    assert titles[:2] == ["Prompts", "Memory"]
    assert len(set(titles)) == len(titles) > 5
    assert next(iter(groups[0]["properties"])) == "contextls.maxTokens"


def test_what_names_programs_or_endpoints_never_comes_from_a_workspace(manifest: dict[str, Any]) -> None:
    offered = generator().settings_in(manifest["contributes"]["configuration"])
    dangerous = [
        key
        for key in offered
        if re.search(r"embedder|indexUri|summarizer|packageSources|server\.(path|python)", key)
    ]
    assert len(dangerous) > 10
    assert {offered[key]["scope"] for key in dangerous} == {"machine"}


def test_every_text_is_localisable_and_none_is_left_over(
    manifest: dict[str, Any], texts: dict[str, str]
) -> None:
    assert set(re.findall(r'"%([^%"]+)%"', json.dumps(manifest))) == set(texts)
    given = manifest["contributes"]
    named = [*given["commands"], *given.get("submenus", ())]
    named += [view for views in given.get("views", {}).values() for view in views]
    for each in named:
        label = each.get("title") or each.get("label") or each.get("name")
        assert label.startswith("%"), label


def test_commands_come_under_one_prefix(manifest: dict[str, Any]) -> None:
    assert {each["category"] for each in manifest["contributes"]["commands"]} == {"contextls"}


def test_extension_and_server_have_one_version(manifest: dict[str, Any]) -> None:
    assert manifest["version"] == __version__

"""The keys of the extension collide with none that VS Code has on another platform."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .installed import EXTENSION
from .vscode_server import ServerOptions, VSCodeServer
from .window import Window

USER_AGENTS = {
    "mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
    "windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
}


# A command that copies the default keys of whatever platform the browser says it is on.
KEYS_MANIFEST = {
    "name": "keys",
    "publisher": "test",
    "version": "1.0.0",
    "engines": {"vscode": "^1.101.0"},
    "main": "./main.js",
    "contributes": {"commands": [{"command": "keys.copy", "title": "Copy Default Keys"}]},
}
KEYS_PROGRAM = """
const vscode = require("vscode");
exports.activate = () => vscode.commands.registerCommand("keys.copy", async () => {
  const uri = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
  await vscode.env.clipboard.writeText((await vscode.workspace.openTextDocument(uri)).getText());
});
"""


@pytest.fixture(scope="module")
def server_options(tmp_path_factory: pytest.TempPathFactory) -> ServerOptions:
    keys = tmp_path_factory.mktemp("extensions") / "keys"
    keys.mkdir()
    (keys / "package.json").write_text(json.dumps(KEYS_MANIFEST), encoding="utf-8")
    (keys / "main.js").write_text(KEYS_PROGRAM, encoding="utf-8")
    return ServerOptions(folders=(keys,))


@pytest.mark.parametrize("platform", USER_AGENTS)
def test_keys_collide_with_nothing_on_other_platforms(
    platform: str, browser: Browser, vscode_server: VSCodeServer, fresh_workspace: Path
) -> None:
    context = browser.new_context(user_agent=USER_AGENTS[platform])
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    try:
        window = Window(context.new_page())
        window.page.goto(vscode_server.url(fresh_workspace))
        window.wait_until_ready()
        window.set_clipboard("before")
        window.run("Copy Default Keys")
        text = window.wait_for_clipboard('"key": ')
    finally:
        context.close()
    taken = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    assert any(binding["key"] == ("cmd+c" if platform == "mac" else "ctrl+c") for binding in taken)
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    own = [
        binding
        for binding in manifest["contributes"]["keybindings"]
        if "focusedView == contextls." not in binding["when"]
    ]
    name = "mac" if platform == "mac" else "key"
    assert {"contextls.copyForQuery", "contextls.copyForFailure"} <= {
        each["command"] for each in own if name in each
    }
    for binding in own:
        if name not in binding:
            continue
        key = binding[name]
        clashes = [
            other for other in taken if _clashes(other, key) and not other["command"].startswith("contextls.")
        ]
        assert not clashes, f"{binding['command']} takes {key}: {clashes}"


def _clashes(other: Mapping[str, str], key: str) -> bool:
    """Whether ``key`` would take a key of VS Code; its single strokes hold on where ours do not."""
    if other["key"] == key or other["key"].startswith(f"{key} "):
        return True
    when = other.get("when", "")
    elsewhere = when == "false" or "terminalFocus" in when or "workbench.panel.repl.view" in when
    return other["key"] == key.split(" ", maxsplit=1)[0] and not elsewhere

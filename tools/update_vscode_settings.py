"""Bring the server's settings in the VS Code extension's manifest up to date with their schema.

usage: python tools/update_vscode_settings.py

Writes ``editors/vscode/package.json`` and ``package.nls.json``; settings that only the extension reads stay as they are.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from contextls.schema.names import wire_name
from contextls.settings import Settings

EXTENSION = Path(__file__).parents[1] / "editors" / "vscode"
PREFIX = "contextls."
# After the extension's own in the settings editor.
FIRST_ORDER = 100
# What names a program's input, an endpoint or a key, or says whom to trust, must never come from a workspace.
MACHINE = re.compile(r"embedder|summarizer|trusted|identity|package")
_LINK = re.compile(r" \(\[[^]]+\]\([^)]+\)\)|\[([^]]+)\]\([^)]+\)")
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def server_settings() -> tuple[dict[str, Any], dict[str, str]]:
    """The properties of the manifest, and the texts that they name."""
    hints = get_type_hints(Settings)
    defaults = Settings()
    properties: dict[str, Any] = {}
    texts: dict[str, str] = {}
    for order, setting in enumerate(fields(Settings), FIRST_ORDER):
        name = wire_name(setting.name)
        hint = hints[setting.name]
        default = getattr(defaults, setting.name)
        many = isinstance(default, tuple)
        found: dict[str, Any] = {"type": "array" if many else _TYPES[hint]}
        if many:
            found |= {"items": {"type": "string"}, "uniqueItems": True}
        if setting.metadata["choices"]:
            found["enum"] = list(setting.metadata["choices"])
        if found["type"] in ("integer", "number"):
            found["minimum"] = 0
        found |= {
            "default": list(default) if many else default,
            "scope": "machine" if MACHINE.match(name) else "window",
            "order": order,
            "markdownDescription": f"%setting.{name}%",
        }
        properties[PREFIX + name] = found
        texts[f"setting.{name}"] = _LINK.sub(lambda link: link[1] or "", setting.metadata["doc"])
    return properties, texts


def main() -> None:
    """Rewrite both files in place."""
    properties, texts = server_settings()
    manifest_file, texts_file = EXTENSION / "package.json", EXTENSION / "package.nls.json"
    manifest = json.loads(manifest_file.read_text("utf-8"))
    known = manifest["contributes"]["configuration"]["properties"]
    own = {key: value for key, value in known.items() if value.get("order", 0) < FIRST_ORDER}
    manifest["contributes"]["configuration"]["properties"] = own | properties
    _write(manifest_file, manifest)
    _write(texts_file, json.loads(texts_file.read_text("utf-8")) | texts)


def _write(file: Path, content: dict[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

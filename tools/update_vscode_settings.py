"""Bring the settings in the VS Code extension's manifest up to date: the server's with their schema, all in their groups.

usage: python tools/update_vscode_settings.py

Writes ``editors/vscode/package.json`` and ``package.nls.json``; what settings that only the extension reads say stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from contextls.schema.names import wire_name
from contextls.settings import Settings, described_settings

EXTENSION = Path(__file__).parents[1] / "editors" / "vscode"
PREFIX = "contextls."
# The groups of the settings editor and what stands in each, what people look for first above the rest.
GROUPS: Mapping[str, tuple[str, Sequence[str]]] = {
    "prompts": (
        "Prompts",
        [
            "maxTokens", "taskLine", "allFolders",
            "panel.live", "chat.otherWords", "tokenizer", "packageSources",
        ],
    ),
    "memory": (
        "Memory",
        [
            "memoryPaused",
            *(f"events.{kind}" for kind in ("documents", "terminals", "tasks", "debug", "diagnostics", "git")),
            "record", "unrecorded", "readSeconds", "editSeconds",
            "eventRetentionDays", "eventMaxCount", "eventMaxBytes",
        ],
    ),
    "index": (
        "Index",
        [
            "ignore", "includeNoise", "maxFileBytes", "indexOnOpen", "indexUri", "indexPublicKey", "watch",
            "historyCommits", "workers", "parseTimeoutSeconds",
        ],
    ),
    "server": ("Server", ["server.path", "server.python", "trace.server"]),
    "conversations": (
        "Conversations and Models",
        [
            "modelLimits", "defaultModelLimit", "tokenBuffer",
            "truncationStrategy", "minimumRecentNodes", "compactionKeepTurns", "workingSetTurns",
            "conversationRetentionDays", "conversationMaxBytes",
        ],
    ),
    "trust": ("Trust", ["trustedFolders", "identityPermissions"]),
    "embedder": (
        "Search by Meaning",
        [
            "embedder", "embedderPath", "embedderEndpoint", "embedderModel",
            "embedderKeyVariable", "embedderConsent",
        ],
    ),
    "summarizer": (
        "Summaries by a Model",
        [
            "summarizerEndpoint", "summarizerModel", "summarizerKeyVariable",
            "summarizerConsent", "summarizerTimeoutSeconds", "summarizerOtherWords",
        ],
    ),
}  # fmt: skip
# What names a program's input, an endpoint or a key, or says whom to trust, must never come from a workspace.
MACHINE = re.compile(r"embedder|index[PU]|summarizer|trusted|identity|package")
_LINK = re.compile(r" \(\[[^]]+\]\([^)]+\)\)|\[([^]]+)\]\([^)]+\)")
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def server_settings() -> tuple[dict[str, Any], dict[str, str]]:
    """The server's settings as properties of the manifest, and the texts that they name."""
    defaults = Settings()
    properties: dict[str, Any] = {}
    texts: dict[str, str] = {}
    for field, (kind, setting) in described_settings().items():
        name = wire_name(field)
        default = getattr(defaults, field)
        many = isinstance(default, tuple)
        found: dict[str, Any] = {"type": "array" if many else _TYPES[kind]}
        if many:
            found |= {"items": {"type": "string"}, "uniqueItems": True}
        if setting.choices:
            found["enum"] = list(setting.choices)
        if found["type"] in ("integer", "number"):
            least, most = setting.bounds
            found |= {"minimum": least} if most is None else {"minimum": least, "maximum": most}
        found |= {
            "default": list(default) if many else default,
            "scope": "machine" if MACHINE.match(name) else "window",
            "markdownDescription": f"%setting.{name}%",
        }
        properties[name] = found
        texts[f"setting.{name}"] = _LINK.sub(lambda link: link[1] or "", setting.doc)
    return properties, texts


def grouped(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """``contributes.configuration``: these settings, by names without prefix, in their groups.

    Raises ``ValueError`` where the table of groups and the settings do not match.
    """
    placed = [name for _, names in GROUPS.values() for name in names]
    if sorted(placed) != sorted(settings):
        raise ValueError(f"in no group, or unknown, or twice: {set(placed) ^ set(settings) or placed}")
    return [
        {
            "title": f"%settings.{group}%",
            "order": order,
            "properties": {
                PREFIX + name: {**settings[name], "order": place} for place, name in enumerate(names, 1)
            },
        }
        for order, (group, (_, names)) in enumerate(GROUPS.items(), 1)
    ]


def settings_in(configuration: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The settings of all groups of a manifest, by names without prefix."""
    return {
        key.removeprefix(PREFIX): {name: value for name, value in found.items() if name != "order"}
        for group in configuration
        for key, found in group["properties"].items()
    }


def main() -> None:
    """Rewrite both files in place."""
    properties, texts = server_settings()
    manifest_file, texts_file = EXTENSION / "package.json", EXTENSION / "package.nls.json"
    manifest = json.loads(manifest_file.read_text("utf-8"))
    # The extension's own have names of two parts.
    own = {
        name: found
        for name, found in settings_in(manifest["contributes"]["configuration"]).items()
        if "." in name
    }
    manifest["contributes"]["configuration"] = grouped(own | properties)
    titles = {f"settings.{group}": title for group, (title, _) in GROUPS.items()}
    _write(manifest_file, manifest)
    _write(texts_file, json.loads(texts_file.read_text("utf-8")) | texts | titles)


def _write(file: Path, content: dict[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Commands that can be run in a workspace, in few words: scripts, make targets, test commands, configured MCP servers.

Only names are read out of its files, never commands, addresses or keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.fence import one_line
from contextls.workspace.regular_file import read_bytes

_BYTES = 1_000_000
MAX_NAME_CHARS = 60
MAX_NAMES = 40
_TARGET = compile_late(r"^([A-Za-z0-9][\w./-]*)(?:[ \t]+[\w./-]+)*[ \t]*::?(?!=)", re.MULTILINE)
_VARIABLE = compile_late(r"\$\{(?:env:|input:)?([\w-]+)\}")
_LOCKS = (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lockb", "bun"), ("bun.lock", "bun"))
# In the order in which make looks for them.
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
# A file whose presence says how tests are run; ``needs`` must stand in it where it is not empty.
_TESTS = (
    ("pytest.ini", "", "pytest"),
    ("pyproject.toml", "pytest", "pytest"),
    ("setup.cfg", "[tool:pytest]", "pytest"),
    ("tox.ini", "", "tox"),
    ("noxfile.py", "", "nox"),
    ("go.mod", "", "go test ./..."),
    ("Cargo.toml", "", "cargo test"),
    ("pom.xml", "", "mvn test"),
    ("build.gradle", "", "gradle test"),
    ("build.gradle.kts", "", "gradle test"),
    ("mix.exs", "", "mix test"),
    (".rspec", "", "rspec"),
    ("phpunit.xml", "", "phpunit"),
    ("phpunit.xml.dist", "", "phpunit"),
)
_MCP_FILES = (
    (".mcp.json", "mcpServers"),
    (".vscode/mcp.json", "servers"),
    (".cursor/mcp.json", "mcpServers"),
)


class Capability(Struct, frozen=True):
    """One thing that can be run; ``needs`` names what is missing for it."""

    name: str
    needs: str = ""


class CapabilityGroup(Struct, frozen=True):
    """Capabilities of one kind."""

    title: str
    entries: tuple[Capability, ...]


def read_capabilities(
    root: Path, shows: Callable[[str], bool], environment: Mapping[str, str]
) -> tuple[CapabilityGroup, ...]:
    """The commands that the files at the root offer, in a fixed order. None is run, and ignored files are not opened."""
    files = _Files(root, shows)
    groups = [*_scripts(files), *_make_targets(files), *_tests(files), *_servers(files, environment)]
    return tuple(group for group in groups if group.entries)


class _Files:
    """The small files at the root of a workspace, each read once."""

    def __init__(self, root: Path, shows: Callable[[str], bool]) -> None:
        self._root = root
        self._shows = shows
        self._known: dict[str, str | None] = {}

    def text(self, path: str) -> str | None:
        """The text of a file; ``None`` when there is none that may be read."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> str | None:
        if not self._shows(path):
            return None
        try:
            return read_bytes(self._root / path, _BYTES, within=self._root).decode("utf-8", "replace")
        except OSError:
            return None

    def table(self, path: str, name: str) -> Mapping[str, Any]:
        """An object of a file of JSON, with or without comments; empty where there is none."""
        try:
            value = json.loads(_without_comments(self.text(path) or "{}"))
        except (ValueError, RecursionError):
            return {}
        table = value.get(name) if isinstance(value, dict) else None
        return table if isinstance(table, dict) else {}


def _scripts(files: _Files) -> Iterator[CapabilityGroup]:
    scripts = files.table("package.json", "scripts")
    runner = next((runner for lock, runner in _LOCKS if files.text(lock) is not None), "npm")
    yield CapabilityGroup(f"Scripts ({runner} run)", _capabilities(scripts))


def _make_targets(files: _Files) -> Iterator[CapabilityGroup]:
    for name in MAKEFILES:
        text = files.text(name)
        if text is not None:
            yield CapabilityGroup("Make targets", _capabilities(dict.fromkeys(_TARGET.findall(text))))
            return


def _tests(files: _Files) -> Iterator[CapabilityGroup]:
    texts = ((files.text(name), needs, command) for name, needs, command in _TESTS)
    found = dict.fromkeys(command for text, needs, command in texts if text is not None and needs in text)
    yield CapabilityGroup("Tests", _capabilities(found))


def _servers(files: _Files, environment: Mapping[str, str]) -> Iterator[CapabilityGroup]:
    found: dict[str, Capability] = {}
    for path, field in _MCP_FILES:
        for name, server in files.table(path, field).items():
            found.setdefault(name, Capability(_short(name), _missing(server, environment)))
    yield CapabilityGroup("MCP servers", tuple(found.values())[:MAX_NAMES])


def _missing(server: object, environment: Mapping[str, str]) -> str:
    """The first variable that a server takes from an environment where it is not."""
    given = server.get("env") if isinstance(server, dict) else None
    for name, value in (given if isinstance(given, dict) else {}).items():
        if value == "" and not environment.get(name):
            return _short(name)
        for variable in _VARIABLE.findall(value) if isinstance(value, str) else ():
            if not environment.get(variable):
                return _short(variable)
    return ""


def _capabilities(names: Mapping[str, object]) -> tuple[Capability, ...]:
    return tuple(Capability(_short(name)) for name in names)[:MAX_NAMES]


def _short(name: str) -> str:
    return one_line(name)[:MAX_NAME_CHARS]


# Every alternative matches once it has begun, to the end if need be: what is not closed costs no second look.
_STRING_OR_COMMENT = compile_late(
    r'("(?:[^"\\\n]|\\.)*"?)|//[^\n]*|/\*.*?(?:\*/|\Z)',
    re.DOTALL,
)


def _without_comments(text: str) -> str:
    """JSON without the comments and trailing commas that editors allow."""
    kept = _STRING_OR_COMMENT.sub(lambda found: found[1] or "", text)
    return re.sub(r",(\s*[}\]])", r"\1", kept)

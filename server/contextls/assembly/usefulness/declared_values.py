"""Finds where a project says which version of something it needs, and which port it listens on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from contextls.assembly.usefulness.named_chunks import chunks_of_files, source_defining
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.regex import compile_late

# The number of chunks shown.
MAX_CHUNKS = 5
# Files that say nothing but versions.
_PINS: Mapping[str, re.Pattern[str]] = {
    "node": compile_late(r"(?:^|/)\.(?:nvmrc|node-version)$"),
    "python": compile_late(r"(?:^|/)(?:\.python-version|runtime\.txt)$"),
    "ruby": compile_late(r"(?:^|/)\.ruby-version$"),
    "rust": compile_late(r"(?:^|/)rust-toolchain(?:\.toml)?$"),
    "java": compile_late(r"(?:^|/)(?:\.java-version|\.sdkmanrc)$"),
    "go": compile_late(r"(?:^|/)\.go-version$"),
    "dotnet": compile_late(r"(?:^|/)global\.json$"),
}
_ALIASES: Mapping[str, str] = {
    "node.js": "node",
    "nodejs": "node",
    "golang": "go",
    "jdk": "java",
    "jvm": "java",
    ".net": "dotnet",
    "next.js": "next",
    "postgresql": "postgres",
}
_DECLARING = compile_late(
    r"(?:^|/)(?:package\.json|pyproject\.toml|setup\.(?:cfg|py)|requirements[^/]*\.txt|Pipfile|go\.mod|Cargo\.toml|Gemfile"
    r"|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|[\w.-]+\.versions\.toml|mix\.exs|pubspec\.ya?ml|[\w.]{1,60}\.csproj"
    r"|Directory\.\w+\.props|\.tool-versions|mise\.toml|[\w.-]*Dockerfile[\w.-]*|(?:docker-)?compose[\w.-]*\.ya?ml)$"
    r"|^\.github/workflows/[^/]+$"
)
_SERVING = compile_late(
    r"(?:^|/)(?:\.?env(?:ironment)?[._-]\w+|(?:example|sample)\.env|(?:docker-)?compose[\w.-]*\.ya?ml|Procfile[\w.]*"
    r"|[\w.-]*Dockerfile[\w.-]*|(?:app|application|config|default|server|settings)[\w.-]*\.(?:ini|json|properties|toml|ya?ml))$"
)
# The containers of editors and of tests are others.
_ASIDE = compile_late(r"(?:^|/)(?:\.devcontainer|cypress|e2e|examples?|tests?)/")
_PORT = compile_late(
    r"\bport\b[\"']?[^\w\n][^\n]{0,30}?\b\d{2,5}\b|^EXPOSE[ \t]+\d|^[ \t]*-[ \t]*[\"']?(?:[\d.]{1,20}:)?\d{2,5}:\d{2,5}\b"
    r"|_PORT\b[^\w\n][^\n]{0,30}?\b\d{2,5}\b",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED = compile_late(r"port\b[^\w\n][^\n]{0,30}?\b\d{2,5}\b", re.IGNORECASE)
# Case is ignored.
_NAMED = (
    "port",
    "default_port",
    "defaultPort",
    "defaultHttpPort",
    "http_port",
    "httpPort",
    "listen_port",
    "listenPort",
    "server_port",
    "serverPort",
)


def find_versions(thing: str, snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks of manifests, images and pipelines that say which version of ``thing`` is meant."""
    name = _ALIASES.get(thing.lower(), thing.lower())
    says = re.compile(
        rf"(?<![\w-]){re.escape(name)}(?:\.js|js|[-_.]?version|[^\w\n-])[^\n]{{0,40}}?\d", re.IGNORECASE
    )
    view, pins = snapshot.view, _PINS.get(name)
    pinned = [ref for path in filter(pins.search, view.paths) for ref in view.chunks_of(path)] if pins else []
    return [*pinned, *islice(_find_saying(says, _DECLARING, snapshot), MAX_CHUNKS)]


def find_ports(snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks of settings that have a port, and those of code that define one."""
    view = snapshot.view
    found = [*islice(_find_saying(_PORT, _SERVING, snapshot), MAX_CHUNKS)]
    named = (ref for _, ref in source_defining(_NAMED, snapshot) if _NUMBERED.search(view.row(ref).text))
    return [*found, *named][:MAX_CHUNKS]


def _find_saying(says: re.Pattern[str], files: re.Pattern[str], snapshot: Snapshot) -> Iterator[ChunkRef]:
    view = snapshot.view
    for ref in chunks_of_files(files, view):
        if not _ASIDE.search(view.path(ref)) and says.search(view.row(ref).text):
            yield ref

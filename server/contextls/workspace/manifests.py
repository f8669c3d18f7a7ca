"""Package manifests: what a project is called and what it depends on, read without running anything.

One function per format behind one table; a manifest that cannot be read says nothing, whatever it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from contextls.text.gate import clean
from contextls.toml_text import parse_toml

# Larger ones are lock files or generated.
MAX_BYTES = 512 * 1024
MAX_DEPENDENCIES = 500
MAX_NAME_CHARS = 120


class Dependency(Struct, frozen=True):
    """A package that a project asks for; ``requirement`` as written, ``""`` for any version."""

    name: str
    requirement: str = ""


class PackageManifest(Struct, frozen=True):
    """One manifest. ``name`` is ``""`` where the project has none."""

    ecosystem: str  # "python", "npm", "go", "cargo", "maven", "nuget"
    name: str
    version: str
    dependencies: tuple[Dependency, ...]


def is_manifest(path: str) -> bool:
    """Whether the file at ``path`` is, by its name, a manifest that can be read here."""
    return _reader(path) is not None


def read_manifest(path: str, text: str) -> PackageManifest | None:
    """Read the manifest ``text`` of the file ``path``; ``None`` for one that cannot be read. Never raises."""
    reader = _reader(path)
    if reader is None or len(text) > MAX_BYTES:
        return None
    try:
        manifest = reader(text)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if manifest is None:
        return None
    names: dict[str, Dependency] = {}
    for item in manifest.dependencies:
        if item.name and len(item.name) <= MAX_NAME_CHARS:
            names.setdefault(item.name, item)
    kept = tuple(names.values())[:MAX_DEPENDENCIES]
    name, version = clean(manifest.name), clean(manifest.version)  # whole: half a secret is not known for one
    return PackageManifest(manifest.ecosystem, name[:MAX_NAME_CHARS], version[:MAX_NAME_CHARS], kept)


def _reader(path: str) -> Callable[[str], PackageManifest | None] | None:
    name = path.rpartition("/")[2]
    return _READERS.get(name) or _READERS.get("*" + name[name.rfind(".") :] if "." in name else "")


def _pyproject(text: str) -> PackageManifest:
    data = parse_toml(text)
    project = _table(data, "project")
    poetry = _table(data, "tool", "poetry")
    found = [_requirement(item) for item in _texts(project.get("dependencies"))]
    for group in _table(project, "optional-dependencies").values():
        found += [_requirement(item) for item in _texts(group)]
    for group in _table(data, "dependency-groups").values():
        found += [_requirement(item) for item in _texts(group)]
    found += _versions(_table(poetry, "dependencies"))
    for group in _table(poetry, "group").values():
        found += _versions(_table(group, "dependencies"))
    kept = [item for item in found if item.name.lower() != "python"]
    return PackageManifest(
        "python", _text(project, "name") or _text(poetry, "name"), _text(project, "version"), tuple(kept)
    )


def _package_json(text: str) -> PackageManifest:
    data = json.loads(text)
    found = [
        item
        for key in ("dependencies", "peerDependencies", "optionalDependencies", "devDependencies")
        for item in _versions(_table(data, key))
    ]
    return PackageManifest("npm", _text(data, "name"), _text(data, "version"), tuple(found))


def _go_mod(text: str) -> PackageManifest:
    text = re.sub(r"//.*", "", text)
    module = re.search(r"^[ \t]*+module\s+\"?([^\s\"]+)", text, re.MULTILINE)
    found = []
    for block in re.findall(r"^require\s*+\(([^()]*+)\)", text, re.MULTILINE):
        found += re.findall(r"^[ \t]*+([\w./~-]++)\s+(v\S+)", block, re.MULTILINE)
    found += re.findall(r"^require\s++([\w./~-]++)\s+(v\S+)", text, re.MULTILINE)
    return PackageManifest("go", module[1] if module else "", "", tuple(Dependency(*pair) for pair in found))


def _cargo(text: str) -> PackageManifest:
    data = parse_toml(text)
    package = _table(data, "package")
    found = _versions(_table(data, "dependencies")) + _versions(_table(data, "workspace", "dependencies"))
    for key in ("dev-dependencies", "build-dependencies"):
        found += _versions(_table(data, key))
    return PackageManifest("cargo", _text(package, "name"), _text(package, "version"), tuple(found))


def _pom(text: str) -> PackageManifest | None:
    root = _xml(text)
    if root is None or root.tag != "project":
        return None
    found = []
    for item in _all(root, "dependency"):
        group, artifact = _child(item, "groupId"), _child(item, "artifactId")
        name = f"{group}:{artifact}" if group else artifact
        found.append(Dependency(name, _child(item, "version")))
    return PackageManifest("maven", _child(root, "artifactId"), _child(root, "version"), tuple(found))


def _csproj(text: str) -> PackageManifest | None:
    root = _xml(text)
    if root is None or root.tag != "Project":
        return None
    found = [
        Dependency(item.get("Include", ""), item.get("Version", "") or _child(item, "Version"))
        for item in _all(root, "PackageReference")
    ]
    name = next((item.text or "" for key in ("PackageId", "AssemblyName") for item in _all(root, key)), "")
    version = next((item.text or "" for item in _all(root, "Version") if item.text), "")
    return PackageManifest("nuget", name.strip(), version.strip(), tuple(found))


_READERS: Mapping[str, Callable[[str], PackageManifest | None]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "go.mod": _go_mod,
    "Cargo.toml": _cargo,
    "pom.xml": _pom,
    "*.csproj": _csproj,
    "*.fsproj": _csproj,
    "*.vbproj": _csproj,
}


def _requirement(written: str) -> Dependency:
    """``httpx[http2]>=0.27; python_version > "3"`` -> name and version."""
    match = re.match(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;@]*)", written)
    return Dependency(match[1], match[2].strip()) if match else Dependency("")


def _versions(table: Mapping[str, Any]) -> list[Dependency]:
    """Names with a version or a table that has one. Addresses are left out: they may carry credentials."""
    found = []
    for name, value in table.items():
        version = value.get("version", "") if isinstance(value, dict) else value
        plain = version if isinstance(version, str) and "/" not in version and "@" not in version else ""
        found.append(Dependency(str(name), plain[:MAX_NAME_CHARS]))
    return found


def _table(data: Any, *keys: str) -> Mapping[str, Any]:  # noqa: ANN401 - parsed JSON or TOML
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _texts(value: Any) -> list[str]:  # noqa: ANN401 - parsed JSON or TOML
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) else ""


def _xml(text: str) -> Any:  # noqa: ANN401 - an element of the standard library
    """The root element, namespaces taken off; ``None`` for what is no XML, or XML that defines entities."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(text, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError):
        return None
    for item in root.iter():
        if isinstance(item.tag, str):
            item.tag = item.tag.rpartition("}")[2]
    return root


def _all(root: Any, tag: str) -> Iterator[Any]:  # noqa: ANN401 - an element of the standard library
    yield from root.iter(tag)


def _child(item: Iterable[Any], tag: str) -> str:
    return next(((child.text or "").strip() for child in item if child.tag == tag), "")

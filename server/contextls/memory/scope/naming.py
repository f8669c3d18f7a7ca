"""The folders that people mean by the entries of a scope: paths, and names of packages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.memory.scope.scope import Scope
from contextls.text.gate import clean
from contextls.workspace.dependencies import find_dependency
from contextls.workspace.manifests import is_manifest, read_manifest
from contextls.workspace.read import SourceFile, read_source
from contextls.workspace.roots import relative

MAX_ENTRIES = 100
# A monorepo has hundreds of packages; more manifests are samples and fixtures.
MAX_MANIFESTS = 1_000
PACKAGE = "package:"
DEPENDENCY = "dependency:"


class NamedFolder(Struct, frozen=True):
    """A folder that a manifest gives a name."""

    name: str
    path: str


def list_packages(root: Path, paths: Iterable[str]) -> list[NamedFolder]:
    """The packages below ``root`` by name and folder: each folder of ``paths`` with a manifest that names it."""
    manifests = sorted(path for path in paths if "/" in path and is_manifest(path))[:MAX_MANIFESTS]
    found: dict[tuple[str, str], NamedFolder] = {}
    for path in manifests:
        source = read_source(root / path, within=root)
        manifest = read_manifest(path, source.text) if isinstance(source, SourceFile) else None
        if manifest is not None and manifest.name:
            folder = path.rpartition("/")[0]
            found.setdefault((manifest.name, folder), NamedFolder(manifest.name, folder))
    return sorted(found.values(), key=lambda one: (one.path, one.name))


def read_entries(root: Path, entries: Sequence[str], paths: Collection[str]) -> Scope:
    """The scope meant: folders in alphabetical order, none inside of another, and installed packages.

    Raises ``InvalidRequestError`` (field ``scope``).
    """
    if len(entries) > MAX_ENTRIES:
        raise InvalidRequestError("scope", f"at most {MAX_ENTRIES} folders or packages")
    installed = tuple(one.removeprefix(DEPENDENCY) for one in entries if one.startswith(DEPENDENCY))
    for name in installed:
        if find_dependency(root, name) is None:
            raise InvalidRequestError(
                "scope", "a package in .venv or node_modules of the workspace", f"{DEPENDENCY}{name}"
            )
    inside = [entry for entry in entries if not entry.startswith(DEPENDENCY)]
    folders = sorted({folder for entry in inside for folder in _read_entry(root, entry.strip(), paths)})
    outer = tuple(one for one in folders if not any(one.startswith(f"{other}/") for other in folders))
    return Scope(outer or None, dependencies=tuple(dict.fromkeys(installed)))


def _read_entry(root: Path, entry: str, paths: Collection[str]) -> list[str]:
    name = entry.removeprefix(PACKAGE)
    if name == entry and (folder := _folder(root, entry, paths)) is not None:
        return [folder]
    packages = list_packages(root, paths)
    meant = [one.path for one in packages if one.name == name]
    if meant:
        return meant
    known = {*(one.name for one in packages), *_folders(paths)}
    near = get_close_matches(name.strip("/"), sorted(known), n=3)
    hint = f" such as {', '.join(map(clean, near))}" if near else ""
    raise InvalidRequestError(
        "scope", f"a folder below the workspace, or the name of a package in it{hint}", entry
    )


def _folder(root: Path, entry: str, paths: Collection[str]) -> str | None:
    """The path of an existing folder or file that is not the root itself; of one that is indexed, also as it was written."""
    path = relative(root, entry) if entry and "\0" not in entry else None
    if path is None:
        return None
    if path in paths or any(known.startswith(f"{path}/") for known in paths):
        return path
    with suppress(OSError):  # longer than any name on disk
        if (root / path).is_dir():
            return path
    return None


def _folders(paths: Iterable[str]) -> set[str]:
    parents = {path.rpartition("/")[0] for path in paths}
    return {
        "/".join(parts[:depth])
        for parent in parents
        for parts in (parent.split("/"),)
        for depth in range(1, 4)
    } - {""}

"""Packages: what the manifests of a workspace declare and depend on, and which files import them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from contextls.memory.index.segments.outlines import Outline
from contextls.regex import compile_late
from contextls.text.gate import clean
from contextls.workspace.manifests import PackageManifest, is_manifest, read_manifest
from contextls.workspace.read import SourceFile, read_source

MAX_MANIFESTS = 200
_HEADS = compile_late(r"[/.:\\]+")


class Package(Struct, frozen=True):
    """A package by the name that its manifests give it. ``home`` is the one that declares it, ``""`` for a foreign one."""

    name: str
    ecosystem: str
    requirement: str
    home: str
    manifests: tuple[str, ...]  # paths, in alphabetical order

    @property
    def id(self) -> str:
        """The entity id."""
        return f"package:{self.name}"


class Packages:
    """The packages of one moment; a manifest is read again when its outline changed."""

    def __init__(self, root: Path, outlines: Mapping[str, Outline], before: Packages | None) -> None:
        self.outlines: Mapping[str, Outline] = outlines
        known: Mapping[str, tuple[Outline, PackageManifest | None]] = (
            before._read if before is not None else {}
        )
        self._read: dict[str, tuple[Outline, PackageManifest | None]] = {}
        if before is not None and before.outlines.keys() == outlines.keys():
            manifests = list(known)
        else:
            manifests = sorted(path for path in outlines if is_manifest(path))[:MAX_MANIFESTS]
        for path in manifests:
            old = known.get(path)
            same = old is not None and old[0].is_of_same_text(outlines[path])
            self._read[path] = old if same and old is not None else (outlines[path], _manifest(root, path))
        self._by_name: dict[str, Package] | None = None
        self._users: dict[str, tuple[str, ...]] | None = None

    def all(self) -> Mapping[str, Package]:
        """Every package by its case-folded name."""
        if self._by_name is None:
            found: dict[str, Package] = {}
            for path, (_, manifest) in self._read.items():
                if manifest is None:
                    continue
                kind, here = manifest.ecosystem, (path,)
                if manifest.name:
                    _add(found, Package(manifest.name, kind, manifest.version, path, here))
                for item in manifest.dependencies:
                    _add(found, Package(clean(item.name), kind, clean(item.requirement), "", here))
            self._by_name = found
        return self._by_name

    def users(self, package: Package) -> tuple[str, ...]:
        """The files that import it, in alphabetical order, by the name that stands at the head of an import."""
        if self._users is None:
            users: dict[str, dict[str, None]] = {}
            for path in sorted(self.outlines):
                for item in self.outlines[path].imports:
                    for head in _heads(item.module):
                        users.setdefault(head, {}).setdefault(path)
            self._users = {head: tuple(paths) for head, paths in users.items()}
        return self._users.get(_fold_name(package.name), ())


def _manifest(root: Path, path: str) -> PackageManifest | None:
    source = read_source(root / path, within=root)
    return read_manifest(path, source.text) if isinstance(source, SourceFile) else None


def _add(found: dict[str, Package], package: Package) -> None:
    key = package.name.lower()
    known = found.get(key)
    if known is None:
        found[key] = package
        return
    first = known if known.home or not package.home else package
    manifests = tuple(sorted({*known.manifests, *package.manifests}))
    found[key] = Package(first.name, first.ecosystem, first.requirement, first.home, manifests)


def _heads(module: str) -> list[str]:
    """The names that an import may call its package: ``@scope/name/x`` -> ``@scope/name``; ``a.b.c`` -> ``a``."""
    if module.startswith((".", "/")):
        return []
    parts = [part for part in _HEADS.split(module) if part]
    heads = {parts[0]} if parts else set()
    slashed = module.split("/")
    heads |= {"/".join(slashed[:count]) for count in (2, 3, 4) if len(slashed) >= count}
    return [_fold_name(head) for head in heads]


def _fold_name(name: str) -> str:
    return name.lower().replace("-", "_")

"""Finds the packages that a workspace has installed: in its Python environment, or in ``node_modules``.

Only what lies inside of the workspace counts, links resolved; nothing is run to find it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from contextls.regex import compile_late
from contextls.workspace.read import SourceFile, read_source
from contextls.workspace.roots import relative
from contextls.workspace.stamps import stamp_at

# Folders at the top that may be an environment; one is where this file is.
_ENVIRONMENTS = (".venv", "venv", "env")
_MARK = "pyvenv.cfg"
_NAME = compile_late(r"(?:@[\w.-]{1,100}/)?[A-Za-z_][\w.-]{0,100}")
# Entries of one folder that are looked at for the name of a distribution.
_MAX_ENTRIES = 20_000


def find_dependency(root: Path, name: str) -> str | None:
    """The folder, or the module, of an installed package, relative to ``root``; ``None`` where there is none of this name.

    ``name`` is that of the package or of what is imported; after a slash, a folder of it (``torch/nn``).
    """
    match = _NAME.match(name)
    if match is None:
        return None
    package, below = match[0], name[match.end() :].strip("/")
    for place in _places(root, package):
        path = relative(root, place / below if below else place)
        inside = relative(root, place)
        # What the package links to outside of itself is no part of it.
        if path is not None and inside is not None and (path == inside or path.startswith(f"{inside}/")):
            return path if _is_installed(path) and stamp_at(root / path) is not None else None
    return None


def _places(root: Path, name: str) -> Iterator[Path]:
    modules = root / "node_modules" / name
    if modules.is_dir():
        yield modules
    for packages in _site_packages(root):
        for module in _modules(packages, name):
            for place in (packages / module, packages / f"{module}.py"):
                if place.exists():
                    yield place


def _is_installed(path: str) -> bool:
    """A link in ``node_modules`` may lead to a package of the workspace itself, which needs no scope of its own."""
    return "node_modules" in path.split("/") or "site-packages" in path.split("/")


def _site_packages(root: Path) -> Iterator[Path]:
    for name in _ENVIRONMENTS:
        environment = root / name
        if not (environment / _MARK).is_file() or relative(root, environment) is None:
            continue
        windows = environment / "Lib" / "site-packages"
        if windows.is_dir():
            yield windows
        yield from sorted((environment / "lib").glob("python3*/site-packages"))


def _modules(packages: Path, name: str) -> Iterator[str]:
    """The modules that a name may mean: one of this name, else those of the distribution that is called so."""
    plain = name.replace("-", "_")
    yield plain
    if plain != plain.lower():
        yield plain.lower()
    folded = _fold(name)
    try:
        with os.scandir(packages) as entries:
            names = [entry.name for _, entry in zip(range(_MAX_ENTRIES), entries, strict=False)]
    except OSError:
        return
    for found in names:
        if (
            found.endswith(".dist-info")
            and _fold(found.removesuffix(".dist-info").rpartition("-")[0]) == folded
        ):
            yield from _top_level(packages / found)


def _top_level(information: Path) -> Iterator[str]:
    """The modules of a distribution, as its ``top_level.txt`` or else its list of files says."""
    for file in ("top_level.txt", "RECORD"):
        source = read_source(information / file, within=information)
        if not isinstance(source, SourceFile):
            continue
        heads = (
            re.split(r"[/,]", line, maxsplit=1)[0].removesuffix(".py") for line in source.text.splitlines()
        )
        found = [head for head in dict.fromkeys(heads) if head.isidentifier() and head != "__pycache__"]
        if found:
            yield from found
            return


def _fold(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()

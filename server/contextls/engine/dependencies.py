"""Installed packages of a workspace: read only, each with an index of its own, asked where a question wants them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from contextls import cancellation
from contextls.errors import InvalidRequestError
from contextls.memory.memories import Memories
from contextls.memory.scope.naming import DEPENDENCY
from contextls.model import AssembleRequest
from contextls.regex import compile_late
from contextls.settings import Settings
from contextls.store.locations import Locations
from contextls.workspace.dependencies import find_dependency
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import scan
from contextls.workspace.stamps import Stamp, stamp_at

if TYPE_CHECKING:
    from contextls.engine.engine import Engine

# A package with more files is refused; a folder of it can be named instead.
MAX_FILES = 1_500
# The number of packages that answer one question, and of package indexes that are kept open.
MAX_ASKED = 3
MAX_WORDS = 40
_WORD = compile_late(r"@?[A-Za-z_][\w.-]*(?:/[\w.-]+)?")


class FoundPackages(Struct, frozen=True):
    """The ``paths`` of the packages that a question draws on, and what a user should know of those that cannot answer."""

    paths: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Dependencies:
    """The installed packages of one workspace. Safe to use from any thread: one question at a time uses them."""

    def __init__(self, memories: Memories, make: Callable[[Memories], Engine]) -> None:
        """Opens nothing yet; ``make`` builds an engine on the memories of a package."""
        self._memories = memories
        self._make = make
        self._guard = threading.Lock()
        self._open: dict[str, Engine] = {}
        # How many files each package has, as it was counted when its folder had this stamp.
        self._counted: dict[str, tuple[Stamp | None, int]] = {}

    def find_packages(self, request: AssembleRequest) -> FoundPackages:
        """The packages that a request wants to draw on.

        Raises ``InvalidRequestError`` (field ``scope``) for one that the request itself names and that will not do.
        """
        warnings: list[str] = []
        if request.scope is None:
            paths = list(self._find_in_scope(warnings))
        else:
            paths = [self._find(name) for name in _package_folders(request.scope)]
        if request.dependencies:
            paths += self._find_mentioned(request.query, warnings)
        return FoundPackages(tuple(dict.fromkeys(paths))[:MAX_ASKED], tuple(warnings))

    @contextmanager
    def engines(self, paths: Sequence[str]) -> Iterator[dict[str, Engine]]:
        """Engines on these packages, indexed. Raises ``StoreError``, ``CancelledError``."""
        with self._guard:
            for path in paths:
                if path not in self._open:
                    self._open[path] = self._make(self._open_memories(path))
                self._open[path] = self._open.pop(path)  # the newest stands last
                self._open[path].index(cancel=cancellation.current())
            while len(self._open) > MAX_ASKED:
                oldest = next(iter(self._open))
                self._open.pop(oldest).close()
            yield {path: self._open[path] for path in paths}

    def wipe(self) -> None:
        """Delete every index of a package."""
        import shutil

        with self._guard:
            self._close_all()
            shutil.rmtree(self._folder(), ignore_errors=True)

    def close(self) -> None:
        """Let go of files and processes."""
        with self._guard:
            self._close_all()

    def _close_all(self) -> None:
        for engine in self._open.values():
            with suppress(Exception):
                engine.close()
        self._open.clear()

    def _find_in_scope(self, warnings: list[str]) -> Iterator[str]:
        """The packages that the scope of the workspace names; those that will not do are warned of."""
        for name in self._memories.scope.current().dependencies:
            try:
                yield self._find(name)
            except InvalidRequestError as error:
                warnings.append(f"scope: {DEPENDENCY}{name} does not answer: expected {error.expected}")

    def _find_mentioned(self, query: str, warnings: list[str]) -> Iterator[str]:
        """The packages that the words of a question name; those that will not do are warned of."""
        for word in dict.fromkeys(_WORD.findall(query)[:MAX_WORDS]):
            path = find_dependency(self._memories.root, word.rstrip("."))
            if path is None:
                continue
            try:
                yield self._check_package(path)
            except InvalidRequestError as error:
                warnings.append(f"{path} does not answer: expected {error.expected}")

    def _find(self, name: str) -> str:
        path = find_dependency(self._memories.root, name)
        if path is None:
            raise InvalidRequestError(
                "scope", "a package in .venv or node_modules of the workspace", f"{DEPENDENCY}{name}"
            )
        return self._check_package(path)

    def _check_package(self, path: str) -> str:
        root = self._memories.root / path
        if not root.is_dir():
            raise InvalidRequestError("scope", "a package that is a folder", path)
        count = self._count_files(path, root)
        if count > MAX_FILES:
            expected = f"a package of at most {MAX_FILES:,} files; name a folder of it, such as {DEPENDENCY}NAME/FOLDER"
            raise InvalidRequestError("scope", expected, f"{path} ({count:,} files)")
        return path

    def _count_files(self, path: str, root: Path) -> int:
        """The files of a package, counted again when its folder changed: the bound is a rough one, a count is not free."""
        stamp = stamp_at(root)
        known, count = self._counted.get(path, (None, 0))
        if known is None or known != stamp:
            limit = self._memories.settings.max_file_bytes
            count = len(scan(root, IgnoreRules(root), limit, cancellation.current()).files)
            self._counted[path] = stamp, count
        return count

    def _folder(self) -> Path:
        return self._memories.cache / "dependencies"

    def _open_memories(self, path: str) -> Memories:
        folder = self._folder() / blake2b(path.encode(), digest_size=8).hexdigest()
        locations = Locations(state=folder / "state", cache=folder)
        locations.create()
        return Memories(self._memories.root / path, _read_only(self._memories.settings), locations)


def _package_folders(entries: Sequence[str]) -> tuple[str, ...]:
    return tuple(one.removeprefix(DEPENDENCY) for one in entries if one.startswith(DEPENDENCY))


def _read_only(settings: Settings) -> Settings:
    """Settings for an installed package: nothing is recorded, followed or learnt."""
    return replace(
        settings, memory_paused=True, watch=False, history_commits=0, package_sources=(), workers=1
    )

"""Paths as tools print them, and the workspace's files that they mean."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from contextls.regex import compile_late
from contextls.workspace.roots import relative
from contextls.workspace.stamps import is_file

# Each path that is tried costs a look at the disk; what the first ones do not say, the rest will not.
MAX_LOOKS = 300
MAX_DEPTH = 24
_RUNTIMES = compile_late(
    r"/(?:opt|nix|rustc|usr/(?:local/)?(?:lib\w*|share|include|go|bin)|lib\w*|root/\.|go/pkg|build/)|.*/(?:site-packages|node_modules)/"
)


class PrintedPaths:
    """Finds the accepted file that a printed path means: below the command's folder, the root, or by its tail."""

    def __init__(
        self,
        root: Path,
        folder: str | None,
        accepts: Callable[[str], bool],
        known: Callable[[], Iterable[str]],
    ) -> None:
        """``folder`` is where the command ran; ``known`` lists the workspace's files and is asked at most once."""
        self._root = root
        self._folders = tuple(dict.fromkeys([root / folder, root])) if folder else (root,)
        self._accepts = accepts
        self._known = known
        self._by_name: dict[str, list[str]] | None = None
        self._looks = MAX_LOOKS

    def __call__(self, printed: str) -> str | None:
        """The workspace-relative path; ``None`` for a file elsewhere, an ignored one, or one of several."""
        path = printed.replace("\\", "/") if "\\" in printed else printed
        if self._looks <= 0 or "\0" in path:
            return None
        self._looks -= 1
        for folder in self._folders:
            inside = relative(self._root, folder / path)
            if inside is not None and is_file(self._root / inside):
                return inside if self._accepts(inside) else None
        return self._in_container(path) if path.startswith("/") else self._by_tail(path)

    def _in_container(self, path: str) -> str | None:
        """The file that an absolute path means which is none of this machine: a container has the workspace elsewhere."""
        parts = path.split("/")[1:]
        if _RUNTIMES.match(path) or len(parts) > MAX_DEPTH or os.path.lexists(path):
            return None
        for dropped in range(1, len(parts)):
            inside = "/".join(parts[dropped:])
            if is_file(self._root / inside):
                return inside if self._accepts(inside) else None
        return None

    def _by_tail(self, path: str) -> str | None:
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        if not parts:
            return None
        tail = "/" + "/".join(parts)
        found = [each for each in self._find_named(parts[-1]) if f"/{each}".endswith(tail)]
        return found[0] if len(found) == 1 and self._accepts(found[0]) else None

    def _find_named(self, name: str) -> list[str]:
        if self._by_name is None:
            self._by_name = {}
            for path in self._known():
                self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
        return self._by_name.get(name, [])

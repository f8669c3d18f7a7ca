"""Paths as tools print them, and the workspace's files that they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from contextls.workspace.roots import relative
from contextls.workspace.stamps import is_file

# Each path that is tried costs a look at the disk; what the first ones do not say, the rest will not.
MAX_LOOKS = 300


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
        return None if path.startswith("/") else self._by_tail(path)

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

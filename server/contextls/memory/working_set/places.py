"""Files of a working set on disk and in editors, read only where the workspace allows it."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

from contextls.text.gate import clean
from contextls.text.notebook import text_of_file
from contextls.workspace.read import Unreadable, read_source
from contextls.workspace.roots import relative
from contextls.workspace.size_limit import most_bytes
from contextls.workspace.stamps import Stamp, explain_missing, find_denial, stamp_at

_REASONS = {
    "security": "left out because such files hold secrets or the name is one itself",
    "settings": "ignored by the settings",
    "contextlsignore": "ignored by .contextlsignore",
    "gitignore": "ignored by git",
    "noise": "left out as noise, such as dependencies and build output; a line in .contextlsignore takes it back",
}


Refuses = Callable[[str, bool], str | None]


class PlaceLookup(Struct, frozen=True):
    """One look at many places at one moment: what is found out about folders on the way counts for all of them.

    Belongs to one thread. ``refuses`` says why a path is ignored; ``plain`` which folders are no links, nor below one.
    """

    refuses: Refuses
    plain: dict[str, bool] = field(default_factory=dict)


class Places:
    """Reads the paths of a working set."""

    def __init__(self, root: Path, refuses: Refuses, max_file_bytes: int) -> None:
        """``refuses`` says why a path (of a folder where True) is ignored."""
        self._root = root
        self._prefix = f"{str(root).rstrip(os.sep)}{os.sep}"
        self._refuses = refuses
        self._max_file_bytes = max_file_bytes
        self._overlays: dict[str, str] = {}
        self._guard = threading.Lock()

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved text of ``path`` wins over the disk until ``None`` takes it away."""
        with self._guard:
            if text is None:
                self._overlays.pop(path, None)
            else:
                self._overlays[path] = text

    def is_file(self, path: str) -> bool:
        """Whether there is a file of this name inside the workspace."""
        return self._is(path, stat.S_ISREG) and relative(self._root, path) == path

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name inside the workspace."""
        return self._is(path, stat.S_ISDIR) and relative(self._root, path) == path

    def is_there(self, path: str) -> bool:
        """Whether there is a file or a folder of this name inside the workspace."""
        return self.is_file(path) or self.is_folder(path)

    def is_missing(self, path: str) -> bool:
        """Whether there is nothing at ``path``; no where that cannot be found out."""
        return self.stamp(path) is None and find_denial(self._prefix + path) is None

    def include_problem(self, path: str) -> str | None:
        """The reason why the file must not be read as a part of the working set; one that git ignores may be."""
        inside = relative(self._root, path)
        if inside != path:
            return "leads outside of the workspace" if inside is None else f"leads to {inside}"
        reason = self._refuses(path, False)  # noqa: FBT003 - any callable
        return _REASONS["security"] if reason == "security" else None

    def stamp(self, path: str) -> Stamp | None:
        """A stamp that differs once what lies at ``path`` does; ``None`` where nothing lies."""
        return stamp_at(self._prefix + path)

    def unsaved(self, path: str) -> str | None:
        """The unsaved text of ``path``, with its secrets."""
        with self._guard:
            return self._overlays.get(path)

    def problem(self, path: str, *, folder: bool, look: PlaceLookup | None = None) -> str | None:
        """The reason why the file or folder may not be read; ``None`` when it may."""
        unsaved = not folder and self.unsaved(path) is not None
        stamp = self.stamp(path)
        if not unsaved and stamp is None:
            # By far the cheapest question comes first.
            return explain_missing(self._prefix + path, "folder" if folder else "file")
        look = look or PlaceLookup(self._refuses)
        inside = path if self._is_plain(path, stamp, look) else relative(self._root, path)
        if inside is None:
            return "leads outside of the workspace"
        if inside != path:
            return f"leads to {inside}"
        reason = look.refuses(path, folder)
        if reason is not None:
            return _REASONS.get(reason, f"ignored ({reason})")
        if folder:
            return None if self._is(path, stat.S_ISDIR) else "no such folder"
        return None if unsaved else self._file_problem(path)

    def text(self, path: str) -> str:
        """The text of a file, unsaved or on disk, without secrets. Raises ``ValueError`` that says why there is none."""
        problem = self.problem(path, folder=False)
        if problem is not None:
            raise ValueError(problem)
        unsaved = self.unsaved(path)
        if unsaved is not None:
            return clean(text_of_file(path, unsaved))
        source = read_source(self._root / path, within=self._root)
        if isinstance(source, Unreadable):
            raise ValueError(source.reason)
        return clean(source.text)

    def _is_plain(self, path: str, stamp: Stamp | None, look: PlaceLookup) -> bool:
        """Whether neither the file nor a folder above it is a link."""
        if stamp is None or stat.S_ISLNK(stamp.mode):
            return False
        above = path.rpartition("/")[0]
        plain = look.plain.get(above)
        if plain is None:
            plain = look.plain[above] = not above or relative(self._root, above) == above
        return plain

    def _file_problem(self, path: str) -> str | None:
        stamp = self.stamp(path)
        if stamp is None or not stat.S_ISREG(stamp.mode):
            return "no such file"
        most = most_bytes(path, self._max_file_bytes)
        return f"larger than {most:,} bytes" if stamp.size > most else None

    def _is(self, path: str, kind: Callable[[int], bool]) -> bool:
        stamp = self.stamp(path)
        return stamp is not None and kind(stamp.mode)

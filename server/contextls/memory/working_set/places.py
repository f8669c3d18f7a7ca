"""Files of a working set on disk and in editors, read only where the workspace allows it."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable
from pathlib import Path

from contextls.text.redact import redact
from contextls.workspace.read import Unreadable, read_source
from contextls.workspace.roots import relative

_REASONS = {
    "security": "left out because such files hold secrets",
    "settings": "ignored by the settings",
    "contextlsignore": "ignored by .contextlsignore",
    "gitignore": "ignored by .gitignore",
    "noise": "left out because nobody reads such files",
}


class Places:
    """What can be told and read of a path that somebody wrote down."""

    def __init__(self, root: Path, refuses: Callable[[str, bool], str | None], max_file_bytes: int) -> None:
        """``refuses`` says why a path (of a folder where True) is ignored."""
        self._root = root
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
        return relative(self._root, path) == path and self._is(path, stat.S_ISREG)

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name inside the workspace."""
        return relative(self._root, path) == path and self._is(path, stat.S_ISDIR)

    def stamp(self, path: str) -> tuple[int, int, int] | None:
        """What differs once the file changes; ``None`` for what is none."""
        try:
            status = (self._root / path).lstat()
        except (OSError, ValueError):
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def problem(self, path: str, *, folder: bool) -> str | None:
        """Why the file or folder may not be read, in words; ``None`` when it may."""
        inside = relative(self._root, path)
        if inside is None:
            return "leads outside of the workspace"
        if inside != path:
            return f"leads to {inside}"
        reason = self._refuses(path, folder)
        if reason is not None:
            return _REASONS.get(reason, f"ignored ({reason})")
        if folder:
            return None if self._is(path, stat.S_ISDIR) else "no such folder"
        with self._guard:
            if path in self._overlays:
                return None
        if not self._is(path, stat.S_ISREG):
            return "no such file"
        try:
            size = (self._root / path).stat().st_size
        except OSError as error:
            return error.strerror or type(error).__name__
        return f"larger than {self._max_file_bytes:,} bytes" if size > self._max_file_bytes else None

    def text(self, path: str) -> str:
        """The text of a file, unsaved or on disk, without secrets. Raises ``ValueError`` that says why there is none."""
        problem = self.problem(path, folder=False)
        if problem is not None:
            raise ValueError(problem)
        with self._guard:
            text = self._overlays.get(path)
        if text is None:
            source = read_source(self._root / path)
            if isinstance(source, Unreadable):
                raise ValueError(source.reason)
            text = source.text
        return redact(text).text

    def _is(self, path: str, kind: Callable[[int], bool]) -> bool:
        try:
            return kind((self._root / path).lstat().st_mode)
        except (OSError, ValueError):
            return False

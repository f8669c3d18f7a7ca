"""Unsaved editor texts on their way into an engine.

Keystrokes only replace an entry here; the texts reach the engine when it is asked next, on the thread that
asks, so a burst of edits costs one update and the event loop never waits for the engine.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from contextls.text.surrogates import repair_surrogates
from contextls.workspace.read import read_plain, to_plain

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.engine import Engine


class Overlays:
    """The newest text of each open file of one workspace. Safe to use from any thread."""

    def __init__(self) -> None:
        self._texts: dict[Path, str] = {}
        self._pending: dict[Path, str | None] = {}
        self._guard = threading.Lock()
        self._applying = threading.Lock()

    def set_text(self, path: Path, text: str | None) -> None:
        """The file's text from now on; ``None`` when the disk holds the truth again."""
        with self._guard:
            if text is None:
                self._texts.pop(path, None)
            else:
                self._texts[path] = text
            self._pending[path] = text

    def resend_all(self) -> None:
        """Hand everything over again: the engine was replaced."""
        with self._guard:
            self._pending = dict(self._texts)

    def differ_from_disk(self) -> bool:
        """Whether any text is not what its file holds. Reads the files."""
        with self._guard:
            texts = dict(self._texts)
        return any(read_plain(path) != to_plain(text) for path, text in texts.items())

    def apply(self, engine: Engine) -> None:
        """Bring the engine up to date. Returns when it knows every text put before the call."""
        with self._applying:
            with self._guard:
                pending, self._pending = self._pending, {}
            try:
                for path, text in pending.items():
                    relative = engine.relative(path)
                    if relative is not None and engine.accepts(relative):
                        engine.set_overlay(relative, None if text is None else repair_surrogates(text))
            except Exception:
                with self._guard:
                    self._pending = pending | self._pending
                raise

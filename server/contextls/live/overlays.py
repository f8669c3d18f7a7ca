"""Editor texts on their way into an engine, those of them that the disk does not hold.

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


class OpenText:
    """The text that an editor shows since a file was opened, changed or saved last. Safe to use from any thread."""

    def __init__(self, path: Path, text: str, *, saved: bool) -> None:
        """Cheap: reads no file. What was ``saved`` just now the index follows by itself."""
        self.path = path
        self.text = text
        self.saved = saved
        self._is_unsaved: bool | None = None
        self._guard = threading.Lock()

    def is_unsaved(self) -> bool:
        """Whether the file held another text when this was first asked, which reads it.

        Where it held this one, the disk counts from then on, whatever git or another program makes of the file: an
        editor shows that late, or when the user comes back to it.
        """
        with self._guard:
            if self._is_unsaved is None:
                self._is_unsaved = self.differs_from_disk()
            return self._is_unsaved

    def differs_from_disk(self) -> bool:
        """Whether the file holds another text by now, however the editor reads its bytes. Reads it."""
        return read_plain(self.path, self.text) != to_plain(self.text)


class Overlays:
    """The newest text of each open file of one workspace. Safe to use from any thread."""

    def __init__(self) -> None:
        self._texts: dict[Path, OpenText] = {}
        self._pending: dict[Path, OpenText | None] = {}
        self._shown: set[Path] = set()  # whose text the engine shows in place of the file
        self._guard = threading.Lock()
        self._applying = threading.Lock()

    def set_text(self, path: Path, text: OpenText | None) -> None:
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
            self._shown.clear()

    def differ_from_disk(self) -> bool:
        """Whether any unsaved text is not what its file holds. Reads the files."""
        with self._guard:
            texts = tuple(self._texts.values())
        return any(text.is_unsaved() and text.differs_from_disk() for text in texts)

    def apply(self, engine: Engine) -> None:
        """Bring the engine up to date. Returns when it knows every text put before the call."""
        with self._applying:
            with self._guard:
                pending, self._pending = self._pending, {}
            try:
                for path, text in pending.items():
                    relative = engine.relative(path)
                    if relative is not None and engine.accepts(relative):
                        self._hand_over(engine, path, relative, text)
            except Exception:
                with self._guard:
                    self._pending = pending | self._pending
                raise

    def _hand_over(self, engine: Engine, path: Path, relative: str, text: OpenText | None) -> None:
        if text is not None and text.is_unsaved():
            engine.set_overlay(relative, repair_surrogates(text.text))
            self._shown.add(path)
        elif text is None or not text.saved or path in self._shown:
            engine.set_overlay(relative, None)
            self._shown.discard(path)

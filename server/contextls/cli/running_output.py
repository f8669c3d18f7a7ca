"""The output of a command that runs. Errors in it reach the workspace at once: a server may run all day."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from contextls.cli.both_ends import BothEnds
from contextls.cli.session import recording
from contextls.errors import ContextlsError
from contextls.model import EventType, NewEvent

# What a runner says about failures is at the end, what ran is at the beginning.
_KEPT = 64 * 1024
# A command that ends by then costs no look; one that was looked at rests for a moment.
_FIRST_LOOK, _REST = 3.0, 2.0  # seconds
# An error is complete once the command pauses; what never pauses is looked at all the same.
_PAUSE, _AT_LATEST = 1.0, 5.0
# A command that breaks in a new way all day long must not push everything else out of the memory.
_MAX_REST = 300.0
_HINTS = (b"error", b"exception", b"fail", b"fatal", b"panic", b"traceback")


class RunningOutput:
    """Keeps what a command prints, and looks for errors in it, in a thread that starts when something hints at one."""

    def __init__(self, root: Path, known: Mapping[str, Any]) -> None:
        """``known`` is the content of the command's event without its output."""
        self._root = root
        self._known = known
        self._kept: dict[str, BothEnds] = {}
        self._together = BothEnds(_KEPT)
        self._unfinished = ""
        self._changed = threading.Condition()
        self._look_at = time.monotonic() + _FIRST_LOOK
        self._printed_at = 0.0
        self._hinted_at: float | None = None
        self._has_ended = False
        self._thread: threading.Thread | None = None
        self._was_told = False
        self.is_failing = False

    def keep(self, name: str) -> Callable[[bytes], None]:
        """The function that takes what is printed to a stream, from any thread."""
        kept = self._kept[name] = BothEnds(_KEPT)

        def take(block: bytes) -> None:
            kept.add(block)
            with self._changed:
                # Streams are read by turns: no line of one begins within a line of another.
                if self._unfinished not in ("", name):
                    self._together.add(b"\n")
                self._together.add(block)
                self._unfinished = "" if block.endswith(b"\n") else name
                self._hear(block.lower())

        return take

    def texts(self) -> dict[str, str]:
        """The text that was kept of each stream; of what was told while it ran, both as they came.

        Where a command that watches files begins again on one of them, what it said on the other is over as well.
        """
        if self._was_told:
            return {"stdout": self._together.text()}
        return {name: kept.text() for name, kept in self._kept.items()}

    def end(self) -> None:
        """Look no more."""
        with self._changed:
            self._has_ended = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _hear(self, text: bytes) -> None:
        self._printed_at = time.monotonic()
        # What was told may be put right by any word.
        if self._hinted_at is not None or not (self.is_failing or any(hint in text for hint in _HINTS)):
            return
        self._hinted_at = self._printed_at
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, daemon=True)
            self._thread.start()
        self._changed.notify()

    def _look(self) -> None:
        """Tell the workspace whenever what was printed tells of other failures than before."""
        told: frozenset[str] = frozenset()
        rest = _REST
        # How the command ends is recorded in any case, and says then what is in the way.
        with contextlib.suppress(ContextlsError):
            while self._wait():
                with self._changed:
                    printed, printed_at = self._together.text(), self._printed_at
                lines = printed[: printed.rfind("\n") + 1]  # half a secret is not known as one
                event = NewEvent(EventType.SHELL_EXEC, {**self._known, "stdout": lines})
                with recording(self._root) as workspace:
                    now = workspace.record_progress(event, told)
                self._look_at = time.monotonic() + (_REST if now == told else rest)
                rest = rest if now == told else min(2 * rest, _MAX_REST)
                self._was_told |= now != told
                told = now
                with self._changed:
                    self.is_failing = bool(now)
                    if self.is_failing and self._printed_at > printed_at:
                        self._hinted_at = self._hinted_at or self._printed_at

    def _wait(self) -> bool:
        """Wait until there is something to look at; ``False`` once the command has ended."""
        with self._changed:
            while not self._has_ended:
                now = time.monotonic()
                if self._hinted_at is None:
                    self._changed.wait()
                    continue
                due = max(self._look_at, min(self._printed_at + _PAUSE, self._hinted_at + _AT_LATEST))
                if now >= due:
                    self._hinted_at = None
                    return True
                self._changed.wait(due - now)
            return False

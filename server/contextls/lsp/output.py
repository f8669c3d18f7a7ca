"""Output to the client, written by a thread of its own: one that reads slowly holds up nobody else's answer."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = "contextls-lsp-stdout"
_WRITTEN_AT_ONCE = 65_536


class QueuedWriter:
    """Writes messages in their order. ``write`` may be called from any thread and never waits."""

    def __init__(self, stream: BinaryIO, gone: Callable[[], None]) -> None:
        """``gone`` is called from the writing thread once the client has closed its end."""
        self._stream = stream
        self._gone = gone
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=_NAME, daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Queue one message."""
        self._waiting.put(data)

    def close(self) -> None:
        """Write what waits, for at most a second."""
        self._waiting.put(None)
        self._thread.join(1)

    def _run(self) -> None:
        while (data := self._waiting.get()) is not None:
            pieces, ended = self._with_followers(data)
            try:
                self._stream.write(b"".join(pieces))
                self._stream.flush()
            except (OSError, ValueError):
                self._gone()
                return
            if ended:
                return

    def _with_followers(self, first: bytes) -> tuple[list[bytes], bool]:
        """Take everything that waits, up to a bound, to be written at once; and whether it is the last."""
        pieces, size = [first], len(first)
        while size < _WRITTEN_AT_ONCE:
            try:
                data = self._waiting.get_nowait()
            except queue.Empty:
                break
            if data is None:
                return pieces, True
            pieces.append(data)
            size += len(data)
        return pieces, False

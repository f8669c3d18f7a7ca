"""A text stream that lets no secret through: what the log, tracebacks and warnings are written to."""

from __future__ import annotations

import faulthandler
import logging
import sys
from contextlib import suppress
from typing import Any, TextIO


class GatedStream:
    """Writes to ``stream`` what has passed the gate; in everything else it is that stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write ``text`` without its secrets. A secret that comes in two calls is not seen: write whole lines."""
        from contextls.text.gate import clean  # a server that has nothing to say yet is answering an editor

        self._stream.write(clean(text))
        return len(text)

    def writelines(self, lines: Any) -> None:  # noqa: ANN401 - any iterable of strings
        """Write each of ``lines``."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)


def gate_standard_error() -> None:
    """Let everything that this process writes to standard error pass the gate from now on."""
    if not isinstance(sys.stderr, GatedStream):
        sys.stderr = GatedStream(sys.stderr)


def start_log(level: str) -> None:
    """Log to standard error, without secrets: our own messages from ``level`` on, those of others from warnings on.

    A crash in native code says there which functions were at work.
    """
    with suppress(OSError, RuntimeError):  # standard error is no file, or not there
        faulthandler.enable()
    gate_standard_error()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("contextls").setLevel(level.upper())

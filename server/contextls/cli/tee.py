"""The output of a command on its way to ours."""

from __future__ import annotations

import contextlib
import os
import selectors
import threading
import time
from collections.abc import Callable
from typing import IO

from contextls.cli.output import lead_nowhere

_BLOCK = 65_536
_MOMENT = 1.0  # seconds
# Pipes cannot be waited for on Windows: there a copy ends with its source alone.
_CAN_STOP = os.name != "nt"


class Tee:
    """Copies a pipe on."""

    def __init__(self, source: IO[bytes], target: IO[bytes], keep: Callable[[bytes], None]) -> None:
        """``keep`` gets what passes."""
        self.source = source
        self.target = target
        self._keep = keep
        self._stopping, self._stop = os.pipe()
        self._is_at_end = False
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def finish(self) -> bool:
        """Copy what was printed up to now, once the command has ended; whether something that it left may print more."""
        os.close(self._stop)
        self._thread.join()
        os.close(self._stopping)
        return not self._is_at_end

    def _copy(self) -> None:
        handle, until = self.source.fileno(), 0.0
        with selectors.DefaultSelector() as waiting:
            if _CAN_STOP:
                waiting.register(handle, selectors.EVENT_READ)
                waiting.register(self._stopping, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in waiting.select()} if _CAN_STOP else {handle}
                if self._stopping in ready:
                    until = until or time.monotonic() + _MOMENT  # what is left may print for ever
                    if handle not in ready or time.monotonic() > until:
                        return
                block = os.read(handle, _BLOCK)
                if not block:
                    self._is_at_end = True
                    return
                self._keep(block)
                if not self._pass_on(block):
                    # The command hears of it at its next word, as it would without us: `yes` runs for ever otherwise.
                    self.source.close()
                    self._is_at_end = True
                    return

    def _pass_on(self, block: bytes) -> bool:
        """Write ``block`` on; ``False`` once nobody reads it."""
        try:
            with contextlib.suppress(ValueError):  # our own stream was closed when we started
                self.target.write(block)
                self.target.flush()
        except BrokenPipeError:
            lead_nowhere(self.target)
            return False
        return True

"""Signals that ask a program to end, passed on to the command that it runs; and how that ended."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NAMES = ("SIGTERM", "SIGHUP")  # what a terminal's keys send reaches the command by itself


class CommandEnd(Struct, frozen=True):
    """The end of a command: its exit status as ``wait`` gives it, and the last signal that asked it to end, if any."""

    status: int
    signal: int | None


class PassedSignals:
    """The last of them that came, Ctrl-C included, and who gets it."""

    def __init__(self) -> None:
        self.last: int | None = None
        self._send: Callable[[int], None] | None = None

    def hear(self, number: int, _frame: object) -> None:
        """Take a signal; before there is a command, it waits for one."""
        self.last = number
        if self._send is not None:
            self._send(number)

    def hear_key(self) -> None:
        """Take Ctrl-C, which the command heard as well: it decides what to do."""
        self.last = signal.SIGINT

    def pass_to(self, send: Callable[[int], None]) -> None:
        """Give ``send`` what came and what comes."""
        self._send = send
        if self.last is not None:
            send(self.last)

    def wait_for_end(self, wait: Callable[[], int]) -> CommandEnd:
        """The end of a command, for which ``wait`` waits."""
        while True:
            try:
                status = wait()
            except KeyboardInterrupt:
                self.hear_key()
            else:
                return CommandEnd(status, self.last)


@contextlib.contextmanager
def pass_on_signals() -> Iterator[PassedSignals]:
    """Pass them on instead of ending, so that the command is not left behind and how it ended is known.

    One that is ignored, as with ``nohup``, stays so. Belongs to the main thread.
    """
    passed = PassedSignals()
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    heard = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, passed.hear)
    try:
        yield passed
    finally:
        for number in heard:
            signal.signal(number, before[number])

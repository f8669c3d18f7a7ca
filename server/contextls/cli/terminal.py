"""A terminal of its own for a command, so that it behaves as if nobody listened: colours, progress, questions."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from contextls.cli.passed_signals import CommandEnd, PassedSignals, pass_on_signals

_BLOCK = 65_536
_CTRL_C = b"\x03"


def make_terminal() -> tuple[int, int] | None:
    """Our end and a command's end of a new terminal; ``None`` where an output of ours is none, or none can be made."""
    if not (hasattr(os, "openpty") and sys.stdout.isatty() and sys.stderr.isatty()):
        return None
    try:
        return os.openpty()
    except OSError:  # a sandbox without them, or all are taken
        return None


def run_in_terminal(
    command: Sequence[str],
    environment: Mapping[str, str],
    keep: Callable[[bytes], None],
    terminal: tuple[int, int],
) -> CommandEnd:
    """Run a command in a ``terminal`` of its own, joined with ours, until it has ended.

    ``keep`` gets what it prints. Where standard input is no terminal, the command reads it as it is. Raises ``OSError``
    when the command cannot be started.
    """
    ours, theirs = terminal
    # In the background nobody types, and who touched the terminal would be stopped.
    typed = sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    try:
        _copy_size(theirs)
        process = _start(command, environment, theirs, typed=typed)
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    with _following_size(ours), _raw(typed), pass_on_signals() as passed:
        passed.pass_to(process.send_signal)
        _join(ours, process, keep, passed, typed=typed)
        os.close(ours)
        return passed.wait_for_end(process.wait)


def _start(
    command: Sequence[str], environment: Mapping[str, str], theirs: int, *, typed: bool
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - the user's own words, with the user's own variables
        command,
        env=dict(environment),
        stdin=theirs if typed else None,
        stdout=theirs,
        stderr=theirs,
        # Keys such as Ctrl-C go to the process that holds the terminal.
        preexec_fn=(lambda: _take_terminal(theirs)) if typed else None,
    )


def _take_terminal(theirs: int) -> None:
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)


def _join(
    ours: int,
    process: subprocess.Popen[bytes],
    keep: Callable[[bytes], None],
    passed: PassedSignals,
    *,
    typed: bool,
) -> None:
    """Copy what is printed to our terminal and what is typed to theirs, until the command's end closes it."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(ours, selectors.EVENT_READ)
        if typed:
            waiting.register(sys.stdin.fileno(), selectors.EVENT_READ)
        while True:
            try:
                ready = waiting.select(0.2)
            except KeyboardInterrupt:
                passed.hear_key()
                continue
            for key, _ in ready:
                if key.fd != ours:
                    if not _pass_input(key.fd, ours, passed):
                        waiting.unregister(key.fd)
                elif not _pass_output(ours, keep):
                    return
            if not ready and process.poll() is not None and not _is_readable(ours):
                return  # what it left running may hold the terminal open


def _pass_input(source: int, ours: int, passed: PassedSignals) -> bool:
    """Pass on what was typed; whether more can follow."""
    block = _read(source)
    if _CTRL_C in block:
        passed.hear_key()
    if block:
        os.write(ours, block)
    return bool(block)


def _pass_output(ours: int, keep: Callable[[bytes], None]) -> bool:
    """Keep and pass on what was printed; whether more can follow."""
    block = _read(ours)
    if block:
        keep(block)
        # Our own terminal may be closed; how the command ends is recorded all the same.
        with contextlib.suppress(OSError):
            _write_all(sys.stdout.fileno(), block)
    return bool(block)


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, _BLOCK)
    except OSError:  # Linux says so when the last that held a terminal let it go
        return b""


def _write_all(handle: int, block: bytes) -> None:
    while block:
        block = block[os.write(handle, block) :]


def _is_readable(handle: int) -> bool:
    with selectors.DefaultSelector() as waiting:
        waiting.register(handle, selectors.EVENT_READ)
        return bool(waiting.select(0))


def _copy_size(terminal: int) -> None:
    import fcntl
    import termios

    with contextlib.suppress(OSError):
        size = fcntl.ioctl(sys.stdout.fileno(), termios.TIOCGWINSZ, b"\0" * 8)
        if any(struct.unpack("HHHH", size)):
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)


@contextlib.contextmanager
def _following_size(terminal: int) -> Iterator[None]:
    before = signal.signal(signal.SIGWINCH, lambda _number, _frame: _copy_size(terminal))
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)


@contextlib.contextmanager
def _raw(wanted: bool) -> Iterator[None]:
    """Let every key through, also those that mean something to a terminal; put back at the end."""
    if not wanted:
        yield
        return
    import termios
    import tty

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setraw(handle, termios.TCSADRAIN)
        yield
    finally:
        with contextlib.suppress(termios.error):  # closed meanwhile
            termios.tcsetattr(handle, termios.TCSADRAIN, before)

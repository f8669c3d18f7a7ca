"""The output of a git process within bounds of time and size: the repository that it reads may be made to never end."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import IO

_BLOCK = 65_536
_MAX_MEMORY_BYTES = (
    400_000_000  # besides what it maps of packs and the index; the history of Linux takes 150 MB
)
# Windows cannot wait for several pipes at once; there is no file there either that git would wait for.
_CAN_WAIT = sys.platform != "win32"


class EndlessOutputError(Exception):
    """git was silent for too long, took too long or printed too much; it is ended."""


def collect(
    process: subprocess.Popen[bytes], given: bytes | None, seconds: float, most: int
) -> tuple[bytes, bytes]:
    """All that a process prints on both streams when it gets ``given``; it has ended when this returns.

    Raises ``EndlessOutputError`` after ``seconds``, or after ``most`` bytes.
    """
    try:
        if not _CAN_WAIT:
            return _communicate(process, given, seconds)
        return _collect_output(process, given or b"", time.monotonic() + seconds, most)
    except EndlessOutputError:
        process.kill()
        raise
    finally:
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                _close(stream)
        process.wait()


def limit_memory(process: subprocess.Popen[bytes]) -> None:
    """Let git fail rather than keep a tree in memory that names more files than there are; only Linux can do that."""
    if sys.platform == "linux":
        import resource

        with contextlib.suppress(OSError, ValueError):  # it may have ended, or have a lower bound already
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (_MAX_MEMORY_BYTES, _MAX_MEMORY_BYTES))


def pieces(process: subprocess.Popen[bytes], silence: float, most: int) -> Iterator[bytes]:
    """The output of a process, as it comes.

    Raises ``EndlessOutputError`` when nothing comes for ``silence`` seconds, and after ``most`` bytes.
    """
    if process.stdout is None:
        return
    descriptor = process.stdout.fileno()
    with selectors.DefaultSelector() as waiting:
        if _CAN_WAIT:
            waiting.register(descriptor, selectors.EVENT_READ)
        while not _CAN_WAIT or waiting.select(silence):
            part = os.read(descriptor, _BLOCK)
            if not part:
                return
            most -= len(part)
            if most < 0:
                raise EndlessOutputError("git prints too much")
            yield part
    raise EndlessOutputError(f"git printed nothing for {silence:.0f} s")


def _collect_output(
    process: subprocess.Popen[bytes], given: bytes, deadline: float, most: int
) -> tuple[bytes, bytes]:
    printed: dict[IO[bytes] | None, list[bytes]] = {process.stdout: [], process.stderr: []}
    with selectors.DefaultSelector() as waiting:
        for stream in filter(None, printed):
            waiting.register(stream, selectors.EVENT_READ, printed[stream])
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            waiting.register(process.stdin, selectors.EVENT_WRITE)
        while waiting.get_map():
            for key in _select(waiting, deadline):
                if key.fileobj is process.stdin:
                    given = _feed(key.fd, given)
                    if not given:
                        waiting.unregister(process.stdin)
                        _close(process.stdin)
                elif part := os.read(key.fd, _BLOCK):
                    key.data.append(part)
                    most -= len(part)
                    if most < 0:
                        raise EndlessOutputError("git prints too much")
                else:
                    waiting.unregister(key.fileobj)
    try:
        process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise EndlessOutputError("git took too long") from None
    return b"".join(printed[process.stdout]), b"".join(printed[process.stderr])


def _select(waiting: selectors.BaseSelector, deadline: float) -> list[selectors.SelectorKey]:
    """The streams that something can be done with now. Raises ``EndlessOutputError`` after the ``deadline``."""
    ready = waiting.select(max(0.0, deadline - time.monotonic()))
    if time.monotonic() >= deadline:
        raise EndlessOutputError("git took too long")
    return [key for key, _ in ready]


def _feed(descriptor: int, given: bytes) -> bytes:
    """Feed the process what it takes; what is left to give, nothing when it no longer listens."""
    try:
        return given[os.write(descriptor, given[:_BLOCK]) :]
    except BlockingIOError:
        return given
    except OSError:
        return b""


def _close(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError:  # what was still to be given has no taker
        return


def _communicate(
    process: subprocess.Popen[bytes], given: bytes | None, seconds: float
) -> tuple[bytes, bytes]:
    try:
        output, errors = process.communicate(given, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise EndlessOutputError("git took too long") from None
    return output or b"", errors or b""

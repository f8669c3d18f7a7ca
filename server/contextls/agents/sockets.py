"""The sockets through which hooks and commands ask a process that has their workspace open.

Every such process listens at a socket in a folder that only the user can enter. A hook sends one line of JSON (which agent,
which event) and behind it what the agent said, a command its question, and gets one JSON object back. Loads next to nothing:
a hook does this after each tool of an agent.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from contextls.workspace.state_folders import state_folders

MAX_BYTES = 64_000_000  # files that were written come whole, before and after
_CONNECT_SECONDS = 1.0
_MAX_PATH_BYTES = 100  # bytes; systems allow 104 to 108
_BLOCK = 65_536


def own_socket() -> Path | None:
    """The socket of this process; ``None`` where the system has none in files, or the path is too long for one.

    Raises ``InvalidRequestError`` where the user chose a folder that will not do.
    """
    path = state_folders().sockets / str(os.getpid())
    return path if hasattr(socket, "AF_UNIX") and len(os.fsencode(path)) <= _MAX_PATH_BYTES else None


def ask_running(header: dict[str, Any], given: bytes, seconds: float | None = None) -> dict[str, Any] | None:
    """Ask the process that has the workspace open; ``None`` where there is none.

    It is waited for at most so many ``seconds``; without a bound as long as it takes. Raises ``InvalidRequestError`` where
    the user chose a folder that will not do.
    """
    message = json.dumps(header).encode() + b"\n" + given
    deadline = None if seconds is None else time.monotonic() + seconds
    for path in _listening():
        with suppress(OSError, ValueError):
            answer = _ask(path, message, deadline)
            if answer.get("mine"):
                return answer
    return None


def _listening() -> Iterator[str]:
    folder = str(state_folders().sockets)
    if not hasattr(socket, "AF_UNIX") or not os.path.isdir(folder):  # noqa: PTH112 - Path costs as much as all of this
        return
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208
            if name.isdecimal():
                yield os.path.join(folder, name)  # noqa: PTH118


def _ask(path: str, message: bytes, deadline: float | None) -> dict[str, Any]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_CONNECT_SECONDS)
        try:
            connection.connect(path)
        except ConnectionRefusedError:
            if not _is_alive(int(os.path.basename(path))):  # noqa: PTH119 - else it is about to listen
                os.unlink(path)  # noqa: PTH108
            raise
        connection.settimeout(_left(deadline))
        connection.sendall(message)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        while block := connection.recv(_BLOCK):
            parts.append(block)
            connection.settimeout(_left(deadline))
    answer = json.loads(b"".join(parts))
    return answer if isinstance(answer, dict) else {}


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _left(deadline: float | None) -> float | None:
    """The seconds until then. Raises ``TimeoutError`` when there are none."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left

"""Preloaded by the fork server: deletes its socket however its parent ended, and silences workers that start too late.

The parent makes a folder with the socket on which workers are requested, and deletes it when it ends normally. A server
that an editor kills cannot.

Closing a workspace while its workers start deletes the locks that they are about to open. The fork server would print that
to the user's log. Errors of a worker at work are not handled here: its pool gets them.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import stat
import sys
from pathlib import Path
from types import TracebackType

_TAKEN_AWAY = (FileNotFoundError, EOFError, ConnectionError)
_FIRST_FILES = 32  # the fork server was handed its socket when it started: its number is a small one


def _leave_quietly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not isinstance(error, _TAKEN_AWAY):
        sys.__excepthook__(kind, error, trace)


def _delete_sockets(addresses: list[Path], fork_server: int) -> None:
    """Delete the sockets and their folder, unless this is a worker, which inherits what is to be done at the end."""
    if os.getpid() != fork_server:
        return
    for address in addresses:
        with contextlib.suppress(OSError):
            address.unlink()
        with contextlib.suppress(OSError):
            address.parent.rmdir()


def _listening_at() -> list[Path]:
    """The addresses of ``multiprocessing`` among the sockets that this process was handed."""
    found = []
    for number in range(3, _FIRST_FILES):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                with socket.socket(fileno=os.dup(number)) as handed:
                    name = handed.getsockname()
                if isinstance(name, str) and Path(name).parent.name.startswith("pymp-"):
                    found.append(Path(name))
    return found


sys.excepthook = _leave_quietly
atexit.register(_delete_sockets, _listening_at(), os.getpid())

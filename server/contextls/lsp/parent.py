"""An editor that dies without a word must not leave its server behind."""

from __future__ import annotations

import asyncio
import logging
import os
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import psutil

_SECONDS = 1.0
log = logging.getLogger(__name__)


def find(pid: int | None) -> Callable[[], bool] | None:
    """What tells, whenever it is asked, whether the process ``pid`` runs; call this as soon as its number is known.

    ``None`` where that cannot be told: editor and server may live in different containers, and the end of standard input
    still ends the server.
    """
    if pid is None:
        return None
    import psutil  # not all clients say who they are

    try:
        return partial(_is_alive, psutil.Process(pid))
    except psutil.NoSuchProcess:
        # An editor is older than its server. A higher number was given elsewhere.
        if 0 < pid < os.getpid():
            return lambda: False
    except (psutil.Error, ValueError, OverflowError):
        pass
    log.info("the client's process %d cannot be seen from here and is not watched", pid)
    return None


async def watch(is_alive: Callable[[], bool], gone: Callable[[], None]) -> None:
    """Call ``gone`` once the client's process has ended."""
    while is_alive():
        await asyncio.sleep(_SECONDS)
    log.info("the client's process has ended")
    gone()


def _is_alive(process: psutil.Process) -> bool:
    import psutil

    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.AccessDenied:
        return True
    except psutil.Error:
        return False

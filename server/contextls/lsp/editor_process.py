"""Ends the server once the process of its editor has died without a word."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import psutil

_SECONDS = 1.0
log = logging.getLogger(__name__)


def find(pid: int | None) -> psutil.Process | None:
    """The process ``pid``, to be watched; call this as soon as its number is known.

    A process that cannot be seen to begin with is not watched: editor and server may live in different
    containers, and the end of standard input still ends the server.
    """
    if pid is None:
        return None
    import psutil  # not all clients say who they are

    try:
        return psutil.Process(pid)
    except (psutil.Error, ValueError, OverflowError):
        log.info("the client's process %d cannot be seen from here and is not watched", pid)
        return None


async def watch(process: psutil.Process, gone: Callable[[], None]) -> None:
    """Call ``gone`` once ``process`` has ended."""
    while _alive(process):
        await asyncio.sleep(_SECONDS)
    log.info("the client's process %d has ended", process.pid)
    gone()


def _alive(process: psutil.Process) -> bool:
    import psutil

    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.AccessDenied:
        return True
    except psutil.Error:
        return False

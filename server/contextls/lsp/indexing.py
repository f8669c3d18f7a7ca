"""Indexing in the background, with progress that a user can watch and stop."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING

from contextls.errors import CancelledError, ContextlsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine import Engine
    from contextls.lsp.first_index import Pace
    from contextls.lsp.progress import Job
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace
    from contextls.model import IndexProgress, IndexReport

_PHASES = {"scan": "Looking for files", "index": "Reading files", "store": "Storing"}
log = logging.getLogger(__name__)


async def index(server: ContextServer, workspace: Workspace, *, rebuild: bool = False) -> IndexReport:
    """Bring an index up to date, or build it anew. Raises ``CancelledError`` when a user stops it."""
    cancel = threading.Event()
    done = workspace.runs.begin()
    message = "failed; see the server's log"
    try:
        job = await server.jobs.start(f"Indexing {workspace.root.name}", cancel.set)
    except BaseException:
        done()
        raise
    try:
        report = await workspace.index(
            lambda engine, stop: _run(engine, stop, job, workspace.pace, rebuild=rebuild), cancel
        )
        message = f"{report.files} files, {report.chunks} chunks"
    except (CancelledError, asyncio.CancelledError):
        message = "stopped; what was finished is kept"
        raise
    finally:
        done()
        job.end(message)
    return report


async def index_in_background(
    server: ContextServer, workspace: Workspace, done: Callable[[], None] = lambda: None
) -> None:
    """``index`` for nobody who waits: what goes wrong is told to the user and the log. ``done`` is called at the end."""
    try:
        report = await index(server, workspace)
        log.info(
            "indexed %s: %d files, %d chunks, %.0f ms", workspace.root, report.files, report.chunks, report.ms
        )
    except CancelledError:
        log.info("indexing of %s was stopped", workspace.root)
    except ContextlsError as error:
        server.warn(f"{workspace.root.name}: {error}")
    except Exception:
        log.exception("indexing of %s failed", workspace.root)
        server.warn(f"{workspace.root.name}: indexing failed unexpectedly; see the server's log")
    finally:
        done()


def _run(engine: Engine, cancel: threading.Event, job: Job, pace: Pace, *, rebuild: bool) -> IndexReport:
    if rebuild:
        engine.clear(index=True)
    pace.begin()

    def told(progress: IndexProgress) -> None:
        pace.take(progress)
        _report(job, progress)

    report = engine.index(told, cancel)
    engine.prepare()
    return report


def _report(job: Job, progress: IndexProgress) -> None:
    what = _PHASES.get(progress.phase, progress.phase)
    if progress.total:
        percentage = min(100, 100 * progress.done // progress.total)
        job.report(f"{what}: {progress.done}/{progress.total} {progress.path}".rstrip(), percentage)
    else:
        job.report(f"{what}: {progress.done}")
